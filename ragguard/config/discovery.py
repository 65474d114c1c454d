"""Finding the configuration that governs a path."""

from __future__ import annotations

from pathlib import Path

CONFIG_NAME = "ragguard.yml"


def find_config(start: Path) -> Path | None:
    """The `ragguard.yml` that governs `start`, None when there is none.

    Looks in `start` (or its folder) and upwards, up to and including the root of the git
    repository; outside of one, up to the root of the file system.
    """
    start = start.absolute()
    folder = start if start.is_dir() else start.parent
    for candidate in (folder, *folder.parents):
        if (candidate / CONFIG_NAME).is_file():
            return candidate / CONFIG_NAME
        if (candidate / ".git").exists():
            return None
    return None


def repository_root(folder: Path) -> Path | None:
    """The root of the git repository that a folder lies in, None outside of one."""
    folder = folder.absolute()
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def shown_path(path: Path) -> str:
    """A path as diagnostics show it: relative to the working directory, forward slashes."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
