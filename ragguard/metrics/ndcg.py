"""nDCG@k: gain discounted by rank, divided by that of the ideal order.

    dcg@k = sum over ranks r <= k of gain(grade at r) / log2(r + 1)
    ndcg@k = dcg@k / dcg@k of all judged chunks in the order of their grades

K. Järvelin and J. Kekäläinen, Cumulated Gain-based Evaluation of IR Techniques (TOIS 2002).
Two gains are in use and give two numbers, so each has its name: `ndcg_linear` (the grade itself,
as trec_eval and BEIR) and `ndcg_exp2` (2^grade - 1: Burges et al., ICML 2005). The relevance
threshold never changes a gain.
"""

from __future__ import annotations

from math import log2

from ragguard.metrics.judged_ranking import JudgedRanking

_DISCOUNTS = tuple(1 / log2(rank + 1) for rank in range(1, 1025))


def _discount(rank: int) -> float:
    return _DISCOUNTS[rank - 1] if rank <= len(_DISCOUNTS) else 1 / log2(rank + 1)


def ndcg_linear(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1], gain = grade; None when no chunk has a grade above zero."""
    if not seen.ideal or not seen.relevant_total:
        return None
    dcg = 0.0
    for rank, grade in seen.gains:
        if k is not None and rank > k:
            break
        dcg += grade * _discount(rank)
    ideal = 0.0
    for rank, grade in enumerate(seen.ideal[:k], 1):
        ideal += grade * _discount(rank)
    return min(1.0, dcg / ideal)


def ndcg_exp2(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1], gain = 2^grade - 1; None when no chunk has a grade above zero."""
    if not seen.ideal or not seen.relevant_total:
        return None
    # Divided by the largest gain, so that a grade in the thousands does not overflow.
    top = seen.ideal[0]
    dcg = 0.0
    for rank, grade in seen.gains:
        if k is not None and rank > k:
            break
        dcg += _gain(grade, top) * _discount(rank)
    ideal = 0.0
    for rank, grade in enumerate(seen.ideal[:k], 1):
        ideal += _gain(grade, top) * _discount(rank)
    return min(1.0, dcg / ideal)


def _gain(grade: int, top: int) -> float:
    """2^grade - 1 in units of 2^top."""
    return 2.0 ** (grade - top) - 2.0**-top
