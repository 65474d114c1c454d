"""What a retriever answers to one query, and how it can fail to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from ragguard.dataset.query import Query


class Retrieved(NamedTuple):
    """One place of a ranking: a chunk id and, where given, its finite score.

    A named tuple, for an evaluation makes hundreds of thousands of them.
    """

    chunk_id: str
    score: float | None = None


Ranking = tuple[Retrieved, ...]
"""Retrieved chunks, best first; list order is the rank."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A ranking and what the retriever tells of how it came about.

    Attributes:
        ranking: the final ranking, raw (duplicates kept).
        stages: ranking by stage name, in pipeline order.
        rewritten: the query as the retriever rewrote it.
        admitted: how many results the application would pass on; None means all.
        warnings: what is odd about the answer though it can be scored.
    """

    ranking: Ranking
    stages: Mapping[str, Ranking] = field(default_factory=dict)
    rewritten: str | None = None
    admitted: int | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a query has no ranking.

    Attributes:
        kind: `error` when the retriever failed, `timeout` when it took too long, `invalid` when
            what it answered cannot be scored.
        message: what went wrong, in words.
    """

    kind: Literal["error", "timeout", "invalid"]
    message: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of asking one query; latency in milliseconds where it was measured."""

    outcome: Answer | Failure
    latency_ms: float | None = None


class Retriever(Protocol):
    """Something that can be asked."""

    @property
    def description(self) -> Mapping[str, Any]:
        """What the report says of it: kind, target, name."""

    @property
    def environment(self) -> Mapping[str, Any]:
        """What it tells of the process it runs in; empty when it runs in ours."""

    @property
    def warnings(self) -> Sequence[str]:
        """What is odd about the run as a whole, known once all queries were asked."""

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """One reply per query, in the order of `queries`, each of at most `depth` results.

        Raises:
            RetrieverError: no query can be answered at all.
        """
