"""A reviewed mapping from the ids of one cut of the corpus to those of the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragguard.dataset.imports.separated import separated_table
from ragguard.dataset.imports.table_text import read_text
from ragguard.dataset.positions import key_span
from ragguard.dataset.whole import place, whole_object
from ragguard.errors import FaultyInputError, InputError
from ragguard.location import Location

OLD, NEW, SEPARATOR = "old", "new", "|"
UNDECIDED = "?"
"""In place of a new id: nobody has decided yet."""

FORMS = (
    'a mapping is CSV or TSV with the columns old and new, or JSON {"old": "new"} or '
    '{"old": ["new1", "new2"]}'
)


@dataclass(frozen=True, slots=True)
class Move:
    """What becomes of one id.

    Attributes:
        new: the chunks that took its place, each once; empty when it is gone.
        location: where the mapping first says so.
    """

    old: str
    new: tuple[str, ...]
    location: Location


@dataclass(frozen=True, slots=True)
class LabelMap:
    """A mapping as it was read.

    Attributes:
        moves: by old id, in the order of the file.
    """

    shown: str
    moves: Mapping[str, Move]

    @property
    def new_ids(self) -> frozenset[str]:
        """Every id that something moves to."""
        return frozenset(each for move in self.moves.values() for each in move.new)

    def chains(self) -> Iterator[tuple[Move, Move]]:
        """Moves to an id that itself moves on, each with the move that is not followed."""
        for move in self.moves.values():
            for each in move.new:
                onward = self.moves.get(each)
                if onward is not None and onward.old != move.old and onward.new != (each,):
                    yield move, onward


def read_label_map(path: Path, shown: str) -> LabelMap:
    """A mapping read, whatever its form; ids stay the texts they are.

    Raises:
        InputError: it cannot be read, names no columns `old` and `new`, maps nothing, maps an id
            in two ways, or leaves one undecided; every such line is told.
    """
    text = read_text(path, shown, None)
    is_json = text.lstrip().startswith("{") or path.name.removesuffix(".gz").endswith(".json")
    entries = _of_object(text, shown) if is_json else _of_table(text, path, shown)
    moves: dict[str, Move] = {}
    faults: list[InputError] = []
    joined: dict[str, bool] = {}
    for entry in entries:
        fault = _fault(entry, moves.get(entry.old), joined.get(entry.old, False))
        if fault is not None:
            faults.append(fault)
            continue
        known = moves.setdefault(entry.old, entry)
        joined[entry.old] = joined.get(entry.old, False) or len(entry.new) > 1
        new = tuple(dict.fromkeys((*known.new, *entry.new)))
        moves[entry.old] = Move(entry.old, new, known.location)
    if faults:
        raise FaultyInputError(faults)
    if not moves:
        raise InputError("it maps no id", location=Location(shown), hint=FORMS)
    return LabelMap(shown, moves)


def _fault(entry: Move, known: Move | None, is_complete: bool) -> InputError | None:
    """What is wrong with one line, after those before it."""
    if not entry.old:
        return _error("a blank old id", entry.location, FORMS)
    if UNDECIDED in entry.new:
        return _error(
            f"{entry.old!r} is undecided: {UNDECIDED!r} stands in place of a new id",
            entry.location,
            "write the new id, several joined by |, or nothing when the chunk is gone",
        )
    if "" in entry.new:
        return _error(f"a blank id among the new ids of {entry.old!r}", entry.location, FORMS)
    if known is None or set(known.new) == set(entry.new):
        return None
    if not known.new or not entry.new or is_complete or len(entry.new) > 1:
        return _error(
            f"{entry.old!r} is mapped twice: to {_told(known)} at {known.location}, "
            f"here to {_told(entry)}",
            entry.location,
            "decide for one; several new ids stand in one row each, or all in one row",
        )
    return None


def _told(move: Move) -> str:
    return SEPARATOR.join(move.new) or "nothing (gone)"


def _error(message: str, location: Location, hint: str) -> InputError:
    return InputError(message, location=location, hint=hint)


def _of_table(text: str, path: Path, shown: str) -> Iterator[Move]:
    first = text.lstrip("\r\n").partition("\n")[0]
    try:
        table = separated_table(text, path, shown, "\t" if "\t" in first else ",")
    except InputError as error:
        raise InputError(error.message, location=error.location, hint=FORMS) from error
    lacking = [name for name in (OLD, NEW) if name not in table.columns]
    if lacking:
        raise InputError(
            f"no column {lacking[0]!r} in the header: {', '.join(table.columns)}",
            location=table.header,
            hint=FORMS,
        )
    if table.faults:
        hint = "a cell that holds a comma or a quote stands in quotes"
        told = [_error(each.message, each.location or table.header, hint) for each in table.faults]
        raise FaultyInputError(told)
    for row in table.rows:
        new = str(row.values[NEW])
        ids = tuple(dict.fromkeys(new.split(SEPARATOR))) if new else ()
        yield Move(str(row.values[OLD]), ids, row.locate())


def _of_object(text: str, shown: str) -> Iterator[Move]:
    for old, new in whole_object(text.encode(), shown, FORMS).items():
        span = key_span(text, (old,))
        location = place(text, span.start if span else 0, shown)
        yield Move(old, _listed(old, new, location), location)


def _listed(old: str, new: Any, location: Location) -> tuple[str, ...]:
    if new is None or new == "":
        return ()
    ids = new if isinstance(new, list) else [new]
    wrong = next((each for each in ids if not isinstance(each, str)), None)
    if wrong is not None or None in ids:
        raise InputError(
            f"the new id of {old!r} is no text: {wrong!r}", location=location, hint=FORMS
        )
    return tuple(dict.fromkeys(ids))
