"""Which column of a table is which field of a dataset, and what to say when one is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from ragguard.dataset.imports.source_table import SourceTable
from ragguard.dataset.imports.table_options import KEYED, LABEL_FIELDS, TableOptions
from ragguard.dataset.mapping import CANONICAL_FIELDS, HASHED
from ragguard.errors import InputError

_USUAL: Mapping[str, tuple[str, ...]] = {
    "query": ("question", "text", "prompt", "input", "user_input", "queries", "questions"),
    "query_id": ("id", "_id", "qid", "question_id", "query-id"),
    "relevant_ids": (
        "relevant_docs", "relevant_doc_ids", "gold_ids", "gold", "document", "doc_id", "chunk_id",
        "document_id", "expected_ids", "expected_retrieval_ids", "correct_chunks",
    ),
}  # fmt: skip
"""What other tools call a field, for hints."""

_MOST_LISTED = 30


def wanted_columns(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The columns that fields are, or could be, taken from; that of the query first."""
    names = dict.fromkeys(("query", *CANONICAL_FIELDS, *fields))
    return tuple(fields.get(name, name) for name in names)


def chosen_columns(table: SourceTable, fields: Mapping[str, str]) -> dict[str, str]:
    """Column by field: as mapped, else the column of the field's own name, in canonical order."""
    chosen = {name: name for name in CANONICAL_FIELDS if name in table.columns} | dict(fields)
    if "query_id" not in chosen and _is_keyed(table):
        chosen["query_id"] = KEYED
    order = {name: place for place, name in enumerate(CANONICAL_FIELDS)}
    return dict(sorted(chosen.items(), key=lambda each: order.get(each[0], len(order))))


def _is_keyed(table: SourceTable) -> bool:
    return bool(table.rows) and table.rows[0].key is not None


def column_faults(table: SourceTable, options: TableOptions) -> Iterator[InputError]:
    """What is wrong with the columns as a whole, so that no row can be made."""
    if not table.rows:
        if not table.faults:
            hint = "rows follow the line that names the columns"
            yield InputError("no row in it", location=table.header, hint=hint)
        return
    yield from _missing(table, options)
    yield from _unassigned(table, options)
    yield from _shadowed(table, options)


def _missing(table: SourceTable, options: TableOptions) -> Iterator[InputError]:
    names = list(table.names())
    for name, column in options.fields.items():
        if column == HASHED or table.has(column):
            continue
        if column == KEYED:
            if not _is_keyed(table):
                yield InputError(
                    f"--field {name}={KEYED}: no JSON object holds the rows by key",
                    location=table.header,
                    hint=f"name a column, or derive ids: --field {name}={HASHED}",
                )
            continue
        near = get_close_matches(column, names, n=1, cutoff=0.5)
        guess = f"did you mean {near[0]!r}? " if near else ""
        yield InputError(
            f"--field {name}={column}: there is no column {column!r}",
            location=table.header,
            hint=f"{guess}columns: {_listed(names)}",
        )


def _unassigned(table: SourceTable, options: TableOptions) -> Iterator[InputError]:
    chosen = chosen_columns(table, options.fields)
    ways = []
    if "query" not in chosen:
        ways.append(("query", "--field query={}"))
    if "query_id" not in chosen:
        ways.append(("query_id", f"--field query_id={{}}, or --field query_id={HASHED} for none"))
    if options.unlabelled == "error" and not chosen.keys() & {*LABEL_FIELDS, "answerable"}:
        none = "--unlabelled keep for none"
        ways.append(("relevant_ids", f"--field relevant_ids={{}}, or {none}"))
    names = list(table.names())
    for name, way in ways:
        yield InputError(
            f"no column is {name}",
            location=table.header,
            hint=f"say which: {way.format(_usual(name, names))}; columns: {_listed(names)}",
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*names[:_MOST_LISTED], *(["…"] if len(names) > _MOST_LISTED else [])])


def _usual(name: str, names: Sequence[str]) -> str:
    return next((each for each in _USUAL[name] if each in names), "COLUMN")


def _shadowed(table: SourceTable, options: TableOptions) -> Iterator[InputError]:
    """Columns that would be lost, because a field of their name is taken from another."""
    taken = set(options.fields.values())
    for name, column in options.fields.items():
        if name in table.columns and name not in taken:
            yield InputError(
                f"--field {name}={column}: there is a column {name!r} too",
                location=table.header,
                hint=f"keep it under another name: --field metadata.{name}={name}",
            )
