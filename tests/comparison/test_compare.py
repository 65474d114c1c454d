"""Two reports compared: pairing, effects, movement; every number worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragguard.comparison.compare import compare
from ragguard.comparison.model import Comparison, SuiteComparison
from ragguard.comparison.movement import Movement
from ragguard.config.gates import Gates
from ragguard.config.policy import Policy
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.judge import judge
from ragguard.gate.verdict import Outcome
from ragguard.metrics.name import Metric
from ragguard.render.diff_json import diff_object
from tests.made_reports import filler, made_report, made_result, made_scoring


def docs(
    base: list[QueryResult], head: list[QueryResult], corpus_versions: tuple[str, str] = ("1", "1")
) -> SuiteComparison:
    """The one suite of two reports."""
    before, after = corpus_versions
    return compare(
        made_report(base, corpus_version=before), made_report(head, corpus_version=after)
    ).suites["docs"]


def test_a_report_compared_with_itself_is_an_empty_diff() -> None:
    """Nothing moved, nothing changed, passed."""
    report = made_report([*filler(5, lost=2), made_result("c", "gold", critical=True)])
    comparison = compare(report, report)
    suite = comparison.suites["docs"]
    assert comparison.changed == ()
    assert (suite.regressions, suite.improvements, suite.rank_falls) == ((), (), ())
    assert (suite.added, suite.removed, suite.reworded, suite.relabelled) == ((), (), (), ())
    assert suite.headline["evidence@5"].delta == 0.0
    assert judge(comparison).outcome is Outcome.PASSED


def test_queries_are_paired_by_id_whatever_the_order() -> None:
    """Reversing one file moves nothing; a pairing by position would lose two queries."""
    queries = [made_result("a", "gold"), made_result("b", "x"), made_result("c", "x gold")]
    comparison = compare(made_report(queries), made_report(queries[::-1]))
    suite = comparison.suites["docs"]
    assert comparison.changed == ()
    assert suite.regressions == suite.improvements == suite.rank_falls == ()
    assert suite.relabelled == ()


def test_the_order_of_labels_in_a_row_is_no_relabelling() -> None:
    """Labels are sets."""
    suite = docs([made_result("a", "g1 g2", "g1 g2")], [made_result("a", "g1 g2", "g2 g1")])
    assert suite.relabelled == ()


def test_a_difference_is_retriever_effect_plus_label_effect() -> None:
    """Base finds 1 of 2, under head's four labels 1 of 4; head finds 3 of 4.

    total 3/4 - 1/2 = 1/4 = retriever (3/4 - 1/4) + labels (1/4 - 1/2).
    """
    base = made_result("a", "g1 x y", "g1 g2")
    head = made_result("a", "g1 g3 g4", "g1 g2 g3 g4")
    headline = docs([base], [head]).headline["evidence@5"]
    assert (headline.base, headline.head, headline.delta) == (0.5, 0.75, 0.25)
    assert (headline.retriever_effect, headline.label_effect) == (0.5, -0.25)
    assert docs([base], [head]).relabelled == ("a",)


def test_labels_alone_make_no_regression() -> None:
    """The same ranking under stricter labels: all of the difference is the labels'."""
    suite = docs([made_result("a", "g1 x", "g1")], [made_result("a", "g1 x", "g1 g2")])
    headline = suite.headline["evidence@5"]
    assert (headline.delta, headline.retriever_effect, headline.label_effect) == (-0.5, 0.0, -0.5)
    assert suite.regressions == ()


def test_a_loss_is_not_hidden_by_loosened_labels() -> None:
    """Head lost g2 and the label g2: the retriever effect under head's labels is 0, said so."""
    suite = docs([made_result("a", "g1 g2", "g1 g2")], [made_result("a", "g1 x", "g1")])
    headline = suite.headline["evidence@5"]
    assert (headline.delta, headline.retriever_effect, headline.label_effect) == (0.0, 0.0, 0.0)
    assert suite.relabelled == ("a",)


