"""A manifest as a stream of blocks of chunks, so that what is asked of all is asked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ragguard.corpus.chunk import Chunk, NumberedChunk
from ragguard.corpus.faults import Faults
from ragguard.corpus.reading import is_json_lines, read_chunks, read_json_lines
from ragguard.dataset.lines import BOM, Block
from ragguard.dataset.lines import read_blocks as read_line_blocks

if TYPE_CHECKING:
    from ragguard.corpus.bulk import BulkDecoder, Rows
    from ragguard.corpus.bulk_ids import IdDecoder

FEW_BLOCKS = 2
"""Blocks of bytes up to which a file is read line by line: it is not worth an import."""

_BLOCK_CHUNKS = 1000
_PIECE_LINES = 32


@dataclass(frozen=True, slots=True)
class ChunkBlock:
    """Chunks that stand one after the other in a manifest.

    Attributes:
        ids: of every chunk.
        parents: of every chunk; empty when none has one.
        may_be_notable: whether any may be more than active.
        line: the line of a chunk, by its index in the block.
        chunk: a chunk with everything that was read of it, by its index.
    """

    ids: Sequence[str]
    parents: Sequence[str | None]
    may_be_notable: bool
    line: Callable[[int], int]
    chunk: Callable[[int], Chunk]


def read_blocks(path: Path, shown: str, *, with_text: bool) -> Iterator[ChunkBlock]:
    """The chunks of a manifest by the block.

    Args:
        path: the file; its form is told by its name and its first line, gzip by its bytes.
        shown: its name in errors.
        with_text: whether to keep titles and texts.

    Raises:
        InputError: the file cannot be read; or, after all that hold one, entries hold no chunk.
    """
    yield from _read(path, shown, with_text=with_text, ids_only=False)


def read_ids(path: Path, shown: str) -> Iterator[Sequence[str]]:
    """The ids of a manifest by the block, where it is known that nothing is wrong with it.

    Raises:
        InputError: as `read_blocks`, but not everything that may be wrong is looked at.
    """
    for block in _read(path, shown, with_text=False, ids_only=True):
        yield block.ids


def _read(path: Path, shown: str, *, with_text: bool, ids_only: bool) -> Iterator[ChunkBlock]:
    faults = Faults(shown)
    blocks = read_line_blocks(path, shown)
    head = list(islice(blocks, FEW_BLOCKS + 1))
    if len(head) > FEW_BLOCKS and _begins_as_json_lines(path, head[0]):
        from ragguard.corpus.bulk import BulkDecoder
        from ragguard.corpus.bulk_ids import IdDecoder

        decoder = IdDecoder() if ids_only else BulkDecoder(with_text=with_text)
        for block in chain(head, blocks):
            yield from _decoded(block, decoder, faults, with_text)
    else:
        yield from _gathered(read_chunks(path, shown, faults, with_text=with_text))
    faults.raise_any()


def _begins_as_json_lines(path: Path, block: Block) -> bool:
    first = next((line for line in block.lines() if line.content.strip()), None)
    return first is not None and is_json_lines(path, first)


def _decoded(
    block: Block, decoder: BulkDecoder | IdDecoder, faults: Faults, with_text: bool
) -> Iterator[ChunkBlock]:
    content = block.content if block.is_terminated else block.content + b"\n"
    if block.number == 1:
        content = content.removeprefix(BOM)
    rows = decoder.rows(content, content.count(b"\n"))
    if rows is not None:
        yield _of_rows(block.number, rows)
        return
    # By the few, so that a doubtful line does not slow down all others.
    lines = block.lines()
    while piece := list(islice(lines, _PIECE_LINES)):
        rows = decoder.rows(b"".join(line.raw + b"\n" for line in piece), len(piece))
        if rows is not None:
            yield _of_rows(piece[0].number, rows)
        else:
            yield from _gathered(read_json_lines(piece, faults, with_text))


def _of_rows(number: int, rows: Rows) -> ChunkBlock:
    ids, parents = list(rows.column("id")), list(rows.column("parent_id"))
    return ChunkBlock(ids, parents, rows.may_be_notable, number.__add__, rows.chunk)


def _gathered(numbered: Iterator[NumberedChunk]) -> Iterator[ChunkBlock]:
    while some := list(islice(numbered, _BLOCK_CHUNKS)):
        numbers, chunks = [number for number, _ in some], [chunk for _, chunk in some]
        yield ChunkBlock(
            ids=[chunk.chunk_id for chunk in chunks],
            parents=[chunk.parent_id for chunk in chunks],
            may_be_notable=any(chunk.is_notable for chunk in chunks),
            line=numbers.__getitem__,
            chunk=chunks.__getitem__,
        )
