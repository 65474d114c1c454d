"""A bar that was lowered: labels of critical queries, and the gates themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.comparison.model import Pair, SuiteComparison
from ragguard.config.gates import Gates, MetricGate, SliceGate
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult
from ragguard.gate.verdict import Reason
from ragguard.report.summary import keeps_critical


def loosened_labels(suite: SuiteComparison) -> Iterator[Reason]:
    """Critical queries that pass only because their labels or their text were changed."""
    known = _known_ids(suite) if suite.rechunked else None
    for each in suite.pairs:
        if not each.base.query.critical:
            continue
        if not each.head.query.critical:
            yield _reason(suite, each.head, "is no longer critical")
        elif (
            each.query_id in suite.relabelled
            and _passes_by_labels_alone(each, suite.scoring)
            and _still_exists(each, suite.scoring, known)
        ):
            yield _reason(
                suite,
                each.head,
                "has all its evidence under the new labels, but not under those of base, "
                "which base's ranking satisfied",
            )
    for before, after in suite.reworded:
        if before.query.critical and not after.query.critical:
            yield _reason(suite, after, "was reworded and is no longer critical")
        elif before.query.critical and _lost(before, after, suite.scoring):
            yield _reason(suite, after, "was reworded, and has lost evidence that base had")


def _passes_by_labels_alone(each: Pair, scoring: Scoring) -> bool:
    return (
        keeps_critical(each.head, scoring) is not False
        and keeps_critical(each.base, scoring) is True
        and keeps_critical(each.head_on_base, scoring) is False
    )


def _known_ids(suite: SuiteComparison) -> frozenset[str]:
    """Every chunk id that head's labels or rankings name."""
    threshold = suite.scoring.policy.relevance_threshold
    known: set[str] = set()
    for result in suite.head_results:
        known.update(result.query.labels.grades(threshold))
        known.update(place.chunk_id for place in (result.answer.ranking if result.answer else ()))
    return frozenset(known)


def _still_exists(each: Pair, scoring: Scoring, known: frozenset[str] | None) -> bool:
    """Whether head's corpus can satisfy base's labels at all; only a re-chunk puts it in doubt."""
    groups = each.base.query.labels.groups(scoring.policy.relevance_threshold)
    return known is None or all(not known.isdisjoint(group) for group in groups)


def _lost(before: QueryResult, after: QueryResult, scoring: Scoring) -> bool:
    was_complete = keeps_critical(before, scoring) is True
    return was_complete and keeps_critical(after, scoring) is False


def _reason(suite: SuiteComparison, result: QueryResult, told: str) -> Reason:
    return Reason(
        "loosened-label",
        suite.name,
        f"critical query {result.query.query_id} {told}",
        query_id=result.query.query_id,
    )


def loosened_gates(suite: SuiteComparison) -> Iterator[Reason]:
    """Gates that head's configuration asks less of than base's."""
    for message in _loosened(suite.base_scoring.gates, suite.head_scoring.gates):
        yield Reason("loosened-gate", suite.name, message)
    for each in suite.pairs:
        for message in _eased(each):
            yield Reason("loosened-gate", suite.name, message, query_id=each.query_id)
    if suite.base_scoring.gates.critical.at is None:
        before, after = suite.base_scoring.primary.cutoff, suite.head_scoring.primary.cutoff
        if suite.head_scoring.gates.critical.at is None and (after or 0) > (before or 0):
            message = f"critical is judged at {after}, before at {before} (by the primary metric)"
            yield Reason("loosened-gate", suite.name, message)


def _eased(each: Pair) -> Iterator[str]:
    """The gates that a query carries in its row: its rank limit, and its bans that head breaks."""
    before, after = each.base.query, each.head.query
    if before.max_rank is not None and (after.max_rank or before.max_rank + 1) > before.max_rank:
        yield _said(f"max_rank of {each.query_id}", before.max_rank, after.max_rank)
    allowed = set(before.forbidden_ids) - set(after.forbidden_ids)
    answer = each.head.answer
    rankings = (answer.ranking, *answer.stages.values()) if answer else ()
    back = sorted({p.chunk_id for ranking in rankings for p in ranking if p.chunk_id in allowed})
    if back:
        ids = ", ".join(map(repr, back))
        yield f"{each.query_id} retrieves {ids}, which is no longer forbidden to it"


def _loosened(base: Gates, head: Gates) -> Iterator[str]:
    for metric, gate in base.metrics.items():
        yield from _limits(str(metric), gate, head.metrics.get(metric))
    for path, by_metric in base.slices.items():
        for metric, slice_gate in by_metric.items():
            after = head.slices.get(path, {}).get(metric)
            yield from _limits(f"slices.{path}.{metric}", slice_gate, after)
            if after is not None and after.min_count > slice_gate.min_count:
                yield _said(
                    f"slices.{path}.{metric}.min_count", slice_gate.min_count, after.min_count
                )
    yield from _critical(base, head)
    for name in ("forbidden", "unauthorized", "stale", "failures"):
        before, limit = getattr(base, name), getattr(head, name)
        if before is not None and (limit is None or limit > before):
            yield _said(name, before, limit)
    if head.min_paired < base.min_paired:
        yield _said("min_paired", base.min_paired, head.min_paired)


def _limits(
    name: str, base: MetricGate | SliceGate, head: MetricGate | SliceGate | None
) -> Iterator[str]:
    least, most = (head.min, head.max_drop) if head else (None, None)
    if base.min is not None and (least is None or least < base.min):
        yield _said(f"{name}.min", base.min, least)
    if base.max_drop is not None and (most is None or most > base.max_drop):
        yield _said(f"{name}.max_drop", base.max_drop, most)


def _critical(base: Gates, head: Gates) -> Iterator[str]:
    before, after = base.critical, head.critical
    if before.at is not None and (after.at is None or after.at > before.at):
        yield _said("critical.at", before.at, after.at)
    if before.require == "all" and after.require == "any":
        yield _said("critical.require", "all", "any")
    if before.existing == "block" and after.existing == "list":
        yield _said("critical.existing", "block", "list")


def _said(name: str, before: object, after: object) -> str:
    return f"{name} was {before}, is now {'gone' if after is None else after}"
