"""Whether a manifest is a file that can be read more than once, and still the same one."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from ragguard.dataset.lines import unreadable
from ragguard.errors import InputError
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class FileState:
    """What changes when somebody writes to a file.

    Attributes:
        identity: its device and number in the file system.
        size: in bytes.
        changed_at: nanoseconds since the epoch.
    """

    identity: tuple[int, int]
    size: int
    changed_at: int

    @classmethod
    def of(cls, path: Path, shown: str) -> FileState:
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
        return cls((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)

    def check(self, path: Path, shown: str) -> None:
        """Find the file as it was.

        Raises:
            InputError: it has changed or vanished.
        """
        try:
            found = path.stat()
        except OSError as error:
            raise InputError(
                f"it vanished while it was read: {error.strerror or error}",
                location=Location(shown),
                hint="run again when nothing else works on it",
            ) from error
        now = FileState((found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)
        if now != self:
            raise InputError(
                f"it changed while it was read: {_difference(self, now)}",
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
    return "another file took its place" if before.identity != now.identity else "it was written to"
