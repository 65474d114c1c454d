"""What the rules that look at a whole suite need to know of it, gathered row by row."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.positions import key_span
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.dataset.versions import VERSIONS
from ragguard.lint.occurrence import Occurrence, near_key
from ragguard.lint.plain_rows import PlainRows
from ragguard.lint.row_index import RowIndex, by_file
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest
    from ragguard.corpus.view import ManifestView
    from ragguard.lint.base import BaseSuite
    from ragguard.lint.row_changes import RowChanges
    from ragguard.lint.tally import Tally

_VERSION_SET = frozenset(VERSIONS)


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
        content: where its rows are read; mostly `path`.
        sidecar: what its sidecar says.
        lacking: for each version field the lines whose rows lack it.
        naming: for each version field how many rows have it.
        gated: the lines whose rows a gate of their own may judge in vain.
    """

    path: Path
    shown: str
    content: Path
    sidecar: Mapping[str, Any]
    lacking: dict[str, array[int]] = field(
        default_factory=lambda: {name: array("I") for name in VERSIONS}
    )
    naming: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERSIONS, 0))
    gated: array[int] = field(default_factory=lambda: array("I"))

    @property
    def sidecar_file(self) -> str:
        """The name of its sidecar in diagnostics."""
        return shown_path(sidecar_path(self.path))


@dataclass(frozen=True, slots=True)
class Review:
    """A row that says until when its labels hold.

    Attributes:
        location: where the date stands.
    """

    location: Location
    query_id: str | None
    review_by: date


