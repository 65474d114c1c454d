"""A table of another tool as rows of named values, whatever the form of its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ragguard.errors import InputError
from ragguard.location import Location


class Absent:
    """What a row has where it has no value, for null is one."""


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row of a table as it was given.

    Attributes:
        values: by name of column, in the order of the file.
        locate: where the row begins; asked for only to say what is wrong with it.
        key: the id under which a JSON object holds the row; None in other forms.
        is_text: whether all values are cells of text, of which nothing says what they mean.
    """

    values: Mapping[str, Any]
    locate: Callable[[], Location]
    key: str | None = None
    is_text: bool = False

    def value(self, column: str) -> Any:
        """The value of a column, or at a dotted path; `ABSENT` where there is none.

        A path that meets a list is followed into each of its items: `targets.id` of a row whose
        `targets` are objects is the list of their ids, with None for an object that has none.
        """
        if column in self.values:
            return self.values[column]
        return ABSENT if self.is_text else _inside(self.values, column.split("."))


def _inside(node: Any, path: list[str]) -> Any:
    for depth, step in enumerate(path):
        if isinstance(node, list):
            found = [_inside(item, path[depth:]) for item in node]
            if all(each is ABSENT for each in found):
                return ABSENT
            return [None if each is ABSENT else each for each in found]
        if not isinstance(node, Mapping) or step not in node:
            return ABSENT
        node = node[step]
    return node


@dataclass(frozen=True, slots=True)
class SourceTable:
    """One file of a table.

    Attributes:
        shown: its name in messages.
        header: where its columns are named.
        columns: names that a field can be taken from, in the order of the file.
        rows: all of its rows that can be read.
        faults: what is wrong with the others.
        lost: by column, how many of its values belong to no row, and the first of their ids.
        ignored: columns whose values do not stand in rows.
    """

    shown: str
    header: Location
    columns: tuple[str, ...]
    rows: tuple[SourceRow, ...]
    faults: tuple[InputError, ...] = ()
    lost: Mapping[str, tuple[int, tuple[str, ...]]] | None = None
    ignored: tuple[str, ...] = ()

    def has(self, column: str) -> bool:
        """Whether a field can be taken from this column or dotted path."""
        return column in self.columns or any(row.value(column) is not ABSENT for row in self.rows)

    def names(self) -> Iterator[str]:
        """What a mapping may name: columns, and paths into the objects of the first row."""
        yield from self.columns
        for column in self.columns:
            node = self.rows[0].values.get(column) if self.rows else None
            node = node[0] if isinstance(node, list) and node else node
            if isinstance(node, Mapping):
                yield from (f"{column}.{key}" for key in node)