def test_after_a_rechunk_the_plain_difference_is_judged() -> None:
    """Labels and corpus changed: base's old ids under head's labels would call a loss a gain."""
    base = [made_result("a", "old1 old2", "old1 old2")]
    head = [made_result("a", "new1 x", "new1 new2")]
    suite = docs(base, head, corpus_versions=("1", "2"))
    headline = suite.headline["evidence@5"]
    assert suite.rechunked
    assert (headline.base, headline.head, headline.delta, headline.moved) == (1.0, 0.5, -0.5, -0.5)
    assert headline.retriever_effect is None
    assert headline.label_effect is None
    assert [change.pair.query_id for change in suite.regressions] == ["a"]
    assert (suite.regressions[0].base, suite.regressions[0].head) == (1.0, 0.5)


def test_new_labels_on_an_unchanged_corpus_are_no_rechunk() -> None:
    """Nor is a new corpus with the same labels."""
    one, two = made_result("a", "g1", "g1"), made_result("a", "g1", "g1 g2")
    assert not docs([one], [two]).rechunked
    assert not docs([one], [one], corpus_versions=("1", "2")).rechunked
    assert docs([one], [two], corpus_versions=("1", "2")).rechunked


def test_a_renamed_query_is_paired_and_said() -> None:
    """Other id, same text and context."""
    base = made_result("old", "gold", query="how?", context={"tenant": "a"})
    head = made_result("new", "x", query="how?", context={"tenant": "a"})
    suite = docs([base], [head])
    assert suite.renamed == {"new": "old"}
    assert (suite.added, suite.removed) == ((), ())
    assert [change.pair.query_id for change in suite.regressions] == ["new"]


def test_the_same_text_in_another_context_is_another_query() -> None:
    """The tenant is part of the question."""
    base = made_result("old", "gold", query="how?", context={"tenant": "a"})
    head = made_result("new", "gold", query="how?", context={"tenant": "b"})
    suite = docs([base], [head])
    assert [r.query.query_id for r in suite.added] == ["new"]
    assert [r.query.query_id for r in suite.removed] == ["old"]
    assert suite.renamed == {}


def test_a_reworded_query_is_not_paired() -> None:
    """Same id, other text or other context: listed, not compared."""
    base = [made_result("a", "gold"), made_result("b", "gold", context={"as_of": "2026-01-01"})]
    head = [made_result("a", "x", query="other words"), made_result("b", "x")]
    suite = docs([*base, *filler(3)], [*head, *filler(3)])
    assert [new.query.query_id for _, new in suite.reworded] == ["a", "b"]
    assert suite.paired == 3
    assert suite.regressions == ()


def test_a_private_query_is_paired_by_the_digest_its_report_keeps() -> None:
    """A report read back has no text of it, a report in memory has."""
    digest = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    base = made_result("a", "gold", query="{}", private=True)
    kept = {key: value for key, value in base.query.row.items() if key != "query"}
    query = replace(base.query, text="", row={**kept, "query_sha256": digest})
    suite = docs([base], [replace(base, query=query)])
    assert suite.reworded == ()
    assert suite.paired == 1


def test_added_and_removed_queries_are_named_and_the_common_ones_still_compared() -> None:
    """One query more does not switch the comparison off; fewer ones are not 'identical'."""
    base = [*filler(3), made_result("gone", "gold")]
    head = [*filler(3, lost=1), made_result("fresh", "gold")]
    suite = docs(base, head)
    assert [r.query.query_id for r in suite.added] == ["fresh"]
    assert [r.query.query_id for r in suite.removed] == ["gone"]
    assert suite.paired == 3
    assert suite.headline["evidence@5"].moved == pytest.approx(-1 / 3)


def test_both_sides_are_scored_under_one_policy() -> None:
    """Grade 1 is relevant to base's policy alone; head's judges both, base's in a pull request."""
    graded = {"judgments": {"g1": 1, "g2": 2}}
    strict = made_scoring(policy=Policy(relevance_threshold=2))
    base = made_report([made_result("a", "g1 x", None, **graded)])
    head = made_report([made_result("a", "g2 x", None, **graded)], strict)
    by_head = compare(base, head).suites["docs"].headline["evidence@5"]
    by_base = compare(base, head, scoring_from="base").suites["docs"].headline["evidence@5"]
    assert (by_head.base, by_head.head) == (0.0, 1.0)
    assert (by_base.base, by_base.head) == (0.5, 0.5)
    changed = {change.what for change in compare(base, head).changed}
    assert "policy" in changed