class SuiteFacts:
    """A suite as its rows make it up.

    Attributes:
        today: the day on which it is linted.
        versions: by field, then by version, in the order met.
        labels: the labelled and forbidden ids; kept only when the suite has a corpus.
        hashes: by labelled chunk the hashes that rows remember of its text.
        reviews: rows with a date of review.
        manifest: the corpus, None without one or when it cannot be read.
        view: what the manifest knows of the ids in `labels`.
        base: the suite as it was, None where nobody asked for it.
        codes: those of the rules that run.
        notes: what rules left out, and why.
        has_critical: whether any row is critical.
    """

    def __init__(self, suite: Suite, config: Config, today: date) -> None:
        self.suite = suite
        self.config = config
        self.today = today
        self.files: list[FileFacts] = []
        self.versions: dict[str, dict[str, Versioned]] = {name: {} for name in VERSIONS}
        self.labels: set[str] = set()
        self.hashes: dict[str, set[str]] = {}
        self.reviews: list[Review] = []
        self.notes: list[str] = []
        self.has_critical = False
        self.manifest: Manifest | None = None
        self.view: ManifestView | None = None
        self.base: BaseSuite | None = None
        self.codes: frozenset[str] = frozenset()
        self._index = RowIndex()
        self._needs_versions = True

    def add_file(self, path: Path, shown: str, content: Path | None = None) -> None:
        """Begin with another file; rows added from here on are its rows.

        Args:
            path: the file, beside which its sidecar lies.
            shown: its name in diagnostics.
            content: a file that is read in its place.

        Raises:
            InputError: its sidecar cannot be read.
        """
        self._index.begin_file()
        # Until it is read the sidecar may name any version: its rows lack none.
        self.files.append(FileFacts(path, shown, content or path, dict.fromkeys(VERSIONS)))
        self._needs_versions = False
        facts = FileFacts(
            path, shown, content or path, read_sidecar(path, shown_path(sidecar_path(path)))
        )
        self.files[-1] = facts
        self._needs_versions = not facts.sidecar.keys() >= _VERSION_SET
        for name in VERSIONS:
            version = facts.sidecar.get(name)
            if isinstance(version, str):
                self._note_version(name, version, sidecar_location(path, name))

    def add(self, row: DatasetRow) -> None:
        """Take note of a row of the file begun last."""
        number, fields = row.line.number, row.fields
        self._index.add(number, fields.get("query_id"), fields.get("query"))
        if self._needs_versions or not _VERSION_SET.isdisjoint(fields):
            self._add_versions(row, number, fields)
        if self.suite.corpus is not None:
            self.labels.update(ids_of(fields))
        if "label_hashes" in fields:
            self._add_hashes(fields["label_hashes"])
        if "review_by" in fields:
            self._add_review(row)
        is_critical = fields.get("critical") is True
        self.has_critical = self.has_critical or is_critical
        if is_critical or "max_rank" in fields:
            self.files[-1].gated.append(number)

    def takes(self, rows: PlainRows) -> bool:
        """Whether rows can be added at once: a version met for the first time needs its place."""
        return all(
            self.versions[name].keys() >= frozenset(values) - {None}
            for name, values in rows.versions.items()
        )

    def add_plain(self, rows: PlainRows) -> None:
        """Take note of rows of the file begun last, all at once."""
        self._index.add_all(rows.numbers, rows.query_ids, rows.queries)
        self.files[-1].gated.extend(rows.crowded)
        self.has_critical = self.has_critical or rows.has_critical
        for name in VERSIONS:
            self._count_versions(name, rows.numbers, rows.versions.get(name))
        if self.suite.corpus is not None:
            self.labels.update(rows.labels)

    def _count_versions(
        self, name: str, numbers: Sequence[int], values: Sequence[str | None] | None
    ) -> None:
        file = self.files[-1]
        if values is None:
            if name not in file.sidecar:
                file.lacking[name].extend(numbers)
            return
        for version, count in Counter(values).items():
            if version is not None:
                file.naming[name] += count
                self.versions[name][version].count += count
        if None in values and name not in file.sidecar:
            missing = (number for number, each in zip(numbers, values, strict=True) if each is None)
            file.lacking[name].extend(missing)

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._index)

    @cached_property
    def _recurring(self) -> tuple[tuple[Twin, ...], tuple[tuple[Occurrence, ...], ...]]:
        first: dict[str, Location] = {}
        twins: list[Twin] = []
        near: dict[str, list[Occurrence]] = {}
        for index, numbers in by_file(self._index.recurring()):
            for row in self._rows(self.files[index], numbers):
                query_id, query = row.query_id, row.fields.get("query")
                if query_id is not None:
                    before = first.setdefault(query_id, Location(row.file, row.line.number))
                    if before.line != row.line.number or before.file != row.file:
                        twins.append(Twin(query_id, row.locate("query_id"), before))
                if isinstance(query, str):
                    near.setdefault(near_key(query), []).append(Occurrence.of(row))
        return tuple(twins), tuple(tuple(alike) for alike in near.values() if len(alike) > 1)

    @property
    def twins(self) -> tuple[Twin, ...]:
        """Query ids met more than once.

        Raises:
            InputError: a file cannot be read any more.
        """
        return self._recurring[0]

    @property
    def alike(self) -> tuple[tuple[Occurrence, ...], ...]:
        """Groups of queries that differ by case, white space and punctuation only, or not at all.

        Raises:
            InputError: a file cannot be read any more.
        """
        return self._recurring[1]

    def present(self, query_ids: Collection[str]) -> frozenset[str]:
        """Those of these query ids that a row has."""
        return self._index.present(query_ids)

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

    def _add_hashes(self, hashes: object) -> None:
        if isinstance(hashes, dict):
            for chunk_id, digest in hashes.items():
                if isinstance(digest, str):
                    self.hashes.setdefault(chunk_id, set()).add(digest)

    def _add_review(self, row: DatasetRow) -> None:
        try:
            day = date.fromisoformat(row.fields["review_by"])
        except (TypeError, ValueError):
            return  # another rule says that it is no date
        self.reviews.append(Review(row.locate("review_by"), row.query_id, day))

    @cached_property
    def tally(self) -> Tally:
        """Its queries counted, all of them read once more.

        Raises:
            InputError: a file cannot be read any more.
        """
        from ragguard.lint.tally import tally  # only rules that are opt-in ask

        return tally(self.rows(), self.suite)

    def rows(self) -> Iterator[DatasetRow]:
        """All rows, read once more, in the order of the files.

        Raises:
            InputError: a file cannot be read any more.
        """
        for file in self.files:
            yield from self._rows(file)

    @cached_property
    def changes(self) -> RowChanges | None:
        """How the rows changed since the base; None where nobody asked for it.

        Raises:
            InputError: a file cannot be read any more.
        """
        if self.base is None:
            return None
        from ragguard.lint.row_changes import row_changes

        lines = self.base.changed
        changed = ((file, lines[file.path]) for file in self.files if file.path in lines)
        return row_changes(
            self.base, (row for file, numbers in changed for row in self._rows(file, numbers))
        )

    def gated_rows(self) -> Iterator[DatasetRow]:
        """The rows that a gate of their own may judge in vain, read once more, in order.

        Those with a `max_rank`, and critical ones; plain ones only with more labels than ranks.

        Raises:
            InputError: a file cannot be read any more.
        """
        for file in self.files:
            yield from self._rows(file, frozenset(file.gated))

    def rows_naming(self, ids: Collection[str]) -> Iterator[DatasetRow]:
        """The rows that label or forbid any of these ids, read once more.

        Raises:
            InputError: a file cannot be read any more.
        """
        for file in self.files:
            for row in self._rows(file, naming=ids):
                if any(chunk_id in ids for chunk_id in ids_of(row.fields)):
                    yield row

    def rows_on(self, lines: Iterable[Location]) -> Iterator[DatasetRow]:
        """The rows on these lines, read once more, in the order of the files.

        Raises:
            InputError: a file cannot be read any more.
        """
        wanted: dict[str, set[int]] = {}
        for line in lines:
            wanted.setdefault(line.file, set()).add(line.line or 0)
        for file in self.files:
            if file.shown in wanted:
                yield from self._rows(file, wanted[file.shown])

    def _rows(
        self,
        file: FileFacts,
        numbers: Collection[int] | None = None,
        naming: Collection[str] | None = None,
    ) -> Iterator[DatasetRow]:
        mapping = FieldMapping(self.suite.fields)
        for read in read_rows(file.content, file.shown, mapping, numbers, naming):
            if read.row is not None:
                yield read.row


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
