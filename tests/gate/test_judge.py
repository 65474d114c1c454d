"""The verdict: red for a real loss and for nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragguard.comparison.compare import compare
from ragguard.config.gates import CriticalGate, MetricGate, SliceGate
from ragguard.config.model import Scoring
from ragguard.errors import ExitCode
from ragguard.evaluation.result import QueryResult, Status
from ragguard.gate.judge import judge, judge_alone
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.metrics.name import Metric
from tests.made_reports import PRIMARY, filler, made_report, made_result, made_scoring

Results = list[QueryResult]


def verdict_on(
    base: Results, head: Results, scoring: Scoring | None = None, *accepted: str
) -> Verdict:
    """Of one suite, both sides configured alike."""
    comparison = compare(made_report(base, scoring), made_report(head, scoring))
    return judge(comparison, accepted=accepted)


def gates_of(verdict: Verdict) -> list[str]:
    """The names of what failed."""
    return [reason.gate for reason in verdict.reasons]


def floors(least: float | None = None, most: float | None = None) -> Scoring:
    """Limits on evidence@5."""
    return made_scoring(metrics={PRIMARY: MetricGate(min=least, max_drop=most)})


class TestMeans:
    """`min` and `max_drop`."""

    def test_a_drop_above_the_tolerance_fails_and_names_the_queries(self) -> None:
        """Two of ten lost: 0.2 where 0.1 is allowed; the worse one first."""
        base = [made_result(f"q{i}", "g h", "g h") for i in range(10)]
        head = [made_result("q0", "g x", "g h"), made_result("q1", "x y", "g h"), *base[2:]]
        verdict = verdict_on(base, head, floors(most=0.1))
        (reason,) = verdict.reasons
        assert verdict.exit_code is ExitCode.FAILED
        assert (reason.gate, reason.suite, reason.limit) == ("evidence@5.max_drop", "docs", 0.1)
        assert reason.base == pytest.approx(1.0)
        assert reason.head == pytest.approx(0.85)
        assert reason.query_ids == ("q1", "q0")

    def test_a_drop_of_exactly_the_tolerance_passes(self) -> None:
        """0.3 of ten thirds: float noise is no failure."""
        assert verdict_on(filler(10), filler(10, lost=3), floors(most=0.3)).reasons == ()
        assert verdict_on(filler(10), filler(10, lost=3), floors(most=0.29)).reasons != ()

    def test_a_drop_is_not_excused_by_an_interval_or_p(self) -> None:
        """One of four lost tests nothing, and fails all the same."""
        verdict = verdict_on(filler(4), filler(4, lost=1), floors(most=0.02))
        assert gates_of(verdict) == ["evidence@5.max_drop"]

    def test_gains_elsewhere_count_in_the_mean(self) -> None:
        """The gate is on the mean effect: one lost, one found."""
        base = [made_result("a", "gold"), made_result("b", "x"), *filler(3)]
        head = [made_result("a", "x"), made_result("b", "gold"), *filler(3)]
        assert verdict_on(base, head, floors(most=0.0)).reasons == ()

    def test_an_added_query_does_not_switch_the_drop_off(self) -> None:
        """The common queries stay gated; the new one faces the floor."""
        head = [*filler(4, lost=2), made_result("new", "gold")]
        assert gates_of(verdict_on(filler(4), head, floors(0.7, 0.1))) == [
            "evidence@5.max_drop",
            "evidence@5.min",
        ]

    def test_a_retrieval_error_raises_no_mean(self) -> None:
        """The failed query is not averaged away: the failures gate fails."""
        head = [*filler(3), made_result("f0003", None)]
        verdict = verdict_on(filler(4), head, floors(0.9, 0.0))
        assert gates_of(verdict) == ["failures"]
        assert verdict.reasons[0].query_ids == ("f0003",)

    def test_a_floor_looks_at_all_of_head(self) -> None:
        """Nine of ten found, exactly the floor; eight are below it."""
        assert verdict_on(filler(10, 1), filler(10, 1), floors(least=0.9)).reasons == ()
        verdict = verdict_on(filler(10, 2), filler(10, 2), floors(least=0.9))
        assert gates_of(verdict) == ["evidence@5.min"]
        assert verdict.reasons[0].query_ids == ("f0000", "f0001")

    def test_a_gate_over_nothing_is_no_pass(self) -> None:
        """No query of the suite has recall@5 (all have alternatives): vacuous green is a defect."""
        scoring = made_scoring(metrics={Metric("recall", 5): MetricGate(min=0.5, max_drop=0.1)})
        results = [made_result("a", "g1", None, evidence=[["g1", "g2"]])]
        verdict = verdict_on(results, results, scoring)
        assert set(gates_of(verdict)) == {"recall@5.min", "recall@5.max_drop"}
        assert all("holds nothing" in reason.message for reason in verdict.reasons)

    def test_after_a_rechunk_the_plain_loss_is_gated(self) -> None:
        """Old ids under new labels would have called this a gain."""
        scoring = floors(most=0.1)
        base = made_report([made_result("a", "o1 o2", "o1 o2")], scoring, corpus_version="1")
        head = made_report([made_result("a", "n1 x", "n1 n2")], scoring, corpus_version="2")
        verdict = judge(compare(base, head))
        assert gates_of(verdict) == ["evidence@5.max_drop"]
        assert any("re-chunk" in note for note in verdict.notes)


class TestCritical:
    """Critical queries have a gate of their own."""

    def test_a_critical_loss_fails_with_where_it_went(self) -> None:
        """One in a hundred: no mean would notice. Rank 3 to 14."""
        base = [*filler(100), made_result("c", "a b gold", critical=True)]
        head = [*filler(100), made_result("c", [*"abcdefghijklm", "gold"], critical=True)]
        (reason,) = verdict_on(base, head, floors(0.5, 0.5)).reasons
        assert (reason.gate, reason.query_id) == ("critical", "c")
        assert (reason.base, reason.head, reason.limit) == (1.0, 0.0, 1.0)
        assert "rank 3 → 14" in reason.message

    def test_half_of_the_critical_queries_lost_fails_though_p_is_an_eighth(self) -> None:
        """Significance excuses nothing."""
        base = [made_result(f"c{i}", "gold", critical=True) for i in range(8)]
        head = [made_result("c0", "x", critical=True), *base[1:]]
        head[1:4] = [made_result(f"c{i}", "x", critical=True) for i in range(1, 4)]
        assert gates_of(verdict_on(base, head)) == ["critical"] * 4

    def test_a_partial_loss_fails_all_and_passes_any(self) -> None:
        """Two groups, one lost."""
        base = [made_result("c", "g1 g2", "g1 g2", critical=True)]
        head = [made_result("c", "g1 x", "g1 g2", critical=True)]
        assert gates_of(verdict_on(base, head)) == ["critical"]
        lenient = made_scoring(critical=CriticalGate(require="any"))
        assert verdict_on(base, head, lenient).reasons == ()

    def test_the_cutoff_of_the_gate_is_its_own(self) -> None:
        """Rank 5 is within the primary's 5 and not within 3."""
        base = [made_result("c", "gold", critical=True)]
        head = [made_result("c", "a b c d gold", critical=True)]
        assert verdict_on(base, head).reasons == ()
        assert gates_of(verdict_on(base, head, made_scoring(critical=CriticalGate(at=3)))) == [
            "critical"
        ]

    def test_one_missed_on_base_too_is_listed_or_blocks_as_configured(self) -> None:
        """`existing: list` names it, `existing: block` fails."""
        missed = [made_result("c", "x", critical=True), *filler(2)]
        listed = verdict_on(missed, missed)
        assert listed.outcome is Outcome.PASSED
        assert any("c" in note and "missed" in note for note in listed.notes)
        blocking = made_scoring(critical=CriticalGate(existing="block"))
        assert gates_of(verdict_on(missed, missed, blocking)) == ["critical"]

    def test_a_new_critical_query_that_misses_fails(self) -> None:
        """Whoever adds it sees it red."""
        head = [*filler(3), made_result("c", "x", critical=True)]
        assert gates_of(verdict_on(filler(3), head)) == ["critical"]

    def test_a_critical_miss_in_a_new_suite_fails_too(self) -> None:
        """All its queries are new."""
        base = made_report({"docs": filler(2)})
        head = made_report({"docs": filler(2), "new": [made_result("c", "x", critical=True)]})
        verdict = judge(compare(base, head))
        assert [(r.gate, r.suite, r.query_id) for r in verdict.reasons] == [
            ("critical", "new", "c")
        ]

    def test_a_critical_query_that_failed_is_a_miss(self) -> None:
        """An error is not an answer, even where failures are allowed."""
        base = [*filler(3), made_result("c", "gold", critical=True)]
        head = [*filler(3), made_result("c", None, status=Status.TIMEOUT, critical=True)]
        assert gates_of(verdict_on(base, head, made_scoring(failures=5))) == ["critical"]

    def test_the_error_of_a_private_query_is_told_nowhere(self) -> None:
        """A retriever's message may quote the text."""
        base = [*filler(3), made_result("c", "gold", critical=True, private=True)]
        failed = made_result("c", None, error="no match: SECRET", critical=True, private=True)
        verdict = verdict_on(base, [*filler(3), failed])
        assert verdict.reasons
        assert "SECRET" not in repr([reason.message for reason in verdict.reasons])

    def test_impossible_labels_do_not_turn_a_loss_into_an_old_miss(self) -> None:
        """Head lost g1 and added a label base cannot have met: still a new loss."""
        base = [*filler(3), made_result("c", "g1", "g1", critical=True)]
        head = [*filler(3), made_result("c", "x", "g1 nowhere", critical=True)]
        assert gates_of(verdict_on(base, head)) == ["critical"]

    def test_stricter_labels_alone_are_no_loss(self) -> None:
        """The ranking is the same; the new label was never met."""
        base = [*filler(3), made_result("c", "g1", "g1", critical=True)]
        head = [*filler(3), made_result("c", "g1", "g1 nowhere", critical=True)]
        assert verdict_on(base, head).outcome is Outcome.PASSED

    def test_nothing_critical_passes_with_a_note(self) -> None:
        """A default gate over nothing is no error."""
        verdict = verdict_on(filler(2), filler(2))
        assert verdict.outcome is Outcome.PASSED
        assert any("no query is critical" in note for note in verdict.notes)


