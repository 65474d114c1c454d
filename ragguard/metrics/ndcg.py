"""nDCG@k: gain discounted by rank, divided by that of the ideal order.

    dcg@k = sum over ranks r <= k of gain(grade at r) / log2(r + 1)
    ndcg@k = dcg@k / dcg@k of all judged chunks in the order of their grades

K. Järvelin and J. Kekäläinen, Cumulated Gain-based Evaluation of IR Techniques (TOIS 2002).
Two gains are in use and give two numbers, so each has its name: `ndcg_linear` (the grade itself,
as trec_eval and BEIR) and `ndcg_exp2` (2^grade - 1: Burges et al., ICML 2005). The relevance
threshold never changes a gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from ragguard.metrics.judged_ranking import JudgedRanking

_DISCOUNTS = tuple(1 / log2(rank + 1) for rank in range(1, 1025))
"""By rank - 1, for the ranks that nearly every ranking ends within."""


def ndcg_linear(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1], gain = grade; None when no chunk is relevant."""
    if not seen.ideal or not seen.relevant_total:
        return None
    return _ratio(seen.judged, seen.ideal[:k], k)


def ndcg_exp2(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1], gain = 2^grade - 1; None when no chunk is relevant."""
    if not seen.ideal or not seen.relevant_total:
        return None
    # In units of 2^highest grade, so that a grade in the thousands does not overflow.
    top = seen.ideal[0]
    floor = 2.0**-top
    gains = [(rank, 2.0 ** (grade - top) - floor) for rank, grade in seen.judged]
    return _ratio(gains, [2.0 ** (grade - top) - floor for grade in seen.ideal[:k]], k)


def _ratio(gains: Sequence[tuple[int, float]], ideal: Sequence[float], k: int | None) -> float:
    discounts = _discounts(max(gains[-1][0] if gains else 0, len(ideal)))
    found = 0.0
    for rank, gain in gains:
        if k is not None and rank > k:
            break
        if gain > 0:
            found += gain * discounts[rank - 1]
    best = 0.0
    for gain, discount in zip(ideal, discounts, strict=False):
        best += gain * discount
    return min(1.0, found / best)


def _discounts(count: int) -> Sequence[float]:
    if count <= len(_DISCOUNTS):
        return _DISCOUNTS
    return [1 / log2(rank + 1) for rank in range(1, count + 1)]
