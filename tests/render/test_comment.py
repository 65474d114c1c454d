"""The pull-request comment: read in ten seconds, right in every outcome, never too long."""

from __future__ import annotations

import re
from dataclasses import replace

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from ragguard.comparison.compare import compare
from ragguard.comparison.model import Comparison
from ragguard.config.gates import MetricGate
from ragguard.evaluation.result import QueryResult
from ragguard.gate.judge import judge, judge_alone
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.location import Location
from ragguard.metrics.name import Metric
from ragguard.render.comment_context import CommentContext
from ragguard.render.comment_section import length
from ragguard.render.diff_markdown import render_comment
from ragguard.render.wording import MINUS
from tests.made_reports import PRIMARY, filler, made_report, made_result, made_scoring

CONTEXT = CommentContext()
GATED = made_scoring(metrics={PRIMARY: MetricGate(min=0.8, max_drop=0.02)})
DEEP = " ".join("abcdefghijklm")


def comment_on(comparison: Comparison, context: CommentContext = CONTEXT, *accepted: str) -> str:
    """The comment after judging."""
    return render_comment(judge(comparison, accepted=accepted), context, comparison=comparison)


def first_line(text: str) -> str:
    """What a reader sees before anything else."""
    return text.split("\n", maxsplit=1)[0]


def html_of(text: str) -> str:
    """As GitHub's parser renders it, raw HTML included."""
    return cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)


def lossy() -> Comparison:
    """A critical loss from rank 3 to 14, one lost by the reranker, a gain, a fall, label work."""
    base = [
        made_result("q002", "a b gold", critical=True, category="security", query="Export a log?"),
        made_result("q031", "a gold", category="billing", query="Retry of payments"),
        made_result("q040", "x", category="billing"),
        made_result("q050", "gold b c", category="billing"),
        made_result("q060", "g1", "g1"),
        made_result("old", "gold", query="renamed"),
        made_result("gone", "gold"),
        *filler(60),
    ]
    head = [
        made_result(
            "q002", f"{DEEP} gold", critical=True, category="security", query="Export a log?"
        ),
        made_result(
            "q031",
            "a b",
            category="billing",
            query="Retry of payments",
            stages={"candidates": "gold a b", "reranked": "a b"},
        ),
        made_result("q040", "gold", category="billing"),
        made_result("q050", "b gold c", category="billing"),
        made_result("q060", "g1", "g1 g2"),
        made_result("new", "gold", query="renamed"),
        made_result("fresh", "gold"),
        *filler(60),
    ]
    return compare(
        made_report(base, GATED, commit="a1b2c3d4e5f6", environment={"ragguard": "1.0.0"}),
        made_report(head, GATED, commit="d4e5f6a7b8c9", retriever={"kind": "search"}),
    )


def test_a_failed_comment_shows_verdict_losses_and_where_they_went(
    snapshot: SnapshotAssertion,
) -> None:
    """The whole comment as it is posted."""
    context = CommentContext(
        report_url="https://github.com/org/repo/actions/runs/1",
        line_url=lambda place: f"https://github.com/org/repo/blob/abc/{place.file}#L{place.line}",
        base_age="3 hours",
        baseline="the artifact of run 12",
        acknowledge_label="ragguard-accepted",
        reproduce="ragguard diff base.jsonl head.jsonl",
    )
    text = comment_on(lossy(), context)
    assert first_line(text) == ("## ❌ Retrieval failed: 1 critical miss, 1 more regression")
    assert "rank 3 → 14" in text
    assert "rank 2 → lost at reranked" in text
    assert text == snapshot


def test_green_says_how_many_were_compared_and_what_it_could_have_seen() -> None:
    """118 queries: six whole losses are 0.051."""
    report = made_report(filler(118), GATED)
    text = comment_on(compare(report, report))
    assert first_line(text) == "## ✅ Retrieval passed: 118 queries compared, none regressed"
    assert "smallest drop it could tell from chance: 0.051" in text


def test_a_pass_with_regressions_within_the_gates_says_so() -> None:
    """One of a hundred is within the tolerance, and is listed."""
    text = comment_on(compare(made_report(filler(100), GATED), made_report(filler(100, 1), GATED)))
    assert first_line(text) == "## ✅ Retrieval passed: 100 queries compared, 1 regressed"
    assert "`f0000`" in text


def test_what_was_accepted_stays_visible() -> None:
    """The verdict is passed, the loss is named."""
    critical = made_result("c", "gold", critical=True)
    comparison = compare(made_report([*filler(5), critical]), made_report(filler(5)))
    text = comment_on(comparison, CONTEXT, "removed-critical:c")
    assert first_line(text).endswith("none regressed, 1 accepted loss")
    assert "### Accepted" in text
    assert "critical query c was removed" in text


