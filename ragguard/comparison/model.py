"""Two reports compared, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragguard.comparison.movement import Movement
from ragguard.comparison.statistics import PairedStatistics
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.report.model import Report


@dataclass(frozen=True, slots=True)
class Pair:
    """One query on both sides, scored under one policy.

    Attributes:
        base: base ranking under base labels.
        head: head ranking under head labels.
        base_on_head: base ranking under head labels.
        head_on_base: head ranking under base labels.
        rechunked: whether labels and corpus both changed, so that no effect can be told apart.
    """

    base: QueryResult
    head: QueryResult
    base_on_head: QueryResult
    head_on_base: QueryResult
    rechunked: bool = False

    @property
    def query_id(self) -> str:
        """The id in head."""
        return self.head.query.query_id

    @property
    def is_answered(self) -> bool:
        """Whether both sides have a ranking."""
        return self.base.status is Status.OK and self.head.status is Status.OK

    def before(self, metric: str) -> float | None:
        """What head is judged against: base under head's labels, under its own after a re-chunk.

        None where the metric is not defined under base's own labels: nothing was known then.
        """
        own = self.base.metrics.get(metric)
        if own is None or self.rechunked:
            return own
        return self.base_on_head.metrics.get(metric)

    def after(self, metric: str) -> float | None:
        """Head ranking under head labels."""
        return self.head.metrics.get(metric)

    def total(self, metric: str) -> float | None:
        """Head under head's labels less base under base's."""
        return _difference(self.after(metric), self.base.metrics.get(metric))

    def moved(self, metric: str) -> float | None:
        """What is judged: the retriever effect; the total after a re-chunk."""
        return _difference(self.after(metric), self.before(metric))

    def retriever_effect(self, metric: str) -> float | None:
        """Head less base, both under head's labels; None after a re-chunk."""
        return None if self.rechunked else self.moved(metric)

    def label_effect(self, metric: str) -> float | None:
        """Base under head's labels less base under its own; None after a re-chunk."""
        if self.rechunked:
            return None
        return _difference(self.base_on_head.metrics.get(metric), self.base.metrics.get(metric))


def _difference(minuend: float | None, subtrahend: float | None) -> float | None:
    return None if minuend is None or subtrahend is None else minuend - subtrahend


@dataclass(frozen=True, slots=True)
class Headline:
    """One metric over the paired queries for which it is defined on both sides.

    Attributes:
        count: how many queries that is.
        base, head, delta: means under each side's own labels, and their difference.
        retriever_effect, label_effect: what the difference is made of; None after a re-chunk.
        moved: the mean that is judged (the retriever effect; the delta after a re-chunk).
        statistics: only for the primary and for gated metrics.
    """

    count: int
    base: float | None
    head: float | None
    delta: float | None
    retriever_effect: float | None
    label_effect: float | None
    moved: float | None
    statistics: PairedStatistics | None = None


@dataclass(frozen=True, slots=True)
class QueryChange:
    """A query whose retrieval got worse or better.

    Attributes:
        metric: the metric in which it shows: the primary, or completeness.
        base, head: its values; base under head's labels (its own after a re-chunk).
        missing: evidence that head lacks within the cutoff, and where it went.
    """

    pair: Pair
    metric: str
    base: float
    head: float
    missing: tuple[Movement, ...] = ()


@dataclass(frozen=True, slots=True)
class RankFall:
    """A query that lost no score, but whose first relevant chunk stands lower than before."""

    pair: Pair
    base_rank: int
    head_rank: int


@dataclass(frozen=True, slots=True)
class CriticalMiss:
    """A critical query that lacks what its gate requires in head.

    Attributes:
        head: its result in head.
        base: its result in base, None when the query is new or reworded.
        is_new: whether base had it (or did not have the query), so that head lost it.
        base_value, head_value: the primary metric; None where undefined or failed.
    """

    head: QueryResult
    base: QueryResult | None
    is_new: bool
    base_value: float | None
    head_value: float | None
    missing: tuple[Movement, ...] = ()


@dataclass(frozen=True, slots=True)
class SliceComparison:
    """One slice value: head's mean over its scored queries, and what moved over its pairs.

    Attributes:
        count: scored queries of head.
        paired: pairs with a value on both sides.
        head: mean over head's scored queries.
        moved: mean of what is judged, over the pairs.
    """

    count: int
    paired: int
    head: float | None
    base: float | None
    moved: float | None
    pairs: tuple[Pair, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """Something besides the rankings that differs between the two reports."""

    what: str
    base: Any
    head: Any
    suite: str | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why no number between the two reports would mean anything.

    Attributes:
        field: what differs or is missing.
    """

    suite: str | None
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class SuiteComparison:
    """One suite on both sides, scored under one policy.

    Attributes:
        scoring: the policy and gates both sides are judged by.
        base_scoring, head_scoring: those each side was configured with.
        head_results: all of head under `scoring`, for floors.
        headline: by metric.
        relabelled: ids (in head) of paired queries whose labels differ.
        renamed: head id to base id of paired queries with another id.
        removed: base results whose query head no longer has.
        slices: by slice field, slice value and metric.
    """

    name: str
    scoring: Scoring
    base_scoring: Scoring
    head_scoring: Scoring
    head_results: tuple[QueryResult, ...]
    pairs: tuple[Pair, ...]
    paired: int
    rechunked: bool
    headline: Mapping[str, Headline]
    added: tuple[QueryResult, ...]
    removed: tuple[QueryResult, ...]
    reworded: tuple[tuple[QueryResult, QueryResult], ...]
    relabelled: tuple[str, ...]
    renamed: Mapping[str, str]
    regressions: tuple[QueryChange, ...]
    improvements: tuple[QueryChange, ...]
    rank_falls: tuple[RankFall, ...]
    critical_misses: tuple[CriticalMiss, ...]
    slices: Mapping[str, Mapping[str, Mapping[str, SliceComparison]]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports compared.

    Attributes:
        suites: suites that both have, by name, in the order of head.
        only_base, only_head: names of suites that one side lacks.
        changed: what differs besides the rankings.
        obstacles: why there is no verdict; empty when there is one.
    """

    base: Report
    head: Report
    suites: Mapping[str, SuiteComparison]
    only_base: tuple[str, ...]
    only_head: tuple[str, ...]
    changed: tuple[Change, ...]
    obstacles: tuple[Obstacle, ...]
