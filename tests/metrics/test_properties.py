"""What holds for every ranking and every set of labels."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragguard.metrics.judged_ranking import JudgedRanking, see
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import scorer, standard_metrics

CUTOFFS = (1, 2, 3, 5, 8, 13)
METRICS = standard_metrics(CUTOFFS)
RISING = ("recall", "hit", "rr", "ap", "evidence", "complete")
"""Measures that never fall when the cutoff grows."""

chunk_ids = st.sampled_from("abcdefghij")
rankings_with_duplicates = st.lists(chunk_ids, max_size=20)
grades_of_chunks = st.dictionaries(chunk_ids, st.integers(0, 30), max_size=10)
groups_of_chunks = st.lists(st.lists(chunk_ids, max_size=3), max_size=5)
denominators = st.sampled_from(["k", "returned"])


@st.composite
def judged_rankings(draw: st.DrawFn) -> JudgedRanking:
    """Any ranking, duplicates included, through any labels."""
    return see(
        draw(rankings_with_duplicates),
        draw(grades_of_chunks),
        draw(groups_of_chunks),
        threshold=draw(st.integers(1, 5)),
        denominator=draw(denominators),
    )


@settings(deadline=None)
@given(judged_rankings())
def test_nothing_exceeds_one_or_falls_below_zero(judged: JudgedRanking) -> None:
    """Duplicates included: whatever comes back twice earns once."""
    for name, found in scorer(METRICS)(judged).items():
        assert found is None or 0.0 <= found <= 1.0, name


@settings(deadline=None)
@given(judged_rankings())
def test_looking_further_never_loses_what_was_found(judged: JudgedRanking) -> None:
    """Recall and its kin grow with k."""
    values = scorer(METRICS)(judged)
    for measure in RISING:
        for smaller, larger in pairwise(CUTOFFS):
            near, far = values[f"{measure}@{smaller}"], values[f"{measure}@{larger}"]
            if near is not None and far is not None:
                assert near <= far + 1e-12, measure


@settings(deadline=None)
@given(rankings_with_duplicates, grades_of_chunks, groups_of_chunks)
def test_the_order_of_labels_does_not_matter(
    ranking: list[str], grades: dict[str, int], groups: list[list[str]]
) -> None:
    """Not of judgments, not of groups, not of the members of a group."""
    turned = dict(reversed(grades.items()))
    regrouped = [group[::-1] for group in reversed(groups)]
    score = scorer(METRICS)
    assert score(see(ranking, grades, groups)) == score(see(ranking, turned, regrouped))


@settings(deadline=None)
@given(rankings_with_duplicates, st.dictionaries(chunk_ids, st.integers(0, 3), max_size=10))
def test_on_flat_labels_evidence_is_recall(ranking: list[str], grades: dict[str, int]) -> None:
    """One group per relevant chunk."""
    flat = [(chunk_id,) for chunk_id, grade in grades.items() if grade >= 1]
    values = scorer(METRICS)(see(ranking, grades, flat))
    for k in CUTOFFS:
        assert values[f"evidence@{k}"] == values[f"recall@{k}"]


@settings(deadline=None)
@given(rankings_with_duplicates, grades_of_chunks)
def test_copies_change_nothing_but_their_count(ranking: list[str], grades: dict[str, int]) -> None:
    """A ranking and the same ranking without later copies score the same."""
    once = list(dict.fromkeys(ranking))
    doubled, single = see(ranking, grades, ()), see(once, grades, ())
    assert scorer(METRICS)(doubled) == scorer(METRICS)(single)
    assert doubled.duplicates == len(ranking) - len(once)


@settings(deadline=None)
@given(grades_of_chunks.filter(lambda grades: any(grades.values())))
def test_the_best_order_scores_one(grades: dict[str, int]) -> None:
    """All judged chunks in the order of their grades."""
    best = sorted(grades, key=lambda chunk_id: -grades[chunk_id])
    values = scorer(METRICS)(see(best, grades, [(id_,) for id_ in grades if grades[id_]]))
    for k in CUTOFFS:
        assert values[f"ndcg_linear@{k}"] == pytest.approx(1.0)
        assert values[f"ndcg_exp2@{k}"] == pytest.approx(1.0)
    assert values["rr"] == values["ap"] == values["rprec"] == 1.0


def test_a_scorer_gives_every_metric_it_was_made_for() -> None:
    """In their order, None included."""
    metrics = [Metric("rr"), Metric("recall", 3), Metric("rprec")]
    assert scorer(metrics)(see("a", {}, ())) == {"rr": None, "recall@3": None, "rprec": None}
