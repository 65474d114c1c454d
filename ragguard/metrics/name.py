"""Metric names: one canonical spelling for output, the field's spellings for input."""

from __future__ import annotations

import re
from dataclasses import dataclass

NEED_CUTOFF = frozenset({"recall", "precision", "hit", "evidence", "complete", "judged"})
MAY_OMIT_CUTOFF = frozenset({"rr", "ap", "ndcg_linear", "ndcg_exp2"})
NO_CUTOFF = frozenset({"rprec"})
MEASURES = NEED_CUTOFF | MAY_OMIT_CUTOFF | NO_CUTOFF

_IR_MEASURES = {
    "R": "recall",
    "P": "precision",
    "RR": "rr",
    "AP": "ap",
    "nDCG": "ndcg_linear",
    "ndcg": "ndcg_linear",
    "Success": "hit",
    "Judged": "judged",
    "Rprec": "rprec",
}
_SPELLING = re.compile(r"([A-Za-z_][A-Za-z0-9_]*?)(?:@([1-9][0-9]{0,8}))?", re.ASCII)


class MetricNameError(ValueError):
    """A metric name that no measure answers to."""


@dataclass(frozen=True, slots=True, order=True)
class Metric:
    """A measure and its cutoff.

    Attributes:
        measure: canonical name of the measure, one of `MEASURES`.
        cutoff: rank up to which it looks, None for the whole ranking.
    """

    measure: str
    cutoff: int | None = None

    def __str__(self) -> str:
        """The canonical spelling: `recall@5`, `rr`."""
        return self.measure if self.cutoff is None else f"{self.measure}@{self.cutoff}"

    @classmethod
    def parse(cls, text: str) -> Metric:
        """The metric that `text` names, in canonical or ir_measures spelling.

        Raises:
            MetricNameError: no measure has that name, or its cutoff is missing or out of place.
        """
        match = _SPELLING.fullmatch(text)
        measure = _IR_MEASURES.get(match[1], match[1]) if match else ""
        if not match or measure not in MEASURES:
            raise MetricNameError(f"{text!r} is not a metric; known: {', '.join(sorted(MEASURES))}")
        cutoff = int(match[2]) if match[2] else None
        if cutoff is None and measure in NEED_CUTOFF:
            raise MetricNameError(f"{text!r} needs a cutoff, such as {measure}@5")
        if cutoff is not None and measure in NO_CUTOFF:
            raise MetricNameError(f"{text!r} takes no cutoff; write {measure}")
        return cls(measure, cutoff)
