"""How a table of another tool is to be read: which column is which field, and the like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from ragguard.dataset.mapping import CANONICAL_FIELDS, HASHED
from ragguard.errors import UsageError

KEYED = "@key"
"""In place of a column for `query_id`: the key under which a JSON object holds the row."""

LISTS = "list"
"""In place of a separator: cells are lists as JSON or Python writes them."""

LABEL_FIELDS = ("relevant_ids", "judgments", "evidence", "spans")
_OPEN_FIELDS = ("context", "metadata")

Unlabelled = Literal["error", "unanswerable", "keep"]


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the command line says of a table.

    Attributes:
        fields: column or dotted path by canonical field, or by `context.NAME`, `metadata.NAME`.
        separator: what stands between the ids of one cell, or `LISTS`; None for one id a cell.
        unlabelled: what a row without any label is.
        rows: dotted path to the rows inside a JSON file; None for the whole of it.
        delimiter: what stands between the cells of a line; None to tell it by the header.
        encoding: how the text is encoded; None for UTF-8.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    separator: str | None = None
    unlabelled: Unlabelled = "error"
    rows: str | None = None
    delimiter: str | None = None
    encoding: str | None = None


def field_mapping(given: Iterable[str]) -> dict[str, str]:
    """The mapping that `FIELD=COLUMN` texts make.

    Raises:
        UsageError: one has no `=`, names no field, or names one a second time.
    """
    fields: dict[str, str] = {}
    for each in given:
        name, equals, column = each.partition("=")
        name = name.strip()
        if not equals or not name or not column:
            raise UsageError(
                f"--field {each}: neither field nor column may be missing",
                hint="write FIELD=COLUMN: --field query=question",
            )
        _check_name(name, column)
        if name in fields:
            raise UsageError(
                f"--field {name} is given twice: {fields[name]!r} and {column!r}",
                hint="a field is taken from one column",
            )
        fields[name] = column
    return fields


def _check_name(name: str, column: str) -> None:
    first, dot, rest = name.partition(".")
    if name not in CANONICAL_FIELDS and not (dot and rest and first in _OPEN_FIELDS):
        near = get_close_matches(name, CANONICAL_FIELDS, n=1, cutoff=0.6)
        if not near and column in CANONICAL_FIELDS:
            near = [f"{column}={name}"]
        known = f"fields: {', '.join(CANONICAL_FIELDS)}; context.NAME and metadata.NAME"
        raise UsageError(
            f"--field {name}={column}: there is no field {name!r}",
            hint=f"did you mean {near[0]!r}?" if near else known,
        )
    if column in {HASHED, KEYED} and name != "query_id":
        raise UsageError(f"--field {name}={column}: only query_id can be {column}")
