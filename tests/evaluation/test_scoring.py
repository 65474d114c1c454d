"""Scoring answers: which metrics, what duplicates and failures do, and scoring again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ragguard.config.mapping import gates_from_mapping
from ragguard.config.model import Scoring
from ragguard.config.policy import Policy
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import (
    critical_metric,
    metrics_of,
    ranking_warnings,
    score_results,
)
from ragguard.metrics.name import Metric
from ragguard.retrievers.answer import Ranking, Retrieved
from tests.report.building import answered

SCORING = Scoring(primary=Metric("evidence", 5), cutoffs=(1, 3))


def scored(result: QueryResult, scoring: Scoring = SCORING) -> QueryResult:
    """One result, scored."""
    return score_results([result], scoring)[0]


def test_every_measure_at_every_cutoff_and_what_primary_and_gates_name() -> None:
    """Gates may look deeper than the cutoffs; each name occurs once."""
    gates = {
        "recall@7": {"min": 0.5},
        "nDCG@3": {"min": 0.1},
        "critical": {"at": 9},
        "slices": {"category": {"P@8": {"min": 0.1}}},
    }
    names = [
        str(metric) for metric in metrics_of(replace(SCORING, gates=gates_from_mapping(gates)))
    ]
    assert len(names) == len(set(names))
    assert {"recall@1", "judged@3", "ndcg_exp2@3", "rr", "ap", "rprec", "ndcg_linear"} <= set(names)
    beyond = {name for name in names if name.endswith(("@5", "@7", "@8", "@9"))}
    assert beyond == {"evidence@5", "complete@5", "recall@7", "precision@8", "complete@9"}


@pytest.mark.parametrize(
    ("critical", "expected"),
    [
        ({}, "complete@5"),
        ({"at": 3}, "complete@3"),
        ({"require": "any"}, "hit@5"),
        ({"require": "any", "at": 1}, "hit@1"),
    ],
)
def test_the_critical_gate_reads_one_metric(critical: dict[str, object], expected: str) -> None:
    """All groups or one relevant chunk, at its cutoff or the primary's."""
    gates = gates_from_mapping({"critical": critical})
    assert str(critical_metric(replace(SCORING, gates=gates))) == expected


def test_a_metric_without_cutoff_as_primary_makes_critical_look_at_the_whole_depth() -> None:
    """There is no other rank to take."""
    assert str(critical_metric(Scoring(primary=Metric("rr"), depth=20))) == "complete@20"


def test_an_answer_gets_its_values() -> None:
    """One of two required chunks at rank 2."""
    metrics = scored(answered({"relevant_ids": ["a", "b"]}, "xay")).metrics
    assert metrics["recall@1"] == 0.0
    assert metrics["recall@3"] == 0.5
    assert metrics["evidence@5"] == 0.5
    assert metrics["rr"] == 0.5
    assert metrics["complete@3"] == 0.0


@pytest.mark.parametrize("status", [Status.ERROR, Status.TIMEOUT, Status.INVALID])
def test_a_failed_query_has_every_key_and_no_value(status: Status) -> None:
    """Not a zero, and not dropped."""
    failed = replace(answered({"relevant_ids": ["a"]}, None), status=status)
    result = scored(failed)
    assert result.status is status
    assert set(result.metrics) == {str(metric) for metric in metrics_of(SCORING)}
    assert set(result.metrics.values()) == {None}
    assert not result.is_scored


def test_an_empty_answer_is_a_legitimate_zero() -> None:
    """The retriever answered: nothing."""
    result = scored(answered({"relevant_ids": ["a"]}, ""))
    assert result.metrics["recall@3"] == 0.0
    assert result.metrics["judged@3"] is None
    assert result.is_scored


@pytest.mark.parametrize(
    "row",
    [
        {"answerable": False},
        {"answerable": False, "relevant_ids": ["a"]},
        {},
        {"relevant_ids": []},
        {"judgments": {"a": 0}},
        {"judgments": {"a": 0}, "evidence": []},
    ],
)
def test_without_a_relevant_chunk_there_is_nothing_to_score(row: dict[str, object]) -> None:
    """Unanswerable, unlabelled, or judged and found wanting."""
    result = scored(answered(row, "a"))
    assert set(result.metrics.values()) == {None}
    assert not result.is_scored


def test_the_threshold_decides_what_is_relevant() -> None:
    """Grade 1 is below a threshold of 2; an ungraded member of a group has the threshold's."""
    strict = replace(SCORING, policy=Policy(relevance_threshold=2))
    row = {"judgments": {"a": 1, "b": 2}, "evidence": [["b"], ["c"]]}
    metrics = scored(answered(row, "abc"), strict).metrics
    assert metrics["recall@1"] == 0.0
    assert metrics["recall@3"] == 1.0
    assert metrics["rr"] == 0.5
    assert metrics["evidence@5"] == 1.0
    assert metrics["judged@3"] == 1.0


