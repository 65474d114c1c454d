"""Every measure by its canonical name, and the scoring of one query with many of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ragguard.metrics.ap import ap
from ragguard.metrics.complete import complete
from ragguard.metrics.evidence import evidence
from ragguard.metrics.hit import hit
from ragguard.metrics.judged import judged
from ragguard.metrics.judged_ranking import JudgedRanking
from ragguard.metrics.name import MAY_OMIT_CUTOFF, NEED_CUTOFF, NO_CUTOFF, Metric
from ragguard.metrics.ndcg import ndcg_exp2, ndcg_linear
from ragguard.metrics.precision import precision
from ragguard.metrics.recall import recall
from ragguard.metrics.rprec import rprec
from ragguard.metrics.rr import rr

REGISTRY: dict[str, Callable[..., float | None]] = {
    "recall": recall,
    "precision": precision,
    "hit": hit,
    "rr": rr,
    "ap": ap,
    "ndcg_linear": ndcg_linear,
    "ndcg_exp2": ndcg_exp2,
    "evidence": evidence,
    "complete": complete,
    "judged": judged,
    "rprec": rprec,
}
"""Measure by canonical name; called with a ranking and, unless it takes none, a cutoff."""


def standard_metrics(cutoffs: Iterable[int]) -> tuple[Metric, ...]:
    """Every measure at every cutoff, then those that look at the whole ranking."""
    at_cutoffs = [
        Metric(measure, k)
        for k in cutoffs
        for measure in REGISTRY
        if measure in NEED_CUTOFF | MAY_OMIT_CUTOFF
    ]
    whole = [Metric(measure) for measure in REGISTRY if measure in MAY_OMIT_CUTOFF | NO_CUTOFF]
    return (*at_cutoffs, *whole)


Scorer = Callable[[JudgedRanking], Mapping[str, float | None]]


def scorer(metrics: Iterable[Metric]) -> Scorer:
    """A function from a judged ranking to the value of each metric by canonical name.

    The metrics are looked up once, here, not for every query.
    """
    calls = [(str(metric), REGISTRY[metric.measure], metric.cutoff) for metric in metrics]

    def score(seen: JudgedRanking) -> Mapping[str, float | None]:
        return {
            name: measure(seen) if k is None else measure(seen, k) for name, measure, k in calls
        }

    return score