def outcomes() -> dict[str, str]:
    """The comment of every outcome that is no pass and no failure."""
    report = made_report(filler(3), GATED)
    partial = compare(replace(report, partial=True), report)
    silent = made_report([made_result("u", "", None, answerable=False)])
    nothing = compare(silent, silent)
    return {
        "no-baseline": render_comment(
            judge_alone(report, without_baseline=True), CONTEXT, report=report
        ),
        "not-comparable": comment_on(partial),
        "incomplete": render_comment(
            Verdict(Outcome.INCOMPLETE, notes=("GitHub answered 502",)), CONTEXT, report=report
        ),
        "nothing": comment_on(nothing),
    }


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        ("no-baseline", "## ⚪ Retrieval: no baseline yet, nothing was compared"),
        (
            "not-comparable",
            "## ⚠️ Retrieval: no verdict, the reports cannot be compared (partial)",
        ),
        ("incomplete", "## ⚠️ Retrieval: no verdict, the check is incomplete"),
        (
            "nothing",
            "## ⚪ Retrieval: nothing to compare, no scored query is in both reports",
        ),
    ],
)
def test_each_outcome_without_a_comparison_has_its_own_first_line(outcome: str, line: str) -> None:
    """None of them looks like a pass."""
    text = outcomes()[outcome]
    assert first_line(text) == line
    assert "✅" not in text
    assert "pass" not in first_line(text)


def test_without_a_baseline_the_comment_says_how_to_get_one_and_how_head_stands() -> None:
    """And never 'no change'."""
    text = outcomes()["no-baseline"]
    assert "ragguard-baseline.jsonl.gz" in text
    assert "evidence@5 **1.000** over 3 queries" in text
    assert "→" not in text


def test_a_floor_that_fails_without_a_baseline_is_red() -> None:
    """Neutral is for runs that are fine by themselves."""
    report = made_report(filler(4, 3), GATED)
    verdict = judge_alone(report, without_baseline=True)
    text = render_comment(verdict, CONTEXT, report=report)
    assert (
        first_line(text) == "## ❌ Retrieval failed without a baseline: evidence@5 below its floor"
    )


def test_not_comparable_gives_no_number() -> None:
    """The field and the way out, and nothing that could be read as a result."""
    text = outcomes()["not-comparable"]
    assert "partial report is no baseline" in text
    assert not re.search(r"[0-9]\.[0-9]{2,}(?!\.)", text.replace("ragguard 1.0.0", ""))


def test_texts_can_be_hidden_and_private_ones_always_are() -> None:
    """`comment.queries: hidden` shows ids only; a private row never shows its text."""

    def losing(**row: object) -> Comparison:
        base = made_result("q1", "gold", query="the SECRET question", **row)
        head = made_result("q1", "x", query="the SECRET question", **row)
        return compare(made_report([base, *filler(3)]), made_report([head, *filler(3)]))

    assert "SECRET" in comment_on(losing())
    hidden = comment_on(losing(), replace(CONTEXT, queries="hidden"))
    assert "SECRET" not in hidden
    assert "`q1`" in hidden
    assert "SECRET" not in comment_on(losing(private=True))
    assert "SECRET" not in comment_on(losing(private=True, critical=True))


def test_ids_that_look_like_numbers_stay_as_they_are() -> None:
    """`1e5` is no 100000 and `09.10` no 9.1."""
    base = [made_result("1e5", "09.10", "09.10"), *filler(3)]
    head = [made_result("1e5", "36e54439", "09.10"), *filler(3)]
    text = comment_on(compare(made_report(base), made_report(head)))
    for written in ("`1e5`", "`09.10`", "`36e54439`"):
        assert written in text


def hostile(count: int, unit: str) -> Comparison:
    """Every query lost, with the same hostile text for id, text, labels and slice."""

    def made(ids: str) -> list[QueryResult]:
        return [
            made_result(
                f"{unit}{i}",
                [f"{unit}{ids}{n}" for n in range(5)],
                None,
                query=unit * 30,
                relevant_ids=[f"{unit}gold0"],
                category=unit,
                critical=i % 2 == 0,
            )
            for i in range(count)
        ]

    return compare(made_report(made("gold")), made_report(made("other")))


@pytest.mark.parametrize("unit", ["x", "|", "`", "@a ", "#1 ", "\U0001f9ea", "&lt;", "\u202e"])
def test_a_thousand_hostile_rows_fit_into_a_comment(unit: str) -> None:
    """Whole rows are dropped, critical ones last; the number hidden is said; tables are whole."""
    context = replace(CONTEXT, max_rows=10_000)
    text = comment_on(hostile(1_000, unit), context)
    assert length(text) <= 65_536
    assert "500 critical misses" in first_line(text)
    shown = len(re.findall(r"rank 1 → ", text.split("### Regressions", maxsplit=1)[0]))
    hidden = sum(int(n.replace(",", "")) for n in re.findall(r"and ([\d,]+) more critical", text))
    assert shown + hidden == 500
    assert shown > 20
    assert "<table>" in html_of(text)


