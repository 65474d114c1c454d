"""A dataset read from a pipe, and printed again once it is fixed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.errors import InputError, UsageError

if TYPE_CHECKING:
    from ragguard.lint.fixes.changed_file import ChangedFile
    from ragguard.lint.piped import PipedFile

PIPE = "-"


def is_pipe(paths: Sequence[Path]) -> bool:
    """Whether a dataset is to be read from a pipe."""
    return any(str(path) == PIPE for path in paths)


@contextmanager
def piped(paths: Sequence[Path], name: Path | None) -> Iterator[PipedFile | None]:
    """What is read from the pipe, copied for as long as this lasts; None when files are meant.

    Args:
        paths: as given.
        name: the file that the dataset is, None when nobody says.

    Raises:
        UsageError: files are named beside the pipe.
        InputError: there is no room for a copy.
    """
    if name is None and not is_pipe(paths):
        yield None
        return
    if len(paths) > is_pipe(paths):
        raise UsageError(
            "a dataset from a pipe is linted alone",
            hint="name no paths beside it: `ragguard lint - --stdin-filename eval/docs.jsonl`",
        )
    if sys.stdin is None:
        raise UsageError("nothing is piped: stdin is closed", hint="ragguard lint - < FILE")
    from tempfile import TemporaryDirectory  # takes time to load, and few read from a pipe

    from ragguard.lint.piped import PipedFile

    with TemporaryDirectory(prefix="ragguard-") as folder:
        copy = Path(folder) / "piped"
        _read(copy)
        yield PipedFile(name or Path(PIPE), copy, has_name=name is not None)


def _read(copy: Path) -> None:
    try:
        with copy.open("wb") as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
    except OSError as error:
        raise InputError(
            f"cannot keep what comes from the pipe: {error.strerror or error}",
            hint="set TMPDIR to a folder with room for it",
        ) from error


def pass_on(pipe: PipedFile, files: Iterable[ChangedFile]) -> None:
    """Print what was read, as its fixes leave it; as it was when it has none.

    The copy is fixed too: excerpts are taken from it.

    Raises:
        InputError: the copy cannot be read or written any more.
    """
    for file in files:
        if file.source.path == pipe.content:
            file.write()
    if sys.stdout is None:
        raise UsageError("the dataset as fixed is printed, and stdout is closed")
    stdout = sys.stdout.buffer
    with pipe.content.open("rb") as stream:
        shutil.copyfileobj(stream, stdout)
    stdout.flush()
