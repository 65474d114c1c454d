"""What the rules that look at a whole suite need to know of it, gathered row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Suite
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.positions import key_span
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest, ManifestView

VERSIONS = ("dataset_version", "corpus_version")
_VERSION_SET = frozenset(VERSIONS)
Place = tuple[int, int]
"""Index of a file of the suite and line in it."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A query id that was met before.

    Attributes:
        location: where it stands this time.
        first: the line where it stood first.
    """

    query_id: str
    location: Location
    first: Location


@dataclass(slots=True)
class Versioned:
    """One version that a suite names.

    Attributes:
        location: where it stands first.
        count: how many rows and sidecars name it.
    """

    location: Location
    count: int = 1


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file of a suite.

    Attributes:
        sidecar: what its sidecar says.
        lacking: for each version field the lines whose rows lack it.
        naming: for each version field how many rows have it.
    """

    path: Path
    shown: str
    sidecar: Mapping[str, Any]
    lacking: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in VERSIONS})
    naming: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERSIONS, 0))

    @property
    def sidecar_file(self) -> str:
        """The name of its sidecar in diagnostics."""
        return shown_path(sidecar_path(self.path))


class SuiteFacts:
    """A suite as its rows make it up.

    Attributes:
        twins: query ids met more than once.
        versions: by field, then by version, in the order met.
        labels: by labelled or forbidden id the places of the rows that name it; kept only when
            the suite has a corpus.
        manifest: the corpus, None without one or when it cannot be read.
        view: what the manifest knows of the ids in `labels`.
    """

    __slots__ = (
        "_first",
        "_needs_versions",
        "files",
        "labels",
        "manifest",
        "suite",
        "twins",
        "versions",
        "view",
    )

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.files: list[FileFacts] = []
        self.twins: list[Twin] = []
        self.versions: dict[str, dict[str, Versioned]] = {name: {} for name in VERSIONS}
        self.labels: dict[str, list[Place]] = {}
        self.manifest: Manifest | None = None
        self.view: ManifestView | None = None
        self._first: dict[str, Place] = {}
        self._needs_versions = True

    def add_file(self, path: Path, shown: str) -> None:
        """Begin with another file; rows added from here on are its rows.

        Raises:
            InputError: its sidecar cannot be read.
        """
        # Until it is read the sidecar may name any version: its rows lack none.
        self.files.append(FileFacts(path, shown, dict.fromkeys(VERSIONS)))
        self._needs_versions = False
        facts = FileFacts(path, shown, read_sidecar(path, shown_path(sidecar_path(path))))
        self.files[-1] = facts
        self._needs_versions = not facts.sidecar.keys() >= _VERSION_SET
        for name in VERSIONS:
            version = facts.sidecar.get(name)
            if isinstance(version, str):
                self._note_version(name, version, sidecar_location(path, name))

    def add(self, row: DatasetRow, *, with_labels: bool) -> None:
        """Take note of a row of the file begun last."""
        number, fields = row.line.number, row.fields
        place = (len(self.files) - 1, number)
        query_id = fields.get("query_id")
        if type(query_id) is str:
            first = self._first.setdefault(query_id, place)
            if first is not place:
                before = Location(self.files[first[0]].shown, first[1])
                self.twins.append(Twin(query_id, row.locate("query_id"), before))
        if self._needs_versions or not _VERSION_SET.isdisjoint(fields):
            self._add_versions(row, number, fields)
        if with_labels:
            for chunk_id in ids_of(fields):
                places = self.labels.setdefault(chunk_id, [])
                if not places or places[-1] != place:
                    places.append(place)

    def has_query(self, query_id: str) -> bool:
        """Whether a row has this id."""
        return query_id in self._first

    def _add_versions(self, row: DatasetRow, number: int, fields: Mapping[str, Any]) -> None:
        file = self.files[-1]
        for name in VERSIONS:
            version = fields.get(name)
            if type(version) is str:
                file.naming[name] += 1
                known = self.versions[name].get(version)
                if known is None:
                    self.versions[name][version] = Versioned(row.locate(name))
                else:
                    known.count += 1
            elif name not in fields and name not in file.sidecar:
                file.lacking[name].append(number)

    def _note_version(self, name: str, version: str, location: Location) -> None:
        known = self.versions[name].get(version)
        if known is None:
            self.versions[name][version] = Versioned(location)
        else:
            known.count += 1

    def rows_naming(self, ids: Collection[str]) -> Iterator[DatasetRow]:
        """The rows that name any of these ids, read once more, in the order of the files.

        Raises:
            InputError: a file cannot be read any more.
        """
        wanted: dict[int, set[int]] = {}
        for chunk_id in ids:
            for index, number in self.labels[chunk_id]:
                wanted.setdefault(index, set()).add(number)
        for index in sorted(wanted):
            yield from self._rows(self.files[index], wanted[index])

    def _rows(self, file: FileFacts, numbers: Collection[int]) -> Iterator[DatasetRow]:
        last = max(numbers)
        for read in read_rows(file.path, file.shown, FieldMapping(self.suite.fields)):
            if read.row is not None and read.line.number in numbers:
                yield read.row
            if read.line.number >= last:
                return


def ids_of(fields: Mapping[str, Any]) -> Iterator[str]:
    """The ids that a canonical row labels or forbids; what is no string is left out."""
    for name in ("relevant_ids", "judgments", "forbidden_ids"):
        named = fields.get(name)
        if isinstance(named, list | dict):
            for each in named:
                if type(each) is str:
                    yield each
    evidence = fields.get("evidence")
    if isinstance(evidence, list):
        for group in evidence:
            if isinstance(group, list):
                for each in group:
                    if type(each) is str:
                        yield each


def sidecar_location(path: Path, key: str) -> Location:
    """Where a key of a file's sidecar stands."""
    beside = sidecar_path(path)
    text = beside.read_bytes().decode("utf-8-sig", "replace")
    span = key_span(text, (key,))
    if span is None:
        return Location(shown_path(beside), 1, 1)
    before = text[: span.start]
    return Location(shown_path(beside), before.count("\n") + 1, span.start - before.rfind("\n"))
