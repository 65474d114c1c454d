"""A file as numbered lines of bytes: streamed, plain or gzip, split at line feeds only.

U+2028 and the other separators that `str.splitlines` knows may stand inside a JSON text, so they
end no line here.
"""

from __future__ import annotations

import errno
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.errors import InputError
from ragguard.location import Location

if TYPE_CHECKING:
    import gzip

BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_FIRST_BLOCK, _BLOCK = 1 << 16, 1 << 17
"""Bytes read at a time: a small file is one block, and what only large ones need is not loaded."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a file.

    Attributes:
        number: 1-based.
        offset: bytes before it in the (decompressed) file.
        raw: its bytes without the line feed; a carriage return before it stays.
        is_terminated: whether a line feed ends it; only the last line can lack one.
    """

    number: int
    offset: int
    raw: bytes
    is_terminated: bool = True

    @property
    def content(self) -> bytes:
        """The bytes without a carriage return at the end and a byte-order mark at the start."""
        content = self.raw.removesuffix(b"\r")
        return content.removeprefix(BOM) if self.number == 1 else content

    @property
    def content_offset(self) -> int:
        """Bytes before the content in the file."""
        has_mark = self.number == 1 and self.raw.startswith(BOM)
        return self.offset + (len(BOM) if has_mark else 0)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file that follow each other, as they stand in it.

    Attributes:
        number: of its first line, 1-based.
        offset: bytes before it in the (decompressed) file.
        content: whole lines; or the last line of a file alone, when no line feed ends it.
    """

    number: int
    offset: int
    content: bytes

    @property
    def is_terminated(self) -> bool:
        """Whether a line feed ends its last line."""
        return self.content.endswith(b"\n")

    def lines(self) -> Iterator[SourceLine]:
        """Its lines, one after the other."""
        number, offset = self.number, self.offset
        raws = self.content.split(b"\n")
        rest = raws.pop()
        for raw in raws:
            yield SourceLine(number, offset, raw)
            number += 1
            offset += len(raw) + 1
        if rest:
            yield SourceLine(number, offset, rest, is_terminated=False)


def read_lines(path: Path, shown: str) -> Iterator[SourceLine]:
    """The lines of a file, one after the other.

    Args:
        path: the file; gzip is recognised by its first bytes.
        shown: its name in errors.

    Raises:
        InputError: it does not exist, is a directory, cannot be read, or is damaged gzip.
    """
    for block in read_blocks(path, shown):
        yield from block.lines()


def read_blocks(path: Path, shown: str) -> Iterator[Block]:
    """The lines of a file, many at a time; the first block is small.

    Raises:
        InputError: as `read_lines`.
    """
    number, offset, size = 1, 0, _FIRST_BLOCK
    begun: list[bytes] = []
    try:
        with open_plain(path) as stream:
            while read := stream.read1(size):
                size = _BLOCK
                end = read.rfind(b"\n") + 1
                if not end:
                    begun.append(read)
                    continue
                block = Block(number, offset, b"".join([*begun, read[:end]]))
                begun = [read[end:]] if end < len(read) else []
                number += block.content.count(b"\n")
                offset += len(block.content)
                yield block
            if begun:
                yield Block(number, offset, b"".join(begun))
    except GeneratorExit:
        raise  # whoever reads has seen enough; what follows would load gzip
    except _damage() as error:
        raise InputError(
            f"a gzip file that is damaged or cut off: {error}",
            location=Location(shown, number),
            hint="compress it again",
        ) from error
    except (OSError, ValueError) as error:
        raise unreadable(error, shown) from error


def _damage() -> tuple[type[Exception], ...]:
    """What a damaged gzip file raises; loaded when something is raised, for few files are gzip."""
    import gzip
    import zlib

    return EOFError, zlib.error, gzip.BadGzipFile


def unreadable(error: OSError | ValueError, shown: str) -> InputError:
    """The error of a file that the system does not let us read.

    Python refuses a name with a null character before the system does, by a ValueError.
    """
    hints: dict[type[Exception], str] = {
        FileNotFoundError: "name a file that exists",
        IsADirectoryError: "name a file in it, or a glob such as 'folder/*.jsonl'",
        PermissionError: "make it readable",
    }
    if isinstance(error, OSError) and error.errno == errno.ESPIPE:
        hints[type(error)] = "write what comes out of it to a file first"
    return InputError(
        f"cannot read it: {getattr(error, 'strerror', None) or error}",
        location=Location(shown),
        hint=hints.get(type(error)),
    )


def refuse_stream(path: Path) -> None:
    """Refuse a pipe or a device: files are read more than once, and a pipe may never end.

    Raises:
        OSError: it is one, or cannot be asked for.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.ESPIPE, "it is a pipe or a device, no file", str(path))


def open_plain(path: Path) -> BufferedReader[FileIO] | gzip.GzipFile:
    """A file opened for its decompressed bytes.

    Raises:
        OSError: it cannot be opened.
    """
    refuse_stream(path)
    # What is looked at here is what the first read of a block gives back.
    stream = BufferedReader(FileIO(path), _FIRST_BLOCK)
    try:
        begins = stream.peek(2)[:2]
    except OSError:
        stream.close()
        raise
    if begins != _GZIP_MAGIC:
        return stream
    stream.close()
    import gzip

    return gzip.open(path, "rb")
