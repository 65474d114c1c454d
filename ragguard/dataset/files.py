"""Which files a suite's dataset is."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MatchedFiles:
    """What a list of paths and globs stands for.

    Attributes:
        files: each file once, in the order of the patterns, then of names.
        unmatched: patterns that no file matches.
    """

    files: tuple[Path, ...]
    unmatched: tuple[str, ...]


def match_files(patterns: Iterable[str], root: Path) -> MatchedFiles:
    """The files that these paths and globs name, relative to `root`.

    A path that exists is taken as it is written, also when it holds `*` or `[`. Sidecars that a
    glob happens to match are no datasets.
    """
    files: dict[Path, Path] = {}
    unmatched = []
    for pattern in patterns:
        found = _matches(pattern, root)
        if not found:
            unmatched.append(pattern)
        for path in found:
            files.setdefault(real_path(path), path)
    return MatchedFiles(tuple(files.values()), tuple(unmatched))


def _matches(pattern: str, root: Path) -> list[Path]:
    plain = root / pattern
    if exists(plain):
        return [plain]
    # Path.glob refuses absolute patterns and `..`.
    names = sorted(glob.glob(pattern, root_dir=root, recursive=True))  # noqa: PTH207
    found = [root / name for name in names if not name.endswith(".meta.json")]
    # A link that leads nowhere is kept: reading it says so, leaving it out would say nothing.
    return [path for path in found if path.is_file() or (path.is_symlink() and not path.exists())]


def exists(path: Path) -> bool:
    """Whether anything is there; a name that the system does not allow is the name of nothing."""
    try:
        return path.exists()
    except OSError:
        return False


def real_path(path: Path) -> Path:
    """The absolute path with its links followed, as far as they lead; those in a ring lead nowhere.

    `Path.resolve` raises on a ring of links in some versions of Python.
    """
    return Path(os.path.realpath(path))
