"""The ids of a corpus that are nearest to one that it lacks, and in what they differ.

All ids are looked at, thousands at a time: what they have in common with the ids that are looked
for is found by operations on sets, on their joined text, or on one bit an id, so that a corpus of
millions takes seconds.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ragguard.corpus import number_inference
from ragguard.corpus.difference import (
    SHORTEST_TAIL,
    difference,
    fold,
    heads,
    is_separator,
    tails,
)
from ragguard.corpus.edits import Alphabet, SameLength, closest

MOST_NEAREST = 3
MOST_EDITS = 4
"""Edits beyond which an id is not near, whatever its length."""

_BATCH = 1 << 16
_SAME_FOLD, _NUMBER, _INFERRED, _PREFIX = -4, -3, -2, -1
_SUFFIX = MOST_EDITS + 1
"""Differences of one kind, the likeliest first; between them one edit, two edits and so on."""


@dataclass(frozen=True, slots=True)
class Near:
    """An id of the corpus near to a dangling one.

    Attributes:
        distance: number of inserted, removed or replaced characters; 0 where one kind explains it.
        difference: in words when it is of one kind (`case`, `white space`, `normalisation`, a
            prefix or a suffix), else None.
        is_part: whether one is the other with a suffix, so that it may be another unit of the same.
        is_number: whether the dangling id is what a reader made of this one that took it for a
            number; the difference is what it lost.
    """

    chunk_id: str
    distance: int
    difference: str | None = None
    is_number: bool = False
    is_part: bool = False


def nearest(
    dangling: Iterable[str], blocks: Iterable[Sequence[str]]
) -> Mapping[str, tuple[Near, ...]]:
    """For each dangling id the nearest ids of the corpus; at most three, by id.

    Only the ids at the smallest distance are told. An id is near within a third of the length of
    the dangling one, at most 4 edits, or when it differs by one kind of thing only.

    Args:
        dangling: the ids that the corpus lacks.
        blocks: the ids of the corpus, some at a time.
    """
    searches = _Searches([_Search(each) for each in dict.fromkeys(dangling)])
    for ids in _batches(blocks):
        searches.look_at(ids)
    return {search.text: search.result() for search in searches.all}


def limit_for(text: str) -> int:
    """How many edits an id may be away from this one to be near."""
    return min(MOST_EDITS, max(1, len(text) // 3))


def _batches(blocks: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    batch: list[str] = []
    for ids in blocks:
        batch += ids
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


@dataclass(slots=True)
class _Search:
    """The best ids found so far for one dangling id.

    Attributes:
        level: the kind, or else the number of edits, in which the best differ.
        best: the smallest of those ids.
    """

    text: str
    level: int = _SUFFIX
    best: list[str] = field(default_factory=list)

    @property
    def limit(self) -> int:
        """How many edits away an id may be to be among the best; not positive for none."""
        return min(self.level, limit_for(self.text))

    def offer(self, level: int, ids: Iterable[str]) -> None:
        """Keep the ids when none is nearer."""
        if level > self.level:
            return
        kept = self.best if level == self.level else []
        found = heapq.nsmallest(MOST_NEAREST, {*kept, *ids} - {self.text})
        if found:
            self.level, self.best = level, found

    def result(self) -> tuple[Near, ...]:
        """What was found, in words."""
        return tuple(self._near(chunk_id) for chunk_id in self.best)

    def _near(self, chunk_id: str) -> Near:
        if 0 < self.level < _SUFFIX:
            return Near(chunk_id, self.level)
        if self.level == _SAME_FOLD:
            return Near(chunk_id, 0, difference(self.text, chunk_id))
        if self.level == _NUMBER:
            return Near(chunk_id, 0, number_inference.lost(chunk_id, self.text), is_number=True)
        if self.level == _INFERRED:
            is_padded = self.text.lstrip("0") == chunk_id
            return Near(chunk_id, 0, "leading zeros" if is_padded else "number inference")
        longer, shorter = sorted((self.text, chunk_id), key=len, reverse=True)
        if self.level == _PREFIX:
            return Near(chunk_id, 0, f"the prefix {longer[: len(longer) - len(shorter)]!r}")
        return Near(chunk_id, 0, f"the suffix {longer[len(shorter) :]!r}", is_part=True)


class _Searches:
    """All searches, each batch of the corpus offered to all of them."""

    def __init__(self, searches: list[_Search]) -> None:
        self.all = searches
        self._by_fold = _index(searches, lambda text: [fold(text)])
        self._derived = {
            _NUMBER: _index(searches, number_inference.originals),
            _INFERRED: _index(searches, number_inference.inferred),
            _PREFIX: _index(searches, tails),
            _SUFFIX: _index(searches, heads),
        }
        self._patterns = [
            (search, pattern)
            for search in searches
            if (pattern := number_inference.pattern_of(search.text)) is not None
        ]
        self._alphabet = Alphabet(search.text for search in searches)
        self._codes = {search.text: self._alphabet.codes(search.text) for search in searches}

    def look_at(self, ids: list[str]) -> None:
        """Offer a batch to every search."""
        for level, index in self._derived.items():
            for chunk_id in index.keys() & ids:
                for search in index[chunk_id]:
                    search.offer(level, [chunk_id])
        joined = "\0".join(["", *ids, ""])
        if joined.count("\0") == len(ids) + 1:
            self._look_at_text(joined, ids)
        elif clean := [chunk_id for chunk_id in ids if "\0" not in chunk_id]:
            # Ids with a null character inside are found by edits only.
            self._look_at_text("\0".join(["", *clean, ""]), clean)
        self._measure(ids)

    def _look_at_text(self, joined: str, ids: list[str]) -> None:
        folded = fold(joined).split("\0")[1:-1]
        if not self._by_fold.keys().isdisjoint(folded):
            for chunk_id, key in zip(ids, folded, strict=True):
                for search in self._by_fold.get(key, ()):
                    search.offer(_SAME_FOLD, [chunk_id])
        for search, pattern in self._patterns:
            found = {match[0] for match in pattern.finditer(joined)}
            search.offer(_NUMBER, {i for i in found if number_inference.becomes(i, search.text)})
        for search in self.all:
            if "\0" in search.text:
                continue
            if len(search.text) >= SHORTEST_TAIL:
                search.offer(_PREFIX, _longer(joined, search.text, before=True))
            if search.text and search.level == _SUFFIX:
                search.offer(_SUFFIX, _longer(joined, search.text, before=False))

    def _measure(self, ids: list[str]) -> None:
        searches = [search for search in self.all if search.limit > 0]
        lengths = {len(s.text) + n for s in searches for n in range(-s.limit, s.limit + 1)}
        for length, group in groupby(sorted(ids, key=len), key=len):
            if length not in lengths or not length:
                continue
            alike = SameLength(list(group), self._alphabet)
            for search in searches:
                found = closest(alike, self._codes[search.text], search.limit)
                if found is not None:
                    search.offer(found[0], alike.named(found[1]))


def _index(
    searches: Iterable[_Search], keys: Callable[[str], Iterable[str]]
) -> dict[str, list[_Search]]:
    index: dict[str, list[_Search]] = defaultdict(list)
    for search in searches:
        for key in keys(search.text):
            index[key].append(search)
    return dict(index)


def _longer(joined: str, text: str, *, before: bool) -> Iterator[str]:
    """The ids, between null characters, that are a text with something and a separator at it."""
    wanted = f"{text}\0" if before else f"\0{text}"
    at = joined.find(wanted)
    while at >= 0:
        beside = joined[at - 1] if before else joined[at + len(wanted)]
        if is_separator(beside):
            start = joined.rindex("\0", 0, at) if before else at
            yield joined[start + 1 : joined.index("\0", at + 1)]
        at = joined.find(wanted, at + 1)
