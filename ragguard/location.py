"""Where something stands in a file, as editors and compilers say it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file.

    Attributes:
        file: path as shown to the user (relative to the working directory, forward slashes).
        line: 1-based line number, None for the file as a whole.
        column: 1-based column in code points, None for the line as a whole.
    """

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """`file`, `file:line` or `file:line:column`."""
        parts = [self.file, self.line, self.column]
        return ":".join(str(part) for part in parts if part is not None)
