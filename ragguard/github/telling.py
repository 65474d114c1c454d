"""Telling a conclusion where people look: comment, job summary, annotations, outputs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ragguard.config.model import CommentSettings
from ragguard.errors import ExitCode, RagguardError
from ragguard.evaluation.result import Status
from ragguard.gate.verdict import Outcome
from ragguard.github.annotations import annotation_lines, annotations_of
from ragguard.github.comment import Draft, Marker, Posted, post_comment
from ragguard.github.conclusion import Conclusion
from ragguard.github.examining import Run
from ragguard.github.outputs import write_outputs
from ragguard.github.settings import CommentMode
from ragguard.github.summary import RENDERED_LENGTH, append_summary
from ragguard.location import Location
from ragguard.render.comment_context import COMMENT_LIMIT, CommentContext
from ragguard.render.diff_markdown import render_comment
from ragguard.render.wording import plural
from ragguard.render.workflow_commands import workflow_command
from ragguard.report.summary import summarise

Echo = Callable[[str], None]
_MOST_IDS = 100


def tell(conclusion: Conclusion, exit_code: ExitCode, run: Run, echo: Echo, now: datetime) -> None:
    """Tell everybody; what fails on the way is said, and changes no verdict.

    Args:
        conclusion: what to tell.
        exit_code: how the run will end.
        run: the run.
        echo: prints a line to the log.
        now: the time, for the age of the baseline.
    """
    settings = run.settings
    context = _context(conclusion, run, now)
    posted = _posted(conclusion, context, run)
    notes = [*context.notes, *([posted.note] if posted.note else [])]
    summary = _rendered(conclusion, replace(context, limit=RENDERED_LENGTH, notes=tuple(notes)))
    if settings.annotations:
        for line in annotation_lines(annotations_of(conclusion, settings.workspace)):
            echo(line)
    if posted.note:
        echo(workflow_command("notice", posted.note, {"title": "ragguard"}))
    if settings.summary and settings.summary_path is not None:
        append_summary(settings.summary_path, summary)
    if settings.output_path is not None:
        outputs = outputs_of(conclusion, exit_code, posted, run.report_path)
        keep = "true" if _is_worth_keeping(conclusion) else "false"
        write_outputs(settings.output_path, outputs | {"keep": keep})


def _posted(conclusion: Conclusion, context: CommentContext, run: Run) -> Posted:
    event, settings = run.event, run.settings
    mode = settings.comment or _comment_settings(conclusion).mode
    if event.number is not None and event.is_read_only and mode != "off":
        return Posted(None, "The token of this run may only read, so there is no comment.")
    if not event.wants_comment or mode == "off" or event.number is None:
        return Posted(None)
    marker = Marker(settings.id, event.head_sha, settings.run_number)
    room = replace(context, limit=COMMENT_LIMIT - len(str(marker)) - 10)
    draft = Draft(marker, _rendered(conclusion, room), mode, _is_wanted(conclusion, mode))
    try:
        return post_comment(run.github, event.number, draft)
    except RagguardError as error:
        hint = f" ({error.hint})" if error.hint else ""
        return Posted(None, f"The comment could not be written: {error.message}{hint}")


def _is_worth_keeping(conclusion: Conclusion) -> bool:
    """Whether the report may become a baseline; one in which every query failed must not."""
    results = conclusion.report.results.values() if conclusion.report else ()
    return any(result.status is Status.OK for listed in results for result in listed)


def _is_wanted(conclusion: Conclusion, mode: CommentMode) -> bool:
    """Whether a comment is begun where there is none yet."""
    if mode == "failures":
        return conclusion.verdict.outcome is not Outcome.PASSED
    if mode == "changes":
        return conclusion.verdict.outcome is not Outcome.PASSED or _has_changes(conclusion)
    return True


def _has_changes(conclusion: Conclusion) -> bool:
    suites = conclusion.comparison.suites.values() if conclusion.comparison else ()
    return bool(conclusion.verdict.accepted) or any(
        suite.regressions or suite.improvements or suite.added or suite.removed or suite.relabelled
        for suite in suites
    )


def _rendered(conclusion: Conclusion, context: CommentContext) -> str:
    return render_comment(
        conclusion.verdict,
        context,
        comparison=conclusion.comparison,
        report=conclusion.report,
    )


def _comment_settings(conclusion: Conclusion) -> CommentSettings:
    return conclusion.config.comment if conclusion.config else CommentSettings()


def _context(conclusion: Conclusion, run: Run, now: datetime) -> CommentContext:
    chosen, baseline = _comment_settings(conclusion), conclusion.baseline
    behind = ""
    if baseline and baseline.distance:
        behind = f", {plural(baseline.distance, 'commit')} before the base commit"
    return CommentContext(
        queries=chosen.queries,
        max_rows=chosen.max_rows,
        report_url=run.settings.run_url,
        line_url=_line_url(conclusion, run),
        base_age=_age(now - baseline.made) if baseline and baseline.made else None,
        baseline=f"{baseline.source}{behind}" if baseline else None,
        acknowledge_label=run.settings.acknowledge_label if run.event.is_gated else None,
        what_to_do=conclusion.what_to_do,
        notes=conclusion.notes,
        reproduce=_reproduce(conclusion),
    )


def _line_url(conclusion: Conclusion, run: Run) -> Callable[[Location], str | None] | None:
    """Addresses of dataset lines at the commit in question."""
    if conclusion.config is None:
        return None
    root, workspace = conclusion.config.root.resolve(), run.settings.workspace.resolve()
    place = f"{run.settings.server_url}/{run.settings.api.repository}/blob/{run.event.head_sha}"

    def url(source: Location) -> str | None:
        path = (root / source.file).resolve()
        if not path.is_relative_to(workspace) or source.line is None:
            return None
        return f"{place}/{quote(path.relative_to(workspace).as_posix())}#L{source.line}"

    return url


def _age(elapsed: timedelta) -> str:
    """A time span as people say it; the largest unit that fits twice or more."""
    seconds = max(0, int(elapsed.total_seconds()))
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return plural(seconds // length, unit)
    return "a minute" if seconds >= 60 else "less than a minute"


def _reproduce(conclusion: Conclusion) -> str | None:
    """The command that shows the first query that matters."""
    if conclusion.comparison is None:
        return None
    for reason in conclusion.verdict.reasons:
        query_id = reason.query_id or next(iter(reason.query_ids), None)
        if query_id:
            suite = shlex.quote(reason.suite)
            return f"ragguard eval --suite {suite} --query {shlex.quote(query_id)}"
    return "ragguard eval"


def outputs_of(
    conclusion: Conclusion, exit_code: ExitCode, posted: Posted, report_path: Path
) -> dict[str, str]:
    """The outputs of the step; counts are numbers, the lists are in `json`."""
    comparison = conclusion.comparison
    suites = list(comparison.suites.values()) if comparison and not comparison.obstacles else []
    primary, delta = _primary(conclusion)
    misses = sum(len(suite.critical_misses) for suite in suites)
    if comparison is None and conclusion.report is not None:
        summaries = summarise(conclusion.report)["suites"].values()
        misses = sum(len(summary["critical_misses"]) for summary in summaries)
    baseline_sha = conclusion.baseline.sha if conclusion.baseline else None
    return {
        "verdict": str(conclusion.verdict.outcome),
        "exit-code": str(int(exit_code)),
        "critical-misses": str(misses),
        "regressions": str(sum(len(suite.regressions) for suite in suites)),
        "improvements": str(sum(len(suite.improvements) for suite in suites)),
        "primary": "" if primary is None else f"{primary:.6f}",
        "primary-delta": "" if delta is None else f"{delta:.6f}",
        "report-path": str(report_path) if conclusion.report else "",
        "comment-url": posted.url or "",
        "baseline-sha": baseline_sha or "",
        "json": json.dumps(_small(conclusion, exit_code), ensure_ascii=True),
    }


def _primary(conclusion: Conclusion) -> tuple[float | None, float | None]:
    """Head's mean of the first suite's primary metric, and what moved it."""
    if conclusion.report is None or not conclusion.report.suites:
        return None, None
    name, run = next(iter(conclusion.report.suites.items()))
    metric = str(run.scoring.primary)
    mean = summarise(conclusion.report)["suites"][name]["means"][metric]["macro"]
    comparison = conclusion.comparison
    if comparison is None or comparison.obstacles or name not in comparison.suites:
        return mean, None
    suite = comparison.suites[name]
    return mean, suite.headline[str(suite.scoring.primary)].delta


def _small(conclusion: Conclusion, exit_code: ExitCode) -> dict[str, Any]:
    comparison = conclusion.comparison
    usable = comparison.suites if comparison and not comparison.obstacles else {}
    return {
        "verdict": str(conclusion.verdict.outcome),
        "exit_code": int(exit_code),
        "reasons": [
            {"gate": reason.gate, "suite": reason.suite, "query_id": reason.query_id}
            for reason in conclusion.verdict.reasons[:_MOST_IDS]
        ],
        "suites": {
            name: {
                "primary": str(suite.scoring.primary),
                "base": suite.headline[str(suite.scoring.primary)].base,
                "head": suite.headline[str(suite.scoring.primary)].head,
                "critical_misses": [m.head.query.query_id for m in suite.critical_misses][
                    :_MOST_IDS
                ],
                "regressions": [each.pair.query_id for each in suite.regressions][:_MOST_IDS],
                "improvements": [each.pair.query_id for each in suite.improvements][:_MOST_IDS],
            }
            for name, suite in usable.items()
        },
    }
