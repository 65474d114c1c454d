"""What is doubtful in imported rows: the signs of a mapping that is not what was meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ragguard.dataset.imports.table_options import TableOptions
from ragguard.dataset.imports.values import ID_LISTS
from ragguard.dataset.mapping import HASHED

_NO_IDS = frozenset({"null", "none", "nan", "n/a", "na", "-"})
_SEPARATORS = ",;|"

Rows = Sequence[dict[str, Any]]


def table_notes(rows: Rows, options: TableOptions) -> Iterator[str]:
    """A sentence for each thing that looks like a mistake, with a count and the first example."""
    yield from _repeated_ids(rows, options)
    yield from _no_ids(rows)
    if options.separator is None:
        yield from _several_ids(rows)
    unanswerable = sum(row.get("answerable") is False for row in rows)
    if unanswerable and options.unlabelled == "unanswerable":
        yield _count(unanswerable, "row is", "rows are") + " written as unanswerable"


def lost_note(column: str, count: int, ids: Sequence[str]) -> str:
    """The sentence for values of a column that belong to no query."""
    named = ", ".join(map(repr, ids)) + (", …" if count > len(ids) else "")
    one, many = f"id of {column} is no query and was", f"ids of {column} are no query and were"
    return f"{_count(count, one, many)} left out: {named}"


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _repeated_ids(rows: Rows, options: TableOptions) -> Iterator[str]:
    counts = Counter(row["query_id"] for row in rows)
    again = {query_id: count for query_id, count in counts.items() if count > 1}
    if not again:
        return
    query_id, count = next(iter(again.items()))
    column = options.fields.get("query_id", "query_id")
    what, doubt = "query id", f"is {column!r} the id of a chunk, or is a query asked twice?"
    if column == HASHED:
        what, doubt = "query and context", "are labels of one query in several rows?"
    twins = sum(again.values()) - len(again)
    yield (
        f"{_count(twins, 'row has', 'rows have')} the {what} of another row: {query_id!r} stands "
        f"{count} times; {doubt} `ragguard lint` names them all"
    )


def _ids(rows: Rows) -> Iterator[str]:
    for row in rows:
        for name in ID_LISTS:
            yield from row.get(name, ())


def _no_ids(rows: Rows) -> Iterator[str]:
    found = [id_ for id_ in _ids(rows) if id_.strip().lower() in _NO_IDS]
    if found:
        yield (
            f"{_count(len(found), 'label reads', 'labels read')} {found[0]!r}, here taken for an "
            "id; where that means none, empty the cell"
        )


def _several_ids(rows: Rows) -> Iterator[str]:
    for mark in _SEPARATORS:
        found = [id_ for id_ in _ids(rows) if mark in id_]
        if found:
            yield (
                f"{_count(len(found), 'id holds', 'ids hold')} {mark!r}, such as "
                f"{found[0]!r:.60}; where that is several ids: --separator '{mark}'"
            )
