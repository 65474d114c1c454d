"""Means, each with its denominator."""

from __future__ import annotations

import pytest

from ragguard.metrics.means import Mean, mean


def test_macro_counts_queries_and_micro_counts_what_is_shared_out() -> None:
    """One of one found and one of nine found: 5/9 by query, 2/10 by relevant chunk."""
    found = mean([1.0, 1 / 9], [1, 1], [1, 9])
    assert found.macro == pytest.approx(5 / 9, abs=1e-12)
    assert found.micro == pytest.approx(2 / 10, abs=1e-12)
    assert found.count == 2


def test_weights_count_traffic() -> None:
    """A query asked three times as often counts three times."""
    assert mean([1.0, 0.0], [3, 1]).weighted == 0.75


def test_undefined_values_are_left_out_of_every_denominator() -> None:
    """Their weight and their units go with them."""
    with_gap = mean([1.0, None, 0.0], [3, 100, 1], [1, 100, 4])
    assert with_gap == Mean(macro=0.5, micro=0.2, weighted=0.75, count=2)


def test_nothing_to_average_is_no_zero() -> None:
    """No query, or none that has a value."""
    assert mean([], []) == Mean(None, None, None, 0)
    assert mean([None], [1], [1]) == Mean(None, None, None, 0)


def test_a_measure_without_units_has_no_micro_mean() -> None:
    """There is nothing to pool."""
    assert mean([1.0], [1]).micro is None


def test_the_sum_does_not_depend_on_the_order_of_queries() -> None:
    """Large and tiny values, forwards and backwards: the same double."""
    values = [0.1, 1e-17, 1.0, 1e-17] * 1000
    weights = [1.0] * len(values)
    assert mean(values, weights) == mean(values[::-1], weights)
    assert mean([0.1] * 10, [1.0] * 10).macro == 0.1
