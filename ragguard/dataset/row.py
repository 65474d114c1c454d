"""One row of a dataset with the place of everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragguard.dataset.lines import SourceLine
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.positions import Span, key_span, value_span
from ragguard.location import Location

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A decoded row and the line it was read from.

    Attributes:
        file: path as shown in diagnostics.
        text: the line decoded, without byte-order mark and line end.
        value: the row as written.
        fields: the row under canonical names.
    """

    file: str
    line: SourceLine
    text: str
    value: dict[str, Any]
    fields: dict[str, Any]
    mapping: FieldMapping = field(repr=False)

    @property
    def query_id(self) -> str | None:
        """Its id where that is a string."""
        query_id = self.fields.get("query_id")
        return query_id if isinstance(query_id, str) else None

    def source_path(self, path: Path) -> tuple[str | int, ...]:
        """The path in the row as written of a path that begins with a canonical field."""
        return (*self.mapping.path_of(str(path[0])), *path[1:])

    def span(self, *path: str | int) -> Span | None:
        """The characters of the line that hold the value at a canonical path.

        None where there is none, as for an id that is derived from other fields.
        """
        source = self.source_path(path)
        return value_span(self.text, source) if source else None

    def locate(self, *path: str | int) -> Location:
        """Where the value at a canonical path stands; column 1 of the row when it is missing."""
        span = self.span(*path) if path else None
        return Location(self.file, self.line.number, span.start + 1 if span else 1)

    def locate_key(self, *path: str | int) -> Location:
        """Where the key that a path as written ends in stands; column 1 when it is missing."""
        span = key_span(self.text, path)
        return Location(self.file, self.line.number, span.start + 1 if span else 1)

    def byte_span(self, *path: str | int) -> tuple[int, int] | None:
        """The half-open byte range in the file that holds the value at a canonical path."""
        span = self.span(*path)
        return self.bytes_of(span) if span else None

    def bytes_of(self, span: Span) -> tuple[int, int]:
        """The half-open byte range in the file of these characters of the line."""
        before = len(self.text[: span.start].encode("utf-8", "surrogatepass"))
        inside = len(self.text[span.start : span.end].encode("utf-8", "surrogatepass"))
        start = self.line.content_offset + before
        return start, start + inside
