"""What the queries of a suite are, counted: slices, critical and unanswerable ones, origins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ragguard.config.model import Suite
from ragguard.dataset.query import Query
from ragguard.dataset.row import DatasetRow
from ragguard.lint.labels import has_label, is_answerable
from ragguard.lint.wording.generated import reads_as_generated
from ragguard.location import Location


@dataclass(slots=True)
class Count:
    """How many queries are of one kind, and where the first of them stands.

    Attributes:
        first: where it shows that it is: the field's value, or the row.
    """

    first: Location
    queries: int = 0


@dataclass(slots=True)
class Tally:
    """The queries of a suite, counted.

    Attributes:
        queries, answerable: all of them, and those that the corpus can answer.
        critical: the critical ones among the answerable; others have no evidence to lose.
        slices: by slice field, then by value, the answerable queries, in the order met.
        origins: by origin as it is written.
        without_origin: those that do not say where they come from.
        generated: those without an origin that read as if a model had written them.
    """

    queries: int = 0
    answerable: int = 0
    critical: int = 0
    slices: dict[str, dict[str, Count]] = field(default_factory=dict)
    origins: dict[str, Count] = field(default_factory=dict)
    without_origin: Count | None = None
    generated: Count | None = None


def tally(rows: Iterable[DatasetRow], suite: Suite) -> Tally:
    """Count the rows of a suite.

    Args:
        rows: its rows, whatever they are made of; what is no text counts as missing.
        suite: whose slices are counted, those it shows and those it gates.
    """
    scoring = suite.scoring
    paths = tuple(dict.fromkeys((*scoring.slices, *scoring.gates.slices)))
    counted = Tally(slices={path: {} for path in paths})
    for row in rows:
        counted.queries += 1
        _add_origin(counted, row)
        if _is_answered(row.fields, suite):
            counted.answerable += 1
            counted.critical += row.fields.get("critical") is True
            _add_slices(counted.slices, row)
    return counted


def _is_answered(fields: dict[str, Any], suite: Suite) -> bool:
    return is_answerable(fields) and (suite.unlabelled == "error" or has_label(fields))


def _add_slices(slices: Mapping[str, dict[str, Count]], row: DatasetRow) -> None:
    query = Query("", "", row=row.fields)
    for path, counts in slices.items():
        value = query.slice_value(path)
        if value is not None:
            _add(counts, value, row, *path.split("."))


def _add_origin(counted: Tally, row: DatasetRow) -> None:
    origin, query = row.fields.get("origin"), row.fields.get("query")
    if isinstance(origin, str) and origin.strip():
        _add(counted.origins, origin, row, "origin")
        return
    counted.without_origin = _one_more(counted.without_origin, row)
    if isinstance(query, str) and reads_as_generated(query):
        counted.generated = _one_more(counted.generated, row)


def _add(counts: dict[str, Count], value: str, row: DatasetRow, *path: str) -> None:
    if value not in counts:
        counts[value] = Count(row.locate(*path))
    counts[value].queries += 1


def _one_more(count: Count | None, row: DatasetRow) -> Count:
    if count is None:
        count = Count(row.locate("query"))
    count.queries += 1
    return count
