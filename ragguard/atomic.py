"""Replacing a file whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_NEW_FILE_MODE = 0o644
_WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class FileState:
    """What tells whether a file is still the one that was read.

    Attributes:
        modified, changed: times of its content and of its inode, in nanoseconds.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, found: os.stat_result) -> FileState:
        """The state that the system tells of a file."""
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


class FileChangedError(OSError):
    """A file that is no longer the one that was read."""


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in place of a file: a crash or a full disk leaves the old one.

    Raises:
        OSError: as `replacement`.
    """
    with replacement(path) as stream:
        stream.write(content)


@contextmanager
def replacement(path: Path, unchanged: FileState | None = None) -> Iterator[BinaryIO]:
    """A stream whose bytes take the place of a file when all of them are written, and on disk.

    They are written beside its place and moved there: a crash, a full disk or an exception leaves
    the old file. A link is followed, not replaced. Mode and, where the system allows it, owner
    and extended attributes are those of the old file. Its other hard links keep the old content:
    whoever made them may have meant a copy.

    Args:
        path: the file; it need not exist.
        unchanged: the state that the file must still have in the end.

    Raises:
        OSError: the place cannot be written to, or the file in it is read-only.
        FileChangedError: the file has another state.
    """
    target = Path(os.path.realpath(path))
    old = target.stat() if target.exists() else None
    if old is not None and not (old.st_mode & _WRITABLE and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, "the file is read-only", str(target))
    import tempfile  # takes time to load, and most commands write nothing

    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            _take_after(stream.fileno(), target, old)
            os.fsync(stream.fileno())
        if unchanged is not None and _state(target) != unchanged:
            raise FileChangedError(errno.ESTALE, "it changed on disk meanwhile", str(target))
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _state(path: Path) -> FileState | None:
    try:
        return FileState.of(path.stat())
    except OSError:
        return None


def _take_after(handle: int, target: Path, old: os.stat_result | None) -> None:
    """Give a new file the attributes of the old one, as far as the system allows it."""
    if old is None:
        os.fchmod(handle, _NEW_FILE_MODE)
        return
    for owner in ((old.st_uid, -1), (-1, old.st_gid)):
        with suppress(PermissionError):
            os.fchown(handle, *owner)
    os.fchmod(handle, old.st_mode & 0o777)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(target):
                os.setxattr(handle, name, os.getxattr(target, name))


def _sync_folder(folder: Path) -> None:
    """Have the new name on disk, too, where folders can be told to; the content is there."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
