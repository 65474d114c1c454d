"""One report, at the terminal and as Markdown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragguard.config.gates import MetricGate
from ragguard.gate.judge import judge_alone
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_section import length
from ragguard.render.report_markdown import report_markdown
from ragguard.render.report_text import report_text
from ragguard.report.model import Report, Timing
from tests.made_reports import PRIMARY, filler, made_report, made_result, made_scoring

DEEP = " ".join("abcdefghijklm")


def mixed() -> Report:
    """Two found, one at rank 14, one with a judged distractor, one failed, one unanswerable."""
    return made_report(
        [
            *filler(2),
            made_result("deep", f"{DEEP} gold", critical=True, query="where?", category="billing"),
            made_result("judged", "bad x", None, judgments={"gold": 1, "bad": 0}),
            made_result("broken", None, error="connection\x1b refused"),
            made_result("none", "a b", None, answerable=False),
            made_result("leak", "gold z", exposures={"forbidden": ("z",)}),
        ],
        made_scoring(metrics={PRIMARY: MetricGate(min=0.9)}),
        timing=Timing("2026-11-30T12:00:00Z", 1.0, {"docs": {"f0000": 10.0, "f0001": 30.0}}),
    )


def test_the_report_shows_means_with_their_denominators() -> None:
    """Five scored queries, three found: 0.6, by micro mean too."""
    text = report_text(mixed())
    assert text.startswith("docs: 7 queries: 5 scored, 1 unanswerable, 1 failed\n")
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if "@" in line}
    for k in (1, 3, 5):
        assert rows[f"recall@{k}"] == ["0.600", "0.600", "0.600", "5"]
    assert rows["evidence@5"] == ["0.600", "0.600", "0.600", "5"]
    assert "latency: half within 10 ms, 95 % within 30 ms" in text


def test_every_miss_is_listed_with_what_came_back_instead() -> None:
    """Where the missing chunk stands, and what stands above it; distractors are marked."""
    text = report_text(mixed())
    assert "Misses (2), and what came back instead" in text
    assert (
        "  deep (critical, evidence@5 0.00)  where?\n"
        "      missing  gold: rank 14\n"
        "      instead  a, b, c, d, e\n"
    ) in text
    assert ("      missing  gold: not retrieved\n      instead  bad (judged 0), x\n") in text


def test_an_empty_answer_says_that_nothing_came_back() -> None:
    """An empty list is a legitimate zero."""
    assert "      instead  nothing\n" in report_text(made_report([made_result("a", "")]))


def test_failed_and_exposed_queries_are_named() -> None:
    """With the error, its control characters made visible."""
    text = report_text(mixed())
    assert "  broken  error: connection\\u001b refused\n" in text
    assert "\nForbidden\n  leak\n" in text
    assert "\nCritical misses\n  deep\n" in text


def test_slices_have_their_counts() -> None:
    """One query is in billing, and it misses."""
    lines = [line.split() for line in report_text(mixed()).splitlines()]
    assert ["billing", "1", "0.000"] in lines


def test_the_gates_of_a_single_report_are_told_when_asked_for() -> None:
    """The floor, the failure and the forbidden chunk."""
    report = mixed()
    assert "Retrieval failed" not in report_text(report)
    text = report_text(report, judge_alone(report))
    assert "❌ Retrieval failed: 1 query with forbidden chunks, 1 query that failed, " in text
    assert "docs evidence@5.min: evidence@5 is 0.600 over 5 queries, below 0.9" in text


def test_a_partial_report_says_so() -> None:
    """It is no baseline."""
    assert "no baseline" in report_text(replace(mixed(), partial=True))


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_private_texts_and_errors_are_not_shown(form: str) -> None:
    """Nor when the query failed with a message that quotes it."""
    report = made_report(
        [
            made_result("a", "x", query="SECRET", private=True),
            made_result("b", None, query="SECRET", private=True, error="SECRET?"),
        ]
    )
    text = report_text(report) if form == "text" else report_markdown(report, CommentContext())
    assert "SECRET" not in text


def test_markdown_holds_the_same_and_stays_within_its_limit() -> None:
    """Means, misses and slices; a thousand misses lose rows, and that is said."""
    text = report_markdown(mixed(), CommentContext(), judge_alone(mixed()))
    assert text.startswith("## ❌ Retrieval failed")
    assert "| recall@1 | 0.600 | 0.600 | 0.600 | 5 |" in text
    assert "| critical `deep` where? | 0.00 | `gold` | rank 14 |" in text
    many = report_markdown(made_report(filler(1000, 1000)), CommentContext(max_rows=1000))
    assert length(many) <= 65_536
    assert "more misses, not shown here" in many
