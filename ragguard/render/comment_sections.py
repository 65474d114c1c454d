"""The parts of a comment below its first lines, the most important first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ragguard.comparison.model import Change, Comparison, SuiteComparison
from ragguard.gate.verdict import Reason, Verdict
from ragguard.metrics.means import TOLERANCE
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_rows import (
    QueryTable,
    id_list,
    query_cell,
    result_ids,
)
from ragguard.render.comment_section import Row, Section
from ragguard.render.first_line import other_regressions
from ragguard.render.markdown_cell import cell, code
from ragguard.render.wording import from_to, plural, signed


def reasons_section(title: str, reasons: Iterable[Reason]) -> Section:
    """One line for each failed gate, with the queries that moved it."""
    return Section(title, tuple((_reason(reason),) for reason in reasons), noun="reason")


def _reason(reason: Reason) -> str:
    queries = f" ({id_list(reason.query_ids, 8)})" if reason.query_ids else ""
    return f"{code(reason.gate)} · {cell(reason.suite)}: {cell(reason.message, 300)}{queries}"


def comparison_sections(
    comparison: Comparison, verdict: Verdict, context: CommentContext
) -> Iterator[Section]:
    """Everything between the first lines and the last one; sections without rows are left out."""
    suites = list(comparison.suites.values())
    table = QueryTable(tuple(suites), context)
    told = _gates_told_elsewhere(comparison)
    sections = [
        reasons_section(
            "Why",
            [r for r in verdict.reasons if (r.gate, r.suite, r.query_id) not in told],
        ),
        _critical_section(table),
        _regression_section(table),
        reasons_section("Accepted", verdict.accepted),
        Section(
            "Notes",
            tuple((cell(note, 300),) for note in [*verdict.notes, *context.notes]),
            noun="note",
        ),
        _slice_section(table),
        _improvement_section(table),
        _rank_fall_section(table),
        _dataset_section(comparison, table),
        _changed_section(comparison),
        _cutoff_section(suites),
    ]
    return (section for section in sections if section.rows or section.after)


def _gates_told_elsewhere(comparison: Comparison) -> set[tuple[str, str, str | None]]:
    return {
        ("critical", suite.name, miss.head.query.query_id)
        for suite in comparison.suites.values()
        for miss in suite.critical_misses
    }


def _critical_section(table: QueryTable) -> Section:
    rows = [
        (not miss.is_new, table.miss(miss, suite))
        for suite in table.suites
        for miss in suite.critical_misses
    ]
    lost = [row for existing, row in rows if not existing]
    missed_before = [
        (f"{row[0]} (missed on base too)", *row[1:]) for existing, row in rows if existing
    ]
    listed = (*lost, *missed_before)
    return Section("Critical misses", listed, table.columns, noun="critical miss")


def _regression_section(table: QueryTable) -> Section:
    rows = tuple(
        table.change(change, suite) for suite in table.suites for change in other_regressions(suite)
    )
    return Section("Regressions", rows, table.columns, noun="regression")


def _improvement_section(table: QueryTable) -> Section:
    rows = tuple(
        table.change(change, suite)[:2] for suite in table.suites for change in suite.improvements
    )
    title = plural(len(rows), "improvement")
    return Section(title, rows, table.columns[:2], folded=True, noun="improvement")


def _rank_fall_section(table: QueryTable) -> Section:
    rows = tuple(
        (
            query_cell(fall.pair.head, table.context, table.name(suite)),
            f"rank {fall.base_rank} → {fall.head_rank}",
        )
        for suite in table.suites
        for fall in suite.rank_falls
    )
    title = f"{plural(len(rows), 'query')} fell in rank without losing score"
    return Section(title, rows, ("query", "first relevant chunk"), folded=True)


def _slice_section(table: QueryTable) -> Section:
    rows = tuple(row for suite in table.suites for row in _slices_down(suite, table.name(suite)))
    columns = ("slice", "metric", "queries", "before → now", "change")
    title = f"{plural(len(rows), 'slice')} down"
    right = ("queries", "before → now", "change")
    return Section(title, rows, columns, right, folded=True, noun="slice")


def _slices_down(suite: SuiteComparison, named: str | None) -> list[Row]:
    found = [
        (each.moved, path, value, metric, each)
        for path, by_value in suite.slices.items()
        for value, by_metric in by_value.items()
        for metric, each in by_metric.items()
        if each.moved is not None and each.moved < -TOLERANCE
    ]
    prefix = f"{cell(named)} " if named else ""
    return [
        (
            f"{prefix}{cell(path)} = {cell(value)}",
            cell(metric),
            str(each.paired),
            from_to(each.base, (each.base or 0.0) + moved, 3),
            signed(moved),
        )
        for moved, path, value, metric, each in sorted(found, key=lambda entry: entry[:4])
    ]


def _dataset_section(comparison: Comparison, table: QueryTable) -> Section:
    """Queries that could not be compared one to one, and why; removed ones first."""
    rows: list[Row] = []
    counts: dict[str, int] = {}
    for suite in table.suites:
        name = table.name(suite)
        prefix = f"{cell(name)}: " if name else ""
        kinds: dict[str, list[str]] = {
            "removed": list(result_ids(suite.removed)),
            "relabelled": list(suite.relabelled),
            "reworded": [head.query.query_id for _, head in suite.reworded],
            "added": list(result_ids(suite.added)),
        }
        for kind, ids in kinds.items():
            counts[kind] = counts.get(kind, 0) + len(ids)
            if ids:
                rows.append((f"{prefix}{kind}: {id_list(ids, table.context.max_rows)}",))
        renamed = [f"{code(old)} → {code(new)}" for new, old in suite.renamed.items()]
        counts["renamed"] = counts.get("renamed", 0) + len(renamed)
        if renamed:
            rows.append((f"{prefix}renamed: {_first(renamed, table.context.max_rows)}",))
    rows += [(f"suite {cell(name)} is only in base",) for name in comparison.only_base]
    rows += [(f"suite {cell(name)} is new",) for name in comparison.only_head]
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    title = f"Queries: {told}" if told else "Suites that only one report has"
    return Section(title, tuple(rows), folded=True, noun="line")


def _first(items: list[str], most: int) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def _changed_section(comparison: Comparison) -> Section:
    rows = tuple((_changed(change),) for change in comparison.changed)
    names = list(dict.fromkeys(cell(change.what, 40) for change in comparison.changed))
    title = f"What changed: {_first(names, 6)}"
    effects = [
        line for suite in comparison.suites.values() if (line := _effect_line(suite)) is not None
    ]
    return Section(
        title if rows else "What changed: labels or retriever",
        rows,
        folded=True,
        noun="difference",
        after="\n".join(effects[:10]),
    )


def _changed(change: Change) -> str:
    suite = f"{cell(change.suite)} · " if change.suite else ""
    return f"{suite}{cell(change.what)}: {_value(change.base)} → {_value(change.head)}"


def _value(value: Any) -> str:
    """A setting's value; of a digest only its beginning."""
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    is_digest = len(text) == 64 and set(text) <= set("0123456789abcdef")
    return code(text[:12] if is_digest else text)


