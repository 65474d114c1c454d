"""What the loopback GitHub knows: plain objects that a test sets up, changes and inspects.

Everything is mutable on purpose: it is the state of a server. Times are aware datetimes in UTC; ids
rise over the whole server, as GitHub's do.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

WORKFLOW_LOGIN = "github-actions[bot]"


def now() -> datetime:
    """The present, to the second: GitHub's times have no fraction."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(slots=True)
class Token:
    """A token known to the server, and what it may do.

    ``kind`` is ``workflow`` (the GITHUB_TOKEN of a job) or ``user`` (a personal access token).
    ``permissions`` maps GitHub's scopes (``contents``, ``issues``, ``pull_requests``, ``actions``)
    to ``read`` or ``write``; an absent scope is ``none``. ``repository`` is the one that a workflow
    token belongs to; None: no limit.
    """

    value: str
    login: str
    kind: str
    permissions: dict[str, str]
    repository: str | None = None

    def allows(self, scopes: Sequence[str], level: str) -> bool:
        """Whether one of ``scopes`` is granted at ``level`` or above."""
        granted = ("read", "write") if level == "read" else ("write",)
        return scopes == ("metadata",) or any(
            self.permissions.get(scope) in granted for scope in scopes
        )


@dataclass(slots=True)
class Commit:
    """A commit with its whole tree: path → bytes."""

    sha: str
    parents: tuple[str, ...]
    message: str
    files: dict[str, bytes]
    author: str = "octocat"
    date: datetime = field(default_factory=now)


@dataclass(slots=True)
class Comment:
    """A comment in the conversation of an issue or pull request."""

    id: int
    issue_number: int
    author: str
    body: str
    created_at: datetime = field(default_factory=now)
    updated_at: datetime = field(default_factory=now)


@dataclass(slots=True)
class PullRequest:
    """A pull request; ``head_repository`` is the full name of the fork or of its repository."""

    number: int
    id: int
    title: str
    author: str
    base_ref: str
    base_sha: str
    head_repository: str
    head_ref: str
    head_sha: str
    merge_commit_sha: str | None
    labels: list[str] = field(default_factory=list)
    state: str = "open"
    merged: bool = False
    draft: bool = False
    created_at: datetime = field(default_factory=now)


@dataclass(slots=True)
class WorkflowRun:
    """A workflow run; of a pull request ``head_sha`` is its head, not its test merge."""

    id: int
    run_number: int
    event: str
    head_branch: str
    head_sha: str
    head_repository: str
    workflow: str = ".github/workflows/ci.yml"
    workflow_id: int = 1
    run_attempt: int = 1
    actor: str = "octocat"
    status: str = "completed"
    conclusion: str | None = "success"
    pull_requests: list[int] = field(default_factory=list)
    created_at: datetime = field(default_factory=now)


@dataclass(slots=True)
class Artifact:
    """An artifact of a run; ``content`` is the zip archive as it is downloaded."""

    id: int
    name: str
    run_id: int
    content: bytes
    expired: bool = False
    created_at: datetime = field(default_factory=now)

    def files(self) -> dict[str, bytes]:
        """The files inside the archive."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@dataclass(slots=True)
class RateLimit:
    """The primary rate limit as its headers tell it."""

    limit: int = 5000
    used: int = 0
    reset_at: int = field(default_factory=lambda: int(now().timestamp()) + 3600)

    @property
    def remaining(self) -> int:
        """Requests left until ``reset_at``, never negative."""
        return max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived; ``operation`` is ``METHOD /template``, None for an unknown one."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    operation: str | None

    @property
    def token(self) -> str | None:
        """What the Authorization header carries, without its scheme."""
        value = self.headers.get("authorization", "")
        return value.split(" ", 1)[-1] or None

    def json(self) -> object:
        """The body as JSON."""
        return json.loads(self.body)
