"""Tables of separated cells: CSV, TSV and their kin, with a first line that names the columns."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ragguard.dataset.imports.source_table import SourceRow, SourceTable
from ragguard.errors import InputError
from ragguard.location import Location

_DELIMITERS = ",\t;|"
_LONGEST_CELL = 2**31 - 1


def separated_table(text: str, path: Path, shown: str, delimiter: str | None) -> SourceTable:
    """The table of a text; cells stay the texts they are.

    Args:
        text: the whole file.
        path: its name says whether tabs are between the cells.
        shown: its name in messages.
        delimiter: what is between the cells; None to tell it by the first line.

    Raises:
        InputError: it has no line, two columns of one name, or several delimiters are likely.
    """
    name = path.name.removesuffix(".gz").lower()
    mark = delimiter or ("\t" if name.endswith(".tsv") else _delimiter_of(text, shown))
    reader = _Reader(text, shown, mark)
    begun, columns = next(reader.records(), (0, []))
    header = Location(shown, begun or None)
    for fault in reader.faults:
        raise fault
    if not any(columns):
        raise InputError("no row in it", location=header, hint="its first line names the columns")
    columns = [column.strip() for column in columns]
    twins = [column for column, count in Counter(columns).items() if column and count > 1]
    if twins:
        raise InputError(
            f"two columns are named {twins[0]!r}",
            location=header,
            hint="give one of them another name",
        )
    rows = tuple(
        SourceRow(_named(columns, cells), partial(Location, shown, line), is_text=True)
        for line, cells in reader.records()
        if reader.fits(line, cells, len(columns))
    )
    named = tuple(column for column in columns if column)
    unnamed = ("",) if "" in columns else ()
    return SourceTable(shown, header, named, rows, tuple(reader.faults), ignored=unnamed)


def _named(columns: list[str], cells: list[str]) -> dict[str, str]:
    return {column: cell for column, cell in zip(columns, cells, strict=False) if column}


def _delimiter_of(text: str, shown: str) -> str:
    """The delimiter that splits the first line into most columns."""
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    widths = {
        mark: len(next(csv.reader([first], delimiter=mark), []))
        for mark in _DELIMITERS
        if mark in first
    }
    best = [mark for mark, width in widths.items() if width == max(widths.values()) > 1]
    if len(best) > 1:
        raise InputError(
            f"the first line may be delimited by {' or '.join(map(repr, best))}: {first[:80]!r}",
            location=Location(shown, 1),
            hint=f"say which: --delimiter {_option(best[0])}",
        )
    return best[0] if best else ","


def _option(mark: str) -> str:
    return "tab" if mark == "\t" else f"'{mark}'"


class _Reader:
    """The records of a text, and the faults of those that cannot be read."""

    def __init__(self, text: str, shown: str, delimiter: str) -> None:
        csv.field_size_limit(_LONGEST_CELL)
        self._shown = shown
        self._delimiter = delimiter
        # Strict, because a quote that nobody closes would swallow the rest of the file.
        self._csv = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        self.faults: list[InputError] = []

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The records with the line each begins on; ends at the first that cannot be told apart."""
        while True:
            begins = self._csv.line_num + 1
            try:
                cells = next(self._csv, None)
            except csv.Error as error:
                self._fault(
                    begins,
                    f"a record that cannot be told from the next: {error}",
                    f"is {_option(self._delimiter)} what stands between cells (--delimiter)? "
                    "a cell that holds a quote stands in quotes, and its own quotes are doubled",
                )
                return
            if cells is None:
                return
            if cells:
                yield begins, cells

    def fits(self, line: int, cells: list[str], width: int) -> bool:
        """Whether a record has a cell for every column; notes the fault of one that has not."""
        if len(cells) == width or (len(cells) > width and not any(cells[width:])):
            return True
        self._fault(
            line,
            f"{len(cells)} cells under a header of {width}",
            f"a cell that holds the delimiter {self._delimiter!r} stands in quotes",
        )
        return False

    def _fault(self, line: int, message: str, hint: str) -> None:
        self.faults.append(InputError(message, location=Location(self._shown, line), hint=hint))
