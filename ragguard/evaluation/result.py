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
        answer: the raw answer, cut at the suite's depth; None unless status is `ok`
            (an `invalid` answer is kept out, its fault is in `error`).
        error: what went wrong, for a status other than `ok`.
        metrics: value by canonical metric name; every key is present, None where undefined.
        duplicates: ids removed from the ranking before ranks were counted.
        latency_ms: time between question and answer in milliseconds.
    """

    query: Query
    status: Status
    answer: Answer | None = None
    error: str | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    duplicates: int = 0
    latency_ms: float | None = None
