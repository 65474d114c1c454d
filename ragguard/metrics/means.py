"""Means over queries, each with its denominator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    values: Iterable[float | None],
    weights: Iterable[float],
    units: Iterable[float | None] | None = None,
) -> Mean:
    """The means of one metric; a value of None is left out and not counted.

    Args:
        values: the metric's value per query.
        weights: traffic weight per query, in the same order.
        units: what the value is a share of, per query (relevant chunks, places, groups), for the
            micro mean; None where the measure has none.
    """
    rows = [
        (value, weight, unit)
        for value, weight, unit in zip(values, weights, units or _forever_none(), strict=False)
        if value is not None
    ]
    if not rows:
        return Mean(None, None, None, 0)
    weight_total = fsum(weight for _, weight, _ in rows)
    return Mean(
        macro=fsum(value for value, _, _ in rows) / len(rows),
        micro=_micro([(value, unit) for value, _, unit in rows]) if units is not None else None,
        weighted=fsum(value * weight for value, weight, _ in rows) / weight_total,
        count=len(rows),
    )


def _micro(rows: Sequence[tuple[float, float | None]]) -> float | None:
    total = fsum(unit or 0 for _, unit in rows)
    return fsum(value * (unit or 0) for value, unit in rows) / total if total else None


def _forever_none() -> Iterable[None]:
    return iter(lambda: None, 0)
