"""How the rows of a suite changed since its base."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragguard.dataset.row import DatasetRow
from ragguard.lint.base.row_print import is_reworded, row_print
from ragguard.lint.base.suite import BaseSuite
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class Reworded:
    """A query id that had another text.

    Attributes:
        location: where the id stands.
    """

    location: Location
    query_id: str
    is_private: bool


@dataclass(frozen=True, slots=True)
class RowChanges:
    """The rows that are not what they were.

    Attributes:
        added, removed, changed: how many.
        reworded: those of the changed ones that ask something else.
    """

    added: int
    removed: int
    changed: int
    reworded: tuple[Reworded, ...]

    def __str__(self) -> str:
        """`2 added, 1 changed`; empty when nothing changed."""
        counts = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def row_changes(base: BaseSuite, rows: Iterable[DatasetRow]) -> RowChanges:
    """What changed since the base.

    Args:
        base: the suite as it was.
        rows: those of today that stand on lines which are new since then.
    """
    before = dict(base.rows)
    added = changed = 0
    reworded = []
    for row in rows:
        if row.query_id is None:
            continue
        was, now = before.pop(row.query_id, None), row_print(row.fields)
        if was is None:
            added += 1
        elif was != now:
            changed += 1
            if is_reworded(was, now):
                is_private = row.fields.get("private") is True
                reworded.append(Reworded(row.locate("query_id"), row.query_id, is_private))
    return RowChanges(added, len(before), changed, tuple(reworded))
