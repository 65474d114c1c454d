"""One row of a table made into one row of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.imports.source_table import ABSENT, SourceRow
from ragguard.dataset.imports.table_options import KEYED, LABEL_FIELDS, TableOptions
from ragguard.dataset.imports.values import ValueRefusedError, field_value
from ragguard.dataset.mapping import CANONICAL_FIELDS, HASHED, hashed_id


@dataclass(frozen=True, slots=True)
class RowFault:
    """Why a row cannot be used, and the way out."""

    message: str
    hint: str


def canonical_row(
    source: SourceRow, columns: Mapping[str, str], options: TableOptions
) -> tuple[dict[str, Any], list[RowFault]]:
    """A row under canonical names with everything else as given, and what is wrong with it.

    Args:
        source: the row as the table has it.
        columns: column by field, in the order in which the row shall have the fields.
        options: how the table is to be read.
    """
    faults: list[RowFault] = []
    row: dict[str, Any] = {}
    rest = _rest(source, columns)
    for name, column in columns.items():
        try:
            value = _value(source, name, column, options)
        except ValueRefusedError as refused:
            faults.append(RowFault(refused.message, refused.hint))
            continue
        if value is not ABSENT:
            _place(name, value, row, rest)
    row |= rest
    if columns.get("query_id") == HASHED:
        row = {"query_id": hashed_id(row), **row}
    if not faults:
        faults += _lacking(row, columns)
        faults += _unlabelled(row, columns, options)
    return row, faults


def _rest(source: SourceRow, columns: Mapping[str, str]) -> dict[str, Any]:
    """The values that no field is taken from; where one is taken from inside, the whole stays."""
    taken = set(columns.values())
    return {name: value for name, value in source.values.items() if name not in taken}


def _value(source: SourceRow, name: str, column: str, options: TableOptions) -> Any:
    if column == HASHED:
        return ABSENT
    value = source.key if column == KEYED else source.value(column)
    if name not in CANONICAL_FIELDS:
        return value  # a member of context or metadata: as given
    return field_value(name, value, options.separator, is_text=source.is_text)


def _place(name: str, value: Any, row: dict[str, Any], rest: dict[str, Any]) -> None:
    """Put a value under its field, or into the object that a dotted name leads into."""
    if name in CANONICAL_FIELDS:
        row[name] = value
        return
    first, _, member = name.partition(".")
    held = row.get(first, rest.pop(first, None))
    row[first] = {**(held if isinstance(held, dict) else {}), member: value}


def _lacking(row: Mapping[str, Any], columns: Mapping[str, str]) -> Iterator[RowFault]:
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        told = "no query" if query is None else f"the query is {query!r:.60}"
        yield RowFault(
            f"{told}: {columns['query']!r} holds no text", "write the query, or delete the row"
        )
    query_id = row.get("query_id")
    if not isinstance(query_id, str) or not query_id.strip():
        yield RowFault(
            f"no query id: {columns['query_id']!r} is empty",
            f"give the row one, or derive the ids of all: --field query_id={HASHED}",
        )


def _unlabelled(
    row: dict[str, Any], columns: Mapping[str, str], options: TableOptions
) -> Iterator[RowFault]:
    """What a row without a label is, is for the caller to say."""
    if row.get("answerable") is False or any(row.get(name) for name in LABEL_FIELDS):
        return
    if options.unlabelled == "unanswerable":
        row.setdefault("answerable", False)
    elif options.unlabelled == "error":
        held = " and ".join(repr(columns[name]) for name in LABEL_FIELDS if name in columns)
        yield RowFault(
            f"no label: {held} is empty" if held else "no label",
            "where the corpus has no answer: --unlabelled unanswerable; "
            "to label such rows later: --unlabelled keep",
        )