def test_recall_is_undefined_where_a_group_has_alternatives() -> None:
    """Any of two is enough, and evidence says so."""
    metrics = scored(answered({"evidence": [["a", "b"], ["c"]]}, "bc")).metrics
    assert metrics["recall@3"] is None
    assert metrics["evidence@5"] == 1.0
    assert metrics["complete@5"] == 1.0


def test_labels_are_sets() -> None:
    """An id, a member or a group that is written twice counts once."""
    twice = scored(answered({"relevant_ids": ["a", "a", "b"]}, "ax")).metrics
    assert twice["recall@3"] == 0.5
    groups = scored(answered({"evidence": [["a", "a"], ["a"], ["b"]]}, "ax")).metrics
    assert groups["evidence@5"] == 0.5
    assert groups["recall@3"] == 0.5
    turned = scored(answered({"evidence": [["a", "b"], ["b", "a"], ["c"]]}, "b")).metrics
    assert turned["evidence@5"] == 0.5


def test_copies_are_removed_before_ranks_are_counted() -> None:
    """And their number is kept."""
    result = scored(answered({"relevant_ids": ["a", "b"]}, "aaab"))
    assert result.duplicates == 2
    assert result.metrics["recall@3"] == 1.0
    assert result.metrics["ndcg_linear@3"] == 1.0
    assert result.answer is not None
    assert len(result.answer.ranking) == 4


def test_copies_make_the_answer_invalid_where_the_policy_refuses_them() -> None:
    """Naming the id; the raw answer stays, so that another policy can score it."""
    strict = replace(SCORING, policy=Policy(duplicates="error"))
    result = scored(answered({"relevant_ids": ["b"]}, "xbxb"), strict)
    assert result.status is Status.INVALID
    assert result.error == "the answer holds 'x' more than once"
    assert set(result.metrics.values()) == {None}
    assert scored(result, strict) == result
    assert scored(result) == scored(answered({"relevant_ids": ["b"]}, "xbxb"))


def test_scoring_again_changes_nothing() -> None:
    """Under the same scoring, whatever the state."""
    results = [
        answered({"relevant_ids": ["a"]}, "xaa"),
        answered({"relevant_ids": ["a"]}, None),
        answered({"answerable": False}, "x"),
    ]
    once = score_results(results, SCORING)
    assert score_results(once, SCORING) == once


def test_only_the_kept_depth_is_scored() -> None:
    """A report that kept more is scored as if it had not."""
    shallow = replace(SCORING, depth=2)
    assert scored(answered({"relevant_ids": ["a"]}, "xya"), shallow).metrics["rr"] == 0.0


def test_precision_divides_as_the_policy_says() -> None:
    """By the cutoff, or by what came back."""
    result = answered({"relevant_ids": ["a"]}, "ax")
    assert scored(result).metrics["precision@3"] == pytest.approx(1 / 3)
    returned = replace(SCORING, policy=Policy(precision_denominator="returned"))
    assert scored(result, returned).metrics["precision@3"] == 0.5


def ranked(*scores: float | None) -> Ranking:
    """Chunks `c1`, `c2`, … with these scores."""
    return tuple(Retrieved(f"c{rank}", score) for rank, score in enumerate(scores, 1))


@pytest.mark.parametrize(
    ("ranking", "said"),
    [
        (ranked(3.0, 2.0, 1.0), []),
        (ranked(None, None, None), []),
        (ranked(-1.0, -2.0), []),
        (ranked(1.0, 2.0, 3.0), ["rank 2 ('c2') scores higher"]),
        (ranked(0.0, None, 1.0), ["rank 3 ('c3') scores higher"]),
        (ranked(2.0, 1.0, 1.0), []),
        (ranked(1.0, 1.0, 0.5), ["tie across the cutoff 1"]),
        (ranked(3.0, 2.0, 1.0, 1.0), ["tie across the cutoff 3"]),
        (ranked(0.0, 0.0), ["tie across the cutoff 1"]),
    ],
)
def test_an_odd_order_is_told_once(ranking: Ranking, said: list[str]) -> None:
    """Scores that contradict the order, or a tie that the order alone decides at a cutoff."""
    found = ranking_warnings(ranking, (1, 3))
    assert len(found) == len(said)
    for warning, part in zip(found, said, strict=True):
        assert part in warning