def test_the_least_important_rows_go_first() -> None:
    """Improvements make room for regressions, regressions for critical misses."""
    base = [
        *(made_result(f"c{i}", "gold", critical=True) for i in range(10)),
        *filler(200),
        *(made_result(f"i{i}", "x") for i in range(200)),
    ]
    head = [
        *(made_result(f"c{i}", "x", critical=True) for i in range(10)),
        *filler(200, 200),
        *(made_result(f"i{i}", "gold") for i in range(200)),
    ]
    context = CommentContext(max_rows=500, limit=14_000)
    text = comment_on(compare(made_report(base), made_report(head)), context)
    assert length(text) <= 14_000
    assert all(f"`c{i}`" in text for i in range(10))
    assert "and 200 more improvements" in text
    assert 0 < len(re.findall(r"^\| `f0", text, re.MULTILINE)) < 200


def test_rows_beyond_the_configured_number_are_counted() -> None:
    """`comment.max_rows`."""
    comparison = compare(made_report(filler(10)), made_report(filler(10, 7)))
    text = comment_on(comparison, replace(CONTEXT, max_rows=3))
    assert len(re.findall(r"^\| `f0", text, re.MULTILINE)) == 3
    assert "and 4 more regressions, not shown here" in text


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.lists(names, min_size=1, max_size=8, unique=True), names, names, st.text(max_size=60))
def test_any_text_anywhere_breaks_nothing_and_notifies_nobody(
    ids: list[str], chunk: str, suite: str, text: str
) -> None:
    """Ids, chunks, suite, slice, commit, notes and versions may hold anything."""

    def report(found: str) -> object:
        results = [
            made_result(i, [found], None, relevant_ids=[chunk], query=text, category=text)
            for i in ids
        ]
        return made_report({suite: results}, corpus_version=found, commit=text)

    base, head = report(chunk), report(f"{chunk}x")
    comparison = compare(base, head)  # type: ignore[arg-type]
    context = CommentContext(
        base_age=text, baseline=text, notes=(text,), what_to_do=(text,), reproduce=f"a {text}"
    )
    comment = comment_on(comparison, context)
    page = html_of(comment)
    elements = set(re.findall(r"<(/?[a-z0-9]+)", page))
    allowed = "h2 h3 p ul li em table thead tbody tr th td code strong details summary br pre"
    assert elements <= {f"{slash}{name}" for name in allowed.split() for slash in ("", "/")}
    prose = re.sub(r"<code.*?</code>", "", page, flags=re.DOTALL)
    shown = re.sub(r"<[^>]*>", " ", prose).replace("&amp;", "&")
    assert not re.search(r"(?<![a-z0-9])@\w|#\d|\bGH-\d", shown)
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    assert {len(re.findall("<t[dh]", row)) for row in rows} <= {2, 3, 5}


def test_a_first_line_of_many_failed_gates_stays_short() -> None:
    """Six kinds, and how many more; the reasons below name them all."""
    gates = {
        Metric(measure, k): MetricGate(min=0.9) for measure in ("recall", "hit") for k in (1, 3, 5)
    }
    gates |= {Metric("rr", k): MetricGate(min=0.9) for k in (1, 3, 5)}
    report = made_report(filler(4, 4), made_scoring(metrics=gates))
    text = comment_on(compare(report, report))
    assert first_line(text).endswith("hit@5 below its floor, 3 more")
    assert text.count("below 0.9") == 9


def test_links_to_lines_come_from_the_caller() -> None:
    """One without an address is an id without a link."""
    base, head = made_report([*filler(4)]), made_report([*filler(4, 1)])

    def address(place: Location) -> str | None:
        return f"https://github.com/org/repo/blob/main/{place.file}#L{place.line}"

    linked = comment_on(compare(base, head), replace(CONTEXT, line_url=address))
    assert "[`f0000`](https://github.com/org/repo/blob/main/eval/docs.jsonl#L7)" in linked
    unlinked = comment_on(compare(base, head), replace(CONTEXT, line_url=lambda _: None))
    assert "| `f0000` text of f0000 |" in unlinked


def test_effects_are_told_apart_where_labels_moved() -> None:
    """Total = retriever + labels, in words."""
    base = [*filler(3), made_result("a", "g1", "g1")]
    head = [*filler(3), made_result("a", "g1", "g1 g2")]
    text = comment_on(compare(made_report(base), made_report(head)))
    assert f"evidence@5 {MINUS}0.125 = retriever ±0.000 and labels {MINUS}0.125" in text


def test_several_suites_are_told_apart() -> None:
    """Each row names its suite."""
    base = made_report({"docs": filler(3), "faq": filler(3, prefix="g")})
    head = made_report({"docs": filler(3, 1), "faq": filler(3, 1, prefix="g")})
    text = comment_on(compare(base, head))
    assert "| docs `f0000`" in text
    assert "| faq `g0000`" in text
