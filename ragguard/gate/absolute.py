"""Gates on one report alone: floors, exposures, failures, ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

from ragguard.comparison.movement import ranks_of
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.limit import Limit
from ragguard.gate.verdict import Reason
from ragguard.metrics.means import TOLERANCE
from ragguard.report.summary import exposed, stale_within

_EXPOSURES = {
    "forbidden": "retrieved a chunk that is forbidden to them",
    "unauthorized": "retrieved a chunk that their roles may not see",
    "stale": "have a superseded, withdrawn or outdated chunk in the top k",
}


def absolute_reasons(
    suite: str, results: Sequence[QueryResult], scoring: Scoring
) -> Iterator[Reason]:
    """Every gate that this report fails by itself, whatever the baseline.

    Args:
        suite: name of the suite.
        results: its results, scored under `scoring`.
        scoring: the settings with the gates.
    """
    yield from _floors(suite, results, scoring)
    yield from _slice_floors(suite, results, scoring)
    yield from _exposures(suite, results, scoring)
    yield from _failures(suite, results, scoring)
    yield from _max_ranks(suite, results, scoring)


def _floors(suite: str, results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Reason]:
    for metric, gate in scoring.gates.metrics.items():
        if gate.min is not None:
            yield from _floor(Limit(suite, f"{metric}.min", str(metric), gate.min), results)


def _floor(limit: Limit, results: Sequence[QueryResult]) -> Iterator[Reason]:
    """A mean below its floor, or a floor with nothing to judge."""
    scored = [(value, r) for r in results if (value := r.metrics.get(limit.metric)) is not None]
    if not scored:
        message = f"{limit} has no scored query; the floor {limit.value:g} holds nothing"
        yield Reason(limit.gate, limit.suite, message, limit=limit.value, slice=limit.slice)
        return
    mean = fsum(value for value, _ in scored) / len(scored)
    if mean < limit.value - TOLERANCE:
        worst = sorted(scored, key=lambda pair: pair[0])
        yield Reason(
            limit.gate,
            limit.suite,
            f"{limit} is {mean:.3f} over {len(scored)} queries, below {limit.value:g}",
            query_ids=tuple(r.query.query_id for value, r in worst if value < 1 - TOLERANCE),
            head=mean,
            limit=limit.value,
            slice=limit.slice,
        )


def _slice_floors(suite: str, results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Reason]:
    for path, by_metric in scoring.gates.slices.items():
        values = {r.query.slice_value(path) for r in results} - {None}
        for metric, gate in by_metric.items():
            name = str(metric)
            judged = 0
            for value in sorted(v for v in values if v is not None):
                members = [r for r in results if r.query.slice_value(path) == value]
                if sum(r.metrics.get(name) is not None for r in members) < gate.min_count:
                    continue
                judged += 1
                if gate.min is not None:
                    limit = Limit(suite, "slices", name, gate.min, f"{path}={value}")
                    yield from _floor(limit, members)
            if not judged:
                message = (
                    f"no value of {path} has {gate.min_count} scored queries, "
                    f"so the gate on {name} judges nothing"
                )
                yield Reason("slices", suite, message, slice=path)


def _exposures(suite: str, results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Reason]:
    gates = scoring.gates
    limits = {
        "forbidden": gates.forbidden,
        "unauthorized": gates.unauthorized,
        "stale": gates.stale,
    }
    for kind, limit in limits.items():
        if limit is None:
            continue
        ids = stale_within(results, scoring) if kind == "stale" else exposed(results, kind)
        yield from _too_many(suite, kind, ids, limit, _EXPOSURES[kind])


def _failures(suite: str, results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Reason]:
    limit = scoring.gates.failures
    if limit is not None:
        ids = [r.query.query_id for r in results if r.status is not Status.OK]
        yield from _too_many(suite, "failures", ids, limit, "could not be evaluated")


def _too_many(suite: str, gate: str, ids: Sequence[str], limit: int, what: str) -> Iterator[Reason]:
    if len(ids) > limit:
        count = f"{len(ids)} {'query' if len(ids) == 1 else 'queries'}"
        message = f"{count} {what}; allowed: {limit}"
        yield Reason(
            gate, suite, message, query_ids=tuple(ids), head=float(len(ids)), limit=float(limit)
        )


def _max_ranks(suite: str, results: Sequence[QueryResult], scoring: Scoring) -> Iterator[Reason]:
    threshold = scoring.policy.relevance_threshold
    for result in results:
        limit = result.query.max_rank
        if limit is None or not result.query.answerable:
            continue
        found = ranks_of(result)
        grades = result.query.labels.grades(threshold)
        relevant = [found[id_] for id_, g in grades.items() if g >= threshold and id_ in found]
        first = min(relevant, default=None)
        if first is None or first > limit:
            where = f"at rank {first}" if first else f"not in the first {scoring.depth}"
            where = where if result.status is Status.OK else f"unknown ({result.status})"
            message = f"the first relevant chunk is {where}; it must stand at {limit} or above"
            yield Reason(
                "max_rank",
                suite,
                message,
                query_id=result.query.query_id,
                head=float(first) if first else None,
                limit=float(limit),
            )
