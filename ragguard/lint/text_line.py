"""A line as the text rules see it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragguard.dataset.fault import FaultKind
from ragguard.dataset.loading import ReadLine
from ragguard.lint.finding import Finding
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a dataset with the name of its file.

    Attributes:
        file: path as shown in diagnostics.
        line_end: how the file ends its lines, for what a fix adds.
        whole: on the first line of a file that is one JSON value over many: what it is, and the
            way out.
    """

    file: str
    read: ReadLine
    line_end: bytes = b"\n"
    whole: tuple[str, str] | None = None

    @property
    def number(self) -> int:
        """1-based."""
        return self.read.line.number

    @property
    def is_blank(self) -> bool:
        """Whether nothing but white space stands on it."""
        return not self.read.line.content.strip()

    def at(self, position: int = 0) -> Location:
        """The place of a character of it, by 0-based index."""
        return Location(self.file, self.number, position + 1)

    def faults(self, kind: FaultKind) -> Iterator[Finding]:
        """The decoder's faults of one kind, as findings."""
        for fault in self.read.faults:
            if fault.kind is kind:
                query_id = self.read.row.query_id if self.read.row else None
                yield Finding(fault.message, self.at(fault.position), fault.hint, query_id)