def test_duplicates_refused_by_one_side_count_by_the_one_policy() -> None:
    """An answer that was invalid for its duplicates alone is scored where they collapse."""
    refusing = made_scoring(policy=Policy(duplicates="error"))
    base = made_report([made_result("a", "gold gold")], refusing)
    head = made_report([made_result("a", "gold gold")])
    assert base.results["docs"][0].status is Status.INVALID
    suite = compare(base, head).suites["docs"]
    assert suite.paired == 1
    assert suite.headline["evidence@5"].delta == 0.0


def test_measures_without_cutoff_see_the_same_depth_on_both_sides() -> None:
    """Base kept 5 places, head 20: gold at 6 would be a gain of depth, not of retrieval."""
    rr = Metric("rr")
    shallow, deep = made_scoring(primary=rr, depth=5), made_scoring(primary=rr, depth=20)
    base = made_report([made_result("a", "1 2 3 4 5")], shallow)
    head = made_report([made_result("a", "1 2 3 4 5 gold")], deep)
    comparison = compare(base, head)
    assert comparison.obstacles == ()
    assert comparison.suites["docs"].headline["rr"].delta == 0.0


def test_failed_queries_are_no_zeros_and_no_gains() -> None:
    """A query that failed on either side is out of every mean and change."""
    base = [made_result("a", "gold"), made_result("b", None), *filler(2)]
    head = [made_result("a", None), made_result("b", "gold"), *filler(2)]
    suite = docs(base, head)
    assert suite.paired == 2
    assert suite.headline["evidence@5"].count == 2
    assert suite.regressions == suite.improvements == ()


def test_an_empty_ranking_is_a_legitimate_zero() -> None:
    """Head answered with nothing: that is a loss."""
    suite = docs([made_result("a", "gold")], [made_result("a", "")])
    assert suite.headline["evidence@5"].moved == -1.0
    assert [change.pair.query_id for change in suite.regressions] == ["a"]


def test_worse_completeness_is_a_regression_though_the_primary_rises() -> None:
    """By hit@5 nothing moved; by completeness one of two groups was lost."""
    scoring = made_scoring(primary=Metric("hit", 5))
    base = made_report([made_result("a", "g1 g2", "g1 g2")], scoring)
    head = made_report([made_result("a", "g1 x", "g1 g2")], scoring)
    regression = compare(base, head).suites["docs"].regressions[0]
    assert (regression.metric, regression.base, regression.head) == ("complete@5", 1.0, 0.0)


def test_a_fall_within_the_cutoff_is_shown_and_no_regression() -> None:
    """Rank 1 to 5 loses no evidence@5."""
    suite = docs([made_result("a", "gold b c d e")], [made_result("a", "b c d e gold")])
    assert suite.regressions == ()
    fall = suite.rank_falls[0]
    assert (fall.pair.query_id, fall.base_rank, fall.head_rank) == ("a", 1, 5)


def test_lost_evidence_is_followed_to_its_rank_and_stage() -> None:
    """Rank 3 to 14 with what took its place; and one that the reranker dropped."""
    deep = " ".join("abcdefghijklm")
    base = made_result("a", "a b gold c reranked-away", "gold reranked-away")
    head = made_result(
        "a",
        f"{deep} gold",
        "gold reranked-away",
        stages={"candidates": f"gold reranked-away {deep}", "reranked": f"{deep} gold"},
    )
    suite = docs([base], [head])
    assert suite.regressions[0].missing == (
        Movement("gold", 3, 14, lost_at=None, replaced_by="c"),
        Movement("reranked-away", 5, None, lost_at="reranked", replaced_by="e"),
    )


def test_later_copies_of_an_id_take_no_rank() -> None:
    """Ranks are counted after duplicates collapse."""
    suite = docs([made_result("a", "x x gold")], [made_result("a", "x x x y y z w v gold")])
    assert suite.regressions[0].missing == (Movement("gold", 2, 6, replaced_by="y"),)


