"""Query ids that stand twice in a suite, and queries that read alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragguard.dataset.row import DatasetRow
from ragguard.lint.suite.occurrence import Occurrence, near_key
from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class Twin:
    """A query id that was met before.

    Attributes:
        location: where it stands this time.
        first: the line where it stood first.
    """

    query_id: str
    location: Location
    first: Location


@dataclass(frozen=True, slots=True)
class Recurrence:
    """What stands more than once in a suite.

    Attributes:
        twins: query ids met before.
        alike: groups of queries that differ by case, white space and punctuation only, or not at
            all; each in the order of the files.
    """

    twins: tuple[Twin, ...]
    alike: tuple[tuple[Occurrence, ...], ...]


def recurrence(rows: Iterable[DatasetRow]) -> Recurrence:
    """What recurs among these rows, which come in the order of the files."""
    first: dict[str, Location] = {}
    twins: list[Twin] = []
    near: dict[str, list[Occurrence]] = {}
    for row in rows:
        query_id, query = row.query_id, row.fields.get("query")
        if query_id in first:
            twins.append(Twin(query_id, row.locate("query_id"), first[query_id]))
        elif query_id is not None:
            first[query_id] = Location(row.file, row.line.number)
        if isinstance(query, str):
            near.setdefault(near_key(query), []).append(Occurrence.of(row))
    return Recurrence(
        tuple(twins), tuple(tuple(alike) for alike in near.values() if len(alike) > 1)
    )
