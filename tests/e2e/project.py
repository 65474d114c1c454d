"""The project under test as a consumer meets it: a copy without history or ignored files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
CACHE = PROJECT / ".cache" / "e2e"
IDENTITY = ("-c", "user.name=tester", "-c", "user.email=tester@example.com")


def snapshot(folder: Path) -> Path:
    """Copy all files of the working tree that git does not ignore; returns ``folder``."""
    names = git(PROJECT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, names):
        source, target = PROJECT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return folder


def committed_snapshot(folder: Path, tag: str = "v1") -> Path:
    """A snapshot as a git repository of one tagged commit: what pre-commit clones."""
    snapshot(folder)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "-q", "-m", "The project as it stands")
    git(folder, "tag", tag)
    return folder


def git(path: Path, *arguments: str) -> str:
    """What git prints, without the final newline; RuntimeError with its words when it fails."""
    command = ["git", "-C", str(path), *IDENTITY, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.removesuffix("\n")