class TestOwnBar:
    """A change cannot pass by editing what it is judged by."""

    critical = made_result("c", "g1 g2", "g1 g2", critical=True)

    def test_removing_a_critical_query_fails_until_acknowledged(self) -> None:
        """Named, and visible after acknowledging."""
        base = [*filler(3), self.critical]
        assert gates_of(verdict_on(base, filler(3))) == ["removed-critical"]
        accepted = verdict_on(base, filler(3), None, "removed-critical:c")
        assert accepted.outcome is Outcome.PASSED
        assert [reason.query_id for reason in accepted.accepted] == ["c"]
        assert verdict_on(base, filler(3), None, "removed-critical:other").reasons != ()

    def test_removing_failing_queries_is_named(self) -> None:
        """A critical one fails; deleting it is not 'identical'."""
        base = [*filler(4, lost=3), made_result("c", "x", critical=True)]
        assert gates_of(verdict_on(base, filler(4)[3:])) == ["removed-critical"]

    def test_renaming_a_critical_query_removes_nothing(self) -> None:
        """Same text, other id."""
        base = [*filler(3), made_result("c", "gold", critical=True, query="how?")]
        head = [*filler(3), made_result("d", "gold", critical=True, query="how?")]
        assert verdict_on(base, head).outcome is Outcome.PASSED

    def test_dropping_the_lost_label_fails(self) -> None:
        """Complete under head's labels, not under base's, which base met."""
        head = [*filler(3), made_result("c", "g1 x", "g1", critical=True)]
        verdict = verdict_on([*filler(3), self.critical], head)
        assert gates_of(verdict) == ["loosened-label"]
        assert verdict.reasons[0].query_id == "c"

    def test_declaring_it_unanswerable_fails(self) -> None:
        """No label left is no label met."""
        head = [*filler(3), made_result("c", "x", None, critical=True, answerable=False)]
        assert gates_of(verdict_on([*filler(3), self.critical], head)) == ["loosened-label"]

    def test_making_it_uncritical_fails(self) -> None:
        """Whatever its ranking."""
        head = [*filler(3), made_result("c", "g1 g2", "g1 g2")]
        assert gates_of(verdict_on([*filler(3), self.critical], head)) == ["loosened-label"]

    def test_rewording_it_to_hide_a_loss_fails(self) -> None:
        """Base's ranking was complete, head's is not."""
        head = [
            *filler(3),
            made_result("c", "g1 x", "g1 g2", critical=True, query="other words"),
        ]
        assert "loosened-label" in gates_of(verdict_on([*filler(3), self.critical], head))

    def test_relabelling_without_a_loss_passes(self) -> None:
        """Head still meets base's labels."""
        head = [*filler(3), made_result("c", "g1 g2", "g1", critical=True)]
        assert verdict_on([*filler(3), self.critical], head).outcome is Outcome.PASSED

    def test_a_clean_rechunk_loosens_nothing(self) -> None:
        """All ids are new; base's labels name chunks that no longer exist."""
        base = made_report([self.critical], corpus_version="1")
        renewed = made_result("c", "n1 n2", "n1 n2", critical=True)
        head = made_report([renewed], corpus_version="2")
        assert judge(compare(base, head)).outcome is Outcome.PASSED

    def test_a_rechunk_does_not_hide_a_dropped_label(self) -> None:
        """Ids that head still knows are still asked for."""
        base = made_report([self.critical, made_result("o", "g2", "g2")], corpus_version="1")
        head = made_report(
            [made_result("c", "g1 x", "g1", critical=True), made_result("o", "g2", "g2")],
            corpus_version="2",
        )
        assert gates_of(judge(compare(base, head))) == ["loosened-label"]

    @pytest.mark.parametrize(
        ("before", "after", "named"),
        [
            (floors(0.8, 0.02), floors(0.7, 0.02), "evidence@5.min"),
            (floors(0.8, 0.02), floors(0.8, 0.2), "evidence@5.max_drop"),
            (floors(0.8), made_scoring(), "evidence@5.min"),
            (made_scoring(), made_scoring(forbidden=None), "forbidden"),
            (made_scoring(), made_scoring(failures=3), "failures"),
            (made_scoring(), made_scoring(critical=CriticalGate(require="any")), "require"),
            (
                made_scoring(critical=CriticalGate(at=3)),
                made_scoring(critical=CriticalGate(at=5)),
                "critical.at",
            ),
            (made_scoring(), made_scoring(primary=Metric("evidence", 20)), "primary"),
            (
                made_scoring(slices={"category": {PRIMARY: SliceGate(min=0.1, min_count=1)}}),
                made_scoring(slices={}),
                "slices.category",
            ),
        ],
    )
    @pytest.mark.parametrize("side", ["base", "head"])
    def test_a_loosened_gate_fails_whoever_judges(
        self, before: Scoring, after: Scoring, named: str, side: str
    ) -> None:
        """At the terminal too, and it says which."""
        results = [made_result(f"q{i}", "gold", category="a") for i in range(3)]
        comparison = compare(
            made_report(results, before),
            made_report(results, after),
            scoring_from="base" if side == "base" else "head",
        )
        loosened = [r for r in judge(comparison).reasons if r.gate == "loosened-gate"]
        assert any(named in reason.message for reason in loosened)
        assert judge(comparison, accepted=["loosened-gate"]).outcome is Outcome.PASSED

    def test_a_tightened_gate_is_no_reason(self) -> None:
        """Raising the bar needs nobody's leave."""
        comparison = compare(
            made_report(filler(3), floors(0.7, 0.2)), made_report(filler(3), floors(0.9, 0.1))
        )
        assert judge(comparison).outcome is Outcome.PASSED

    def test_a_rank_limit_that_was_eased_is_a_loosened_gate(self) -> None:
        """`max_rank` of a query is a gate of its own."""
        base = [*filler(3), made_result("r", "gold", max_rank=1)]
        for row in ({"max_rank": 3}, {}):
            verdict = verdict_on(base, [*filler(3), made_result("r", "a gold", **row)])
            assert gates_of(verdict) == ["loosened-gate"]
            assert verdict.reasons[0].query_id == "r"

    def test_allowing_a_forbidden_chunk_that_comes_back_is_a_loosened_gate(self) -> None:
        """Dropping the ban and the fault together is no pass."""
        base = [*filler(3), made_result("f", "gold", forbidden_ids=["bad"])]
        verdict = verdict_on(base, [*filler(3), made_result("f", "gold bad")])
        assert gates_of(verdict) == ["loosened-gate"]
        assert verdict_on(base, [*filler(3), made_result("f", "gold")]).reasons == ()

    def test_a_removed_suite_takes_its_gates_along_and_that_is_said(self) -> None:
        """With every critical query in it."""
        base = made_report({"docs": filler(2), "old": [self.critical]})
        verdict = judge(compare(base, made_report({"docs": filler(2)})))
        assert sorted(gates_of(verdict)) == ["loosened-gate", "removed-critical"]

    def test_all_accepts_losses_and_never_a_mean_or_a_forbidden_chunk(self) -> None:
        """What is not a named loss stays red."""
        head = [*filler(3, lost=2), made_result("c", "x", exposures={"forbidden": ("x",)})]
        verdict = verdict_on([*filler(3), self.critical], head, floors(0.9, 0.1), "all")
        assert set(gates_of(verdict)) == {"evidence@5.max_drop", "evidence@5.min", "forbidden"}


