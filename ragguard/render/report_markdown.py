"""One report as Markdown, for a job summary or a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import ragguard
from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.verdict import Verdict
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_rows import id_list, query_cell
from ragguard.render.comment_section import Row, Section, fit
from ragguard.render.comment_sections import reasons_section
from ragguard.render.first_line import first_line
from ragguard.render.markdown_cell import cell, code
from ragguard.render.miss import Miss, misses, stands
from ragguard.render.report_text import (
    MEAN_HEADERS,
    mean_row,
    shown_metrics,
    told_counts,
    told_latency,
)
from ragguard.render.wording import plural, points
from ragguard.report.model import Report
from ragguard.report.summary import summarise


def report_markdown(report: Report, context: CommentContext, verdict: Verdict | None = None) -> str:
    """One report within `context.limit`, the misses query by query.

    Args:
        report: the report.
        context: settings, and what only the caller knows.
        verdict: that of the absolute gates, when they were asked for.
    """
    title = "## Retrieval report"
    if verdict is not None:
        icon, words = first_line(verdict, None)
        title = f"## {icon} {words}"
    summaries = summarise(report)["suites"]
    counts = Section(
        "",
        tuple((_counts(name, summary),) for name, summary in summaries.items()),
        noun="suite",
    )
    sections = [counts, reasons_section("Why", verdict.reasons if verdict else ())]
    for name, results in report.results.items():
        scoring = report.suites[name].scoring
        sections += _suite_sections(name, results, scoring, summaries[name], context)
    commit = report.commits.head or report.commits.evaluated
    foot = f"commit {code(commit[:9])} · " if commit else ""
    return fit(
        title,
        [section for section in sections[:_MOST_SECTIONS] if section.rows],
        f"{foot}ragguard {ragguard.__version__}",
        limit=context.limit,
        max_rows=context.max_rows,
    )


_MOST_SECTIONS = 100
"""Bounds what even empty sections cost; a report of more suites is read at the terminal."""


def _counts(name: str, summary: Mapping[str, Any]) -> str:
    latency = told_latency(summary["latency_ms"])
    return f"**{cell(name)}** {told_counts(summary['counts'])}" + (
        f" · {latency}" if latency else ""
    )


def _suite_sections(
    name: str,
    results: Sequence[QueryResult],
    scoring: Scoring,
    summary: Mapping[str, Any],
    context: CommentContext,
) -> Iterator[Section]:
    means = tuple(mean_row(metric, summary["means"][metric]) for metric in shown_metrics(scoring))
    titled = cell(name)
    yield Section(f"{titled}: means", means, MEAN_HEADERS, MEAN_HEADERS[1:], noun="metric")
    exposed = [
        (f"{kind.replace('_', ' ')}: {id_list(summary[kind], context.max_rows)}",)
        for kind in ("critical_misses", "forbidden", "unauthorized", "stale")
        if summary[kind]
    ]
    yield Section(f"{titled}: queries to look at", tuple(exposed), noun="line")
    failed = tuple(
        (query_cell(result, context), str(result.status))
        for result in results
        if result.status is not Status.OK
    )
    yield Section(f"{titled}: failed", failed, ("query", "state"))
    rows = tuple(_miss_row(miss, context) for miss in misses(results, scoring))
    yield Section(
        f"{titled}: {plural(len(rows), 'miss', 'misses')}, and what came back instead",
        rows,
        ("query", str(scoring.primary), "missing evidence", "where it stands", "instead"),
        (str(scoring.primary),),
        folded=True,
        noun="miss",
    )
    slices = tuple(_slice_rows(summary["slices"], str(scoring.primary)))
    columns = ("slice", "queries", str(scoring.primary))
    yield Section(f"{titled}: slices", slices, columns, columns[1:], folded=True, noun="slice")


def _miss_row(miss: Miss, context: CommentContext) -> Row:
    critical = "critical " if miss.result.query.critical else ""
    return (
        f"{critical}{query_cell(miss.result, context)}",
        points(miss.value, 2),
        "<br>".join(code(movement.chunk_id) for movement in miss.missing[:5]),
        "<br>".join(cell(stands(movement)) for movement in miss.missing[:5]),
        ", ".join(map(code, miss.instead)) or "nothing",
    )


def _slice_rows(slices: Mapping[str, Any], primary: str) -> Iterator[Row]:
    for path, by_value in slices.items():
        for value, each in by_value.items():
            yield (
                f"{cell(path)} = {cell(value)}",
                str(each["count"]),
                points(each["means"][primary]["macro"]),
            )
