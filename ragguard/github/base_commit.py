"""The commit that a run is compared with, and the files it holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ragguard.git import commit_of, git
from ragguard.github.client import GitHub
from ragguard.github.event import Event, EventName


@dataclass(frozen=True, slots=True)
class BaseCommit:
    """A commit of the repository checked out at `workspace`, which may be a shallow clone."""

    sha: str
    workspace: Path
    github: GitHub

    def read(self, path: Path) -> bytes | None:
        """A file as this commit has it, None when it lacks it.

        From git; a commit that a shallow clone lacks is fetched; where that fails the API is asked.

        Raises:
            LookupFailedError: neither git nor the API could tell.
        """
        workspace = self.workspace.resolve()
        if not path.resolve().is_relative_to(workspace):
            return None
        name = path.resolve().relative_to(workspace).as_posix()
        if self._is_here() or self._fetched():
            return git(self.workspace, "show", f"{self.sha}:{name}")
        return self.github.file_at(name, self.sha)

    def _is_here(self) -> bool:
        return git(self.workspace, "cat-file", "-e", f"{self.sha}^{{tree}}") is not None

    def _fetched(self) -> bool:
        shallow = git(self.workspace, "rev-parse", "--is-shallow-repository")
        # Only what is shallow already is fetched so: a full clone would lose its history.
        depth = ["--depth=1"] if shallow and shallow.strip() == b"true" else []
        git(self.workspace, "fetch", "--quiet", "--no-tags", *depth, "origin", self.sha)
        return self._is_here()


def find_base_commit(event: Event, workspace: Path, github: GitHub) -> BaseCommit | None:
    """The commit to compare with; None for a branch that has just begun.

    For a pull request it is the first parent of the tested merge commit, else the merge base: the
    commit that the event names goes stale while the base branch moves on.

    Raises:
        LookupFailedError: neither git nor the API could tell.
    """
    match event.name:
        case EventName.PULL_REQUEST:
            sha: str | None = _of_pull_request(event, workspace, github)
        case EventName.PUSH | EventName.MERGE_GROUP:
            sha = event.base_sha
        case _:
            # By clock or by hand: compared with what the same commit, or one before it, gave.
            sha = event.head_sha
    return BaseCommit(sha, workspace, github) if sha else None


def _of_pull_request(event: Event, workspace: Path, github: GitHub) -> str:
    parents = _parents(workspace)
    if len(parents) == 2 and parents[1] == event.head_sha:
        return parents[0]
    return github.merge_base(event.base_ref, commit_of(workspace) or event.head_sha)


def _parents(workspace: Path) -> list[str]:
    """Parents of the commit checked out, as the commit itself names them; a shallow clone too."""
    commit = git(workspace, "cat-file", "commit", "HEAD") or b""
    header = commit.decode("utf-8", "replace").split("\n\n", maxsplit=1)[0]
    return [line.split()[1] for line in header.split("\n") if line.startswith("parent ")]
