"""Where evidence went between two rankings of one query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragguard.evaluation.result import QueryResult
from ragguard.retrievers.answer import Answer, Ranking


@dataclass(frozen=True, slots=True)
class Movement:
    """One labelled chunk in two rankings.

    Attributes:
        chunk_id: the labelled chunk.
        base_rank, head_rank: 1-based, later copies of ids not counted; None beyond the kept depth.
        lost_at: the stage of head that lost it, None when it was not lost or there are no stages.
        replaced_by: the chunk that stands at its old rank in head, None when there is none.
    """

    chunk_id: str
    base_rank: int | None
    head_rank: int | None
    lost_at: str | None = None
    replaced_by: str | None = None


def ranks(ranking: Ranking) -> dict[str, int]:
    """Rank by chunk id, 1-based, later copies of an id removed before counting."""
    unique = dict.fromkeys(place.chunk_id for place in ranking)
    return {chunk_id: rank for rank, chunk_id in enumerate(unique, 1)}


def ranks_of(result: QueryResult | None) -> dict[str, int]:
    """Ranks of a result's final ranking; empty for a query that has none."""
    return ranks(result.answer.ranking) if result and result.answer else {}


def movements(
    base: QueryResult | None, head: QueryResult, groups: tuple[tuple[str, ...], ...]
) -> tuple[Movement, ...]:
    """The movement of every member of these evidence groups, in their order."""
    before, after = ranks_of(base), ranks_of(head)
    order = {rank: chunk_id for chunk_id, rank in after.items()}
    members = dict.fromkeys(member for group in groups for member in group)
    return tuple(_movement(member, before, after, order, head.answer) for member in members)


def _movement(
    chunk_id: str,
    before: Mapping[str, int],
    after: Mapping[str, int],
    order: Mapping[int, str],
    answer: Answer | None,
) -> Movement:
    base_rank, head_rank = before.get(chunk_id), after.get(chunk_id)
    successor = order.get(base_rank) if base_rank is not None else None
    return Movement(
        chunk_id,
        base_rank,
        head_rank,
        lost_at=stage_that_lost(chunk_id, answer) if head_rank is None and answer else None,
        replaced_by=None if successor == chunk_id else successor,
    )


def stage_that_lost(chunk_id: str, answer: Answer) -> str | None:
    """The first stage without the chunk after the last one with it; None without stages.

    The final ranking counts as the last stage, named `final`.
    """
    if not answer.stages:
        return None
    stages = [*answer.stages.items(), ("final", answer.ranking)]
    lost_at = stages[0][0]
    for (_, ranking), (following, _) in zip(stages, [*stages[1:], ("final", ())], strict=True):
        if any(place.chunk_id == chunk_id for place in ranking):
            lost_at = following
    return lost_at


def missing_evidence(
    base: QueryResult | None, head: QueryResult, cutoff: int, threshold: int
) -> tuple[Movement, ...]:
    """For each evidence group without a member within the cutoff in head: its nearest member.

    The nearest is the one that stood highest in base, then in head, then the one named first.
    """
    groups = head.query.labels.groups(threshold)
    after = ranks_of(head)
    missing = [
        group
        for group in groups
        if not any(after.get(member, cutoff + 1) <= cutoff for member in group)
    ]
    return tuple(min(movements(base, head, (group,)), key=_nearness) for group in missing if group)


def fallen_evidence(
    base: QueryResult | None, head: QueryResult, threshold: int
) -> tuple[Movement, ...]:
    """The members of evidence groups that stand lower in head than in base."""
    moved = movements(base, head, head.query.labels.groups(threshold))
    return tuple(
        each
        for each in moved
        if each.base_rank and (each.head_rank is None or each.head_rank > each.base_rank)
    )


def _nearness(movement: Movement) -> tuple[int, int]:
    far = 2**31
    return (movement.base_rank or far, movement.head_rank or far)