class TestSlices:
    """Floors and drops within slices."""

    def results(self, billing: int, security: int = 0) -> Results:
        """Ten billing queries of which some are lost, three security ones likewise."""
        made = [
            made_result(f"b{i}", "x" if i < billing else "gold", category="billing")
            for i in range(10)
        ]
        return [
            *made,
            *(
                made_result(f"s{i}", "x" if i < security else "gold", category="security")
                for i in range(3)
            ),
        ]

    def scoring(self, **limits: float) -> Scoring:
        """One gate on category."""
        gate = SliceGate(**{"min_count": 10, **limits})  # type: ignore[arg-type]
        return made_scoring(slices={"category": {PRIMARY: gate}})

    def test_a_slice_below_its_floor_fails(self) -> None:
        """Half of billing is missing."""
        results = self.results(billing=5)
        (reason,) = verdict_on(results, results, self.scoring(min=0.6)).reasons
        assert (reason.gate, reason.slice, reason.head) == ("slices", "category=billing", 0.5)

    def test_a_slice_that_drops_too_far_fails(self) -> None:
        """0.2 where 0.1 is allowed; exactly 0.2 passes."""
        before, after = self.results(0), self.results(2)
        (reason,) = verdict_on(before, after, self.scoring(max_drop=0.1)).reasons
        assert (reason.slice, reason.query_ids) == ("category=billing", ("b0", "b1"))
        assert verdict_on(before, after, self.scoring(max_drop=0.2)).reasons == ()

    def test_small_slices_are_shown_and_not_gated(self) -> None:
        """Security has three queries and lost all."""
        before, after = self.results(0), self.results(0, security=3)
        scoring = self.scoring(min=0.5, max_drop=0.1)
        assert verdict_on(before, after, scoring).reasons == ()

    def test_a_slice_gate_without_any_slice_to_judge_is_no_pass(self) -> None:
        """A misspelt field gates nothing."""
        gate = {PRIMARY: SliceGate(min=0.5, max_drop=0.1)}
        scoring = made_scoring(slices={"categroy": gate})
        verdict = verdict_on(self.results(0), self.results(0), scoring)
        assert set(gates_of(verdict)) == {"slices"}
        assert "judges nothing" in verdict.reasons[0].message


