"""The diff at the terminal and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragguard.comparison.compare import compare
from ragguard.comparison.model import Comparison
from ragguard.gate.judge import judge
from ragguard.gate.verdict import Outcome
from ragguard.render.diff_json import diff_object
from ragguard.render.diff_text import diff_text
from ragguard.render.wording import MINUS, from_to, plural, signed
from ragguard.resources import schema
from tests.made_reports import filler, made_report, made_result
from tests.render.test_comment import lossy


def validate(comparison: Comparison) -> dict[str, Any]:
    """The object, after it was held against its schema and has been through JSON."""
    told = diff_object(comparison, judge(comparison))
    Draft202012Validator(schema("diff")).validate(told)
    decoded: dict[str, Any] = json.loads(json.dumps(told, allow_nan=False))
    assert decoded == told
    return decoded


def test_the_object_has_the_names_that_scripts_rely_on() -> None:
    """Verdict, reasons, changed, and by suite the headline and the queries that moved."""
    told = validate(lossy())
    assert told["verdict"] == "failed"
    reason = told["reasons"][0]
    assert (reason["gate"], reason["query_id"], reason["limit"]) == ("critical", "q002", 1.0)
    suite = told["suites"]["docs"]
    assert suite["paired"] == 66
    assert (suite["added"], suite["removed"]) == (["fresh"], ["gone"])
    assert (suite["relabelled"], suite["reworded"]) == (["q060"], [])
    assert suite["renamed"] == [{"base": "old", "head": "new"}]
    assert suite["critical_misses"] == [
        {
            "query_id": "q002",
            "new": True,
            "status": "ok",
            "missing": [
                {
                    "id": "gold",
                    "base_rank": 3,
                    "head_rank": 14,
                    "lost_at": None,
                    "replaced_by": "c",
                }
            ],
        }
    ]
    lost = suite["regressions"][1]
    assert (lost["query_id"], lost["metric"], lost["base"], lost["head"]) == (
        "q031",
        "evidence@5",
        1.0,
        0.0,
    )
    assert lost["missing"][0]["lost_at"] == "reranked"
    assert [change["query_id"] for change in suite["improvements"]] == ["q040"]
    assert suite["rank_falls"] == [{"query_id": "q050", "base_rank": 1, "head_rank": 2}]
    headline = suite["headline"]["evidence@5"]
    assert headline["ci"] is None
    assert (headline["wins"], headline["losses"]) == (1, 2)
    assert suite["slices"]["category"]["security"]["evidence@5"]["delta"] == -1.0


def test_what_cannot_be_compared_has_no_number() -> None:
    """The field that is in the way, and no suite."""
    report = made_report(filler(3))
    told = validate(compare(replace(report, partial=True), report))
    assert told["verdict"] == "not-comparable"
    assert told["suites"] == {}
    assert [obstacle["field"] for obstacle in told["obstacles"]] == ["partial"]


def test_no_text_of_a_query_is_in_the_object() -> None:
    """It may end up in an artifact that anybody can read."""
    base = made_result("q", "gold", query="SECRET words", critical=True)
    head = made_result("q", "x", query="SECRET words", critical=True)
    comparison = compare(made_report([base, *filler(3)]), made_report([head, *filler(3)]))
    assert "SECRET" not in json.dumps(validate(comparison))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["gold", "x", "", "x gold", None]), min_size=1, max_size=9),
    st.lists(st.sampled_from(["gold", "x", "", "x gold", None]), min_size=1, max_size=9),
)
def test_whatever_is_compared_satisfies_the_schema(
    before: list[str | None], after: list[str | None]
) -> None:
    """Failed, empty, added, removed: every shape."""
    base = [made_result(f"q{i}", ids, critical=i % 2 == 0) for i, ids in enumerate(before)]
    head = [made_result(f"q{i}", ids, critical=i % 2 == 0) for i, ids in enumerate(after)]
    validate(compare(made_report(base), made_report(head)))


def told(comparison: Comparison, *accepted: str, colour: bool = False) -> str:
    """The text after judging."""
    return diff_text(comparison, judge(comparison, accepted=accepted), colour=colour)


def test_the_terminal_shows_verdict_reason_numbers_and_movement() -> None:
    """Everything the comment shows, as plain text."""
    text = told(lossy())
    assert text.startswith("❌ Retrieval failed: 1 critical miss, 1 more regression\n")
    assert "docs critical: critical query q002 lacks 'gold' (rank 3 → 14)" in text
    assert "  q002 [security]  evidence@5 1.00 → 0.00  Export a log?\n" in text
    assert "      gold  rank 3 → 14, in its place c\n" in text
    assert "rank 2 → lost at reranked" in text
    assert f"evidence@5   0.985   0.962    {MINUS}0.023       {MINUS}0.015    {MINUS}0.008" in text
    for line in ("1 removed: gone", "1 added: fresh", "1 relabelled: q060", "1 renamed: old → new"):
        assert f"  {line}\n" in text
    assert "docs retriever.kind: none → search" in text


def test_colour_is_only_there_when_asked_for() -> None:
    """The words are the same."""
    plain, coloured = told(lossy()), told(lossy(), colour=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31m❌ Retrieval failed" in coloured


def test_escape_sequences_in_foreign_text_do_not_reach_the_terminal() -> None:
    """A query text cannot clear the screen or hide behind reordered letters."""
    nasty = "a\x1b[2J\u202eb\r\nc"
    base = made_result(nasty, "gold", query=nasty, category=nasty)
    head = made_result(nasty, nasty.split(), query=nasty, category=nasty)
    comparison = compare(
        made_report({nasty: [base, *filler(3)]}), made_report({nasty: [head, *filler(3)]})
    )
    text = told(comparison)
    assert not {"\x1b", "\u202e", "\r"} & set(text)
    assert "a\\u001b[2J\\u202eb c" in text


def test_private_texts_and_their_errors_are_not_shown() -> None:
    """Only the id."""
    base = made_result("q", "gold", query="SECRET", private=True, critical=True)
    failed = made_result("q", None, query="SECRET", private=True, critical=True, error="SECRET?")
    comparison = compare(made_report([base, *filler(3)]), made_report([failed, *filler(3)]))
    assert judge(comparison).outcome is Outcome.FAILED
    assert "SECRET" not in told(comparison)


def test_suites_that_one_side_lacks_are_said() -> None:
    """At the end, with the notes."""
    base = made_report({"docs": filler(2), "old": filler(2)})
    text = told(compare(base, made_report({"docs": filler(2), "new": filler(2)})))
    assert "  suite old is only in base\n" in text
    assert "  suite new is only in head\n" in text


def test_accepted_losses_stay_visible() -> None:
    """Under their own title."""
    critical = made_result("c", "gold", critical=True)
    comparison = compare(made_report([*filler(3), critical]), made_report(filler(3)))
    text = told(comparison, "removed-critical")
    assert text.startswith("✅ Retrieval passed: 3 queries compared, none regressed, 1 accepted")
    assert "\nAccepted\n  docs removed-critical: critical query c was removed" in text


def test_numbers_keep_the_digits_that_show_a_difference() -> None:
    """What is different never looks equal; what is equal never looks different."""
    assert signed(0.0) == "±0.000"
    assert signed(-0.0412) == f"{MINUS}0.041"
    assert signed(0.00012) == "+0.0001"
    assert signed(1e-12) == "±0.000"
    assert signed(None) == "\u2013"
    assert from_to(1.0, 0.5) == "1.00 → 0.50"
    assert from_to(0.501, 0.499) == "0.501 → 0.499"
    assert from_to(0.5012, 0.5008) == "0.5012 → 0.5008"
    assert from_to(None, 0.5) == "\u2013 → 0.50"


def test_counts_are_written_as_people_do() -> None:
    """One miss, two misses, one query, 1,500 queries."""
    assert plural(1, "query") == "1 query"
    assert plural(1500, "query") == "1,500 queries"
    assert plural(2, "critical miss") == "2 critical misses"
    assert plural(0, "regression") == "0 regressions"
