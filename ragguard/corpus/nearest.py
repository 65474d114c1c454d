"""The ids of a corpus that are nearest to one that it lacks, and in what they differ."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MOST_NEAREST = 3

_SEPARATOR = re.compile(r"[/:#.\-_|]")
_SHORTEST_TAIL = 3
_SIGNATURE_CLASSES = 61
_SIGNATURE_COUNTS = 4


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
    searches = _Searches([_Search(each) for each in dict.fromkeys(dangling)])
    for chunk_id in ids:
        searches.look_at(chunk_id)
    return {search.text: tuple(sorted(search.found, key=_order)) for search in searches.all}


def _order(near: Near) -> tuple[int, str]:
    return near.distance, near.chunk_id


@dataclass(slots=True)
class _Search:
    """The best ids found so far for one dangling id.

    Attributes:
        limit: most edits that an id may still be away to be among the best.
    """

    text: str
    found: list[Near] = field(default_factory=list)
    limit: int = 0
    signature: int = 0

    def __post_init__(self) -> None:
        self.limit = min(4, max(1, len(self.text) // 3))
        self.signature = _signature(self.text)

    def keep(self, near: Near) -> None:
        """Keep it where it is among the three best; once there are three, look no further away."""
        if any(near.chunk_id == other.chunk_id for other in self.found):
            return
        self.found.append(near)
        if len(self.found) > MOST_NEAREST:
            self.found.sort(key=_order)
            self.found.pop()
        if len(self.found) == MOST_NEAREST:
            self.limit = min(self.limit, max(other.distance for other in self.found))


class _Searches:
    """All searches, ordered so that an id of the corpus meets only those it may be near to."""

    def __init__(self, searches: list[_Search]) -> None:
        self.all = searches
        self._by_text = {search.text: search for search in searches}
        self._by_fold: dict[str, list[_Search]] = defaultdict(list)
        self._by_tail: dict[str, list[_Search]] = defaultdict(list)
        self._by_length: dict[int, list[_Search]] = defaultdict(list)
        for search in searches:
            self._by_fold[fold(search.text)].append(search)
            for tail in _tails(search.text):
                self._by_tail[tail].append(search)
            for extra in range(-search.limit, search.limit + 1):
                self._by_length[len(search.text) + extra].append(search)

    def look_at(self, chunk_id: str) -> None:
        """Offer one id of the corpus to every search."""
        for search in self._by_fold.get(fold(chunk_id), ()):
            search.keep(Near(chunk_id, 0, difference(search.text, chunk_id)))
        for search in self._by_tail.get(chunk_id, ()):
            search.keep(Near(chunk_id, 0, f"the prefix {search.text[: -len(chunk_id)]!r}"))
        for tail in _tails(chunk_id):
            if tail in self._by_text:
                prefix = chunk_id[: -len(tail)]
                self._by_text[tail].keep(Near(chunk_id, 0, f"the prefix {prefix!r}"))
        self._measure(chunk_id)

    def _measure(self, chunk_id: str) -> None:
        near_in_length = self._by_length.get(len(chunk_id))
        if not near_in_length:
            return
        signature = _signature(chunk_id)
        for search in near_in_length:
            limit, other = search.limit, search.signature
            surplus = (signature & ~other).bit_count(), (other & ~signature).bit_count()
            if limit and max(surplus) <= limit:
                distance = edit_distance(search.text, chunk_id, limit)
                if distance is not None:
                    search.keep(Near(chunk_id, distance))


def _tails(text: str) -> list[str]:
    """What follows each separator of an id, where it is long enough to mean something."""
    ends = [match.end() for match in _SEPARATOR.finditer(text)]
    return [text[end:] for end in ends if len(text) - end >= _SHORTEST_TAIL]


def _signature(text: str) -> int:
    """Which characters a text holds and how often (up to 4), as bits.

    An edit changes at most one bit each way, so that bits which only one of two texts has are a
    lower bound of their distance.
    """
    bits = 0
    for letter in text:
        bit = 1 << (ord(letter) % _SIGNATURE_CLASSES * _SIGNATURE_COUNTS)
        for _ in range(_SIGNATURE_COUNTS):
            if not bits & bit:
                bits |= bit
                break
            bit <<= 1
    return bits


def fold(text: str) -> str:
    """The id without what people confuse: normal form, case, white space, `_` against `-`."""
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return "".join(normal.casefold().split()).replace("_", "-")


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
    one, other = _without_common_ends(one, other)
    if abs(len(one) - len(other)) > limit:
        return None
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


def _without_common_ends(one: str, other: str) -> tuple[str, str]:
    """Both texts without what they begin and end with alike; their distance stays the same."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
