"""Manifests in CSV and TSV, record by record."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from ragguard.corpus.chunk import Chunk, NumberedChunk
from ragguard.corpus.chunk_row import FORMS, chunk_of
from ragguard.corpus.faults import Faults
from ragguard.corpus.reading import text_of
from ragguard.dataset.lines import SourceLine
from ragguard.errors import InputError
from ragguard.location import Location

_LONGEST_FIELD = 2**31 - 1
_ID_COLUMNS = ("id", "_id", "chunk_id", "doc_id", "docid")


def read_separated(
    lines: Iterator[SourceLine], faults: Faults, with_text: bool
) -> Iterator[NumberedChunk]:
    """The chunks of separated lines with a header; each record that holds none is a fault.

    Raises:
        InputError: the header names no id.
    """
    shown = faults.shown
    first = next(lines)
    header = text_of(first, shown)
    delimiter = "\t" if "\t" in header else ","
    try:
        names = next(csv.reader(io.StringIO(header), delimiter=delimiter))
    except csv.Error as error:
        raise InputError(
            f"a header that cannot be read: {error}",
            location=Location(shown, first.number),
            hint=FORMS,
        ) from error
    column = next((name for name in _ID_COLUMNS if name in names), None)
    if column is None:
        raise InputError(
            f"no column {_ID_COLUMNS[0]!r} in the header: {', '.join(names)}",
            location=Location(shown, first.number),
            hint=FORMS,
        )
    for number, values in _records(lines, faults, delimiter, first.number + 1):
        try:
            yield number, _of_record(names, values, column, Location(shown, number), with_text)
        except InputError as error:
            faults.add(error)


def _of_record(
    names: list[str], values: list[str], column: str, location: Location, with_text: bool
) -> Chunk:
    if any(values[len(names) :]):
        raise InputError(
            f"{len(values)} fields under a header of {len(names)}",
            location=location,
            hint="a field that holds the separator stands in quotes",
        )
    row: dict[str, Any] = {
        name: value for name, value in zip(names, values, strict=False) if value != ""
    }
    row["id"] = row.get(column)
    if "access" in row:
        row["access"] = [role.strip() for role in row["access"].split("|")]
    return chunk_of(row, location, with_text=with_text)


def _records(
    lines: Iterator[SourceLine], faults: Faults, delimiter: str, number: int
) -> Iterator[tuple[int, list[str]]]:
    """The records of a separated file, each with the line it begins on."""
    csv.field_size_limit(_LONGEST_FIELD)
    # Strict, because a quote that nobody closes would swallow the rest of the file.
    reader = csv.reader(_texts(lines, faults), delimiter=delimiter, strict=True)
    while True:
        begins = number + reader.line_num
        try:
            values = next(reader, None)
        except csv.Error as error:
            faults.add(
                InputError(
                    f"a record that cannot be read: {error}",
                    location=Location(faults.shown, begins),
                    hint="a field that holds a quote stands in quotes, and its quotes are doubled",
                )
            )
            continue
        if values is None:
            return
        if values:
            yield begins, values


def _texts(lines: Iterator[SourceLine], faults: Faults) -> Iterator[str]:
    for line in lines:
        try:
            text = text_of(line, faults.shown)
        except InputError as error:
            faults.add(error)
            text = line.content.decode("utf-8", "replace")  # so that records keep their lines
        yield text + "\n"
