"""The ids of a corpus that are nearest to one that it lacks, and in what they differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nsmallest

MOST_NEAREST = 3


@dataclass(frozen=True, slots=True)
class Near:
    """An id of the corpus near to a dangling one.

    Attributes:
        difference: in words when it is of one kind (`case`, `white space`, `normalisation`, a
            prefix), else None.
        distance: number of inserted, removed or replaced characters; 0 where one kind explains it.
    """

    chunk_id: str
    distance: int
    difference: str | None = None


def nearest(dangling: Iterable[str], ids: Iterable[str]) -> Mapping[str, tuple[Near, ...]]:
    """For each dangling id the nearest ids of the corpus, best first; at most three.

    One pass over `ids`. An id is near within a third of its length, at most 4 edits, or when it
    differs by one kind of thing only.
    """
    wanted = list(dict.fromkeys(dangling))
    found: dict[str, dict[str, Near]] = {each: {} for each in wanted}
    shapes = {each: _Shape.of(each) for each in wanted}
    for chunk_id in ids:
        folded = fold(chunk_id)
        for each in wanted:
            near = _compare(shapes[each], chunk_id, folded)
            if near is not None:
                _keep(found[each], near)
    return {
        each: tuple(nsmallest(MOST_NEAREST, nears.values(), key=_order))
        for each, nears in found.items()
    }


def _order(near: Near) -> tuple[int, str]:
    return near.distance, near.chunk_id


def _keep(nears: dict[str, Near], near: Near) -> None:
    nears[near.chunk_id] = near
    if len(nears) > 8 * MOST_NEAREST:
        kept = nsmallest(MOST_NEAREST, nears.values(), key=_order)
        nears.clear()
        nears.update({each.chunk_id: each for each in kept})


@dataclass(frozen=True, slots=True)
class _Shape:
    """What of a dangling id is looked at for every id of the corpus."""

    text: str
    folded: str
    limit: int
    letters: Mapping[str, int]

    @classmethod
    def of(cls, text: str) -> _Shape:
        letters: dict[str, int] = {}
        for letter in text:
            letters[letter] = letters.get(letter, 0) + 1
        return cls(text, fold(text), min(4, max(1, len(text) // 3)), letters)


def fold(text: str) -> str:
    """The id without what people confuse: normal form, case, white space, `_` against `-`."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return "".join(normal.split()).replace("_", "-")


def _compare(shape: _Shape, chunk_id: str, folded: str) -> Near | None:
    if folded == shape.folded:
        return Near(chunk_id, 0, difference(shape.text, chunk_id))
    longer, shorter = sorted((shape.text, chunk_id), key=len, reverse=True)
    if len(shorter) >= 3 and longer.endswith(shorter) and longer[-len(shorter) - 1] in "/:#.-_|":
        return Near(chunk_id, 0, f"the prefix {longer[: -len(shorter)]!r}")
    if len(longer) - len(shorter) > shape.limit or not _may_be_near(shape, chunk_id):
        return None
    distance = edit_distance(shape.text, chunk_id, shape.limit)
    return None if distance is None else Near(chunk_id, distance)


def _may_be_near(shape: _Shape, chunk_id: str) -> bool:
    """Cheap bound: letters that the other lacks must each be edited."""
    missing = 0
    for letter, count in shape.letters.items():
        missing += max(0, count - chunk_id.count(letter))
        if missing > shape.limit:
            return False
    return True


def difference(one: str, other: str) -> str:
    """In what two ids that fold to the same differ, in words."""
    if one.strip() == other.strip() or "".join(one.split()) == "".join(other.split()):
        return "white space"
    if unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other):
        return "normalisation"
    if one.casefold() == other.casefold():
        return "case"
    return "case, white space, normalisation or `_` against `-`"


def edit_distance(one: str, other: str, limit: int) -> int | None:
    """Levenshtein's distance (1966), None beyond `limit`; O(len * limit)."""
    previous = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        low, high = max(1, row - limit), min(len(other), row + limit)
        current = [limit + 1] * (len(other) + 1)
        current[0] = row
        for column in range(low, high + 1):
            same = letter == other[column - 1]
            current[column] = min(
                previous[column - 1] + (not same), previous[column] + 1, current[column - 1] + 1
            )
        if min(current[low - 1 : high + 1]) > limit:
            return None
        previous = current
    return previous[-1] if previous[-1] <= limit else None