def _effect_line(suite: SuiteComparison) -> str | None:
    """What the change of the primary is made of, where labels had a part in it."""
    headline = suite.headline.get(str(suite.scoring.primary))
    if headline is None or headline.delta is None:
        return None
    name = f"{cell(suite.name)} · {cell(str(suite.scoring.primary))}"
    if suite.rechunked:
        return (
            f"{name} {signed(headline.delta)}: labels and corpus both changed, "
            "so retriever and labels cannot be told apart"
        )
    if abs(headline.label_effect or 0.0) <= TOLERANCE:
        return None
    return (
        f"{name} {signed(headline.delta)} = retriever {signed(headline.retriever_effect)} "
        f"and labels {signed(headline.label_effect)}"
    )


_PALETTE = '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#8c959f, #2f81f7"}}}}%%'
"""Colours that are seen on light and on dark; mermaid's first own one is nearly white."""


def _cutoff_section(suites: list[SuiteComparison]) -> Section:
    """A chart of the primary's measure over the cutoffs, where the comparison is of one suite."""
    if len(suites) != 1:
        return Section("", ())
    suite = suites[0]
    measure = suite.scoring.primary.measure
    points = [
        (k, headline.base, headline.head)
        for k in suite.scoring.cutoffs
        if (headline := suite.headline.get(f"{measure}@{k}")) is not None
        and headline.base is not None
        and headline.head is not None
    ]
    if len(points) < 2:
        return Section("", ())
    chart = "\n".join(
        [
            "```mermaid",
            _PALETTE,
            "xychart-beta",
            f'  title "{measure} by cutoff: base grey, this run blue"',
            f"  x-axis [{', '.join(str(k) for k, _, _ in points)}]",
            f'  y-axis "{measure}" 0 --> 1',
            f"  line [{', '.join(f'{base:.4f}' for _, base, _ in points)}]",
            f"  line [{', '.join(f'{head:.4f}' for _, _, head in points)}]",
            "```",
        ]
    )
    return Section(f"{cell(measure)} by cutoff", (), folded=True, after=chart)
