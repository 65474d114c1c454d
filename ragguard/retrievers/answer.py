"""What a retriever answers to one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One place of a ranking: a chunk id and, where given, its finite score."""

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
