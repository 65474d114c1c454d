"""The most that any retriever can reach with the labels of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.metrics.judged_ranking import see
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import REGISTRY


def attainable(query: Query, metric: Metric, scoring: Scoring) -> float | None:
    """The value that no ranking of a query exceeds; None when no ranking has a value.

    It is that of the ideal ranking, relevant chunks by descending grade. Which chunks satisfy the
    most groups is not searched for: where groups share members the value is an upper bound.
    """
    threshold, k = scoring.policy.relevance_threshold, metric.cutoff or scoring.depth
    grades = query.labels.grades(threshold) if query.answerable else {}
    relevant = [chunk_id for chunk_id, grade in grades.items() if grade >= threshold]
    ideal = sorted(relevant, key=lambda chunk_id: grades[chunk_id], reverse=True)
    if not ideal:
        return None
    groups = query.labels.evidence
    if groups and metric.measure in {"evidence", "complete"}:
        share = satisfiable(groups, min(k, scoring.depth)) / len(groups)
        return share if metric.measure == "evidence" else float(share >= 1)
    seen = see(
        ideal[: scoring.depth],
        grades,
        groups or None,
        threshold=threshold,
        denominator=scoring.policy.precision_denominator,
    )
    measure = REGISTRY[metric.measure]
    return measure(seen) if metric.cutoff is None else measure(seen, metric.cutoff)


def satisfiable(groups: Sequence[Sequence[str]], k: int) -> int:
    """How many evidence groups k chunks can satisfy at most.

    Exact where no two groups share a member. Where they do, no more than the k chunks that are in
    most groups would satisfy if they were in different ones.
    """
    counts = Counter(member for group in groups for member in set(group))
    return min(len(groups), sum(count for _, count in counts.most_common(k)))
