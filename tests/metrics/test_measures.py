"""Every measure against values worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from ragguard.metrics.registry import REGISTRY
from tests.metrics.judging import seen, value

TWO_OF_THREE = seen("axbyc", {"a": 1, "b": 1, "d": 1})
"""Relevant at ranks 1 and 3; a third relevant chunk was not retrieved."""

GRADED = seen("wxyz", {"w": 1, "x": 0, "y": 3, "z": 2})
"""Grades 1, 0, 3, 2 at ranks 1 to 4."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("recall@1", 1 / 3),
        ("recall@2", 1 / 3),
        ("recall@3", 2 / 3),
        ("recall@99", 2 / 3),
        ("precision@1", 1.0),
        ("precision@3", 2 / 3),
        ("precision@5", 2 / 5),
        ("precision@10", 2 / 10),
        ("hit@1", 1.0),
        ("rr", 1.0),
        ("rr@1", 1.0),
        ("ap", (1 / 1 + 2 / 3) / 3),
        ("ap@2", (1 / 1) / 3),
        ("rprec", 2 / 3),
        ("judged@1", 1.0),
        ("judged@2", 1 / 2),
        ("judged@5", 2 / 5),
        ("judged@10", 2 / 5),
        ("evidence@2", 1 / 3),
        ("evidence@3", 2 / 3),
        ("complete@5", 0.0),
        ("ndcg_linear@2", 1 / (1 + 1 / log2(3))),
        ("ndcg_linear", (1 + 1 / log2(4)) / (1 + 1 / log2(3) + 1 / log2(4))),
    ],
)
def test_binary_labels_give_the_value_worked_out_by_hand(name: str, expected: float) -> None:
    """Two of three relevant chunks, at ranks 1 and 3 of five."""
    assert value(TWO_OF_THREE, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ndcg_linear@1", 1 / 3),
        ("ndcg_linear@4", (1 + 3 / 2 + 2 / log2(5)) / (3 + 2 / log2(3) + 1 / 2)),
        ("ndcg_exp2@1", 1 / 7),
        ("ndcg_exp2@4", (1 + 7 / 2 + 3 / log2(5)) / (7 + 3 / log2(3) + 1 / 2)),
    ],
)
def test_each_gain_gives_its_own_ndcg(name: str, expected: float) -> None:
    """Linear gain takes the grade, exp2 takes 2^grade - 1."""
    assert value(GRADED, name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["ndcg_linear@4", "ndcg_exp2@4", "ndcg_linear", "ndcg_exp2"])
def test_the_threshold_does_not_change_gains(name: str) -> None:
    """A chunk below the threshold is not relevant, and still earns its gain."""
    strict = seen("wxyz", {"w": 1, "x": 0, "y": 3, "z": 2}, threshold=3)
    assert value(strict, name) == value(GRADED, name)
    assert value(strict, "recall@1") == 0.0
    assert value(strict, "rr") == 1 / 3


def test_the_ideal_is_cut_where_the_ranking_is() -> None:
    """Four relevant chunks, two of them on the two places looked at: perfect."""
    assert value(seen("abxy", dict.fromkeys("abcd", 1)), "ndcg@2") == 1.0


def test_rr_is_zero_beyond_its_cutoff() -> None:
    """The first relevant chunk stands at rank 4."""
    judged = seen("xyza", {"a": 1})
    assert [value(judged, name) for name in ("rr@3", "rr@4", "rr")] == [0.0, 0.25, 0.25]


def test_a_grade_of_thousands_does_not_overflow() -> None:
    """2^5000 is no double; the ratio of gains is."""
    assert value(seen("ba", {"a": 5000, "b": 4999}), "ndcg_exp2@1") == pytest.approx(0.5)


def test_precision_divides_by_what_came_back_where_the_policy_says_so() -> None:
    """One relevant chunk among two returned, looked at down to rank 5."""
    grades = {"a": 1}
    assert value(seen("ax", grades), "precision@5") == 1 / 5
    assert value(seen("ax", grades, denominator="returned"), "precision@5") == 1 / 2
    assert value(seen("ax", grades, denominator="returned"), "precision@1") == 1.0
    assert value(seen("", grades, denominator="returned"), "precision@5") == 0.0


def test_a_second_member_of_a_group_adds_nothing() -> None:
    """Two alternatives retrieved satisfy one group of two."""
    judged = seen("abxc", dict.fromkeys("abc", 1), groups=["ab", "c"])
    assert [value(judged, f"evidence@{k}") for k in (1, 2, 4)] == [0.5, 0.5, 1.0]
    assert [value(judged, f"complete@{k}") for k in (3, 4)] == [0.0, 1.0]


def test_recall_is_undefined_for_a_query_with_alternatives() -> None:
    """Counting alternatives as required would understate it."""
    judged = seen("abxc", dict.fromkeys("abc", 1), groups=["ab", "c"])
    assert value(judged, "recall@4") is None
    assert value(judged, "hit@1") == 1.0


def test_an_empty_ranking_is_a_zero() -> None:
    """Except that nothing can be said of the share judged."""
    judged = seen("", {"a": 1})
    for measure in set(REGISTRY) - {"rprec", "judged"}:
        assert value(judged, f"{measure}@5") == 0.0, measure
    assert value(judged, "rprec") == 0.0
    assert value(judged, "judged@5") is None


@pytest.mark.parametrize("grades", [{}, {"a": 0, "b": 0}])
def test_without_a_relevant_chunk_every_value_is_undefined(grades: dict[str, int]) -> None:
    """No number stands for what cannot be measured."""
    judged = seen("ab", grades)
    for measure in REGISTRY:
        assert value(judged, measure if measure == "rprec" else f"{measure}@5") is None, measure


def test_later_copies_are_removed_before_ranks_are_counted() -> None:
    """`b` moves up to rank 2, and `a` earns once."""
    judged = seen("aaabx", {"a": 1, "b": 1})
    assert judged.duplicates == 2
    assert judged.length == 3
    assert value(judged, "recall@2") == 1.0
    assert value(judged, "precision@3") == pytest.approx(2 / 3)
    assert value(judged, "ap") == 1.0


def test_ids_are_compared_whole_and_byte_for_byte() -> None:
    """`d100`, `d1 ` and `D1` are not `d1`; an `e` with an accent is not `e` and an accent."""
    grades = {"d1": 1, "caf\u00e9": 1}
    judged = seen(["d100", "d1 ", "D1", "cafe\u0301", "d"], grades)
    assert judged.relevant_ranks == ()
    assert value(judged, "recall@5") == 0.0
