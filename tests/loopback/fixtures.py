"""The ``github`` fixture; a conftest.py imports it from here and names it in ``__all__``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.loopback.server import LoopbackGitHub


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackGitHub]:
    """A loopback GitHub; no request and no answer of the test may leave GitHub's description."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    with LoopbackGitHub() as server:
        yield server
    if server.violations:
        pytest.fail("\n".join(["GitHub's description was left:", *server.violations]))
