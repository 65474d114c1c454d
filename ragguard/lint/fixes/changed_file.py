"""A file and the lines of it that fixes change; every other byte stays as it is."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from ragguard.atomic import FileChangedError, FileState, replacement
from ragguard.dataset.lines import unreadable
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Edit
from ragguard.lint.result import SourceFile
from ragguard.location import Location

_BLOCK = 1 << 20
_FIRST_LOOK_BACK = 1 << 9


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of a file and what becomes of it.

    Attributes:
        start, length: where it stands in the file as it was linted, its end included, in bytes.
        after: what takes its place, its end included; empty when the line goes.
    """

    start: int
    length: int
    after: bytes


class ChangedFile:
    """A dataset and the changes that its fixes make; nothing is written before `write`.

    Memory grows with the lines that change, not with the file.

    Attributes:
        fixes: how many findings were fixed, as whoever applies the fixes counts.
        reviews: of how many queries the labels were recorded as reviewed.
    """

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.fixes = 0
        self.reviews = 0
        self._changes: dict[int, LineChange] = {}
        self._starts: list[int] = []
        self._changed: list[tuple[LineChange, int]] = []

    @property
    def changes(self) -> tuple[LineChange, ...]:
        """The lines that change, in file order."""
        return tuple(change for change, _ in self._changed)

    def apply(self, fixes: Iterable[tuple[Edit, ...]]) -> None:
        """Change the lines that fixes are about.

        Args:
            fixes: edits, by fix; their places are those in the file as changed so far, no two
                of them overlap, and the edits of one fix lie in one line.

        Raises:
            InputError: the file cannot be read any more, or is no longer the one that was linted.
        """
        lines: dict[int, tuple[LineChange, list[Edit]]] = {}
        with self._opened() as stream:
            for edits in fixes:
                line, begins = self._line_at(stream, edits[0].start)
                moved = (replace(e, start=e.start - begins, end=e.end - begins) for e in edits)
                lines.setdefault(line.start, (line, []))[1].extend(moved)
        for line, edits_of_line in lines.values():
            self._changes[line.start] = replace(line, after=_edited(line.after, edits_of_line))
        self._settle()

    def write_copy(self, path: Path) -> None:
        """Write the file as changed to another place.

        Raises:
            InputError: as `apply`, or the copy cannot be written.
        """
        try:
            with path.open("wb") as copy:
                for part in self.parts():
                    copy.write(part)
        except OSError as error:
            raise InputError(
                f"cannot write a copy for fixing: {error.strerror or error}",
                location=Location(self.source.shown),
                hint="set TMPDIR to a folder with room for it",
            ) from error

    def write(self) -> None:
        """Put the file as changed in its place, whole or not at all.

        Raises:
            InputError: the file cannot be written, or is no longer the one that was linted.
        """
        try:
            with replacement(self.source.path, self.source.state) as stream:
                for part in self.parts():
                    stream.write(part)
        except FileChangedError as error:
            raise self._changed_meanwhile() from error
        except OSError as error:
            raise InputError(
                f"cannot write the fixed file: {error.strerror or error}",
                location=Location(self.source.shown),
                hint="the file is as it was",
            ) from error

    def parts(self) -> Iterator[bytes]:
        """The bytes of the file as changed, a block at a time.

        Raises:
            InputError: as `apply`.
        """
        with self._opened() as stream:
            for change in self.changes:
                yield from _blocks(stream, change.start - stream.tell())
                yield change.after
                stream.seek(change.length, os.SEEK_CUR)
            yield from _blocks(stream, None)

    def lines(self) -> Iterator[tuple[bytes, bytes]]:
        """Every line of the file as it is and as changed, ends included; a line that goes is empty.

        Raises:
            InputError: as `apply`.
        """
        with self._opened() as stream:
            start = 0
            for line in stream:
                change = self._changes.get(start)
                yield line, line if change is None else change.after
                start += len(line)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        try:
            with self.source.path.open("rb") as stream:
                if FileState.of(os.fstat(stream.fileno())) != self.source.state:
                    raise self._changed_meanwhile()
                yield stream
        except OSError as error:
            raise unreadable(error, self.source.shown) from error

    def _changed_meanwhile(self) -> InputError:
        return InputError(
            "the file changed on disk while it was linted; it is not overwritten",
            location=Location(self.source.shown),
            hint="run it again",
        )

    def _settle(self) -> None:
        """Put the changes in order, each with where its line begins in the file as changed."""
        delta = 0
        self._changed = []
        for start in sorted(self._changes):
            change = self._changes[start]
            self._changed.append((change, start + delta))
            delta += len(change.after) - change.length
        self._starts = [begins for _, begins in self._changed]

    def _line_at(self, stream: BinaryIO, position: int) -> tuple[LineChange, int]:
        """The line that holds a byte of the file as changed, and where it begins there."""
        index = bisect_right(self._starts, position) - 1
        delta = 0
        if index >= 0:
            change, begins = self._changed[index]
            end = begins + len(change.after)
            is_unfinished = bool(change.after) and not change.after.endswith(b"\n")
            if position < end or (position == end and is_unfinished):
                return change, begins
            delta = end - change.start - change.length
        start = _line_start(stream, position - delta)
        stream.seek(start)
        line = stream.readline()
        return LineChange(start, len(line), line), start + delta


def _line_start(stream: BinaryIO, position: int) -> int:
    """Where the line begins that holds a byte; looked for backwards in growing steps."""
    step, end = _FIRST_LOOK_BACK, position
    while end:
        start = max(0, end - step)
        stream.seek(start)
        found = stream.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end, step = start, step * 2
    return 0


def _edited(content: bytes, edits: Iterable[Edit]) -> bytes:
    parts, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [content[position : edit.start], edit.replacement]
        position = edit.end
    return b"".join([*parts, content[position:]])


def _blocks(stream: BinaryIO, length: int | None) -> Iterator[bytes]:
    """The next bytes of a stream, a block at a time; all that are left without a length."""
    while length is None or length > 0:
        block = stream.read(_BLOCK if length is None else min(_BLOCK, length))
        if not block:
            return
        yield block
        if length is not None:
            length -= len(block)
