"""The corpus as its manifest lists it; memory grows with what is asked, not with the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ragguard.atomic import FileState
from ragguard.config.discovery import shown_path
from ragguard.corpus.blocks import ChunkBlock, read_blocks, read_ids
from ragguard.corpus.chunk import Chunk
from ragguard.corpus.file_state import check_unchanged, state_of
from ragguard.corpus.reading import read_facts
from ragguard.corpus.view import ManifestView, look_up
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.errors import InputError

if TYPE_CHECKING:
    from ragguard.corpus.nearest import Near

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest file; every question streams it once.

    Attributes:
        shown: its name in diagnostics.
        facts: what its sidecar, or the object it consists of, says of the whole.
        state: what tells whether the file is still the one that was opened.
    """

    path: Path
    shown: str
    facts: Mapping[str, Any]
    state: FileState

    @property
    def corpus_version(self) -> str | None:
        """The version it is of, None when it does not say."""
        version = self.facts.get("corpus_version")
        return version if isinstance(version, str) else None

    def iter_chunks(self, *, with_text: bool = False) -> Iterator[Chunk]:
        """Its chunks in the order of the file.

        Args:
            with_text: whether with titles and texts.

        Raises:
            InputError: it cannot be read, or changed since it was opened; or, after all that hold
                a chunk, entries that hold none.
        """
        for block in self._blocks(with_text=with_text):
            for index in range(len(block.ids)):
                yield block.chunk(index)

    def view(self, ids: Collection[str], digests_of: Collection[str] = ()) -> ManifestView:
        """What it knows of these ids, in one pass; in another one where an id stands twice.

        Args:
            ids: the ids that are looked up.
            digests_of: those of them whose content is asked for, too.

        Raises:
            InputError: as `iter_chunks`.
        """
        return look_up(self._blocks, ids, digests_of)

    def chunks(self, ids: Collection[str]) -> Mapping[str, Chunk]:
        """The chunks with these ids by id, without texts; ids that it lacks are left out.

        Raises:
            InputError: as `iter_chunks`.
        """
        found: dict[str, Chunk] = {}
        for block in self._blocks(with_text=False):
            for index, chunk_id in enumerate(block.ids):
                if chunk_id in ids and chunk_id not in found:
                    found[chunk_id] = block.chunk(index)
        return found

    def first_ids(self, count: int) -> list[str]:
        """The first ids that it lists.

        Raises:
            InputError: as `nearest`.
        """
        ids = self._unchanged(read_ids(self.path, self.shown))
        return list(islice(chain.from_iterable(ids), count))

    def nearest(self, dangling: Iterable[str]) -> Mapping[str, tuple[Near, ...]]:
        """For ids that it lacks the nearest it has, in one more pass after a `view`.

        Raises:
            InputError: it cannot be read any more, or changed since it was opened.
        """
        from ragguard.corpus.nearest import nearest  # few manifests are asked for it

        return nearest(dangling, self._unchanged(read_ids(self.path, self.shown)))

    def _blocks(self, *, with_text: bool) -> Iterator[ChunkBlock]:
        return self._unchanged(read_blocks(self.path, self.shown, with_text=with_text))

    def _unchanged(self, blocks: Iterator[Read]) -> Iterator[Read]:
        """What is read, as long as the file is the one that was opened."""
        check_unchanged(self.path, self.shown, self.state)
        try:
            yield from blocks
        except InputError:
            check_unchanged(self.path, self.shown, self.state)  # cut off, it has faults, too
            raise
        check_unchanged(self.path, self.shown, self.state)


def open_manifest(path: Path) -> Manifest:
    """A manifest, its sidecar read; the chunks are read when they are asked for.

    Raises:
        InputError: it is no file that can be read twice, its sidecar cannot be read, or a version
            is no text.
    """
    shown = shown_path(path)
    state = state_of(path, shown)
    facts = read_sidecar(path, shown_path(sidecar_path(path)))
    return Manifest(path, shown, {**read_facts(path, shown), **facts}, state)
