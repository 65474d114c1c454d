"""One limit on one mean: what a floor and a tolerance have in common."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that a mean is held to.

    Attributes:
        gate: the gate's name in a reason.
        metric: canonical name of the metric.
        value: the floor, or the largest drop in absolute points.
        slice: `field=value` when it holds within a slice only.
    """

    suite: str
    gate: str
    metric: str
    value: float
    slice: str | None = None

    def __str__(self) -> str:
        """The metric, and the slice it is taken over."""
        return f"{self.metric} of {self.slice}" if self.slice else self.metric
