"""Evidence@k: the share of a query's evidence groups with a member within rank k.

    evidence@k = |groups with a member in the first k| / |groups|

The subtopic recall of C. Zhai, W. W. Cohen and J. Lafferty, Beyond Independent Relevance
(SIGIR 2003), with groups for subtopics. On flat labels it equals recall@k.
"""

from __future__ import annotations

from ragguard.metrics.judged_ranking import JudgedRanking


def evidence(seen: JudgedRanking, k: int) -> float | None:
    """In [0, 1]; None when there is no group. A second member of a group adds nothing."""
    return seen.groups_within(k) / seen.group_total if seen.group_total else None
