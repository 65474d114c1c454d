"""Replacing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_NEW_FILE_MODE = 0o644


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in place of a file: a crash or a full disk leaves the old one.

    It is written beside its place and moved there; the mode of the old file is kept, and a link
    is followed, not replaced.

    Raises:
        OSError: the place cannot be written to.
    """
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else _NEW_FILE_MODE
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
