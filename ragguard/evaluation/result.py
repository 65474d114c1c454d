"""What one evaluation yields: for every query a state, a ranking and its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ragguard.dataset.query import Query
from ragguard.retrievers.answer import Answer


class Status(StrEnum):
    """The state a query ends in; only `ok` has metrics."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One query, what the retriever made of it, and the scores.

    Attributes:
        answer: the raw answer, cut at the suite's depth; None where there is none that another
            policy could score. An `invalid` one is kept when only its duplicates were refused.
        error: what went wrong, for a status other than `ok`.
        metrics: value by canonical metric name; every key is present, None where undefined.
        duplicates: ids removed from the ranking before ranks were counted.
        exposures: ids that should not have come back, by kind: `forbidden` (in any stage),
            `unauthorized` (likewise), `stale` (in the final ranking).
        latency_ms: time between question and answer in milliseconds; a report read back keeps
            it with the other times, not here.
    """

    query: Query
    status: Status
    answer: Answer | None = None
    error: str | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    duplicates: int = 0
    exposures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    latency_ms: float | None = None

    @property
    def is_scored(self) -> bool:
        """Whether the query has metrics: answered, answerable and labelled."""
        return self.status is Status.OK and any(v is not None for v in self.metrics.values())
