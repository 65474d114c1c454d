"""Scoring settings to and from the JSON objects that `ragguard.yml` and reports hold.

Reading takes values that already satisfy their schema; writing names every choice, defaults
included, and spells metrics canonically, so that `from(to(x)) == x`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragguard.config.gates import CriticalGate, Gates, MetricGate, SliceGate
from ragguard.config.model import Scoring
from ragguard.config.policy import Policy
from ragguard.metrics.name import Metric

_COUNTS = ("forbidden", "unauthorized", "stale", "failures", "min_paired")
_RESERVED = frozenset({*_COUNTS, "critical", "slices"})


def policy_from_mapping(raw: Mapping[str, Any]) -> Policy:
    """The policy with the keys of `raw`, the rest at their defaults."""
    return Policy(**raw)


def policy_to_mapping(policy: Policy) -> dict[str, Any]:
    """Every convention by name."""
    return {
        "relevance_threshold": policy.relevance_threshold,
        "precision_denominator": policy.precision_denominator,
        "duplicates": policy.duplicates,
        "access_from": policy.access_from,
    }


def gates_from_mapping(raw: Mapping[str, Any]) -> Gates:
    """The gates of a suite.

    Raises:
        MetricNameError: a limit names no metric.
    """
    return Gates(
        metrics={
            Metric.parse(name): MetricGate(**limits)
            for name, limits in raw.items()
            if name not in _RESERVED
        },
        slices={
            field: {Metric.parse(name): SliceGate(**limits) for name, limits in by_metric.items()}
            for field, by_metric in raw.get("slices", {}).items()
        },
        critical=CriticalGate(**raw.get("critical", {})),
        **{name: raw[name] for name in _COUNTS if name in raw},
    )


def gates_to_mapping(gates: Gates) -> dict[str, Any]:
    """The gates in the shape of `ragguard.yml`; limits that are not set are left out."""
    critical = {"require": gates.critical.require, "existing": gates.critical.existing}
    return {
        **{str(metric): _limits(gate) for metric, gate in gates.metrics.items()},
        "critical": critical
        if gates.critical.at is None
        else {"at": gates.critical.at, **critical},
        **{name: getattr(gates, name) for name in _COUNTS},
        "slices": {
            field: {
                str(metric): {**_limits(gate), "min_count": gate.min_count}
                for metric, gate in by_metric.items()
            }
            for field, by_metric in gates.slices.items()
        },
    }


def _limits(gate: MetricGate | SliceGate) -> dict[str, float]:
    limits = {"min": gate.min, "max_drop": gate.max_drop}
    return {name: limit for name, limit in limits.items() if limit is not None}


def scoring_from_mapping(raw: Mapping[str, Any]) -> Scoring:
    """The scoring settings that `scoring_to_mapping` wrote.

    Raises:
        MetricNameError: a metric's name is unknown.
    """
    return Scoring(
        primary=Metric.parse(raw["primary"]),
        cutoffs=tuple(raw["cutoffs"]),
        depth=raw["depth"],
        policy=policy_from_mapping(raw["policy"]),
        slices=tuple(raw["slices"]),
        system=raw["system"],
        gates=gates_from_mapping(raw["gates"]),
    )


def scoring_to_mapping(scoring: Scoring) -> dict[str, Any]:
    """Every setting that decides a suite's numbers and verdict, as JSON values."""
    return {
        "primary": str(scoring.primary),
        "cutoffs": list(scoring.cutoffs),
        "depth": scoring.depth,
        "policy": policy_to_mapping(scoring.policy),
        "slices": list(scoring.slices),
        "system": dict(scoring.system),
        "gates": gates_to_mapping(scoring.gates),
    }
