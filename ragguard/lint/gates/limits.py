"""The limits of a suite's gates, held against what its queries can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import fsum

from ragguard.config.gates import MetricGate, SliceGate
from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.metrics.means import TOLERANCE
from ragguard.metrics.name import Metric

Path = tuple[str | Metric, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits on the mean of one metric, over all queries or within each value of a slice.

    Attributes:
        path: where they stand below the suite's `gates`.
        slice: the field whose values are gated apart; None for all queries together.
        min_count: how many scored queries a mean needs to be gated.
    """

    path: Path
    metric: Metric
    min: float | None
    max_drop: float | None
    slice: str | None = None
    min_count: int = 1

    @property
    def over(self) -> str:
        """What its means are taken over, in words."""
        return f"{self.metric} by {self.slice}" if self.slice else str(self.metric)


def limits_of(scoring: Scoring) -> Iterator[Limit]:
    """The limits on means of a suite, in the order of its gates."""
    for metric, gate in scoring.gates.metrics.items():
        yield _limit((metric,), metric, gate)
    for name, by_metric in scoring.gates.slices.items():
        for metric, sliced in by_metric.items():
            yield _limit(("slices", name, metric), metric, sliced, name, sliced.min_count)


def _limit(
    path: Path,
    metric: Metric,
    gate: MetricGate | SliceGate,
    name: str | None = None,
    min_count: int = 1,
) -> Limit:
    return Limit(path, metric, gate.min, gate.max_drop, name, min_count)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the means that a limit is about can rise.

    Attributes:
        values: by value of the slice the most that each scored query can reach; all queries are one
            value, None.
    """

    limit: Limit
    values: dict[str | None, list[float]] = field(default_factory=dict)

    @property
    def judges_nothing(self) -> bool:
        """Whether no mean is over enough queries, so that the gate fails whatever is retrieved."""
        return all(len(values) < self.limit.min_count for values in self.values.values())

    def too_low(self) -> Iterator[tuple[str | None, float]]:
        """The values of the slice whose mean cannot reach the floor, with the most it can be."""
        for value, reached in self.values.items():
            if self.limit.min is not None and len(reached) >= self.limit.min_count:
                mean = fsum(reached) / len(reached)
                if mean < self.limit.min - TOLERANCE:
                    yield value, mean


def reaches(
    limits: Iterable[Limit], queries: Iterable[Query], scoring: Scoring
) -> tuple[Reach, ...]:
    """How far the means of each limit can rise over these queries."""
    from ragguard.lint.gates.attainable import attainable  # with every measure that there is

    found = tuple(Reach(limit) for limit in limits)
    for query in queries:
        for reach in found:
            limit = reach.limit
            value = query.slice_value(limit.slice) if limit.slice else None
            if limit.slice and value is None:
                continue
            most = attainable(query, limit.metric, scoring)
            if most is not None:
                reach.values.setdefault(value, []).append(most)
    return found
