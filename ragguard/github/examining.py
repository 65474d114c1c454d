"""Lint, evaluate, find the baseline, compare, judge: from a checkout to a conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ragguard.config.discovery import CONFIG_NAME
from ragguard.config.model import Config
from ragguard.config.reading import locate_config, read_config
from ragguard.errors import ExitCode, RagguardError
from ragguard.evaluation.result import Status
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.git import commit_of
from ragguard.github.base_commit import BaseCommit, find_base_commit
from ragguard.github.baseline import find_baseline
from ragguard.github.client import GitHub, GitHubError
from ragguard.github.conclusion import Conclusion
from ragguard.github.event import Event
from ragguard.github.judging import (
    Bar,
    bar_of_base,
    has_acceptable,
    judged,
    lint_reasons,
    with_lint,
)
from ragguard.github.settings import Settings
from ragguard.lint.engine import lint_config
from ragguard.lint.ignores.ignore_list import read_ignore_list
from ragguard.lint.ignores.ignoring import Ignoring
from ragguard.lint.known_codes import check_codes
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection as RuleSelection
from ragguard.report.asking import Progress
from ragguard.report.evaluating import FaultyDatasetError, Selection, evaluate_config
from ragguard.report.model import Commits, Report
from ragguard.report.writing import write_report


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the action: what started it, what it was told, and whom it can ask."""

    event: Event
    settings: Settings
    github: GitHub
    report_path: Path


def examine(run: Run, progress: Progress) -> Conclusion:
    """What is to be said about the checkout; the report is written whatever comes after it.

    Faults of the input and of GitHub become a conclusion without a verdict, so that they are told
    where the reader looks.
    """
    try:
        config = read_config(locate_config(run.settings.config, Path.cwd()))
        results = _lint(config, run.settings.suites)
    except RagguardError as error:
        return _without_verdict(Conclusion(_incomplete()), error)
    linted = Conclusion(
        _incomplete(),
        config=config,
        diagnostics=tuple(found for each in results.values() for found in each.diagnostics),
        notes=tuple(_ignored(results.values())),
    )
    reasons = lint_reasons((name, each.diagnostics) for name, each in results.items())
    try:
        report = _evaluated(config, run, progress)
    except FaultyDatasetError as error:
        known = reasons or lint_reasons([("", error.diagnostics)])
        return replace(linted, verdict=Verdict(Outcome.FAILED, reasons=known))
    except RagguardError as error:
        return _without_verdict(linted, error)
    evaluated = replace(linted, report=report, notes=(*linted.notes, *_warnings(report)))
    nothing = _nothing_evaluated(report)
    if nothing:
        verdict = Verdict(Outcome.INCOMPLETE, reasons, notes=(nothing,))
        return replace(evaluated, verdict=verdict)
    try:
        concluded = _compared(evaluated, report, config.path or Path(CONFIG_NAME), run)
    except RagguardError as error:
        return _without_verdict(evaluated, error)
    return replace(concluded, verdict=with_lint(concluded.verdict, reasons))


def _evaluated(config: Config, run: Run, progress: Progress) -> Report:
    commits = Commits(commit_of(run.settings.workspace), run.event.head_sha)
    report = evaluate_config(
        config, Selection(run.settings.suites), commits=commits, progress=progress
    )
    write_report(report, run.report_path)
    return report


def _lint(config: Config, suites: tuple[str, ...]) -> dict[str, LintResult]:
    """What the linter finds in each suite that is evaluated, less what is ignored.

    Raises:
        ConfigError: the settings of lint, or the list of ignored findings, are not valid.
    """
    check_codes(config)
    ignores = read_ignore_list(config)
    chosen = RuleSelection.configured(config.lint)
    linted = [suite for name, suite in config.suites.items() if not suites or name in suites]
    return {
        suite.name: Ignoring.of(ignores, config, chosen, [suite]).applied(
            lint_config(config, chosen, [suite])
        )
        for suite in linted
    }


