"""The gates of a suite as values: what may not happen, and how much may be lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ragguard.metrics.name import Metric


@dataclass(frozen=True, slots=True)
class MetricGate:
    """Limits on the mean of one metric.

    Attributes:
        min: lowest macro mean of head over all its scored queries.
        max_drop: largest loss of the mean retriever effect over paired queries, absolute points.
    """

    min: float | None = None
    max_drop: float | None = None


@dataclass(frozen=True, slots=True)
class SliceGate:
    """Limits on the mean of one metric within each value of a slice.

    Attributes:
        min_count: slices with fewer queries are shown, not gated.
    """

    min: float | None = None
    max_drop: float | None = None
    min_count: int = 10


@dataclass(frozen=True, slots=True)
class CriticalGate:
    """What a critical query must keep.

    Attributes:
        at: cutoff within which its evidence must stand; None means the primary metric's.
        require: `all` wants every evidence group, `any` one relevant chunk.
        existing: what a query that was already missed on base does: `list` or `block`.
    """

    at: int | None = None
    require: Literal["all", "any"] = "all"
    existing: Literal["list", "block"] = "list"


@dataclass(frozen=True, slots=True)
class Gates:
    """All gates of one suite.

    Attributes:
        metrics: limits by metric.
        slices: limits by slice field, then by metric.
        forbidden, unauthorized, failures: how many queries may be so; None switches the gate off.
        stale: likewise; not gated unless asked for.
        min_paired: smallest share of head's scored queries that must be paired for a verdict.
    """

    metrics: Mapping[Metric, MetricGate] = field(default_factory=dict)
    slices: Mapping[str, Mapping[Metric, SliceGate]] = field(default_factory=dict)
    critical: CriticalGate = field(default_factory=CriticalGate)
    forbidden: int | None = 0
    unauthorized: int | None = 0
    stale: int | None = None
    failures: int | None = 0
    min_paired: float = 0.5
