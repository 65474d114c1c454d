"""Scoring what a retriever answered; pure, so that a comparison can score a report again.

The conventions are those of docs/metrics.md; a suite's policy names the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.metrics.judged_ranking import JudgedRanking, see
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import Scorer, scorer, standard_metrics
from ragguard.retrievers.answer import Ranking

_REMEMBERED = 4096
"""How many looks of a ranking are remembered with their values."""


def metrics_of(scoring: Scoring) -> tuple[Metric, ...]:
    """The metrics a suite is scored by: all at its cutoffs, and what primary and gates name."""
    gates = scoring.gates
    named = [
        scoring.primary,
        *gates.metrics,
        *(m for slice_ in gates.slices.values() for m in slice_),
    ]
    told = [completeness(scoring), critical_metric(scoring)]
    return tuple(dict.fromkeys([*standard_metrics(scoring.cutoffs), *named, *told]))


def completeness(scoring: Scoring) -> Metric:
    """The metric that says whether a query has all its evidence at the primary's cutoff."""
    return Metric("complete", scoring.primary_rank)


def critical_metric(scoring: Scoring) -> Metric:
    """The metric that is 1 exactly when a critical query keeps what its gate requires."""
    measure = "complete" if scoring.gates.critical.require == "all" else "hit"
    return Metric(measure, scoring.critical_rank)


def see_answer(query: Query, ranking: Ranking, scoring: Scoring) -> JudgedRanking:
    """A ranking through the labels of its query; an unanswerable query has none."""
    threshold = scoring.policy.relevance_threshold
    grades, groups = _labels_of(query, threshold)
    return see(
        [place.chunk_id for place in ranking],
        grades,
        groups,
        threshold=threshold,
        denominator=scoring.policy.precision_denominator,
    )


def _labels_of(
    query: Query, threshold: int
) -> tuple[Mapping[str, int], Sequence[Sequence[str]] | None]:
    """Grades and evidence groups; groups are None where each relevant chunk is its own."""
    grades = query.labels.grades(threshold) if query.answerable else {}
    if not any(grade >= threshold for grade in grades.values()):
        return grades, ()
    return grades, query.labels.evidence or None


def score_results(results: Iterable[QueryResult], scoring: Scoring) -> tuple[QueryResult, ...]:
    """The same results with metrics and duplicate counts under `scoring`, in the same order.

    An answer with duplicates is `invalid` where the policy refuses them, and `ok` again under a
    policy that does not; a result whose status is not `ok` has every metric None. Rankings that
    look the same through their judgments, as those with one relevant chunk at the same rank do,
    share one mapping of values.
    """
    metrics = metrics_of(scoring)
    score = lru_cache(maxsize=_REMEMBERED)(scorer(metrics))
    nothing: Mapping[str, float | None] = {str(metric): None for metric in metrics}
    return tuple(_score(result, scoring, score, nothing) for result in results)


def _score(
    result: QueryResult,
    scoring: Scoring,
    score: Scorer,
    nothing: Mapping[str, float | None],
) -> QueryResult:
    if result.answer is None:
        return replace(result, metrics=nothing, duplicates=0)
    seen = see_answer(result.query, result.answer.ranking[: scoring.depth], scoring)
    if seen.duplicates and scoring.policy.duplicates == "error":
        return replace(
            result,
            status=Status.INVALID,
            error=f"the answer holds {_first_duplicate(result.answer.ranking)!r} more than once",
            metrics=nothing,
            duplicates=seen.duplicates,
        )
    return replace(
        result, status=Status.OK, error=None, metrics=score(seen), duplicates=seen.duplicates
    )


def _first_duplicate(ranking: Ranking) -> str:
    seen: set[str] = set()
    for place in ranking:
        if place.chunk_id in seen:
            return place.chunk_id
        seen.add(place.chunk_id)
    return ""


def ranking_warnings(ranking: Ranking, cutoffs: Iterable[int]) -> tuple[str, ...]:
    """What is odd about an order: it contradicts its scores, or a tie straddles a cutoff."""
    warnings = []
    scored = [(rank, place) for rank, place in enumerate(ranking, 1) if place.score is not None]
    for (_, before), (rank, after) in pairwise(scored):
        if (after.score or 0.0) > (before.score or 0.0):
            warnings.append(
                f"rank {rank} ({after.chunk_id!r}) scores higher than the one before it; "
                "the order given decides"
            )
            break
    scores = {rank: place.score for rank, place in scored}
    tied = [k for k in cutoffs if scores.get(k) is not None and scores[k] == scores.get(k + 1)]
    if tied:
        warnings.append(f"scores tie across the cutoff {tied[0]}; the order given decides")
    return tuple(warnings)
