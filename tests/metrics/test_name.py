"""Metric names in every spelling that is accepted, and those that are not."""

from __future__ import annotations

import pytest

from ragguard.metrics.name import MEASURES, Metric, MetricNameError
from ragguard.metrics.registry import REGISTRY, standard_metrics


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("R@5", "recall@5"),
        ("P@5", "precision@5"),
        ("RR@10", "rr@10"),
        ("RR", "rr"),
        ("AP@10", "ap@10"),
        ("AP", "ap"),
        ("nDCG@10", "ndcg_linear@10"),
        ("ndcg@10", "ndcg_linear@10"),
        ("nDCG", "ndcg_linear"),
        ("Success@5", "hit@5"),
        ("Judged@10", "judged@10"),
        ("Rprec", "rprec"),
    ],
)
def test_the_spellings_of_ir_measures_are_read(written: str, canonical: str) -> None:
    """Output is canonical whatever was written."""
    assert str(Metric.parse(written)) == canonical
    assert Metric.parse(canonical) == Metric.parse(written)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("recal@5", "not a metric"),
        ("recall", "needs a cutoff"),
        ("R", "needs a cutoff"),
        ("rprec@5", "takes no cutoff"),
        ("recall@0", "not a metric"),
        ("recall@05", "not a metric"),
        ("recall@-1", "not a metric"),
        ("recall@5 ", "not a metric"),
        ("recall@5\n", "not a metric"),
        ("recall@\u0665", "not a metric"),
        ("judge.faithfulness", "not a metric"),
        ("", "not a metric"),
    ],
)
def test_what_is_no_metric_is_refused_with_its_name(written: str, said: str) -> None:
    """Nothing is trimmed or guessed."""
    with pytest.raises(MetricNameError, match=said) as raised:
        Metric.parse(written)
    assert repr(written) in str(raised.value)


def test_every_name_has_a_measure_and_every_measure_a_name() -> None:
    """The registry and the names say the same."""
    assert set(REGISTRY) == MEASURES


def test_the_standard_metrics_are_all_measures_at_all_cutoffs_and_the_whole_ranking() -> None:
    """Ten measures at each cutoff, and the five that need none."""
    names = [str(metric) for metric in standard_metrics((1, 5))]
    assert len(names) == len(set(names)) == 2 * 10 + 5
    assert {"recall@1", "ndcg_exp2@5", "judged@5", "rr", "ap", "ndcg_linear", "rprec"} <= set(names)
    assert all(str(Metric.parse(name)) == name for name in names)
