"""A real git repository as state, so that the API tells what git holds."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

from tests.loopback.repository import Repository
from tests.loopback.state import Commit

FIELDS = "%H%x00%P%x00%an%x00%ct%x00%B%x01"


def import_git(repository: Repository, path: Path) -> None:
    """Take over every commit, branch and tag at ``path`` that is not known yet."""
    for record in _git(path, "log", "--all", f"--format={FIELDS}").split("\x01"):
        if record.strip():
            commit = _commit(path, record.lstrip("\n"), repository.commits)
            repository.commits[commit.sha] = commit
    for line in _git(path, "for-each-ref", "--format=%(objectname) %(refname)").splitlines():
        sha, ref = line.split(" ", 1)
        if ref.startswith("refs/heads/"):
            repository.branches[ref.removeprefix("refs/heads/")] = sha
        if ref.startswith("refs/tags/"):
            repository.tags[ref.removeprefix("refs/tags/")] = sha


def _commit(path: Path, record: str, known: dict[str, Commit]) -> Commit:
    sha, parents, author, seconds, message = record.split("\x00", 4)
    if sha in known:
        return known[sha]
    when = datetime.fromtimestamp(int(seconds), UTC)
    return Commit(sha, tuple(parents.split()), message.strip(), _tree(path, sha), author, when)


def _tree(path: Path, sha: str) -> dict[str, bytes]:
    names = [
        name for name in _git(path, "ls-tree", "-r", "-z", "--name-only", sha).split("\0") if name
    ]
    return {name: _blob(path, f"{sha}:{name}") for name in names}


def _blob(path: Path, name: str) -> bytes:
    command = ["git", "-C", str(path), "cat-file", "blob", name]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _git(path: Path, *arguments: str) -> str:
    command = ["git", "-C", str(path), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
