"""Statistics of paired differences: checked by hand, by enumeration and by scipy."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from scipy import stats

from ragguard.comparison.statistics import bootstrap_interval, paired_statistics, sign_flip_p


def test_wins_ties_and_losses_are_counted_within_the_tolerance() -> None:
    """Float noise is no change."""
    told = paired_statistics([0.5, -0.25, 1e-12, 0.0, -1.0])
    assert (told.changed, told.wins, told.ties, told.losses) == (3, 1, 2, 2)


def test_below_six_changed_queries_nothing_is_tested() -> None:
    """Five losses all one way could not reach p = 0.05: the smallest p is 2^-4."""
    told = paired_statistics([-1.0] * 5 + [0.0] * 100)
    assert told.p_value is None
    assert told.interval is None
    assert not told.approximate


def test_six_losses_all_one_way_have_p_one_in_32() -> None:
    """2^(1-6), and the interval is marked approximate."""
    told = paired_statistics([-1.0] * 6 + [0.0] * 100)
    assert told.p_value == 2 ** (1 - 6)
    assert told.approximate
    assert told.interval is not None
    assert told.interval[0] < -6 / 106 < told.interval[1] < 0


def test_half_of_eight_lost_is_p_one_in_eight() -> None:
    """The case of metrics.md: why significance excuses nothing."""
    assert sign_flip_p([-1.0] * 4) == 0.125


def test_the_exact_test_is_the_enumeration_of_all_signs() -> None:
    """Twelve differences, 4,096 assignments by brute force."""
    moved = [random.Random(7).choice([-1.0, -0.5, -0.25, 0.5, 1.0]) for _ in range(12)]
    observed = abs(sum(moved))
    extreme = sum(
        abs(sum(sign * value for sign, value in zip(signs, moved, strict=True))) >= observed - 1e-9
        for signs in product((1, -1), repeat=12)
    )
    assert sign_flip_p(moved) == extreme / 2**12


def test_the_exact_test_agrees_with_scipy() -> None:
    """Scipy's permutation test of one sample, exact."""
    source = random.Random(11)
    moved = [source.uniform(-1, 0.5) for _ in range(10)]
    theirs = stats.permutation_test(
        (np.array(moved),), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip_p(moved) == pytest.approx(theirs.pvalue)


def test_the_sampled_test_is_near_the_exact_one_and_repeats() -> None:
    """Seventeen losses all one way: exactly 2^-16, so sampled about 1 in 10,001."""
    assert sign_flip_p([-1.0] * 17) == pytest.approx(1 / 10_001, rel=1)
    moved = [-0.5] * 20 + [0.5] * 12
    exact = 2 * stats.binom.sf(19, 32, 0.5)
    assert sign_flip_p(moved) == pytest.approx(exact, abs=0.02)
    assert sign_flip_p(moved) == sign_flip_p(moved)


def test_the_interval_is_near_a_plain_bootstrap() -> None:
    """30 losses and 10 gains among 120 queries, against scipy's percentile bootstrap."""
    differences = [-0.5] * 30 + [1.0] * 10 + [0.0] * 80
    low, high = bootstrap_interval([-0.5] * 30 + [1.0] * 10, 120)
    theirs = stats.bootstrap(
        (np.array(differences),), np.mean, method="percentile", random_state=1
    ).confidence_interval
    assert low == pytest.approx(theirs.low, abs=0.012)
    assert high == pytest.approx(theirs.high, abs=0.012)


def test_an_interval_over_changed_queries_alone_works() -> None:
    """Every query lost the same: the mean cannot vary."""
    assert bootstrap_interval([-0.5] * 8, 8) == (-0.5, -0.5)


def test_the_order_of_queries_changes_no_statistic() -> None:
    """Sampling is seeded and sees the differences sorted."""
    source = random.Random(3)
    differences = [source.choice([-1.0, -0.5, 0.0, 0.25]) for _ in range(80)]
    shuffled = source.sample(differences, len(differences))
    assert paired_statistics(differences) == paired_statistics(shuffled)
