"""The verdict in one line of words, the same at the terminal and in a comment."""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.comparison.model import Comparison, QueryChange, SuiteComparison
from ragguard.gate.verdict import Outcome, Reason, Verdict
from ragguard.render.wording import plural

FAILED, PASSED, NOTHING, WARNING = "❌", "✅", "⚪", "⚠️"

_MOST_KINDS = 6
_COUNTED = {
    "critical": ("critical miss", "critical misses"),
    "removed-critical": ("critical query removed", "critical queries removed"),
    "loosened-label": ("loosened label", "loosened labels"),
    "loosened-gate": ("loosened gate", "loosened gates"),
    "max_rank": ("query below its rank", "queries below their ranks"),
    "slices": ("failed slice gate", "failed slice gates"),
}
_COUNTED_QUERIES = {
    "forbidden": "{} with forbidden chunks",
    "unauthorized": "{} with unauthorized chunks",
    "stale": "{} with stale chunks",
    "failures": "{} that failed",
}


def first_line(verdict: Verdict, comparison: Comparison | None) -> tuple[str, str]:
    """An icon and the verdict in words, which stand without the icon too."""
    if verdict.outcome is Outcome.INCOMPLETE:
        return WARNING, "Retrieval: no verdict, the check is incomplete"
    if verdict.outcome is Outcome.NOT_COMPARABLE:
        obstacles = comparison.obstacles if comparison else ()
        fields = ", ".join(dict.fromkeys(obstacle.field for obstacle in obstacles))
        return WARNING, "Retrieval: no verdict, the reports cannot be compared" + (
            f" ({fields})" if fields else ""
        )
    if verdict.outcome is Outcome.NO_BASELINE:
        if verdict.reasons:
            return FAILED, f"Retrieval failed without a baseline: {_failed(verdict.reasons)}"
        return NOTHING, "Retrieval: no baseline yet, nothing was compared"
    if verdict.outcome is Outcome.FAILED:
        return (
            FAILED,
            f"Retrieval failed: {_failed(verdict.reasons)}{_more_regressions(comparison)}",
        )
    return _passed(verdict, comparison)


def other_regressions(suite: SuiteComparison) -> tuple[QueryChange, ...]:
    """The regressions that are not told as critical misses already."""
    told = {miss.head.query.query_id for miss in suite.critical_misses}
    return tuple(change for change in suite.regressions if change.pair.query_id not in told)


def _more_regressions(comparison: Comparison | None) -> str:
    suites = comparison.suites.values() if comparison else ()
    count = sum(len(other_regressions(suite)) for suite in suites)
    if not count:
        return ""
    more = "more " if any(suite.critical_misses for suite in suites) else ""
    return f", {plural(count, f'{more}regression')}"


def _passed(verdict: Verdict, comparison: Comparison | None) -> tuple[str, str]:
    if comparison is None:
        return PASSED, "Retrieval passed the gates of a single report"
    paired = sum(suite.paired for suite in comparison.suites.values())
    regressed = sum(len(suite.regressions) for suite in comparison.suites.values())
    if not paired:
        return NOTHING, "Retrieval: nothing to compare, no scored query is in both reports"
    told = f"Retrieval passed: {plural(paired, 'query')} compared, {regressed or 'none'} regressed"
    if verdict.accepted:
        told += f", {plural(len(verdict.accepted), 'accepted loss', 'accepted losses')}"
    return PASSED, told


def _failed(reasons: tuple[Reason, ...]) -> str:
    kinds = list(_kinds(reasons))
    more = [f"{len(kinds) - _MOST_KINDS} more"] if len(kinds) > _MOST_KINDS else []
    return ", ".join([*kinds[:_MOST_KINDS], *more])


def _kinds(reasons: tuple[Reason, ...]) -> Iterator[str]:
    """Each kind of failed gate once, the gravest first."""
    gates = [reason.gate for reason in reasons]
    for gate, (one, many) in _COUNTED.items():
        if gate in gates:
            yield plural(gates.count(gate), one, many)
    for gate, told in _COUNTED_QUERIES.items():
        count = sum(int(reason.head or 0) for reason in reasons if reason.gate == gate)
        if count:
            yield told.format(plural(count, "query"))
    for gate in dict.fromkeys(gates):
        if gate.endswith(".max_drop"):
            yield f"{gate.removesuffix('.max_drop')} dropped"
        elif gate.endswith(".min"):
            yield f"{gate.removesuffix('.min')} below its floor"
        elif gate not in _COUNTED and gate not in _COUNTED_QUERIES:
            yield gate
