"""What a manifest knows of the ids that somebody asks for, and nothing of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Protocol

from ragguard.corpus.blocks import ChunkBlock
from ragguard.corpus.chunk import Chunk


@dataclass(frozen=True, slots=True)
class ManifestView:
    """What a manifest knows of the chunks that were asked for.

    Of a chunk that it lists more than once, what is known is what its first line says.

    Attributes:
        missing: the asked ids that it does not list.
        notable: by id the asked chunks that are not simply active: with another status, effective
            dates or a successor; without texts.
        digests: hex SHA-256 of the texts of the chunks whose digest was asked for, as the manifest
            gives it or of the text it carries; chunks with neither are left out.
        duplicates: for asked ids that it lists more than once, all their lines.
        parents: the asked ids that are parents of chunks, with how many each has.
        count: how many chunks it lists.
    """

    missing: frozenset[str]
    notable: Mapping[str, Chunk]
    digests: Mapping[str, str]
    duplicates: Mapping[str, tuple[int, ...]]
    parents: Mapping[str, int]
    count: int


class ReadBlocks(Protocol):
    """Reads a manifest from its beginning."""

    def __call__(self, *, with_text: bool) -> Iterator[ChunkBlock]:
        """Its chunks by the block."""


def look_up(read: ReadBlocks, ids: Collection[str], digests_of: Collection[str]) -> ManifestView:
    """What a manifest knows of some ids.

    Args:
        read: reads the manifest; once, and once more when it lists one of them twice.
        ids: the ids that are looked up.
        digests_of: those of them whose content is asked for, too.
    """
    search = _Search(ids, digests_of)
    for block in read(with_text=bool(digests_of)):
        search.look_at(block)
    twins = _lines_of(search.twins, read(with_text=False)) if search.twins else {}
    return ManifestView(
        missing=frozenset(search.missing),
        notable=search.notable,
        digests=search.digests,
        duplicates=twins,
        parents=search.parents,
        count=search.count,
    )


class _Search:
    """The looking up, block by block."""

    def __init__(self, ids: Collection[str], digests_of: Collection[str]) -> None:
        self._asked = ids if isinstance(ids, set | frozenset) else frozenset(ids)
        self._digests_of = frozenset(digests_of)
        self.missing = set(ids)
        self.notable: dict[str, Chunk] = {}
        self.digests: dict[str, str] = {}
        self.twins: set[str] = set()
        self.parents: Counter[str] = Counter()
        self.count = 0

    def look_at(self, block: ChunkBlock) -> None:
        """Take note of what a block says of the ids."""
        self.count += len(block.ids)
        # Each look into a set of a million ids is a walk through memory: one for an id that is
        # there for the first time, two for any other.
        fresh = self.missing.intersection(block.ids)
        self.missing -= fresh
        if len(fresh) < len(block.ids):
            self._note_twins(block.ids, fresh)
        if fresh and (block.may_be_notable or not self._digests_of.isdisjoint(fresh)):
            self._note_chunks(block, fresh)
        if block.parents and not self._asked.isdisjoint(block.parents):
            parents = (parent for parent in block.parents if parent in self._asked and parent)
            self.parents.update(parents)

    def _note_twins(self, ids: Sequence[str], fresh: set[str]) -> None:
        others = [chunk_id for chunk_id in ids if chunk_id not in fresh]
        self.twins.update(self._asked.intersection(others))
        if len(others) + len(fresh) < len(ids):
            counts = Counter(chunk_id for chunk_id in ids if chunk_id in fresh)
            self.twins.update(chunk_id for chunk_id, count in counts.items() if count > 1)

    def _note_chunks(self, block: ChunkBlock, fresh: set[str]) -> None:
        for index, chunk_id in enumerate(block.ids):
            if chunk_id in fresh:
                fresh.remove(chunk_id)
                chunk = block.chunk(index)
                if chunk.is_notable:
                    self.notable[chunk_id] = replace(chunk, title=None, text=None)
                digest = chunk.digest if chunk_id in self._digests_of else None
                if digest:
                    self.digests[chunk_id] = digest


def _lines_of(ids: AbstractSet[str], blocks: Iterator[ChunkBlock]) -> dict[str, tuple[int, ...]]:
    lines: dict[str, list[int]] = {}
    for block in blocks:
        for index, chunk_id in enumerate(block.ids):
            if chunk_id in ids:
                lines.setdefault(chunk_id, []).append(block.line(index))
    return {chunk_id: tuple(found) for chunk_id, found in lines.items()}
