"""The corpus as its manifest lists it; memory grows with what is asked, not with the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.corpus.chunk import Chunk
from ragguard.corpus.nearest import Near, nearest
from ragguard.corpus.reading import read_chunks, read_facts
from ragguard.dataset.sidecar import read_sidecar, sidecar_path


@dataclass(frozen=True, slots=True)
class ManifestView:
    """What a manifest knows of the chunks that were asked for.

    Attributes:
        chunks: by id, without texts; ids that the manifest lacks are left out.
        count: how many chunks the manifest lists.
        duplicates: for asked ids that it lists more than once, all their lines.
        parents: the asked ids that are parents of chunks, with how many each has.
    """

    chunks: Mapping[str, Chunk]
    count: int
    duplicates: Mapping[str, tuple[int, ...]]
    parents: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest file; every question streams it once.

    Attributes:
        shown: its name in diagnostics.
        facts: what its sidecar, or the object it consists of, says of the whole.
    """

    path: Path
    shown: str
    facts: Mapping[str, Any]

    @property
    def corpus_version(self) -> str | None:
        """The version it is of, None when it does not say."""
        version = self.facts.get("corpus_version")
        return version if isinstance(version, str) else None

    def iter_chunks(self, *, with_text: bool = False) -> Iterator[Chunk]:
        """Its chunks in the order of the file.

        Raises:
            InputError: it cannot be read, or a line holds no chunk.
        """
        for _, chunk in read_chunks(self.path, self.shown, with_text=with_text):
            yield chunk

    def view(self, ids: Collection[str]) -> ManifestView:
        """What it knows of these ids, in one pass.

        Raises:
            InputError: as `iter_chunks`.
        """
        wanted = frozenset(ids)
        chunks: dict[str, Chunk] = {}
        lines: dict[str, list[int]] = {}
        parents: dict[str, int] = {}
        count = 0
        for number, chunk in read_chunks(self.path, self.shown, with_text=False):
            count += 1
            if chunk.chunk_id in wanted:
                chunks.setdefault(chunk.chunk_id, chunk)
                lines.setdefault(chunk.chunk_id, []).append(number)
            if chunk.parent_id in wanted:
                parents[chunk.parent_id] = parents.get(chunk.parent_id, 0) + 1
        twins = {id_: tuple(found) for id_, found in lines.items() if len(found) > 1}
        return ManifestView(chunks, count, twins, parents)

    def nearest(self, dangling: Iterable[str]) -> Mapping[str, tuple[Near, ...]]:
        """For ids that it lacks the nearest it has, in one more pass.

        Raises:
            InputError: as `iter_chunks`.
        """
        return nearest(dangling, (chunk.chunk_id for chunk in self.iter_chunks()))


def open_manifest(path: Path) -> Manifest:
    """A manifest, its sidecar read; the chunks are read when they are asked for.

    Raises:
        InputError: its sidecar cannot be read, or a version is no text.
    """
    facts = read_sidecar(path, shown_path(sidecar_path(path)))
    return Manifest(path, shown_path(path), {**read_facts(path, shown_path(path)), **facts})
