"""Asking git; outside of a repository, or without git, every answer is None."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_SECONDS = 60
_SECONDS_PER_FILE = 600
_MOST_NAMED = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """What a git command said.

    Attributes:
        output: its stdout, None when it failed.
        complaint: the first line of its stderr, without git's `fatal: `.
    """

    output: bytes | None
    complaint: str = ""


def is_installed() -> bool:
    """Whether there is a git to ask."""
    return shutil.which("git") is not None


def git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints to stdout when run in `folder`; None when it fails or is not there."""
    return ask(folder, *arguments).output


def ask(folder: Path, *arguments: str) -> Answer:
    """What git prints when run in `folder`, and what it complains of."""
    try:
        done = _run(folder, arguments, subprocess.PIPE, _SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Answer(None, str(error))
    first = done.stderr.decode("utf-8", "replace").partition("\n")[0]
    return Answer(
        done.stdout if done.returncode == 0 else None,
        first.removeprefix("fatal: ").removeprefix("error: "),
    )


def _run(
    folder: Path, arguments: Iterable[str], stdout: int | IO[bytes], seconds: int
) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("git")
    if program is None:
        raise FileNotFoundError("git is not installed")
    return subprocess.run(  # noqa: S603 - arguments are ours, never a shell's
        [program, *arguments],
        cwd=folder,
        env=_environment(),
        check=False,
        timeout=seconds,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


def _environment() -> dict[str, str]:
    """What git is told by its surroundings, but for what it tells its own hooks.

    In a worktree a hook is told GIT_DIR alone; a git that is run in a folder of it would then take
    that folder for the root.
    """
    if "GIT_WORK_TREE" in os.environ:
        return dict(os.environ)
    return {name: value for name, value in os.environ.items() if name not in _TOLD_TO_HOOKS}


_TOLD_TO_HOOKS = frozenset({"GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"})


def commit_of(folder: Path, revision: str = "HEAD") -> str | None:
    """The full id of the commit that a revision names."""
    found = git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    return found.decode().strip() if found else None


def is_shallow(folder: Path) -> bool:
    """Whether the clone lacks history that its origin has."""
    return (git(folder, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def merge_base(folder: Path, commit: str) -> str | None:
    """The commit where HEAD left the history of another; None where it is not known."""
    found = git(folder, "merge-base", "HEAD", commit)
    return found.decode().strip() if found else None


def files_at(folder: Path, commit: str, below: str) -> Iterator[tuple[str, str]]:
    """The files of a commit at or below a path, each with the id of its content.

    Args:
        folder: any folder of the repository.
        commit: its id.
        below: path from the repository's root; empty for everything.

    Yields:
        Path from the repository's root and object id; links and submodules are left out.
    """
    paths = ["--", below] if below else []
    listed = git(folder, "ls-tree", "-r", "-z", "--full-tree", commit, *paths) or b""
    for entry in listed.split(b"\0"):
        facts, tab, name = entry.partition(b"\t")
        if tab and facts.startswith(b"100"):
            yield os.fsdecode(name), facts.split()[2].decode()


def changed_files(folder: Path, commit: str, names: Iterable[str]) -> frozenset[str]:
    """Which of these files of a commit the working tree does not have as they were.

    Compared as git would commit them, so that line endings and filters make no difference.

    Args:
        folder: the root of the repository.
        commit: its id.
        names: paths from the root.
    """
    wanted = frozenset(names)
    # A command line has room for so many; beyond, everything that changed is listed.
    paths = map(_exact, wanted) if len(wanted) <= _MOST_NAMED else ()
    listed = git(folder, *_DIFF, "--name-only", "--no-renames", commit, "--", *paths)
    if listed is None:
        return wanted
    return wanted.intersection(os.fsdecode(name) for name in listed.split(b"\0"))


def renamed_from(folder: Path, commit: str) -> dict[str, str]:
    """By path the path that a file had at a commit, where git sees that it was moved."""
    listed = git(folder, *_DIFF, "--name-status", "--find-renames", "--diff-filter=R", commit)
    fields = [os.fsdecode(field) for field in (listed or b"").split(b"\0")]
    return {new: old for _, old, new in zip(fields[::3], fields[1::3], fields[2::3], strict=False)}


_DIFF = ("diff", "-z", "--no-ext-diff", "--no-textconv", "--no-relative")


def _exact(name: str) -> str:
    return f":(top,literal){name}"


def save_content(folder: Path, object_id: str, target: Path) -> bool:
    """Write the content that an object id names to a file; False when git cannot."""
    with target.open("wb") as stream:
        try:
            done = _run(folder, ("cat-file", "blob", object_id), stream, _SECONDS_PER_FILE)
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0


def large_file(folder: Path, sha256: str) -> Path | None:
    """Where Git LFS keeps a content in this clone; None when it was not fetched."""
    found = git(folder, "rev-parse", "--git-common-dir")
    if found is None:
        return None
    store = folder / os.fsdecode(found.rstrip(b"\n")) / "lfs" / "objects"
    path = store / sha256[:2] / sha256[2:4] / sha256
    return path if path.is_file() else None
