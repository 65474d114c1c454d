"""The values of every metric as columns, so that the means of a slice cost a selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult
from ragguard.metrics.means import mean
from ragguard.metrics.name import Metric


class Columns:
    """The values, weights and micro units of scored results, by row in their order."""

    def __init__(
        self, results: Sequence[QueryResult], metrics: Iterable[Metric], scoring: Scoring
    ) -> None:
        """Lay the results out."""
        by_name = {str(metric): metric for metric in metrics}
        rows = [list(map(result.metrics.get, by_name)) for result in results]
        columns = zip(*rows, strict=True) if rows else [()] * len(by_name)
        self._values = dict(zip(by_name, columns, strict=True))
        self._units = _units(results, by_name, scoring)
        weights = [result.query.weight for result in results]
        self._weights = weights if len(set(weights)) > 1 else None

    def means(self, rows: Sequence[int]) -> dict[str, Any]:
        """Macro, micro and weighted mean over these rows, with their count, by metric."""
        weights = None if self._weights is None else [self._weights[row] for row in rows]
        found = {}
        for name, values in self._values.items():
            units = self._units.get(name)
            found[name] = asdict(
                mean(
                    [values[row] for row in rows],
                    weights,
                    None if units is None else [units[row] for row in rows],
                )
            )
        return found


def _units(
    results: Sequence[QueryResult], by_name: dict[str, Metric], scoring: Scoring
) -> dict[str, Sequence[int]]:
    """What each value is a share of, for the measures that have a micro mean."""
    threshold = scoring.policy.relevance_threshold
    labels = [result.query.labels for result in results]
    relevant = [
        sum(grade >= threshold for grade in label.grades(threshold).values()) for label in labels
    ]
    groups = [len(label.evidence) or count for label, count in zip(labels, relevant, strict=True)]
    by_measure = {"recall": relevant, "evidence": groups}
    units: dict[str, Sequence[int]] = {
        name: by_measure[metric.measure]
        for name, metric in by_name.items()
        if metric.measure in by_measure
    }
    places = {name: metric.cutoff or 0 for name, metric in by_name.items() if _is_precision(metric)}
    return units | {name: _places(results, cutoff, scoring) for name, cutoff in places.items()}


def _is_precision(metric: Metric) -> bool:
    return metric.measure == "precision"


def _places(results: Sequence[QueryResult], cutoff: int, scoring: Scoring) -> list[int]:
    if scoring.policy.precision_denominator == "k":
        return [cutoff] * len(results)
    return [min(cutoff, _returned(result, scoring.depth)) for result in results]


def _returned(result: QueryResult, depth: int) -> int:
    ranking = result.answer.ranking[:depth] if result.answer else ()
    return len({place.chunk_id for place in ranking})
