"""`ragguard report` at the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragguard.config.model import Scoring
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.verdict import Verdict
from ragguard.render.diff_text import reason_lines
from ragguard.render.first_line import FAILED, first_line
from ragguard.render.miss import Miss, misses, stands
from ragguard.render.terminal import Style, table
from ragguard.render.visible import visible
from ragguard.render.wording import plural, points, query_text
from ragguard.report.model import Report
from ragguard.report.summary import summarise

_MEASURES = ("recall", "evidence", "complete", "precision", "hit", "rr", "ap", "ndcg_linear")
_ERROR_LIMIT = 200


def report_text(report: Report, verdict: Verdict | None = None, *, colour: bool = False) -> str:
    """One report for a person at a terminal; ends in a newline.

    Args:
        report: the report.
        verdict: that of the absolute gates, when they were asked for.
        colour: whether to put ANSI styles in.
    """
    style = Style(colour)
    lines: list[str] = []
    summaries = summarise(report)["suites"]
    for name, results in report.results.items():
        lines += _suite_lines(name, results, report.suites[name].scoring, summaries[name], style)
        lines += [f"  warning: {visible(text, 400)}" for text in report.suites[name].warnings]
        lines.append("")
    if report.partial:
        lines += ["Only a part of the queries was asked; this report is no baseline.", ""]
    if verdict is not None:
        icon, words = first_line(verdict, None)
        lines.append(style(f"{icon} {words}", "bold", _shade(icon)))
        lines += reason_lines("Why", verdict.reasons, style)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def _shade(icon: str) -> str:
    return "red" if icon == FAILED else "green"


def _suite_lines(
    name: str,
    results: Sequence[QueryResult],
    scoring: Scoring,
    summary: Mapping[str, Any],
    style: Style,
) -> Iterator[str]:
    yield style(f"{visible(name)}: {told_counts(summary['counts'])}", "bold")
    yield ""
    yield from table(
        [mean_row(metric, summary["means"][metric]) for metric in shown_metrics(scoring)],
        MEAN_HEADERS,
        right=MEAN_HEADERS[1:],
    )
    if latency := told_latency(summary["latency_ms"]):
        yield f"  {latency}"
    yield from _slice_lines(summary["slices"], scoring, style)
    yield from _miss_lines(results, scoring, style)
    yield from _failed_lines(results, style)
    for kind in ("critical_misses", "forbidden", "unauthorized", "stale"):
        if summary[kind]:
            yield ""
            yield style(kind.replace("_", " ").capitalize(), "bold", "red")
            yield f"  {', '.join(visible(id_) for id_ in summary[kind])}"


MEAN_HEADERS = ("metric", "mean", "micro", "weighted", "queries")


def told_counts(counts: Mapping[str, Any]) -> str:
    """`139 queries: 130 scored, 6 unanswerable, 3 failed`; zeros other than scored left out."""
    told = [f"{counts['scored']} scored"]
    told += [f"{counts[kind]} {kind}" for kind in ("unanswerable", "unlabelled") if counts[kind]]
    if counts["errors"]:
        told.append(f"{counts['errors']} failed")
    return f"{plural(counts['queries'], 'query')}: {', '.join(told)}"


def told_latency(latency_ms: Mapping[str, float | None]) -> str:
    """`latency: half within 12 ms, 95 % within 40 ms`; empty where no times were kept."""
    half, most = latency_ms["p50"], latency_ms["p95"]
    if half is None or most is None:
        return ""
    return f"latency: half within {half:.3g} ms, 95 % within {most:.3g} ms"


def shown_metrics(scoring: Scoring) -> list[str]:
    """Recall and evidence at every cutoff, the other measures at the largest, what is gated."""
    last = max(scoring.cutoffs)
    names = [f"{measure}@{k}" for measure in _MEASURES[:2] for k in scoring.cutoffs]
    names += [f"{measure}@{last}" for measure in _MEASURES[2:]]
    gated = [str(metric) for metric in (scoring.primary, *scoring.gates.metrics)]
    return list(dict.fromkeys([*names, *gated]))


def mean_row(metric: str, mean: Mapping[str, Any]) -> tuple[str, ...]:
    """A metric, its means and over how many queries they are."""
    micro = "" if mean["micro"] is None else points(mean["micro"])
    return (metric, points(mean["macro"]), micro, points(mean["weighted"]), str(mean["count"]))


def _slice_lines(slices: Mapping[str, Any], scoring: Scoring, style: Style) -> Iterator[str]:
    primary = str(scoring.primary)
    for path, by_value in slices.items():
        if not by_value:
            continue
        rows = [
            (visible(value, 60), str(each["count"]), points(each["means"][primary]["macro"]))
            for value, each in by_value.items()
        ]
        yield ""
        yield style(f"By {visible(path)}", "bold")
        headers = ("value", "queries", primary)
        yield from table(rows, headers, right=headers[1:])


def _miss_lines(results: Sequence[QueryResult], scoring: Scoring, style: Style) -> Iterator[str]:
    found = list(misses(results, scoring))
    if not found:
        return
    yield ""
    yield style(f"Misses ({len(found)}), and what came back instead", "bold")
    for miss in found:
        yield from _one_miss(miss, scoring)


def _one_miss(miss: Miss, scoring: Scoring) -> Iterator[str]:
    query = miss.result.query
    critical = "critical, " if query.critical else ""
    value = f"{critical}{scoring.primary} {points(miss.value, 2)}"
    yield f"  {visible(query.query_id)} ({value})  {query_text(miss.result)}".rstrip()
    for movement in miss.missing:
        yield f"      missing  {visible(movement.chunk_id)}: {visible(stands(movement))}"
    instead = ", ".join(map(visible, miss.instead)) or "nothing"
    yield f"      instead  {instead}"


def _failed_lines(results: Sequence[QueryResult], style: Style) -> Iterator[str]:
    failed = [result for result in results if result.status is not Status.OK]
    if not failed:
        return
    yield ""
    yield style(f"Failed ({len(failed)})", "bold", "red")
    for result in failed:
        # A retriever's message may quote the query, so a private one's is not shown.
        told = "" if result.query.private else visible(result.error or "", _ERROR_LIMIT)
        yield f"  {visible(result.query.query_id)}  {result.status}: {told}".rstrip(": ")
