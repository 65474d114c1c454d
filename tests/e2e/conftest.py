"""What end-to-end tests share: the loopback GitHub, and a copy of the project as the action."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.project import snapshot
from tests.loopback.fixtures import github

__all__ = ["github", "project_copy"]


@pytest.fixture(scope="session")
def project_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as ``uses: org/ragguard@v1`` meets it."""
    return snapshot(tmp_path_factory.mktemp("action"))
