"""Recall@k: the share of a query's relevant chunks found within rank k.

    recall@k = |relevant in the first k| / |relevant|

C. J. van Rijsbergen, Information Retrieval (2nd ed., 1979), chapter 7. The denominator is every
relevant chunk, never min(k, |relevant|).
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def recall(seen: JudgedRanking, k: int) -> float | None:
    """In [0, 1]; None when no chunk is relevant, or when some evidence group has alternatives.

    Counting alternatives as required would understate such a query; `evidence` is meant for it.
    """
    if not seen.relevant_total or seen.has_alternatives:
        return None
    return seen.relevant_within(k) / seen.relevant_total
