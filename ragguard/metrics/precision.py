"""Precision@k: the share of the first k places that hold a relevant chunk.

    precision@k = |relevant in the first k| / k

As trec_eval's P_k, which divides by k also when fewer chunks came back. The policy
`precision_denominator: returned` divides by min(k, returned) instead.
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def precision(seen: JudgedRanking, k: int) -> float | None:
    """In [0, 1]; None when no chunk is relevant; 0 for an empty ranking."""
    if not seen.relevant_total:
        return None
    places = k if seen.denominator == "k" else min(k, seen.length)
    return seen.relevant_within(k) / places if places else 0.0
