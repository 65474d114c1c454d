"""Tests of ragguard's GitHub side speak to the loopback GitHub."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragguard.github.client import Api, GitHub
from tests.loopback.fixtures import github
from tests.loopback.repository import Repository
from tests.loopback.server import LoopbackGitHub

__all__ = ["github"]


@pytest.fixture
def repository(github: LoopbackGitHub) -> Repository:
    """`org/repo` with one commit on main."""
    made = github.add_repository("org/repo")
    made.commit({"README.md": "hello\n"})
    return made


@pytest.fixture
def waits() -> list[float]:
    """The seconds that clients waited, in order; nobody really waits."""
    return []


@pytest.fixture
def connect(
    github: LoopbackGitHub, repository: Repository, waits: list[float]
) -> Callable[..., GitHub]:
    """Makes clients of `org/repo`, by default with a workflow token that may write."""

    def make(token: str | None = None, seconds_per_call: float = 5.0) -> GitHub:
        value = github.add_token("org/repo") if token is None else token
        api = Api("org/repo", value, github.url, github.graphql_url)
        return GitHub(api, sleep=waits.append, seconds_per_call=seconds_per_call)

    return make
