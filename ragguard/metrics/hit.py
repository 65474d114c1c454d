"""Hit@k: 1 when a relevant chunk stands within rank k (trec_eval's success_k)."""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def hit(seen: JudgedRanking, k: int) -> float | None:
    """0 or 1; None when no chunk is relevant."""
    return float(seen.relevant_within(k) > 0) if seen.relevant_total else None
