"""AP@k: the mean of the precision at each relevant chunk.

    ap@k = (sum over relevant ranks r <= k of relevant in the first r / r) / |relevant|

As trec_eval's map_cut_k: the denominator is every relevant chunk. C. Buckley and E. M. Voorhees,
Evaluating Evaluation Measure Stability (SIGIR 2000).
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def ap(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1]; None when no chunk is relevant."""
    if not seen.relevant_total:
        return None
    ranks = seen.relevant_ranks if k is None else seen.relevant_ranks[: seen.relevant_within(k)]
    total = 0.0
    for found, rank in enumerate(ranks, 1):
        total += found / rank
    return total / seen.relevant_total
