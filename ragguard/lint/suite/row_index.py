"""Which rows of a suite share a query id or a query with another, in 20 bytes a row.

Hashes are kept in place of texts. Two rows with the same hash are read once more and compared, so
that a collision costs a look and never a finding.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ragguard.lint.suite.occurrence import near_hashes

Place = tuple[int, int]
"""Index of a file of the suite and line in it."""


class RowIndex:
    """All rows of a suite, in the order of its files."""

    __slots__ = ("_begins", "_ids", "_numbers", "_queries")

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._numbers = array("I")
        self._ids = array("q")
        self._queries = array("q")

    def __len__(self) -> int:
        """How many rows it has."""
        return len(self._numbers)

    def begin_file(self) -> None:
        """Rows added from here on are of the next file."""
        self._begins.append(len(self._numbers))

    def add(self, number: int, query_id: object, query: object) -> None:
        """Take note of one row; what is no text is like nothing else."""
        place = (len(self._begins), number)
        self._numbers.append(number)
        self._ids.append(hash(query_id if isinstance(query_id, str) else place))
        near = near_hashes([query])[0] if isinstance(query, str) else hash(place)
        self._queries.append(near)

    def add_all(self, numbers: Iterable[int], ids: Iterable[str], queries: Sequence[str]) -> None:
        """Take note of rows that have both."""
        self._numbers.extend(numbers)
        self._ids.extend(map(hash, ids))
        self._queries.extend(near_hashes(queries))

    def recurring(self) -> list[Place]:
        """The places of all rows whose id or query may stand elsewhere too, in order."""
        found: set[int] = set()
        for hashes in (self._ids, self._queries):
            if len(set(hashes)) < len(hashes):
                count = Counter(hashes)
                found.update(index for index, each in enumerate(hashes) if count[each] > 1)
        return [self._place(index) for index in sorted(found)]

    def present(self, query_ids: Collection[str]) -> frozenset[str]:
        """Those of these query ids that a row has."""
        by_hash = {hash(query_id): query_id for query_id in query_ids}
        return frozenset(by_hash[each] for each in self._ids if each in by_hash)

    def _place(self, index: int) -> Place:
        return bisect_right(self._begins, index) - 1, self._numbers[index]


def by_file(places: Iterable[Place]) -> Iterator[tuple[int, set[int]]]:
    """The lines by the index of their file, in the order of the files."""
    lines: dict[int, set[int]] = {}
    for file, number in places:
        lines.setdefault(file, set()).add(number)
    yield from sorted(lines.items())
