"""Which queries got worse or better, which fell in rank, and which critical ones miss evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragguard.comparison.model import CriticalMiss, Pair, QueryChange, RankFall
from ragguard.comparison.movement import Movement, fallen_evidence, missing_evidence, ranks_of
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult
from ragguard.evaluation.scoring import completeness, critical_metric
from ragguard.metrics.means import TOLERANCE
from ragguard.report.summary import keeps_critical


def moved(each: Pair, metric: str) -> float | None:
    """What is judged of a pair, None unless both sides answered and the metric is defined."""
    return each.moved(metric) if each.is_answered else None


def query_changes(
    pairs: Iterable[Pair], scoring: Scoring
) -> tuple[tuple[QueryChange, ...], tuple[QueryChange, ...]]:
    """Regressions and improvements, the largest first."""
    watched = (str(scoring.primary), str(completeness(scoring)))
    worse, better = [], []
    for each in pairs:
        moves = [(metric, moved(each, metric) or 0.0) for metric in watched]
        fallen = next((metric for metric, move in moves if move < -TOLERANCE), None)
        risen = next((metric for metric, move in moves if move > TOLERANCE), None)
        if fallen is not None:
            worse.append(_query_change(each, fallen, scoring))
        elif risen is not None:
            better.append(_query_change(each, risen, scoring))
    return tuple(sorted(worse, key=_largest_first)), tuple(sorted(better, key=_largest_first))


def _query_change(each: Pair, metric: str, scoring: Scoring) -> QueryChange:
    missing = _missing(each.base, each.head, scoring.primary_rank, scoring)
    return QueryChange(
        each,
        metric,
        base=each.before(metric) or 0.0,
        head=each.after(metric) or 0.0,
        missing=missing
        or fallen_evidence(each.base, each.head, scoring.policy.relevance_threshold),
    )


def _largest_first(change: QueryChange) -> tuple[float, str]:
    """Sorts by the size of the change, then by id, so that the order of a dataset is nothing."""
    return -abs(change.head - change.base), change.pair.query_id


def _missing(
    base: QueryResult | None, head: QueryResult, cutoff: int, scoring: Scoring
) -> tuple[Movement, ...]:
    return missing_evidence(base, head, cutoff, scoring.policy.relevance_threshold)


def rank_falls(pairs: Iterable[Pair], regressed: set[str], threshold: int) -> Iterator[RankFall]:
    """Queries that lost no score, but whose first relevant chunk fell."""
    for each in pairs:
        if each.query_id in regressed or not each.is_answered:
            continue
        labels = {member for group in each.head.query.labels.groups(threshold) for member in group}
        before, after = _first(each.base, labels), _first(each.head, labels)
        if before is not None and after is not None and after > before:
            yield RankFall(each, before, after)


def _first(result: QueryResult, labels: set[str]) -> int | None:
    found = ranks_of(result)
    return min((found[label] for label in labels if label in found), default=None)


def critical_misses(
    head: Iterable[QueryResult], pairs: Iterable[Pair], scoring: Scoring
) -> Iterator[CriticalMiss]:
    """Critical queries that lack in head what their gate requires, in the order of head."""
    paired = {each.query_id: each for each in pairs}
    metric = critical_metric(scoring)
    primary = str(scoring.primary)
    for result in head:
        if not result.query.critical or keeps_critical(result, scoring) is not False:
            continue
        each = paired.get(result.query.query_id)
        base = each.base if each else None
        reference = None if each is None else (each.base if each.rechunked else each.base_on_head)
        yield CriticalMiss(
            head=result,
            base=base,
            is_new=each is None or _lost(each, reference, scoring),
            base_value=None if reference is None else reference.metrics.get(primary),
            head_value=result.metrics.get(primary),
            missing=_missing(base, result, metric.cutoff or scoring.depth, scoring),
        )


def _lost(each: Pair, reference: QueryResult | None, scoring: Scoring) -> bool:
    """Whether base's ranking had it: under head's labels, or under base's where head's has not.

    The second keeps a label that nothing can meet from turning a loss into an old miss.
    """
    if reference is not None and keeps_critical(reference, scoring) is not False:
        return True
    return (
        keeps_critical(each.base, scoring) is True
        and keeps_critical(each.head_on_base, scoring) is False
    )
