"""Complete@k: 1 when every evidence group has a member within rank k, that is evidence@k = 1."""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def complete(seen: JudgedRanking, k: int) -> float | None:
    """0 or 1; None when there is no group."""
    if not seen.group_total:
        return None
    return float(seen.groups_within(k) == seen.group_total)
