"""`ragguard diff --format json`: the object of schemas/diff.schema.json."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ragguard.comparison.model import (
    Comparison,
    CriticalMiss,
    Headline,
    QueryChange,
    SliceComparison,
    SuiteComparison,
)
from ragguard.comparison.movement import Movement
from ragguard.evaluation.result import QueryResult
from ragguard.gate.verdict import Outcome, Reason, Verdict


def diff_object(comparison: Comparison, verdict: Verdict) -> dict[str, Any]:
    """The comparison and its verdict as JSON values; no text of a query is in it.

    Where the reports cannot be compared there is no suite, and so no number.
    """
    comparable = verdict.outcome is not Outcome.NOT_COMPARABLE
    return {
        "verdict": str(verdict.outcome),
        "reasons": [reason_object(reason) for reason in verdict.reasons],
        "accepted": [reason_object(reason) for reason in verdict.accepted],
        "notes": list(verdict.notes),
        "obstacles": [
            {"suite": each.suite, "field": each.field, "message": each.message}
            for each in comparison.obstacles
        ],
        "changed": [
            {"what": each.what, "suite": each.suite, "base": each.base, "head": each.head}
            for each in comparison.changed
        ],
        "only_base": list(comparison.only_base),
        "only_head": list(comparison.only_head),
        "suites": {
            name: _suite_object(suite) for name, suite in comparison.suites.items() if comparable
        },
    }


def reason_object(reason: Reason) -> dict[str, Any]:
    """One failed gate; `query_id` and `slice` are null where the gate is about neither."""
    return {
        "gate": reason.gate,
        "suite": reason.suite,
        "query_id": reason.query_id,
        "query_ids": list(reason.query_ids),
        "slice": reason.slice,
        "base": reason.base,
        "head": reason.head,
        "limit": reason.limit,
        "message": reason.message,
    }


def _suite_object(suite: SuiteComparison) -> dict[str, Any]:
    return {
        "headline": {name: _headline_object(each) for name, each in suite.headline.items()},
        "paired": suite.paired,
        "rechunked": suite.rechunked,
        "added": _ids(suite.added),
        "removed": _ids(suite.removed),
        "relabelled": list(suite.relabelled),
        "reworded": [head.query.query_id for _, head in suite.reworded],
        "renamed": [{"base": base, "head": head} for head, base in suite.renamed.items()],
        "critical_misses": [_miss_object(miss) for miss in suite.critical_misses],
        "regressions": [_change_object(change) for change in suite.regressions],
        "improvements": [_change_object(change) for change in suite.improvements],
        "rank_falls": [
            {
                "query_id": fall.pair.query_id,
                "base_rank": fall.base_rank,
                "head_rank": fall.head_rank,
            }
            for fall in suite.rank_falls
        ],
        "slices": {
            path: {
                value: {metric: _slice_object(each) for metric, each in by_metric.items()}
                for value, by_metric in by_value.items()
            }
            for path, by_value in suite.slices.items()
        },
    }


def _ids(results: Iterable[QueryResult]) -> list[str]:
    return [result.query.query_id for result in results]


def _headline_object(headline: Headline) -> dict[str, Any]:
    statistics = headline.statistics
    interval = statistics.interval if statistics else None
    return {
        "count": headline.count,
        "base": headline.base,
        "head": headline.head,
        "delta": headline.delta,
        "ci": list(interval) if interval else None,
        "approximate": statistics.approximate if statistics and interval else None,
        "p": statistics.p_value if statistics else None,
        "wins": statistics.wins if statistics else None,
        "ties": statistics.ties if statistics else None,
        "losses": statistics.losses if statistics else None,
        "retriever_effect": headline.retriever_effect,
        "label_effect": headline.label_effect,
    }


def _movement_object(movement: Movement) -> dict[str, Any]:
    return {
        "id": movement.chunk_id,
        "base_rank": movement.base_rank,
        "head_rank": movement.head_rank,
        "lost_at": movement.lost_at,
        "replaced_by": movement.replaced_by,
    }


def _miss_object(miss: CriticalMiss) -> dict[str, Any]:
    return {
        "query_id": miss.head.query.query_id,
        "new": miss.is_new,
        "status": str(miss.head.status),
        "missing": [_movement_object(movement) for movement in miss.missing],
    }


def _change_object(change: QueryChange) -> dict[str, Any]:
    return {
        "query_id": change.pair.query_id,
        "metric": change.metric,
        "base": change.base,
        "head": change.head,
        "missing": [_movement_object(movement) for movement in change.missing],
    }


def _slice_object(each: SliceComparison) -> dict[str, Any]:
    return {
        "count": each.count,
        "paired": each.paired,
        "head_mean": each.head,
        "base": each.base,
        "head": None if each.base is None or each.moved is None else each.base + each.moved,
        "delta": each.moved,
    }
