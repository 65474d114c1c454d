"""`ragguard diff` at the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ragguard.comparison.model import Change, Comparison, Headline, SuiteComparison
from ragguard.comparison.movement import Movement
from ragguard.evaluation.result import QueryResult
from ragguard.gate.relative import went
from ragguard.gate.verdict import Outcome, Reason, Verdict
from ragguard.metrics.means import TOLERANCE
from ragguard.metrics.name import Metric
from ragguard.render.first_line import FAILED, PASSED, first_line, other_regressions
from ragguard.render.terminal import Style, table
from ragguard.render.visible import visible
from ragguard.render.wording import from_to, plural, points, query_text, signed, slice_of

_HEADERS = ("metric", "base", "head", "change", "retriever", "labels", "queries", "95 % CI", "p")
_MESSAGE_LIMIT = 400
_IDS = 12


def diff_text(comparison: Comparison, verdict: Verdict, *, colour: bool = False) -> str:
    """The comparison for a person at a terminal; ends in a newline."""
    style = Style(colour)
    return "\n".join(_lines(comparison, verdict, style)) + "\n"


def _lines(comparison: Comparison, verdict: Verdict, style: Style) -> Iterator[str]:
    icon, words = first_line(verdict, comparison)
    shade = {FAILED: "red", PASSED: "green"}.get(icon, "yellow")
    yield style(f"{icon} {visible(words)}", "bold", shade)
    yield from reason_lines("Why", verdict.reasons, style)
    yield from reason_lines("Accepted", verdict.accepted, style)
    if verdict.outcome is not Outcome.NOT_COMPARABLE:
        for suite in comparison.suites.values():
            yield from _suite_lines(suite, style)
    yield from _list("Changed", map(_changed, comparison.changed), style)
    suites = [f"suite {name} is only in base" for name in comparison.only_base]
    suites += [f"suite {name} is only in head" for name in comparison.only_head]
    yield from _list("Notes", [*verdict.notes, *suites], style)


def reason_lines(title: str, reasons: Iterable[Reason], style: Style) -> Iterator[str]:
    """One line for each reason, below it the queries that moved it."""
    listed = list(reasons)
    if not listed:
        return
    yield ""
    yield style(title, "bold")
    for reason in listed:
        gate = style(visible(f"{reason.suite} {reason.gate}"), "cyan")
        yield f"  {gate}: {visible(reason.message, _MESSAGE_LIMIT)}"
        if reason.query_ids:
            yield f"    {style(_ids(reason.query_ids), 'dim')}"


def _ids(ids: Iterable[str]) -> str:
    listed = [visible(id_) for id_ in ids]
    more = f" and {len(listed) - _IDS} more" if len(listed) > _IDS else ""
    return ", ".join(listed[:_IDS]) + more


def _list(title: str, lines: Iterable[str], style: Style) -> Iterator[str]:
    listed = list(lines)
    if listed:
        yield ""
        yield style(title, "bold")
        yield from (f"  {visible(line, _MESSAGE_LIMIT)}" for line in listed)


def _suite_lines(suite: SuiteComparison, style: Style) -> Iterator[str]:
    yield ""
    yield style(f"{visible(suite.name)}: {plural(suite.paired, 'query')} compared", "bold")
    yield from table(
        [_headline_row(name, suite.headline[name]) for name in _shown_metrics(suite)],
        _HEADERS,
        right=_HEADERS[1:],
    )
    yield from _query_sections(suite, style)
    yield from _slice_lines(suite, style)
    yield from _dataset_lines(suite, style)


def _shown_metrics(suite: SuiteComparison) -> Iterator[str]:
    """The primary, its measure at the other cutoffs, and what is gated."""
    scoring = suite.scoring
    family = [Metric(scoring.primary.measure, k) for k in scoring.cutoffs if scoring.primary.cutoff]
    wanted = dict.fromkeys([*family, scoring.primary, *scoring.gates.metrics])
    return (str(metric) for metric in wanted if str(metric) in suite.headline)


def _headline_row(name: str, headline: Headline) -> tuple[str, ...]:
    statistics = headline.statistics
    interval = statistics.interval if statistics else None
    approximate = "~ " if statistics and statistics.approximate else ""
    p_value = statistics.p_value if statistics else None
    return (
        name,
        points(headline.base),
        points(headline.head),
        signed(headline.delta),
        signed(headline.retriever_effect),
        signed(headline.label_effect),
        str(headline.count),
        f"{approximate}{signed(interval[0])} … {signed(interval[1])}" if interval else "",
        f"{p_value:.3f}" if p_value is not None else "",
    )


def _query_sections(suite: SuiteComparison, style: Style) -> Iterator[str]:
    if suite.critical_misses:
        yield ""
        yield style("  Critical misses", "bold", "red")
    for miss in suite.critical_misses:
        values = from_to(miss.base_value, miss.head_value)
        told = "" if miss.is_new else " (missed on base too)"
        yield _query_line(miss.head, suite, f"{suite.scoring.primary} {values}{told}")
        yield from _movement_lines(miss.missing)
    for title, changes in (
        ("Regressions", other_regressions(suite)),
        ("Improvements", suite.improvements),
    ):
        if changes:
            yield ""
            yield style(f"  {title}", "bold")
        for change in changes:
            values = from_to(change.base, change.head)
            yield _query_line(change.pair.head, suite, f"{change.metric} {values}")
            yield from _movement_lines(change.missing)
    if suite.rank_falls:
        yield ""
        yield style("  Fell in rank without losing score", "bold")
    for fall in suite.rank_falls:
        yield _query_line(fall.pair.head, suite, f"rank {fall.base_rank} → {fall.head_rank}")


def _query_line(result: QueryResult, suite: SuiteComparison, told: str) -> str:
    value = slice_of(result, next(iter(suite.scoring.slices), None))
    sliced = f" [{visible(value, 40)}]" if value else ""
    return f"  {visible(result.query.query_id)}{sliced}  {told}  {query_text(result)}".rstrip()


def _movement_lines(movements: Iterable[Movement]) -> Iterator[str]:
    for movement in movements:
        replaced = f", in its place {movement.replaced_by}" if movement.replaced_by else ""
        yield f"      {visible(movement.chunk_id)}  {visible(went(movement) + replaced)}"


def _slice_lines(suite: SuiteComparison, style: Style) -> Iterator[str]:
    rows = [
        (
            visible(f"{path} = {value}"),
            metric,
            str(each.count),
            points(each.base),
            points((each.base or 0.0) + each.moved),
            signed(each.moved),
        )
        for path, by_value in suite.slices.items()
        for value, by_metric in by_value.items()
        for metric, each in by_metric.items()
        if each.moved is not None and abs(each.moved) > TOLERANCE
    ]
    if rows:
        headers = ("slice", "metric", "queries", "before", "now", "change")
        yield ""
        yield style("  Slices that moved", "bold")
        yield from table(rows, headers, right=headers[2:])


def _dataset_lines(suite: SuiteComparison, style: Style) -> Iterator[str]:
    renamed = [f"{old} → {new}" for new, old in suite.renamed.items()]
    kinds = {
        "removed": [result.query.query_id for result in suite.removed],
        "relabelled": list(suite.relabelled),
        "reworded": [head.query.query_id for _, head in suite.reworded],
        "renamed": renamed,
        "added": [result.query.query_id for result in suite.added],
    }
    if any(kinds.values()):
        yield ""
        yield style("  Queries", "bold")
    for kind, ids in kinds.items():
        if ids:
            yield f"  {len(ids)} {kind}: {_ids(ids)}"


def _changed(change: Change) -> str:
    suite = f"{change.suite} " if change.suite else ""
    return f"{suite}{change.what}: {_value(change.base)} → {_value(change.head)}"


def _value(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{text[:12]}…" if len(text) == 64 and " " not in text else text
