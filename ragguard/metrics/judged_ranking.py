"""A ranking seen through the judgments of its query: what every measure looks at.

The seeing is done once per query, so that thirty values cost one pass over the ranking.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
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
        judged: rank and grade of every retrieved chunk that has a grade.
        ideal: all grades above zero, highest first: the best order there could be.
        group_ranks: for each evidence group that was found the rank of its first member.
        group_total: how many evidence groups there are, found or not.
        has_alternatives: whether some group has several members.
        denominator: what precision divides by.
    """

    length: int
    duplicates: int
    relevant_ranks: tuple[int, ...]
    relevant_total: int
    judged: tuple[tuple[int, int], ...]
    ideal: tuple[int, ...]
    group_ranks: tuple[int, ...]
    group_total: int
    has_alternatives: bool
    denominator: Denominator = "k"

    def relevant_within(self, k: int) -> int:
        """How many relevant chunks stand within rank k."""
        return bisect_right(self.relevant_ranks, k)

    def judged_within(self, k: int) -> int:
        """How many judged chunks stand within rank k."""
        return bisect_left(self.judged, (k + 1,))

    def groups_within(self, k: int) -> int:
        """How many evidence groups have a member within rank k."""
        return bisect_right(self.group_ranks, k)


def see(
    ranking: Sequence[str],
    grades: Mapping[str, int],
    groups: Sequence[Sequence[str]] | None = None,
    *,
    threshold: int = 1,
    denominator: Denominator = "k",
) -> JudgedRanking:
    """See a ranking through the judgments of its query.

    Args:
        ranking: chunk ids, best first; a later copy of an id is removed before ranks are counted.
        grades: integer grade by chunk id.
        groups: evidence groups, any member satisfies its group; None makes every relevant chunk a
            group of its own.
        threshold: grades from here up are relevant to binary measures; gains do not know it.
        denominator: what precision divides by: the cutoff or what came back.
    """
    rank_of = dict(zip(ranking, range(1, len(ranking) + 1), strict=True))
    duplicates = len(ranking) - len(rank_of)
    if duplicates:
        rank_of = {id_: rank for rank, id_ in enumerate(dict.fromkeys(ranking), 1)}
    # From the labels to their ranks: there are fewer labels than places.
    judged = sorted([(rank_of[id_], grade) for id_, grade in grades.items() if id_ in rank_of])
    relevant_ranks = tuple([rank for rank, grade in judged if grade >= threshold])
    ideal = sorted([grade for grade in grades.values() if grade > 0], reverse=True)
    relevant_total = len([grade for grade in grades.values() if grade >= threshold])
    return JudgedRanking(
        length=len(rank_of),
        duplicates=duplicates,
        relevant_ranks=relevant_ranks,
        relevant_total=relevant_total,
        judged=tuple(judged),
        ideal=tuple(ideal),
        group_ranks=relevant_ranks if groups is None else _first_ranks(rank_of, groups),
        group_total=relevant_total if groups is None else len(groups),
        has_alternatives=groups is not None and any(len(group) > 1 for group in groups),
        denominator=denominator,
    )


def _first_ranks(rank_of: Mapping[str, int], groups: Sequence[Sequence[str]]) -> tuple[int, ...]:
    found = ([rank_of[member] for member in group if member in rank_of] for group in groups)
    return tuple(sorted([min(ranks) for ranks in found if ranks]))
