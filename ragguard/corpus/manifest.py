"""The corpus as its manifest lists it; memory grows with what is asked, not with the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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

    def view(self, ids: Collection[str], digests_of: Collection[str] = ()) -> ManifestView:
        """What it knows of these ids, in one pass.

        Args:
            ids: the ids that are looked up.
            digests_of: those of them whose content is asked for, too.

        Raises:
            InputError: as `iter_chunks`.
        """
        wanted, digested = frozenset(ids), frozenset(digests_of)
        missing = set(wanted)
        notable: dict[str, Chunk] = {}
        digests: dict[str, str] = {}
        lines: dict[str, list[int]] = {}
        parents: dict[str, int] = {}
        count = 0
        for number, chunk in read_chunks(self.path, self.shown, with_text=bool(digested)):
            count += 1
            chunk_id = chunk.chunk_id
            if chunk_id in wanted:
                lines.setdefault(chunk_id, []).append(number)
                if chunk_id in missing:
                    missing.remove(chunk_id)
                    if chunk.is_notable:
                        notable[chunk_id] = replace(chunk, title=None, text=None)
                    digest = chunk.digest if chunk_id in digested else None
                    if digest:
                        digests[chunk_id] = digest
            if chunk.parent_id in wanted:
                parents[chunk.parent_id] = parents.get(chunk.parent_id, 0) + 1
        twins = {id_: tuple(found) for id_, found in lines.items() if len(found) > 1}
        return ManifestView(frozenset(missing), notable, digests, twins, parents, count)

    def chunks(self, ids: Collection[str]) -> Mapping[str, Chunk]:
        """The chunks with these ids by id, without texts; ids that it lacks are left out.

        Raises:
            InputError: as `iter_chunks`.
        """
        found: dict[str, Chunk] = {}
        for chunk in self.iter_chunks():
            if chunk.chunk_id in ids:
                found.setdefault(chunk.chunk_id, chunk)
        return found

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
