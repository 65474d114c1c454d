"""How sure one can be of a mean difference: shown beside the gates, excusing nothing."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log, log1p

from ragguard.metrics.means import TOLERANCE

EXACT_UP_TO = 16
TOO_FEW_TO_TEST = 6
APPROXIMATE_BELOW = 20
_ASSIGNMENTS = 10_000
_RESAMPLES = 2_000
_DRAWS = 2_000_000
_SEED = 20_070_611


@dataclass(frozen=True, slots=True)
class PairedStatistics:
    """What paired differences say.

    Attributes:
        changed: queries whose value moved.
        wins, ties, losses: queries that rose, stayed and fell.
        p_value: two-sided, of a sign-flip randomisation test; None when too few changed.
        interval: 95 % bootstrap interval of the mean difference; None likewise.
        approximate: whether the interval rests on fewer than 20 changed queries.
    """

    changed: int
    wins: int
    ties: int
    losses: int
    p_value: float | None = None
    interval: tuple[float, float] | None = None
    approximate: bool = False


def paired_statistics(differences: Sequence[float]) -> PairedStatistics:
    """Statistics of the differences head - base, one per paired query.

    Below 6 changed queries nothing is tested: with m changes all one way the smallest two-sided
    p is 2^(1-m). Sources: M. D. Smucker, J. Allan, B. Carterette, A Comparison of Statistical
    Significance Tests for Information Retrieval Evaluation (CIKM 2007); the +1 correction of
    B. Phipson and G. K. Smyth (2010).
    """
    # Sorted, so that what is drawn does not depend on the order of the queries.
    moved = sorted(difference for difference in differences if abs(difference) > TOLERANCE)
    wins = sum(difference > 0 for difference in moved)
    tested = len(moved) >= TOO_FEW_TO_TEST
    return PairedStatistics(
        changed=len(moved),
        wins=wins,
        ties=len(differences) - len(moved),
        losses=len(moved) - wins,
        p_value=sign_flip_p(moved) if tested else None,
        interval=bootstrap_interval(moved, len(differences)) if tested else None,
        approximate=tested and len(moved) < APPROXIMATE_BELOW,
    )


def sign_flip_p(moved: Sequence[float]) -> float:
    """Two-sided p of the hypothesis that each difference might as well have the other sign.

    Exact (all 2^m assignments) up to 16 differences, else seeded random assignments (10,000;
    fewer where thousands changed) with the +1 correction.
    """
    observed = abs(fsum(moved)) - TOLERANCE
    if len(moved) <= EXACT_UP_TO:
        sums = [0.0]
        for value in moved:
            sums = [total + sign for total in sums for sign in (value, -value)]
        return sum(abs(total) >= observed for total in sums) / len(sums)
    source = random.Random(_SEED)  # noqa: S311 - reproducible on purpose
    assignments = max(1_000, min(_ASSIGNMENTS, _DRAWS // len(moved)))
    extreme = 0
    for _ in range(assignments):
        signs = source.getrandbits(len(moved))
        total = fsum(v if signs >> i & 1 else -v for i, v in enumerate(moved))
        extreme += abs(total) >= observed
    return (extreme + 1) / (assignments + 1)


def bootstrap_interval(moved: Sequence[float], count: int) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the mean over `count` queries of which these moved.

    Unmoved queries contribute zero whichever are drawn, so that only how many moved ones are
    drawn (a binomial number) and which need to be sampled.
    """
    source = random.Random(_SEED)  # noqa: S311 - reproducible on purpose
    cumulative = _binomial_cumulative(count, len(moved))
    resamples = max(400, min(_RESAMPLES, _DRAWS // len(moved)))
    means = sorted(
        fsum(source.choices(moved, k=bisect_left(cumulative, source.random()))) / count
        for _ in range(resamples)
    )
    tail = int(resamples * 0.025)
    return means[tail], means[-tail - 1]


def _binomial_cumulative(count: int, successes: int) -> list[float]:
    """Distribution function of Binomial(count, successes / count) at 0 … count - 1.

    The last value is left out, so that a search never runs past `count`.
    """
    if successes == count:
        return [0.0] * count
    share = successes / count
    total, cumulative = 0.0, []
    for k in range(count):
        total += exp(
            lgamma(count + 1)
            - lgamma(k + 1)
            - lgamma(count - k + 1)
            + k * log(share)
            + (count - k) * log1p(-share)
        )
        cumulative.append(total)
    return cumulative
