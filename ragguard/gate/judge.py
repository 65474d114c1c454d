"""From a comparison, or from one report, to a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ragguard.comparison.model import Comparison, SuiteComparison
from ragguard.evaluation.scoring import score_results
from ragguard.gate.absolute import absolute_reasons
from ragguard.gate.loosened import loosened_gates, loosened_labels
from ragguard.gate.relative import new_critical_reasons, relative_reasons
from ragguard.gate.verdict import Outcome, Reason, Verdict
from ragguard.report.model import Report
from ragguard.report.summary import critical_misses

ACCEPTABLE = frozenset({"critical", "removed-critical", "loosened-label", "loosened-gate"})
"""Gates whose failure somebody may accept by name; a mean or a forbidden chunk is none of them."""


def judge(comparison: Comparison, *, accepted: Iterable[str] = ()) -> Verdict:
    """The verdict on a comparison.

    Args:
        comparison: two reports compared.
        accepted: failures somebody takes responsibility for, as `GATE` or `GATE:QUERY`; `all`
            accepts whatever can be accepted.
    """
    if comparison.obstacles:
        notes = tuple(obstacle.message for obstacle in comparison.obstacles)
        return Verdict(Outcome.NOT_COMPARABLE, notes=notes)
    wanted = frozenset(accepted)
    reasons = [reason for reason in _reasons(comparison) if _is_judged(reason, comparison.head)]
    open_reasons = tuple(reason for reason in reasons if not _is_accepted(reason, wanted))
    return Verdict(
        Outcome.FAILED if open_reasons else Outcome.PASSED,
        reasons=open_reasons,
        accepted=tuple(reason for reason in reasons if _is_accepted(reason, wanted)),
        notes=tuple(_notes(comparison)),
    )


def _is_judged(reason: Reason, head: Report) -> bool:
    """Whether a run of this head can be held to the gate: a part of the queries has no mean."""
    is_mean = reason.gate.endswith((".min", ".max_drop")) or reason.gate == "slices"
    return not (head.partial and is_mean)


def _is_accepted(reason: Reason, accepted: frozenset[str]) -> bool:
    names = {"all", reason.gate, f"{reason.gate}:{reason.query_id}"}
    return reason.gate in ACCEPTABLE and not accepted.isdisjoint(names)


def _reasons(comparison: Comparison) -> Iterator[Reason]:
    for suite in comparison.suites.values():
        yield from relative_reasons(suite)
        yield from absolute_reasons(suite.name, suite.head_results, suite.scoring)
        yield from loosened_labels(suite)
        yield from loosened_gates(suite)
    for name in comparison.only_head:
        scoring = comparison.head.suites[name].scoring
        results = score_results(comparison.head.results[name], scoring)
        yield from absolute_reasons(name, results, scoring)
        yield from new_critical_reasons(name, results, scoring)
    for name in comparison.only_base:
        if not comparison.head.partial:
            yield from _removed_suite(comparison.base, name)


def _removed_suite(base: Report, name: str) -> Iterator[Reason]:
    yield Reason("loosened-gate", name, f"suite {name} and all its gates are gone")
    for result in base.results[name]:
        if result.query.critical:
            query_id = result.query.query_id
            message = f"critical query {query_id} was removed with its suite"
            yield Reason("removed-critical", name, message, query_id=query_id)


def _notes(comparison: Comparison) -> Iterator[str]:
    if comparison.head.partial:
        yield "head asked only a part of the queries: no mean was judged, none counts as removed"
    for name, run in comparison.head.suites.items():
        yield from (f"{name}: {warning}" for warning in run.warnings)
    for suite in comparison.suites.values():
        yield from _suite_notes(suite)
    for name in comparison.only_head:
        yield f"suite {name} is new: only its floors and critical queries were judged"


def _suite_notes(suite: SuiteComparison) -> Iterator[str]:
    existing = [miss for miss in suite.critical_misses if not miss.is_new]
    if existing and suite.scoring.gates.critical.existing == "list":
        ids = ", ".join(sorted(miss.head.query.query_id for miss in existing))
        yield f"{suite.name}: critical and already missed on base: {ids}"
    if not any(result.query.critical for result in suite.head_results):
        yield f"{suite.name}: no query is critical, so the critical gate had nothing to judge"
    if suite.rechunked:
        yield (
            f"{suite.name}: labels and corpus version both changed (re-chunked); the plain "
            "difference is judged, for no effect can be told apart"
        )


def judge_alone(report: Report, *, without_baseline: bool = False) -> Verdict:
    """The verdict of the absolute gates on one report.

    Args:
        report: a scored report.
        without_baseline: whether a baseline was wanted and there is none; the outcome then is
            `no-baseline`, and its exit code still that of the gates.
    """
    reasons: list[Reason] = []
    notes: list[str] = []
    for name, results in report.results.items():
        scoring = report.suites[name].scoring
        reasons += absolute_reasons(name, results, scoring)
        missed = critical_misses(results, scoring)
        if scoring.gates.critical.existing == "block":
            reasons += [_missed(name, query_id) for query_id in missed]
        elif missed:
            notes.append(f"{name}: critical misses: {', '.join(missed)}")
    if without_baseline:
        outcome = Outcome.NO_BASELINE
    else:
        outcome = Outcome.FAILED if reasons else Outcome.PASSED
    return Verdict(outcome, tuple(reasons), notes=tuple(notes))


def _missed(suite: str, query_id: str) -> Reason:
    message = f"critical query {query_id} lacks evidence that its gate requires"
    return Reason("critical", suite, message, query_id=query_id)
