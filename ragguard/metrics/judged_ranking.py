"""A ranking seen through the judgments of its query: what every measure looks at.

The seeing is done once per query, so that thirty values cost one pass over the ranking.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Denominator = Literal["k", "returned"]


@dataclass(frozen=True, slots=True)
class JudgedRanking:
    """The ranks at which something is known, all 1-based and ascending.

    Attributes:
        length: how many chunks came back, later copies of an id removed.
        duplicates: how many later copies were removed before ranks were counted.
        relevant_ranks: ranks that hold a relevant chunk.
        relevant_total: how many chunks are relevant, retrieved or not.
        judged_ranks: ranks that hold a chunk with any grade.
        gains: rank and grade of every retrieved chunk with a grade above zero.
        ideal: all grades above zero, highest first: the best order there could be.
        group_ranks: for each evidence group the rank of its first member, None when absent.
        has_alternatives: whether some group has several members.
        denominator: what precision divides by.
    """

    length: int
    duplicates: int
    relevant_ranks: tuple[int, ...]
    relevant_total: int
    judged_ranks: tuple[int, ...]
    gains: tuple[tuple[int, int], ...]
    ideal: tuple[int, ...]
    group_ranks: tuple[int | None, ...]
    has_alternatives: bool
    denominator: Denominator = "k"

    def relevant_within(self, k: int) -> int:
        """How many relevant chunks stand within rank k."""
        return bisect_right(self.relevant_ranks, k)

    def judged_within(self, k: int) -> int:
        """How many judged chunks stand within rank k."""
        return bisect_right(self.judged_ranks, k)

    def groups_within(self, k: int) -> int:
        """How many evidence groups have a member within rank k."""
        return sum(rank is not None and rank <= k for rank in self.group_ranks)


def see(
    ranking: Iterable[str],
    grades: Mapping[str, int],
    groups: Sequence[Sequence[str]],
    *,
    threshold: int = 1,
    denominator: Denominator = "k",
) -> JudgedRanking:
    """See a ranking through the judgments of its query.

    Args:
        ranking: chunk ids, best first; a later copy of an id is removed before ranks are counted.
        grades: integer grade by chunk id.
        groups: evidence groups; any member satisfies its group.
        threshold: grades from here up are relevant to binary measures; gains do not know it.
        denominator: what precision divides by: the cutoff or what came back.
    """
    ids = list(ranking)
    unique = ids if len(set(ids)) == len(ids) else list(dict.fromkeys(ids))
    judged = [(rank, grades[id_]) for rank, id_ in enumerate(unique, 1) if id_ in grades]
    return JudgedRanking(
        length=len(unique),
        duplicates=len(ids) - len(unique),
        relevant_ranks=tuple([rank for rank, grade in judged if grade >= threshold]),
        relevant_total=sum([grade >= threshold for grade in grades.values()]),
        judged_ranks=tuple([rank for rank, _ in judged]),
        gains=tuple([pair for pair in judged if pair[1] > 0]),
        ideal=tuple(sorted([grade for grade in grades.values() if grade > 0], reverse=True)),
        group_ranks=_first_ranks(unique, groups),
        has_alternatives=any(len(group) > 1 for group in groups),
        denominator=denominator,
    )


def _first_ranks(ranking: Sequence[str], groups: Sequence[Sequence[str]]) -> tuple[int | None, ...]:
    if not groups:
        return ()
    members = {member for group in groups for member in group}
    rank_of = {id_: rank for rank, id_ in enumerate(ranking, 1) if id_ in members}
    return tuple(
        [
            min([rank_of[member] for member in group if member in rank_of], default=None)
            for group in groups
        ]
    )
