"""The summary of a report: the object of `ragguard report --format json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import critical_metric, metrics_of
from ragguard.metrics.means import TOLERANCE
from ragguard.metrics.name import Metric
from ragguard.report.columns import Columns
from ragguard.report.model import Report

Summary = dict[str, Any]


def summarise(report: Report) -> Summary:
    """Means with their denominators, counts, slices and misses of every suite."""
    return {
        "suites": {
            name: summarise_suite(
                results,
                report.suites[name].scoring,
                report.timing.latency_ms.get(name, {}) if report.timing else {},
            )
            for name, results in report.results.items()
        }
    }


def summarise_suite(
    results: Sequence[QueryResult], scoring: Scoring, latency_ms: Mapping[str, float]
) -> Summary:
    """The summary of one suite from its scored results and the latency of its queries."""
    metrics = metrics_of(scoring)
    columns = Columns(results, metrics, scoring)
    return {
        "means": columns.means(range(len(results))),
        "counts": _counts(results, metrics),
        "slices": {path: _slice_summary(results, path, columns) for path in scoring.slices},
        "critical_misses": critical_misses(results, scoring),
        "forbidden": exposed(results, "forbidden"),
        "unauthorized": exposed(results, "unauthorized"),
        "stale": stale_within(results, scoring),
        "latency_ms": _latency(latency_ms),
    }


def means_of(
    results: Sequence[QueryResult], metrics: Iterable[Metric], scoring: Scoring
) -> dict[str, Any]:
    """Macro, micro and weighted mean of each metric, with the count they are over."""
    return Columns(results, metrics, scoring).means(range(len(results)))


def is_unanswerable(result: QueryResult) -> bool:
    """Whether the query was answered but has no answer in the corpus."""
    return result.status is Status.OK and not result.query.answerable


def _counts(results: Sequence[QueryResult], metrics: Iterable[Metric]) -> dict[str, Any]:
    errors = sum(result.status is not Status.OK for result in results)
    unanswerable = sum(map(is_unanswerable, results))
    scored = sum(result.is_scored for result in results)
    recalls = [str(metric) for metric in metrics if metric.measure == "recall"]
    return {
        "queries": len(results),
        "scored": scored,
        "unanswerable": unanswerable,
        "unlabelled": len(results) - scored - unanswerable - errors,
        "errors": errors,
        "zero_recall": {
            name: sum(result.metrics.get(name) == 0 for result in results) for name in recalls
        },
        "duplicates": sum(result.duplicates for result in results),
    }


def _slice_summary(results: Sequence[QueryResult], path: str, columns: Columns) -> dict[str, Any]:
    by_value: dict[str, list[int]] = {}
    for row, result in enumerate(results):
        value = result.query.slice_value(path)
        if value is not None:
            by_value.setdefault(value, []).append(row)
    return {
        value: {
            "count": sum(results[row].is_scored for row in rows),
            "means": columns.means(rows),
        }
        for value, rows in sorted(by_value.items())
    }


def keeps_critical(result: QueryResult, scoring: Scoring) -> bool | None:
    """Whether a critical query has what its gate requires; None when nothing can be required.

    A failed query keeps nothing.
    """
    if result.status is not Status.OK:
        return False
    value = result.metrics.get(str(critical_metric(scoring)))
    return None if value is None else value >= 1 - TOLERANCE


def critical_misses(results: Iterable[QueryResult], scoring: Scoring) -> list[str]:
    """Ids of the critical queries that lack what their gate requires, in dataset order."""
    return [
        result.query.query_id
        for result in results
        if result.query.critical and keeps_critical(result, scoring) is False
    ]


def exposed(results: Iterable[QueryResult], kind: str) -> list[str]:
    """Ids of the queries with an exposure of that kind, in dataset order."""
    return [result.query.query_id for result in results if result.exposures.get(kind)]


def stale_within(results: Iterable[QueryResult], scoring: Scoring) -> list[str]:
    """Ids of the queries with a stale chunk in the top k of the primary metric."""
    return [result.query.query_id for result in results if stale_chunks(result, scoring)]


def stale_chunks(result: QueryResult, scoring: Scoring) -> list[str]:
    """The stale chunks of one query in the top k of the primary metric."""
    stale = set(result.exposures.get("stale", ()))
    if not stale or result.answer is None:
        return []
    unique = list(dict.fromkeys(place.chunk_id for place in result.answer.ranking))
    return [id_ for id_ in unique[: scoring.primary_rank] if id_ in stale]


def _latency(latency_ms: Mapping[str, float]) -> dict[str, float | None]:
    times = sorted(latency_ms.values())
    return {"p50": percentile(times, 0.50), "p95": percentile(times, 0.95)}


def percentile(ascending: Sequence[float], share: float) -> float | None:
    """The nearest-rank percentile of ascending values; None without any."""
    if not ascending:
        return None
    rank = max(1, -(-int(share * 100) * len(ascending) // 100))
    return ascending[rank - 1]
