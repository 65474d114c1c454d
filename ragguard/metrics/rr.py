"""RR@k: one over the rank of the first relevant chunk.

    rr@k = 1 / rank of the first relevant chunk, 0 beyond rank k

Its mean is MRR: E. M. Voorhees, The TREC-8 Question Answering Track Report (TREC 1999).
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def rr(seen: JudgedRanking, k: int | None = None) -> float | None:
    """In [0, 1]; None when no chunk is relevant."""
    if not seen.relevant_total:
        return None
    first = seen.relevant_ranks[0] if seen.relevant_ranks else None
    return 1 / first if first is not None and (k is None or first <= k) else 0.0
