"""Short ways to write down a ranking and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragguard.metrics.judged_ranking import Denominator, JudgedRanking, see
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import scorer


def seen(
    ranking: Sequence[str],
    grades: Mapping[str, int],
    groups: Sequence[Sequence[str]] | None = None,
    *,
    threshold: int = 1,
    denominator: Denominator = "k",
) -> JudgedRanking:
    """A ranking through its judgments; one group per relevant chunk unless groups are given.

    A text is a sequence of one-letter ids: `seen("axb", {"a": 1})`.
    """
    return see(ranking, grades, groups, threshold=threshold, denominator=denominator)


def value(judged: JudgedRanking, name: str) -> float | None:
    """The value of one metric, by any spelling of its name."""
    metric = Metric.parse(name)
    return scorer([metric])(judged)[str(metric)]
