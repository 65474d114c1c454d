"""Means over queries, each with its denominator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

TOLERANCE = 1e-9
"""Two values closer than this are equal; every comparison of a gate allows it."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The means of one metric over the queries for which it is defined.

    Attributes:
        macro: every query counts the same; None without a query.
        micro: every relevant chunk (recall), place (precision) or group (evidence) counts the
            same; None for other measures.
        weighted: every query counts by its traffic weight.
        count: how many queries the means are over.
    """

    macro: float | None
    micro: float | None
    weighted: float | None
    count: int


def mean(
    values: Sequence[float | None],
    weights: Sequence[float] | None = None,
    units: Sequence[float] | None = None,
) -> Mean:
    """The means of one metric; a value of None is left out and not counted.

    Args:
        values: the metric's value per query.
        weights: traffic weight per query, in the same order; None when all are equal.
        units: what each value is a share of (relevant chunks, places, groups), for the micro
            mean; None where the measure has none.
    """
    defined = [value for value in values if value is not None]
    if not defined:
        return Mean(None, None, None, 0)
    macro = fsum(defined) / len(defined)
    return Mean(
        macro=macro,
        micro=None if units is None else _weighted(values, units),
        weighted=macro if weights is None else _weighted(values, weights),
        count=len(defined),
    )


def _weighted(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    counted = [weight for value, weight in zip(values, weights, strict=True) if value is not None]
    total = fsum(counted)
    products = [
        value * weight for value, weight in zip(values, weights, strict=True) if value is not None
    ]
    return fsum(products) / total if total else None
