"""Queries of a suite that are the same, or nearly, in pairs of a later and an earlier one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from ragguard.lint.finding import Finding, quoted
from ragguard.lint.suite.occurrence import Occurrence
from ragguard.location import Location


class Likeness(StrEnum):
    """What two like queries are to each other; a pair is one of them only."""

    ACROSS_SPLITS = "across splits"
    """One may be tuned on, the other is held out."""
    OTHER_LABELS = "other labels"
    """The same query, labelled in two ways."""
    SAME = "same"
    """The same query."""
    NEAR = "near"
    """The same but for case, white space and punctuation."""


class Side(StrEnum):
    """What a split is for."""

    SEEN = "seen"
    HELD_OUT = "held out"
    UNKNOWN = "unknown"

    def is_opposite(self, other: Side) -> bool:
        """Whether one is held out from the other."""
        return {self, other} == {Side.SEEN, Side.HELD_OUT}


_SEEN = frozenset(
    {"dev", "develop", "development", "train", "training", "val", "valid", "validation"}
    | {"tune", "tuning"}
)
_HELD_OUT = frozenset({"holdout", "heldout", "test", "testing", "blind"})
_WORD = re.compile(r"[a-z]+")
_HYPHENATED = re.compile(r"(hold|held)[\W_]+out")


def side_of(split: str | None) -> Side:
    """What a split is for by its name: `train`, `dev-small`, `test_2026`, `held-out`."""
    name = _HYPHENATED.sub(r"\1out", (split or "").casefold())
    words = frozenset(_WORD.findall(name))
    is_seen, is_held_out = not words.isdisjoint(_SEEN), not words.isdisjoint(_HELD_OUT)
    if is_seen == is_held_out:
        return Side.UNKNOWN
    return Side.SEEN if is_seen else Side.HELD_OUT


@dataclass(frozen=True, slots=True)
class LikePair:
    """A query and an earlier one with the same context that it is like."""

    earlier: Occurrence
    later: Occurrence

    @property
    def is_same_text(self) -> bool:
        """Whether the two are written alike to the last character."""
        return self.earlier.query == self.later.query

    @property
    def is_twin(self) -> bool:
        """Whether the two have one query id."""
        return self.earlier.query_id is not None and self.earlier.query_id == self.later.query_id

    @property
    def likeness(self) -> Likeness:
        """What the two are to each other."""
        if side_of(self.earlier.split).is_opposite(side_of(self.later.split)):
            return Likeness.ACROSS_SPLITS
        if not self.is_same_text:
            return Likeness.NEAR
        same = self.earlier.labels == self.later.labels
        return Likeness.SAME if same else Likeness.OTHER_LABELS

    @property
    def named(self) -> str:
        """The later query as a message names it."""
        if self.earlier.is_private or self.later.is_private:
            return "a private query"
        return f"the query {quoted(self.later.query)}"

    @property
    def first(self) -> Location:
        """The line of the earlier one."""
        return Location(self.earlier.location.file, self.earlier.location.line)

    def finding(self, message: str, hint: str) -> Finding:
        """A finding about the later one."""
        return Finding(message, self.later.location, hint, self.later.query_id)


def pairs_of(alike: Iterable[Iterable[Occurrence]], likeness: Likeness) -> Iterator[LikePair]:
    """The pairs of one kind; of several that a later query is in, the one with the first earlier.

    Two rows of one query id are another rule's matter (RG201), unless a split lies between them.
    """
    is_within = likeness is not Likeness.ACROSS_SPLITS
    for group in alike:
        by_context: dict[str, list[Occurrence]] = {}
        for each in group:
            by_context.setdefault(each.context, []).append(each)
        for members in by_context.values():
            for pair in _pairs(members):
                if pair.likeness is likeness and not (pair.is_twin and is_within):
                    yield pair


def _pairs(members: Iterable[Occurrence]) -> Iterator[LikePair]:
    """Each query with the first across splits, and with the first on no other side of them.

    A query of the same text comes before one that is only nearly the same.
    """
    by_side: dict[Side, tuple[int, Occurrence]] = {}
    by_text: dict[tuple[Side, str], tuple[int, Occurrence]] = {}
    for index, later in enumerate(members):
        side = side_of(later.split)
        for opposite in (True, False):
            sides = [other for other in Side if other.is_opposite(side) is opposite]
            same = [by_text[key] for other in sides if (key := (other, later.query)) in by_text]
            near = [by_side[other] for other in sides if other in by_side]
            if same or near:
                _, earlier = min(same or near, key=itemgetter(0))
                yield LikePair(earlier, later)
        by_side.setdefault(side, (index, later))
        by_text.setdefault((side, later.query), (index, later))