class TestPartialHead:
    """A few queries asked again at the terminal."""

    def test_means_are_not_judged_on_a_part_and_that_is_said(self) -> None:
        """One query lost of the two asked: no mean of two, no removed query."""
        base = made_report([*filler(10), made_result("c", "gold", critical=True)], floors(0.9, 0.1))
        head = replace(made_report(filler(2, 1), floors(0.9, 0.1)), partial=True)
        verdict = judge(compare(base, head))
        assert verdict.outcome is Outcome.PASSED
        assert any("part of the queries" in note for note in verdict.notes)

    def test_a_critical_query_that_was_asked_is_judged(self) -> None:
        """That is what asking it again is for."""
        base = made_report([*filler(10), made_result("c", "gold", critical=True)])
        head = replace(made_report([made_result("c", "x", critical=True)]), partial=True)
        assert gates_of(judge(compare(base, head))) == ["critical"]


class TestAbsolute:
    """Gates that need no baseline."""

    def test_exposures_are_counted_by_query_and_named(self) -> None:
        """Forbidden and unauthorized hold by default; stale when asked for."""
        results = [
            made_result("f", "gold", exposures={"forbidden": ("x", "y")}),
            made_result("u", "gold", exposures={"unauthorized": ("x",)}),
            made_result("s", "gold old", exposures={"stale": ("old",)}),
        ]
        verdict = judge_alone(made_report(results))
        assert [(r.gate, r.query_ids) for r in verdict.reasons] == [
            ("forbidden", ("f",)),
            ("unauthorized", ("u",)),
        ]
        assert "stale" in gates_of(judge_alone(made_report(results, made_scoring(stale=0))))

    def test_as_many_as_allowed_pass(self) -> None:
        """The limit itself is no failure."""
        results = [made_result("a", None), *filler(2)]
        assert judge_alone(made_report(results, made_scoring(failures=1))).reasons == ()
        assert gates_of(judge_alone(made_report(results))) == ["failures"]

    @pytest.mark.parametrize(
        ("ids", "passes"), [("gold", True), ("a gold", True), ("a b gold", False), ("a b", False)]
    )
    def test_max_rank_is_a_gate_of_its_query(self, ids: str, passes: bool) -> None:
        """The first relevant chunk at 2 or above."""
        verdict = judge_alone(made_report([made_result("a", ids, max_rank=2)]))
        assert gates_of(verdict) == ([] if passes else ["max_rank"])

    def test_a_failed_query_does_not_meet_its_max_rank(self) -> None:
        """Where failures are allowed, its own gate still holds."""
        results = [made_result("a", None, max_rank=2)]
        assert gates_of(judge_alone(made_report(results, made_scoring(failures=1)))) == ["max_rank"]

    def test_without_a_baseline_the_outcome_says_so_and_floors_still_fail(self) -> None:
        """Neutral when the floors hold, exit 1 when one does not; never `passed`."""
        good = judge_alone(made_report(filler(4), floors(0.9)), without_baseline=True)
        assert (good.outcome, good.exit_code) == (Outcome.NO_BASELINE, ExitCode.PASSED)
        bad = judge_alone(made_report(filler(4, 2), floors(0.9)), without_baseline=True)
        assert (bad.outcome, bad.exit_code) == (Outcome.NO_BASELINE, ExitCode.FAILED)
        assert gates_of(bad) == ["evidence@5.min"]

    def test_without_a_baseline_critical_misses_are_listed(self) -> None:
        """Nobody knows who lost them."""
        report = made_report([made_result("c", "x", critical=True)])
        verdict = judge_alone(report, without_baseline=True)
        assert verdict.reasons == ()
        assert any("c" in note for note in verdict.notes)

    def test_what_is_odd_about_the_run_is_noted(self) -> None:
        """Labels of another id space, for one: zeros have a reason."""
        report = made_report(filler(2))
        odd = replace(report.suites["docs"], warnings=("no labelled id appears in any ranking",))
        verdict = judge(compare(report, replace(report, suites={"docs": odd})))
        assert "docs: no labelled id appears in any ranking" in verdict.notes

    def test_there_is_no_verdict_without_comparability(self) -> None:
        """Exit 3, whatever the numbers."""
        report = made_report(filler(3))
        verdict = judge(compare(replace(report, partial=True), report))
        assert (verdict.outcome, verdict.exit_code) == (
            Outcome.NOT_COMPARABLE,
            ExitCode.NO_VERDICT,
        )
        assert Verdict(Outcome.INCOMPLETE).exit_code is ExitCode.NO_VERDICT
