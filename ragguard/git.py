"""Asking git; outside of a repository, or without git, every answer is None."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

_SECONDS = 60


def git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints to stdout when run in `folder`; None when it fails or is not there."""
    program = shutil.which("git")
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - arguments are ours, never a shell's
            [program, *arguments],
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def commit_of(folder: Path, revision: str = "HEAD") -> str | None:
    """The full id of the commit that a revision names."""
    found = git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    return found.decode().strip() if found else None
