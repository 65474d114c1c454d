"""What is wrong with the gates of a suite: limits without effect, and limits nothing can meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragguard.config.model import Scoring, Suite
from ragguard.dataset.query import Query
from ragguard.dataset.row import DatasetRow
from ragguard.lint.gates.limits import Limit, Path, Reach, limits_of, reaches
from ragguard.lint.labels import has_label
from ragguard.lint.plain.row import PlainRow
from ragguard.lint.suite.facts import SuiteFacts

MOST_ROWS = 20_000
"""Above it the means of a suite are not worked out: reading it again would take seconds."""

_COUNTED = ("forbidden", "unauthorized", "stale", "failures")


@dataclass(frozen=True, slots=True)
class GateProblem:
    """One setting of a suite that makes a gate ineffective.

    Attributes:
        path: where it stands in the suite's configuration.
    """

    path: Path
    message: str
    hint: str


def problems_of(facts: SuiteFacts) -> Iterator[GateProblem]:
    """Everything that is wrong with the gates of a suite.

    Raises:
        InputError: a file cannot be read any more.
    """
    yield from _beyond_depth(facts.suite.scoring)
    yield from _without_effect(facts)
    limits = list(limits_of(facts.suite.scoring))
    if limits and 0 < facts.row_count <= MOST_ROWS:
        queries = _sound_queries(facts)
        for reach in reaches(limits, queries, facts.suite.scoring) if queries else ():
            yield from _out_of_reach(reach)


def _beyond_depth(scoring: Scoring) -> Iterator[GateProblem]:
    """Cutoffs at which two reports can never be compared."""
    cutoffs: list[tuple[Path, int | None]] = [(("primary",), scoring.primary.cutoff)]
    cutoffs += [(("gates", *limit.path), limit.metric.cutoff) for limit in limits_of(scoring)]
    cutoffs.append((("gates", "critical", "at"), scoring.gates.critical.at))
    for path, cutoff in cutoffs:
        if cutoff is not None and cutoff > scoring.depth:
            yield GateProblem(
                path,
                f"looks at rank {cutoff}, but depth is {scoring.depth}: "
                "no comparison will have a verdict",
                f"set depth to {cutoff} or more, or lower the cutoff",
            )


def _without_effect(facts: SuiteFacts) -> Iterator[GateProblem]:
    """Limits that cannot be broken."""
    for limit in limits_of(facts.suite.scoring):
        path: Path = ("gates", *limit.path)
        if limit.min is not None and limit.min <= 0:
            message = "min: 0 can never fail: no mean is below it"
            yield GateProblem((*path, "min"), message, "write the lowest mean that is acceptable")
        if limit.max_drop is not None and limit.max_drop >= 1:
            message = "max_drop: 1 can never fail: no mean can fall further"
            yield GateProblem(
                (*path, "max_drop"), message, "write the largest loss that is acceptable"
            )
    for name in _COUNTED:
        allowed = getattr(facts.suite.scoring.gates, name)
        if allowed and 0 < facts.row_count <= allowed:
            queries = "1 query" if facts.row_count == 1 else f"{facts.row_count} queries"
            message = f"{name}: {allowed} can never fail: the suite has {queries}"
            yield GateProblem(("gates", name), message, "write how many are acceptable, or null")


def _out_of_reach(reach: Reach) -> Iterator[GateProblem]:
    """Limits that fail whatever is retrieved."""
    limit = reach.limit
    path: Path = ("gates", *limit.path)
    if reach.judges_nothing:
        yield GateProblem(path, _nothing(limit), _LABEL_OR_REMOVE)
    for value, most in reach.too_low():
        where = f" of {limit.slice}={value}" if limit.slice else ""
        yield GateProblem(
            (*path, "min"),
            f"min: {limit.min:g} can never be reached: with these labels {limit.metric}{where} "
            f"is {most:.3f} at most",
            "gate another metric or cutoff, or write a lower floor",
        )


_LABEL_OR_REMOVE = "label more queries, or remove the gate"


def _nothing(limit: Limit) -> str:
    if limit.slice is None:
        return f"no query has a value of {limit.metric}: the gate fails whatever is retrieved"
    return (
        f"no {limit.slice} has {limit.min_count} queries with a value of {limit.metric}: "
        "the gate fails whatever is retrieved"
    )


def _sound_queries(facts: SuiteFacts) -> list[Query]:
    """All queries of a suite; none when a row is faulty, for it may be anything."""
    is_plain = PlainRow(facts.suite)
    queries = []
    for row in facts.rows():
        query = sound_query(row, is_plain, facts.suite)
        if query is None:
            return []
        queries.append(query)
    return queries


def sound_query(
    row: DatasetRow, is_plain: Callable[[dict[str, Any], dict[str, Any]], bool], suite: Suite
) -> Query | None:
    """The query that a row is, as an evaluation reads it; None when a rule has doubts about it.

    Args:
        row: the row.
        is_plain: the suite's `PlainRow`.
        suite: whose settings say what a row without labels is.
    """
    value, fields = _without_asides(row.value), _without_asides(row.fields)
    if not has_label(fields) and suite.unlabelled == "unanswerable":
        fields["answerable"] = False
    return Query.from_row(fields) if is_plain(value, fields) else None


def _without_asides(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without the fields that no gate looks at and no cheap look passes."""
    return {name: value for name, value in row.items() if name not in {"label_hashes", "claims"}}
