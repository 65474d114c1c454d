"""Where a character of a query stands in its file."""

from __future__ import annotations

import re

from ragguard.dataset.row import DatasetRow
from ragguard.location import Location

_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_WRITTEN = rf"(?s:{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\.|.)"
"""A character as a JSON string writes it."""


def place_in_query(row: DatasetRow, index: int) -> Location:
    """Where the character at a 0-based index of the row's decoded query stands."""
    span = row.span("query")
    if span is None:
        return row.locate("query")
    inside = row.text[span.start + 1 : span.end - 1]
    if "\\" in inside:
        index = sum(map(len, re.findall(_WRITTEN, inside)[:index]))
    return Location(row.file, row.line.number, span.start + 2 + index)
