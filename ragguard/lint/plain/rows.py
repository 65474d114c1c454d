"""Sound rows by the thousand: what `PlainRow` does for one, with a compiled decoder.

Whatever is not surely sound goes the slow and exact way: no row is judged here. The decoder does
not see a key that stands twice, so keys are counted. Tests hold the two ways together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

from ragguard.config.model import Suite
from ragguard.dataset.lines import Block, SourceLine
from ragguard.dataset.mapping import CANONICAL_FIELDS, FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.versions import VERSIONS
from ragguard.lint.plain.row import known_names
from ragguard.lint.slip import known_near

if TYPE_CHECKING:
    from ragguard.lint.plain.record_shape import Record, RecordShape

_MOST_SHAPES = 50
_NEEDED = frozenset({"query_id", "query"})
_SPACE_BEFORE_COLON = re.compile(rb'"[ \t\r]+:')


@dataclass(frozen=True, slots=True)
class PlainRows:
    """Rows of one file in which no rule for rows could find anything, column by column.

    Attributes:
        numbers: their lines, 1-based.
        labels: the labelled ids of all of them, one after the other.
        versions: by version field what each row says, None where it says nothing; a field that no
            row has is left out.
        has_critical: whether any is critical.
        crowded: the lines of the critical ones with more labels than the critical gate has ranks.
    """

    numbers: Sequence[int]
    query_ids: Sequence[str]
    queries: Sequence[str]
    labels: Iterable[str]
    versions: Mapping[str, Sequence[str | None]]
    has_critical: bool
    crowded: Sequence[int]


class PlainRowReader:
    """Reads the plain rows of a suite's files out of blocks of lines.

    It learns what rows of this dataset look like from those that were read the slow way.
    """

    def __init__(self, suite: Suite) -> None:
        mapping = FieldMapping(suite.fields)
        self._known = known_names(mapping)
        self._canonical = _canonical_names(mapping)
        self._threshold = suite.scoring.policy.relevance_threshold
        self._ranks = suite.scoring.critical_rank
        self._seen: set[frozenset[str]] = set()
        self._shape: RecordShape | None = None
        self._is_stale = False

    def learn(self, row: DatasetRow) -> None:
        """Take note of what a row that was read the slow way looks like."""
        names = frozenset(row.value)
        if names not in self._seen and len(self._seen) < _MOST_SHAPES:
            self._seen.add(names)
            self._is_stale = True

    def read(self, block: Block) -> tuple[PlainRows | None, Iterable[SourceLine]]:
        """The plain rows of a block of whole lines, and the lines that need the slow way."""
        if self._is_stale:
            self._shape, self._is_stale = self._learned(), False
        shape = self._shape
        if shape is None:
            return None, block.lines()
        records = _whole(block, shape)
        if records is not None:
            numbers = range(block.number, block.number + len(records))
            return _columns(numbers, records, shape, self._ranks), ()
        found, lines, rest = _apart(block, shape)
        return (_columns(lines, found, shape, self._ranks) if found else None), rest

    def _learned(self) -> RecordShape | None:
        """The shape of the rows seen so far, of as many of them as a record can hold."""
        from ragguard.lint.plain.record_shape import RecordShape, record_type

        if self._canonical is None:
            return None
        fitting: list[dict[str, str]] = []
        for names in self._seen:
            written = {self._canonical.get(name, name): name for name in names}
            types = [record_type(name) for name in written]
            if (
                len(written) == len(names)
                and written.keys() >= _NEEDED
                and None not in types
                and not any(known_near(name, self._known) for name in names)
            ):
                fitting.append(written)
        if not fitting:
            return None
        written = {name: each for fits in fitting for name, each in sorted(fits.items())}
        required = frozenset.intersection(*map(frozenset, fitting))
        return RecordShape(written, required, self._threshold)


def _canonical_names(mapping: FieldMapping) -> Mapping[str, str] | None:
    """By the name in the file the canonical one; None for a mapping that reaches into objects."""
    paths = {name: mapping.path_of(name) for name in CANONICAL_FIELDS}
    if any(len(path) != 1 for path in paths.values()):
        return None
    names = {path[0]: name for name, path in paths.items()}
    return names if len(names) == len(paths) else None


def _whole(block: Block, shape: RecordShape) -> list[Record] | None:
    """The records of a block in which every line is a plain row."""
    content = block.content
    count = content.count(b"\n")
    # The decoder takes `{} {}` for two records, and goes on over the end of a line.
    if not content.startswith(b"{") or content.count(b"\n{") != count - 1:
        return None
    if not shape.is_flat and content.count(b"}\n") + content.count(b"}\r\n") != count:
        return None
    records = shape.decode_all(content)
    if records is None or len(records) != count:
        return None
    if not _has_keys(content, shape.key_count(records)) or not shape.are_plain(records):
        return None
    return records


def _apart(block: Block, shape: RecordShape) -> tuple[list[Record], list[int], list[SourceLine]]:
    """The records of the plain rows of a block, their lines, and all other lines."""
    lines, records, rest = [], [], []
    for line in block.lines():
        record = shape.decode(line.raw)
        if record is not None and _has_keys(line.raw, shape.key_count([record])):
            records.append(record)
            lines.append(line)
        else:
            rest.append(line)
    plain = shape.plain(records)
    numbers = [lines[index].number for index in plain]
    rest += [lines[index] for index in sorted(frozenset(range(len(lines))).difference(plain))]
    return [records[index] for index in plain], numbers, rest


def _has_keys(content: bytes, count: int) -> bool:
    """Whether these rows surely have so many keys, as they have when none stands twice in a row.

    A key has a colon after it, so that there are never fewer colons than keys. Where texts hold
    colons too, those are counted that follow a quotation mark.
    """
    if content.count(b":") == count:
        return True
    has_space = b" :" in content or b"\t:" in content or b"\r:" in content
    if has_space and _SPACE_BEFORE_COLON.search(content):
        return False
    return content.count(b'":') == count


def _columns(
    numbers: Sequence[int], records: list[Record], shape: RecordShape, ranks: int
) -> PlainRows:
    critical = shape.column("critical", records) if "critical" in shape.fields else []
    has_critical = any(critical)
    crowded = (
        number
        for number, record in compress(zip(numbers, records, strict=True), critical)
        if sum(1 for _ in shape.labels([record])) > ranks
    )
    return PlainRows(
        numbers=numbers,
        query_ids=shape.column("query_id", records),
        queries=shape.column("query", records),
        labels=shape.labels(records),
        versions={name: shape.column(name, records) for name in VERSIONS if name in shape.fields},
        has_critical=has_critical,
        crowded=list(crowded),
    )