def test_a_regression_by_rank_alone_shows_what_fell() -> None:
    """With rr as primary no evidence is missing; the chunk that fell is named."""
    scoring = made_scoring(primary=Metric("rr", 5))
    base = made_report([made_result("a", "gold b")], scoring)
    head = made_report([made_result("a", "b gold")], scoring)
    regression = compare(base, head).suites["docs"].regressions[0]
    assert regression.metric == "rr@5"
    assert regression.missing == (Movement("gold", 1, 2, replaced_by="b"),)


def test_slices_are_those_of_head_with_their_pairs() -> None:
    """Billing lost one of two, security nothing; a query that moved category counts in its new."""
    base = [
        made_result("a", "gold", category="billing"),
        made_result("b", "gold", category="security"),
        made_result("c", "gold", category="security"),
    ]
    head = [
        made_result("a", "gold", category="billing"),
        made_result("b", "x", category="billing"),
        made_result("c", "gold", category="security"),
    ]
    found = docs(base, head).slices["category"]
    billing, security = found["billing"]["evidence@5"], found["security"]["evidence@5"]
    assert (billing.count, billing.paired, billing.head, billing.moved) == (2, 2, 0.5, -0.5)
    assert (security.count, security.paired, security.moved) == (1, 1, 0.0)


def test_what_differs_besides_the_rankings_is_listed_in_one_order() -> None:
    """System, retriever, depth, versions and environment, each with both values."""
    base = made_report(
        filler(2),
        made_scoring(system={"reranker": "none"}),
        environment={"ragguard": "1.0.0", "python": "3.11.9"},
    )
    head = made_report(
        filler(2),
        made_scoring(system={"reranker": "small"}, depth=50),
        corpus_version="2",
        environment={"ragguard": "1.0.1", "python": "3.11.9"},
    )
    listed = [(change.what, change.base, change.head) for change in compare(base, head).changed]
    assert listed == [
        ("corpus_version", "1", "2"),
        ("depth", 20, 50),
        ("system.reranker", "none", "small"),
        ("environment.ragguard", "1.0.0", "1.0.1"),
    ]


def obstacle_fields(comparison: Comparison) -> list[str]:
    """What stands between the reports and a verdict."""
    assert judge(comparison).outcome is Outcome.NOT_COMPARABLE
    assert judge(comparison).exit_code == 3
    assert diff_object(comparison, judge(comparison))["suites"] == {}
    return [obstacle.field for obstacle in comparison.obstacles]


def test_rankings_kept_too_short_are_not_comparable() -> None:
    """Base kept 3 places, the policy looks at 5: no number is given."""
    shallow = made_scoring(depth=3)
    assert obstacle_fields(compare(made_report(filler(3), shallow), made_report(filler(3)))) == [
        "depth"
    ]


def test_a_partial_report_is_no_baseline() -> None:
    """Nor is one shard of a run."""
    report = made_report(filler(3))
    assert obstacle_fields(compare(replace(report, partial=True), report)) == ["partial"]
    shard = replace(report, partial=True, shard="1/4")
    assert obstacle_fields(compare(shard, report)) == ["shard"]


def test_a_base_without_queries_or_with_other_queries_is_never_green() -> None:
    """Zero base queries, and a different dataset under the same name."""
    report = made_report(filler(4))
    assert obstacle_fields(compare(made_report([]), report)) == ["min_paired"]
    assert obstacle_fields(compare(made_report(filler(4, prefix="z")), report)) == ["min_paired"]


def test_a_head_without_queries_is_never_green() -> None:
    """Deleting every query is no way to pass."""
    assert obstacle_fields(compare(made_report(filler(4)), made_report([]))) == ["queries"]


def test_a_base_that_covers_less_than_half_is_not_comparable_and_says_how_many() -> None:
    """Two of five are paired; half would be enough."""
    base = made_report(filler(2))
    comparison = compare(base, made_report(filler(5)))
    assert obstacle_fields(comparison) == ["min_paired"]
    assert "only 2 of head's 5" in comparison.obstacles[0].message
    assert compare(base, made_report(filler(4))).obstacles == ()


