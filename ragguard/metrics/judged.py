"""Judged@k: the share of what came back within rank k that has a grade.

    judged@k = |judged in the first k| / min(k, returned)

Low values say that other measures rest on guesses (unjudged chunks count as not relevant).
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def judged(seen: JudgedRanking, k: int) -> float | None:
    """In [0, 1]; None for an empty ranking or when no chunk is relevant."""
    if not seen.relevant_total or not seen.length:
        return None
    return seen.judged_within(k) / min(k, seen.length)
