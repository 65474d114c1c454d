"""Gates on what moved between two reports: drops, critical losses, removals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from ragguard.comparison.model import CriticalMiss, Pair, SuiteComparison
from ragguard.comparison.movement import Movement, missing_evidence
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import critical_metric
from ragguard.gate.limit import Limit
from ragguard.gate.verdict import Reason
from ragguard.metrics.means import TOLERANCE
from ragguard.report.summary import critical_misses


def relative_reasons(suite: SuiteComparison) -> Iterator[Reason]:
    """Every gate that the movement from base to head fails."""
    yield from _drops(suite)
    yield from _slice_drops(suite)
    yield from _critical(suite)
    yield from _removed_critical(suite)


def _drops(suite: SuiteComparison) -> Iterator[Reason]:
    for metric, gate in suite.scoring.gates.metrics.items():
        if gate.max_drop is not None:
            name = str(metric)
            pairs = [each for each in suite.pairs if each.is_answered]
            limit = Limit(suite.name, f"{name}.max_drop", name, gate.max_drop)
            yield from _drop(limit, pairs, suite.headline[name].moved)


def _drop(limit: Limit, pairs: Sequence[Pair], moved: float | None) -> Iterator[Reason]:
    """A mean that fell by more than its tolerance, or a tolerance with nothing to judge."""
    if moved is None:
        message = f"{limit} has no paired query; the tolerance {limit.value:g} holds nothing"
        yield Reason(limit.gate, limit.suite, message, limit=limit.value, slice=limit.slice)
    elif moved < -limit.value - TOLERANCE:
        yield _fell(limit, [each for each in pairs if each.moved(limit.metric) is not None], moved)


def _fell(limit: Limit, pairs: Sequence[Pair], moved: float) -> Reason:
    before = fsum(each.before(limit.metric) or 0.0 for each in pairs) / len(pairs)
    moves = [(each.moved(limit.metric) or 0.0, each.query_id) for each in pairs]
    return Reason(
        limit.gate,
        limit.suite,
        f"{limit} fell by {-moved:.3f} ({before:.3f} → {before + moved:.3f}) "
        f"over {len(pairs)} paired queries; allowed: {limit.value:g}",
        query_ids=tuple(query_id for move, query_id in sorted(moves) if move < -TOLERANCE),
        base=before,
        head=before + moved,
        limit=limit.value,
        slice=limit.slice,
    )


def _slice_drops(suite: SuiteComparison) -> Iterator[Reason]:
    for path, by_metric in suite.scoring.gates.slices.items():
        for metric, gate in by_metric.items():
            if gate.max_drop is None:
                continue
            for value, found in suite.slices.get(path, {}).items():
                part, where = found[str(metric)], f"{path}={value}"
                if part.count >= gate.min_count and part.paired:
                    limit = Limit(suite.name, "slices", str(metric), gate.max_drop, where)
                    yield from _drop(limit, part.pairs, part.moved)


def _critical(suite: SuiteComparison) -> Iterator[Reason]:
    for miss in suite.critical_misses:
        if miss.is_new or suite.scoring.gates.critical.existing == "block":
            yield critical_reason(suite.name, miss)


def new_critical_reasons(
    suite: str, results: Sequence[QueryResult], scoring: Scoring
) -> Iterator[Reason]:
    """Critical misses of a suite that base does not have: all its queries are new."""
    cutoff = critical_metric(scoring).cutoff or scoring.depth
    threshold = scoring.policy.relevance_threshold
    missed = set(critical_misses(results, scoring))
    for result in results:
        if result.query.query_id in missed:
            value = result.metrics.get(str(scoring.primary))
            missing = missing_evidence(None, result, cutoff, threshold)
            yield critical_reason(suite, CriticalMiss(result, None, True, None, value, missing))


def critical_reason(suite: str, miss: CriticalMiss) -> Reason:
    """The reason that a critical miss is, with where its evidence went."""
    if miss.head.status is not Status.OK:
        # A retriever's message may quote the query, and a private one's text is told nowhere.
        error = "" if miss.head.query.private else f": {miss.head.error}"
        told = f"failed ({miss.head.status}){error}"
    else:
        told = "lacks " + ", ".join(f"{m.chunk_id!r} ({went(m)})" for m in miss.missing)
    return Reason(
        "critical",
        suite,
        f"critical query {miss.head.query.query_id} {told}",
        query_id=miss.head.query.query_id,
        base=miss.base_value,
        head=miss.head_value,
        limit=1.0,
    )


def went(movement: Movement) -> str:
    """Where a chunk went, in words: `rank 3 → 14`, `rank 2 → lost at reranked`."""
    before = str(movement.base_rank) if movement.base_rank else "none"
    if movement.head_rank is not None:
        after = str(movement.head_rank)
    else:
        after = f"lost at {movement.lost_at}" if movement.lost_at else "not retrieved"
    return f"rank {before} → {after}" if movement.base_rank or movement.head_rank else after


def _removed_critical(suite: SuiteComparison) -> Iterator[Reason]:
    for result in suite.removed:
        if result.query.critical:
            yield Reason(
                "removed-critical",
                suite.name,
                f"critical query {result.query.query_id} was removed from the dataset",
                query_id=result.query.query_id,
            )
