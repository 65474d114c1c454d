"""What the tests of retrievers share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.retrievers.served import Ask, ask_served


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Serve a piece of code from a folder of its own, and ask it."""
    return partial(ask_served, tmp_path)
