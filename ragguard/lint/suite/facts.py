"""What the rules that look at a whole suite need to know of it, gathered row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.dataset.versions import VERSIONS
from ragguard.lint.labels import ids_of
from ragguard.lint.plain.rows import PlainRows
from ragguard.lint.suite.file import SuiteFile
from ragguard.lint.suite.recurrence import Recurrence, recurrence
from ragguard.lint.suite.row_index import RowIndex, by_file
from ragguard.lint.suite.versions import SuiteVersions, Versions
from ragguard.location import Location

if TYPE_CHECKING:
    from ragguard.corpus.manifest import Manifest
    from ragguard.corpus.view import ManifestView
    from ragguard.lint.base.row_changes import RowChanges
    from ragguard.lint.base.suite import BaseSuite
    from ragguard.lint.suite.tally import Tally


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
        self.files: list[SuiteFile] = []
        self.labels: set[str] = set()
        self.hashes: dict[str, set[str]] = {}
        self.reviews: list[Review] = []
        self.notes: list[str] = []
        self.has_critical = False
        self.manifest: Manifest | None = None
        self.view: ManifestView | None = None
        self.base: BaseSuite | None = None
        self.codes: frozenset[str] = frozenset()
        self._ranks = suite.scoring.critical_rank
        self._index = RowIndex()
        self._versions = SuiteVersions()

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
        unread: dict[str, Any] = dict.fromkeys(VERSIONS)
        self._begin(SuiteFile(path, shown, content or path, unread))
        sidecar = read_sidecar(path, shown_path(sidecar_path(path)))
        self.files.pop()
        self._begin(SuiteFile(path, shown, content or path, sidecar))

    def _begin(self, file: SuiteFile) -> None:
        self.files.append(file)
        self._versions.begin(file)

    def add(self, row: DatasetRow) -> None:
        """Take note of a row of the file begun last."""
        number, fields = row.line.number, row.fields
        self._index.add(number, fields.get("query_id"), fields.get("query"))
        self._versions.add(row, self.files[-1])
        if self.suite.corpus is not None:
            self.labels.update(ids_of(fields))
        if "label_hashes" in fields:
            self._add_hashes(fields["label_hashes"])
        if "review_by" in fields:
            self._add_review(row)
        is_critical = fields.get("critical") is True
        self.has_critical = self.has_critical or is_critical
        is_crowded = is_critical and sum(1 for _ in ids_of(fields)) > self._ranks
        if is_crowded or "max_rank" in fields:
            self.files[-1].gated.append(number)

    def takes(self, rows: PlainRows) -> bool:
        """Whether rows can be added at once: a version met for the first time needs its place."""
        return self._versions.know(rows)

    def add_plain(self, rows: PlainRows) -> None:
        """Take note of rows of the file begun last, all at once."""
        self._index.add_all(rows.numbers, rows.query_ids, rows.queries)
        self.files[-1].gated.extend(rows.crowded)
        self.has_critical = self.has_critical or rows.has_critical
        self._versions.add_plain(rows, self.files[-1])
        if self.suite.corpus is not None:
            self.labels.update(rows.labels)

    @property
    def versions(self) -> Versions:
        """By version field the versions that are named, in the order met."""
        return self._versions.found

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._index)

    @cached_property
    def recurrence(self) -> Recurrence:
        """Query ids and queries that stand more than once; their rows are read once more.

        Raises:
            InputError: a file cannot be read any more.
        """
        places = by_file(self._index.recurring())
        return recurrence(
            row for index, numbers in places for row in self._rows(self.files[index], numbers)
        )

    def present(self, query_ids: Collection[str]) -> frozenset[str]:
        """Those of these query ids that a row has."""
        return self._index.present(query_ids)

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
        from ragguard.lint.suite.tally import tally  # only rules that are opt-in ask

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
        from ragguard.lint.base.row_changes import row_changes

        lines = self.base.changed
        changed = ((file, lines[file.path]) for file in self.files if file.path in lines)
        return row_changes(
            self.base, (row for file, numbers in changed for row in self._rows(file, numbers))
        )

    def gated_rows(self) -> Iterator[DatasetRow]:
        """The rows that a gate of their own may judge in vain, read once more, in order.

        Those with a `max_rank`, and critical ones with more labels than ranks.

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
        file: SuiteFile,
        numbers: Collection[int] | None = None,
        naming: Collection[str] | None = None,
    ) -> Iterator[DatasetRow]:
        mapping = FieldMapping(self.suite.fields)
        for read in read_rows(file.content, file.shown, mapping, numbers, naming):
            if read.row is not None:
                yield read.row
