"""R-precision: the precision at rank R, the number of relevant chunks (trec_eval's Rprec)."""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def rprec(seen: JudgedRanking) -> float | None:
    """In [0, 1]; None when no chunk is relevant."""
    if not seen.relevant_total:
        return None
    return seen.relevant_within(seen.relevant_total) / seen.relevant_total
