"""Tables in JSON: lines, an array or an object of objects, and objects of columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.imports.json_file import JsonFile, json_file
from ragguard.dataset.imports.source_table import SourceRow, SourceTable
from ragguard.dataset.whole import refusal
from ragguard.errors import InputError
from ragguard.location import Location

_FORMS = (
    "rows are JSON Lines, an array of objects, an object of objects by id, or columns: arrays of "
    "one length, or objects by id"
)

_MOST_NAMED = 6
_MOST_COLUMNS = 12
_IN_TWO_FILES = (
    "texts of queries in one file and their chunks in another: `ragguard import qrels` joins them"
)
_LINES = "a row is one JSON object on one line"


def lines_table(text: str, shown: str) -> SourceTable:
    """The table of a text that holds an object a line."""
    rows: list[SourceRow] = []
    faults: list[InputError] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        location = Location(shown, number)
        decoded = decode(line.rstrip("\r").encode("utf-8", "surrogatepass"))
        if decoded.value is None or decoded.faults:
            fault = decoded.faults[0]
            faults.append(refusal(replace(fault, hint=fault.hint or _LINES), location))
        else:
            rows.append(SourceRow(decoded.value, partial(Location, shown, number)))
    return SourceTable(shown, Location(shown), _columns(rows), tuple(rows), tuple(faults))


def json_table(text: str, shown: str, wanted: Sequence[str], rows: str | None) -> SourceTable:
    """The table of a text that is one JSON value.

    Args:
        text: the whole file.
        shown: its name in messages.
        wanted: the columns that fields are taken from; where the value has members of these
            names, it is an object of columns; the first of them says which rows there are.
        rows: dotted path to the rows; None for the whole value.

    Raises:
        InputError: it is no JSON, nothing is at the path, or it is none of the forms.
    """
    file = json_file(text, shown, _FORMS)
    file = file if rows is None else file.within(rows)
    value = file.value
    if isinstance(value, list):
        return _array(file, value)
    if not isinstance(value, dict):
        raise InputError(f"no rows but {value!r:.60}", location=file.locate(), hint=_FORMS)
    columns = [name for name in wanted if isinstance(value.get(name), list | dict)]
    if columns:
        return _object_of_columns(file, value, columns)
    if value and all(isinstance(each, dict) for each in value.values()):
        table = _object_of_rows(file, value)
        if table.has(wanted[0]):
            return table
    raise InputError(
        "no rows at its top"
        + (
            f", but the keys {', '.join(map(repr, list(value)[:_MOST_NAMED]))}"
            if value
            else "; it is empty"
        ),
        location=file.locate(),
        hint=_way_to_rows(value),
    )


def _way_to_rows(value: Mapping[str, Any]) -> str:
    held = [
        name
        for name, each in value.items()
        if isinstance(each, list) and each and isinstance(each[0], dict)
    ]
    if held:
        return f"say where they are: --rows {held[0]}"
    columns = [name for name, each in value.items() if isinstance(each, list | dict)]
    if columns and len(value) <= _MOST_COLUMNS:
        return f"say which of them holds the queries: --field query={columns[0]}"
    if value and all(isinstance(each, str) or _are_texts(each) for each in value.values()):
        return _IN_TWO_FILES
    return _FORMS


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _array(file: JsonFile, value: Sequence[Any]) -> SourceTable:
    rows = []
    faults = []
    for index, each in enumerate(value):
        if isinstance(each, dict):
            rows.append(SourceRow(each, partial(file.locate, index)))
        else:
            faults.append(
                InputError(
                    f"a row that is no object but {each!r:.60}",
                    location=file.locate(index),
                    hint=_FORMS,
                )
            )
    return SourceTable(file.shown, Location(file.shown), _columns(rows), tuple(rows), tuple(faults))


def _object_of_rows(file: JsonFile, value: Mapping[str, Mapping[str, Any]]) -> SourceTable:
    rows = tuple(SourceRow(each, partial(file.locate, key), key) for key, each in value.items())
    return SourceTable(file.shown, Location(file.shown), _columns(rows), rows)


def _columns(rows: Sequence[SourceRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in row.values))


def _object_of_columns(
    file: JsonFile, value: Mapping[str, Any], wanted: Sequence[str]
) -> SourceTable:
    kinds = {type(value[name]) for name in wanted}
    if len(kinds) > 1:
        raise InputError(
            f"{wanted[0]!r} and {wanted[1]!r} are an array and an object: nothing says which "
            "values belong together",
            location=file.locate(),
            hint=_FORMS,
        )
    return (_keyed if kinds == {dict} else _parallel)(file, value, wanted)


def _parallel(file: JsonFile, value: Mapping[str, Any], wanted: Sequence[str]) -> SourceTable:
    columns = {name: each for name, each in value.items() if isinstance(each, list)}
    length = len(columns[wanted[0]])
    for name, each in columns.items():
        if len(each) != length:
            raise InputError(
                f"{name!r} has {len(each)} values, {wanted[0]!r} has {length}",
                location=file.locate(name),
                hint="columns that stand side by side are of one length",
            )
    rows = tuple(
        SourceRow(
            {name: each[index] for name, each in columns.items()},
            partial(file.locate, wanted[0], index),
        )
        for index in range(length)
    )
    rest = tuple(name for name in value if name not in columns)
    return SourceTable(file.shown, Location(file.shown), tuple(columns), rows, ignored=rest)


def _keyed(file: JsonFile, value: Mapping[str, Any], wanted: Sequence[str]) -> SourceTable:
    """Columns that are objects by one id; the first that a field is taken from says which ids."""
    ids = value[wanted[0]]
    columns = {
        name: each
        for name, each in value.items()
        if isinstance(each, dict) and (name in wanted or not ids.keys().isdisjoint(each))
    }
    rows = tuple(
        SourceRow(
            {name: each[id_] for name, each in columns.items() if id_ in each},
            partial(file.locate, wanted[0], id_),
            id_,
        )
        for id_ in ids
    )
    return SourceTable(
        file.shown,
        Location(file.shown),
        tuple(columns),
        rows,
        lost=dict(_lost(columns, ids)),
        ignored=tuple(name for name in value if name not in columns),
    )


def _lost(
    columns: Mapping[str, Mapping[str, Any]], ids: Collection[str]
) -> Iterator[tuple[str, tuple[int, tuple[str, ...]]]]:
    for name, each in columns.items():
        unknown = [id_ for id_ in each if id_ not in ids]
        if unknown:
            yield name, (len(unknown), tuple(unknown[:5]))
