"""Judging a report in a pull request: by the base branch's gates, and by what was accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ragguard.comparison.compare import compare
from ragguard.comparison.model import Comparison
from ragguard.config.model import Config
from ragguard.config.reading import config_from_text
from ragguard.errors import ConfigError
from ragguard.evaluation.scoring import score_results
from ragguard.gate.judge import ACCEPTABLE, judge, judge_alone
from ragguard.gate.verdict import Outcome, Reason, Verdict
from ragguard.github.base_commit import BaseCommit
from ragguard.github.baseline import Baseline
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.report.model import Report


@dataclass(frozen=True, slots=True)
class Bar:
    """Whose gates and policy a report is judged by.

    Attributes:
        config: the configuration of the base commit; None judges by the baseline's own settings,
            or by head's where there is no baseline either.
        is_base: whether the base's settings count rather than head's.
        note: what a reader should know about it.
    """

    config: Config | None = None
    is_base: bool = False
    note: str | None = None


def bar_of_base(base: BaseCommit | None, path: Path) -> Bar:
    """The bar that the base branch sets, so that a change cannot lower its own.

    Args:
        base: the base commit.
        path: the configuration file that head uses.

    Raises:
        LookupFailedError: neither git nor the API could tell what the base commit holds.
    """
    if base is None:
        return Bar()
    content = base.read(path)
    if content is None:
        return Bar(
            is_base=True,
            note=f"The base branch has no {path.name}: judged by the settings in the baseline, "
            "or by those of this change where there is no baseline.",
        )
    try:
        text = content.decode("utf-8-sig")
        return Bar(config_from_text(text, path), is_base=True)
    except (ConfigError, UnicodeDecodeError):
        return Bar(
            is_base=True,
            note=f"{path.name} of the base branch cannot be read: judged by the settings in the "
            "baseline, or by those of this change where there is no baseline.",
        )


def judged(
    report: Report,
    baseline: Baseline | None,
    bar: Bar,
    *,
    accepted: Iterable[str] = (),
    wants_baseline: bool = True,
) -> tuple[Verdict, Comparison | None]:
    """The verdict on a report, and the comparison it rests on where there is a baseline."""
    if baseline is None:
        alone = _under(report, bar.config) if bar.config else report
        return judge_alone(alone, without_baseline=wants_baseline), None
    base = _under(baseline.report, bar.config) if bar.config else baseline.report
    comparison = compare(base, report, scoring_from="base" if bar.is_base else "head")
    return judge(comparison, accepted=accepted), comparison


def _under(report: Report, config: Config) -> Report:
    """The report with the settings of a configuration, as deep as its own rankings are."""
    suites = {
        name: replace(
            suite, scoring=replace(config.suites[name].scoring, depth=suite.scoring.depth)
        )
        if name in config.suites
        else suite
        for name, suite in report.suites.items()
    }
    results = {
        name: score_results(results, suites[name].scoring)
        for name, results in report.results.items()
    }
    return replace(report, suites=suites, results=results)


def has_acceptable(verdict: Verdict) -> bool:
    """Whether somebody could accept one of the failures."""
    return any(reason.gate in ACCEPTABLE for reason in verdict.reasons)


def lint_reasons(by_suite: Iterable[tuple[str, Iterable[Diagnostic]]]) -> tuple[Reason, ...]:
    """One reason for each suite with lint errors, naming the first of them."""
    reasons = []
    for suite, diagnostics in by_suite:
        errors = [found for found in diagnostics if found.severity is Severity.ERROR]
        if errors:
            first = errors[0]
            count = f"{len(errors)} lint errors" if len(errors) > 1 else "1 lint error"
            message = f"{count}; {first.location}: {first.code} {first.message}"
            reasons.append(Reason("lint", suite, message))
    return tuple(reasons)


def with_lint(verdict: Verdict, reasons: tuple[Reason, ...]) -> Verdict:
    """The verdict with lint errors among its reasons: what passed, or had no baseline, failed."""
    if not reasons:
        return verdict
    without_verdict = {Outcome.INCOMPLETE, Outcome.NOT_COMPARABLE}
    outcome = verdict.outcome if verdict.outcome in without_verdict else Outcome.FAILED
    return replace(verdict, outcome=outcome, reasons=(*reasons, *verdict.reasons))