def _ignored(results: Iterable[LintResult]) -> Iterator[str]:
    """What a list keeps quiet: a change that ignores what it breaks is seen to do so."""
    for name, count in sorted(LintResult.joined(results).ignored.items()):
        findings = "1 lint finding is" if count == 1 else f"{count:,} lint findings are"
        yield f"{findings} ignored by {name}"


def _compared(evaluated: Conclusion, report: Report, config_path: Path, run: Run) -> Conclusion:
    event, settings, github = run.event, run.settings, run.github
    base = find_base_commit(event, settings.workspace, github)
    if base is not None:
        report = replace(report, commits=replace(report.commits, base=base.sha))
        write_report(report, run.report_path)
    bar = bar_of_base(base, config_path) if event.is_judged_by_base else Bar()
    baseline = find_baseline(base, event.base_ref, settings, github, config_path.parent)
    wanted = settings.baseline != "none"
    verdict, comparison = judged(report, baseline, bar, wants_baseline=wanted)
    notes = [*evaluated.notes, *([bar.note] if bar.note else [])]
    if has_acceptable(verdict) and event.is_gated:
        accepted, note = _is_accepted(event, settings, github)
        if accepted:
            verdict, comparison = judged(report, baseline, bar, accepted=("all",))
        notes += [note] if note else []
    return replace(
        evaluated,
        verdict=verdict,
        report=report,
        comparison=comparison,
        baseline=baseline,
        notes=tuple(notes),
        what_to_do=_how_to_get_a_baseline(event, base) if wanted and baseline is None else (),
    )


def _is_accepted(event: Event, settings: Settings, github: GitHub) -> tuple[bool, str | None]:
    """Whether the pull request bears the acknowledging label now; events may carry stale ones."""
    label = settings.acknowledge_label
    if event.number is None or not label:
        return False, None
    try:
        return label in github.labels(event.number), None
    except GitHubError as error:
        return (
            False,
            f"The label {label} could not be looked up, so nothing counts as accepted: "
            + (error.message),
        )


def _nothing_evaluated(report: Report) -> str | None:
    results = [result for listed in report.results.values() for result in listed]
    if not results or any(result.status is Status.OK for result in results):
        return None
    first = results[0]
    why = "" if first.query.private else f": {first.error}"
    return (
        f"None of the {len(results)} queries could be evaluated; "
        f"{first.query.query_id} ended as {first.status}{why}"
    )


def _warnings(report: Report) -> list[str]:
    return [f"{name}: {each}" for name, run in report.suites.items() for each in run.warnings]


def _how_to_get_a_baseline(event: Event, base: BaseCommit | None) -> tuple[str, ...]:
    if not event.is_gated:
        return ("Nothing to compare with yet. The report of this run is kept as a baseline.",)
    branch, commit = event.base_ref, f" ({base.sha[:9]})" if base else ""
    keep = (
        f"Let this workflow run on pushes to {branch} too: each run there keeps its report, and "
        "pull requests opened on top of it are compared with it."
    )
    return (
        f"There is no report of {branch}{commit} to compare with.",
        keep,
        "Or commit a report as ragguard-baseline.jsonl.gz beside the configuration.",
    )


def _incomplete(error: RagguardError | None = None) -> Verdict:
    """No verdict; each line of the error is a note, its hint is told elsewhere."""
    if error is None:
        return Verdict(Outcome.INCOMPLETE)
    told = str(error).removesuffix(f"\n  hint: {error.hint}")
    return Verdict(Outcome.INCOMPLETE, notes=tuple(filter(None, map(str.strip, told.split("\n")))))


def _without_verdict(conclusion: Conclusion, error: RagguardError) -> Conclusion:
    """Nothing can be said; a fault of the input is another exit code than one of the world."""
    is_unusable = error.exit_code is ExitCode.UNUSABLE
    way_out = error.hint or ("mend what is named below" if is_unusable else "run the job again")
    return replace(
        conclusion,
        verdict=_incomplete(error),
        what_to_do=(f"Nothing is known about this change; {way_out}.",),
        fault=ExitCode.UNUSABLE if is_unusable else None,
    )
