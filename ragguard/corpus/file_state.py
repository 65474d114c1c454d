"""Whether a manifest is a file that can be read more than once, and still the same one."""

from __future__ import annotations

import stat
from pathlib import Path

from ragguard.atomic import FileState
from ragguard.dataset.lines import unreadable
from ragguard.errors import InputError
from ragguard.location import Location


def state_of(path: Path, shown: str) -> FileState:
    """The state of a file as it is now.

    Raises:
        InputError: it is not there, or not a file that can be read more than once.
    """
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise _not_there(path, error, shown) from error
    if stat.S_ISDIR(found.st_mode):
        raise InputError(
            "a manifest is a file, this is a folder",
            location=Location(shown),
            hint="name the file in it",
        )
    if not stat.S_ISREG(found.st_mode):
        raise InputError(
            "a manifest is read more than once, which this pipe or device does not allow",
            location=Location(shown),
            hint="write it to a file first",
        )
    return FileState.of(found)


def check_unchanged(path: Path, shown: str, before: FileState) -> None:
    """Find a file as it was before.

    Raises:
        InputError: it has changed or vanished.
    """
    try:
        now = FileState.of(path.stat())
    except OSError as error:
        raise InputError(
            f"it vanished while it was read: {error.strerror or error}",
            location=Location(shown),
            hint="run again when nothing else works on it",
        ) from error
    if now != before:
        raise InputError(
            f"it changed while it was read: {_difference(before, now)}",
            location=Location(shown),
            hint="run again when nothing else writes to it",
        )


def _not_there(path: Path, error: OSError | ValueError, shown: str) -> InputError:
    if isinstance(error, FileNotFoundError) and path.is_symlink():
        return InputError(
            f"a link that leads nowhere: to {str(path.readlink())!r}",
            location=Location(shown),
            hint="mend the link, or name the file itself",
        )
    return unreadable(error, shown)


def _difference(before: FileState, now: FileState) -> str:
    if before.size != now.size:
        return f"it had {before.size:,} bytes and has {now.size:,}"
    same_file = (before.device, before.inode) == (now.device, now.inode)
    return "it was written to" if same_file else "another file took its place"
