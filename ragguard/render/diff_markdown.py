"""The pull-request comment: the verdict, why, what to do, and every query that moved."""

from __future__ import annotations

from collections.abc import Iterator

import ragguard
from ragguard.comparison.model import Comparison, Headline, SuiteComparison
from ragguard.comparison.statistics import TOO_FEW_TO_TEST
from ragguard.gate.judge import ACCEPTABLE
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.metrics.means import TOLERANCE
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_section import Section, fit
from ragguard.render.comment_sections import comparison_sections, reasons_section
from ragguard.render.first_line import first_line
from ragguard.render.markdown_cell import cell, code, link
from ragguard.render.report_text import told_counts
from ragguard.render.wording import from_to, plural, points, signed
from ragguard.report.model import Commits, Report
from ragguard.report.summary import summarise

_SHORT = 9


def render_comment(
    verdict: Verdict,
    context: CommentContext,
    *,
    comparison: Comparison | None = None,
    report: Report | None = None,
) -> str:
    """A comment that stays within `context.limit`, whatever it is about.

    Args:
        verdict: what was decided.
        context: settings and what only the caller knows.
        comparison: the comparison judged; None when there was nothing to compare with.
        report: the run itself, for its commit, where there is no comparison.
    """
    icon, words = first_line(verdict, comparison)
    head = f"## {icon} {words}"
    compared = verdict.outcome in {Outcome.PASSED, Outcome.FAILED}
    sections = [
        Section(
            "", tuple((line,) for line in _headlines(comparison, verdict, context)), noun="suite"
        )
        if comparison is not None and compared
        else Section("", ()),
        *(
            comparison_sections(comparison, verdict, context)
            if comparison is not None and compared
            else _sections_without_comparison(verdict, report, context)
        ),
    ]
    lead = "\n\n".join([head, *_what_to_do(verdict, context)])
    shown = [section for section in sections if section.rows or section.after]
    foot = _foot(comparison, report, context)
    return fit(lead, shown, foot, limit=context.limit, max_rows=context.max_rows)


def _what_to_do(verdict: Verdict, context: CommentContext) -> Iterator[str]:
    yield from (cell(sentence, 500) for sentence in context.what_to_do[:5])
    if verdict.outcome is Outcome.INCOMPLETE and not context.what_to_do:
        yield "Nothing is known about this change. Run the job again."
    if verdict.outcome is Outcome.NOT_COMPARABLE and not context.what_to_do:
        yield "No number between these reports would mean anything. Evaluate the base again."
    if verdict.outcome is Outcome.NO_BASELINE and not context.what_to_do:
        yield (
            "There is no report of the base branch to compare with. Keep one of every push to "
            "that branch, or commit one as `ragguard-baseline.jsonl.gz`."
        )
    acceptable = any(reason.gate in ACCEPTABLE for reason in verdict.reasons)
    if context.acknowledge_label and acceptable:
        yield (
            "Losses that are meant can be accepted with the label "
            f"{code(context.acknowledge_label)}."
        )


def _sections_without_comparison(
    verdict: Verdict, report: Report | None, context: CommentContext
) -> Iterator[Section]:
    if report is not None:
        yield Section("", tuple((line,) for line in _standing(report)), noun="suite")
    yield reasons_section("Why", verdict.reasons)
    notes = [*verdict.notes, *context.notes]
    yield Section("", tuple((cell(note, 300),) for note in notes), noun="note")


def _standing(report: Report) -> Iterator[str]:
    """Where each suite stands by itself."""
    for name, summary in summarise(report)["suites"].items():
        primary = str(report.suites[name].scoring.primary)
        mean = summary["means"][primary]
        yield (
            f"{cell(name)}: {primary} **{points(mean['macro'])}** "
            f"over {plural(mean['count'], 'query')}, {told_counts(summary['counts'])}"
        )


def _headlines(comparison: Comparison, verdict: Verdict, context: CommentContext) -> Iterator[str]:
    report_link = link("full report", context.report_url) if context.report_url else ""
    for suite in comparison.suites.values():
        name = f"{cell(suite.name)}: " if len(comparison.suites) > 1 else ""
        for metric in dict.fromkeys([suite.scoring.primary, *suite.scoring.gates.metrics]):
            headline = suite.headline[str(metric)]
            parts = [f"{name}{_headline(str(metric), headline)}", _gate(suite, str(metric))]
            if metric == suite.scoring.primary:
                passed = verdict.outcome is Outcome.PASSED
                parts += [_smallest_drop(headline) if passed else "", report_link]
            yield " · ".join(part for part in parts if part)


def _headline(metric: str, headline: Headline) -> str:
    if headline.delta is None:
        return f"{cell(metric)}: no query is scored in both reports"
    told = [signed(headline.delta), f"{plural(headline.count, 'paired query', 'paired queries')}"]
    if abs(headline.label_effect or 0.0) > TOLERANCE:
        told.insert(1, f"retriever {signed(headline.retriever_effect)}")
    statistics = headline.statistics
    if statistics and statistics.interval:
        low, high = statistics.interval
        about = "about " if statistics.approximate else ""
        told.insert(-1, f"{about}95 % CI {signed(low)} … {signed(high)}")
    if statistics and 0 < statistics.changed < TOO_FEW_TO_TEST:
        told.append(f"{statistics.changed} changed, too few to test")
    return f"{cell(metric)} **{from_to(headline.base, headline.head, 3)}** ({', '.join(told)})"


def _gate(suite: SuiteComparison, metric: str) -> str:
    gates = {str(name): gate for name, gate in suite.scoring.gates.metrics.items()}
    gate = gates.get(metric)
    if gate is None:
        return ""
    limits = []
    if gate.max_drop is not None:
        limits.append(f"drop ≤ {gate.max_drop:g}")
    if gate.min is not None:
        limits.append(f"mean ≥ {gate.min:g}")
    return f"gate: {', '.join(limits)}"


def _smallest_drop(headline: Headline) -> str:
    """The loss of whole queries that a test at 5 % could just tell from chance."""
    if headline.count < TOO_FEW_TO_TEST:
        return "too few queries to tell any drop from chance"
    smallest = TOO_FEW_TO_TEST / headline.count
    return f"smallest drop it could tell from chance: {smallest:.3f} ({TOO_FEW_TO_TEST} queries)"


def _foot(comparison: Comparison | None, report: Report | None, context: CommentContext) -> str:
    head = comparison.head if comparison else report
    parts = []
    if context.reproduce:
        parts.append(f"Reproduce: {code(context.reproduce, 300)}")
    if comparison is not None and (base := _commit(comparison.base.commits)):
        age = f" ({cell(context.base_age)} old)" if context.base_age else ""
        source = f" from {cell(context.baseline)}" if context.baseline else ""
        parts.append(f"base {base}{age}{source}")
    if head is not None and (commit := _commit(head.commits)):
        parts.append(f"head {commit}")
    parts.append(f"ragguard {ragguard.__version__}")
    return " · ".join(parts)


def _commit(commits: Commits) -> str:
    commit = commits.head or commits.evaluated
    return code(commit[:_SHORT]) if commit else ""