def test_reports_without_a_common_suite_are_not_comparable() -> None:
    """Both lists of suites are named."""
    comparison = compare(made_report({"a": filler(2)}), made_report({"b": filler(2)}))
    assert obstacle_fields(comparison) == ["suites"]
    assert "base has a; head has b" in comparison.obstacles[0].message


def test_suites_that_one_side_lacks_are_said() -> None:
    """The common one is still compared."""
    base = made_report({"docs": filler(2), "old": filler(2)})
    head = made_report({"docs": filler(2), "new": filler(2)})
    comparison = compare(base, head)
    assert (comparison.only_base, comparison.only_head) == (("old",), ("new",))
    assert list(comparison.suites) == ["docs"]


def test_a_partial_head_removes_nothing() -> None:
    """Queries that were not asked are not gone."""
    head = replace(made_report(filler(1)), partial=True)
    assert compare(made_report(filler(4)), head).suites["docs"].removed == ()


IDS = ["gold", "g2", "a", "b", "c", "d", "e"]
rankings = st.lists(st.sampled_from(IDS), max_size=7, unique=True)
labels = st.lists(st.sampled_from(IDS[:3]), min_size=1, max_size=3, unique=True)


@st.composite
def queries(draw: st.DrawFn, max_size: int = 6) -> list[QueryResult]:
    """Queries with hand-sized rankings and labels, some critical, some failed."""
    made = []
    for index in range(draw(st.integers(1, max_size))):
        ids = draw(st.one_of(st.none(), rankings) if index % 5 == 4 else rankings)
        made.append(
            made_result(f"q{index}", ids, " ".join(draw(labels)), critical=draw(st.booleans()))
        )
    return made


@settings(max_examples=60, deadline=None)
@given(queries(), queries(), st.randoms(use_true_random=False))
def test_the_order_of_either_report_never_matters(
    base: list[QueryResult], head: list[QueryResult], source: random.Random
) -> None:
    """The same object of the diff, reasons included, but for the order of its lists by query."""

    def told(before: list[QueryResult], after: list[QueryResult]) -> object:
        comparison = compare(made_report(before), made_report(after))
        return _unordered(diff_object(comparison, judge(comparison)))

    shuffled = (source.sample(base, len(base)), source.sample(head, len(head)))
    assert told(base, head) == told(*shuffled)


def _unordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _unordered(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted((_unordered(each) for each in value), key=repr)
    return round(value, 9) if isinstance(value, float) else value


@settings(max_examples=60, deadline=None)
@given(queries())
def test_a_report_against_itself_moves_nothing(made: list[QueryResult]) -> None:
    """Whatever is in it."""
    report = made_report(made, made_scoring(failures=None))
    comparison = compare(report, report)
    assert comparison.changed == ()
    if not comparison.obstacles:
        suite = comparison.suites["docs"]
        assert suite.regressions == suite.improvements == suite.rank_falls == ()
        assert all(miss.is_new is False for miss in suite.critical_misses)
        assert judge(comparison).outcome is Outcome.PASSED


@settings(max_examples=60, deadline=None)
@given(queries(), queries())
def test_effects_always_add_up(base: list[QueryResult], head: list[QueryResult]) -> None:
    """Total = retriever effect + label effect, for every metric of every suite."""
    suite = docs(base, head)
    for headline in suite.headline.values():
        if headline.delta is None:
            continue
        assert headline.retriever_effect is not None
        assert headline.label_effect is not None
        assert headline.delta == pytest.approx(
            headline.retriever_effect + headline.label_effect, abs=1e-9
        )
        assert headline.delta == pytest.approx(
            (headline.head or 0) - (headline.base or 0), abs=1e-9
        )


def test_min_paired_is_a_setting() -> None:
    """A suite that grows fast may ask for less; it never may ask for none."""
    scoring = replace(made_scoring(), gates=Gates(min_paired=0.1))
    base = made_report(filler(1), scoring)
    assert compare(base, made_report(filler(5), scoring)).obstacles == ()
    none = replace(made_scoring(), gates=Gates(min_paired=0.0))
    other = made_report(filler(2, prefix="z"), none)
    assert compare(other, made_report(filler(2), none)).obstacles != ()
