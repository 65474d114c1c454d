"""The labels of datasets moved by a mapping; nothing is written before all of it is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ragguard.corpus.manifest import Manifest, open_manifest
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.whole import refusal
from ragguard.errors import FaultyInputError, InputError, UsageError
from ragguard.lint.diagnostic import Edit
from ragguard.lint.fixes.changed_file import ChangedFile
from ragguard.lint.labels import has_label, ids_of, relevant_ids
from ragguard.lint.result import SourceFile
from ragguard.location import Location
from ragguard.migration.corpora import check_access, check_new_ids, other_parents
from ragguard.migration.datasets import named_datasets, refuse_compressed
from ragguard.migration.label_map import LabelMap
from ragguard.migration.moving import RowMove, moved_row


@dataclass(frozen=True, slots=True)
class MigrationRequest:
    """What a command line asks for.

    Attributes:
        paths: files and folders; empty for all that the configuration names.
        config: the configuration, None to look for it.
        corpus: the manifest of the new cut, in place of the configured ones.
        before: the manifest of the old cut; None when it is not given.
        drop_gone: whether labels on chunks that are gone are removed.
        allow_access_change: whether a new chunk may be seen by others than the old one.
    """

    label_map: LabelMap
    paths: Sequence[Path] = ()
    config: Path | None = None
    corpus: Path | None = None
    before: Path | None = None
    drop_gone: bool = False
    allow_access_change: bool = False


@dataclass(slots=True)
class Migration:
    """What a mapping does to datasets.

    Attributes:
        files: those that change; writing them is left to the caller.
        rows: how many rows change, by the name of their file.
        moved, dropped, hashes, joined: as of a row, over all of them.
        gone: ids that stay although their chunk is gone.
        unlabelled: queries whose last label was dropped.
        unused: old ids that no row names, in the order of the mapping.
        unknown: ids that rows name and no manifest has once the labels are moved; None without
            a manifest.
        numbers: how many labels are numbers, which no mapping moves.
        parents: moves into another document, as old and new id.
        chains: moves whose new id is an old one, too, with where the mapping says so.
    """

    files: list[ChangedFile] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    moved: int = 0
    dropped: int = 0
    hashes: int = 0
    joined: int = 0
    gone: set[str] = field(default_factory=set)
    unlabelled: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    unknown: list[str] | None = None
    numbers: int = 0
    parents: list[tuple[str, str]] = field(default_factory=list)
    chains: list[tuple[str, str, Location]] = field(default_factory=list)

    def add(self, row: DatasetRow, move: RowMove, fields: dict[str, object]) -> None:
        """Count what becomes of one row, and of which fields it consists then."""
        self.numbers += _numbers(row)
        if move.dropped and has_label(row.fields) and not has_label(fields):
            self.unlabelled.append(row.query_id or str(row.locate()))
        self.moved += move.moved
        self.dropped += move.dropped
        self.hashes += move.hashes
        self.joined += move.joined
        self.gone |= move.gone


def migrate(request: MigrationRequest) -> Migration:
    """What a mapping does to datasets; no file is written.

    Raises:
        UsageError, ConfigError: the datasets cannot be told.
        InputError: a file cannot be read or has a faulty row, the manifest lacks a new id, access
            changes unasked, a row would label and forbid one chunk, or gzip would change.
    """
    sources = named_datasets(request.paths, request.config, request.corpus)
    manifests = [open_manifest(each) for each in sorted(_corpora(sources))]
    result = Migration()
    _check(request, manifests, result)
    named: set[str] = set()
    after: set[str] = set()
    faults: list[InputError] = []
    for source in sources:
        edits = []
        for row in sound_rows(source):
            move = moved_row(row, request.label_map.moves, drop_gone=request.drop_gone)
            fields = _fields_after(row, move.edits)
            result.add(row, move, fields)
            named.update(ids_of(row.fields))
            after.update(ids_of(fields))
            faults += _conflicts(row, fields, source)
            if move.edits:
                edits.append(tuple(move.edits))
        if edits:
            result.files.append(_changed(source, edits))
            result.rows[source.shown] = len(edits)
    if faults:
        raise FaultyInputError(faults)
    result.unused = [old for old in request.label_map.moves if old not in named]
    for manifest in manifests:
        after = set(manifest.view(after).missing)
    result.unknown = sorted(after) if manifests else None
    return result


def _changed(source: SourceFile, edits: Sequence[tuple[Edit, ...]]) -> ChangedFile:
    refuse_compressed(source)
    file = ChangedFile(source)
    file.apply(edits)
    return file


def _corpora(sources: Iterable[SourceFile]) -> set[Path]:
    return {corpus for source in sources for corpus in source.corpora}


def _check(request: MigrationRequest, manifests: Sequence[Manifest], result: Migration) -> None:
    """Look the mapping up in the manifests, before any dataset is read."""
    label_map = request.label_map
    check_new_ids(label_map, manifests)
    result.chains = [(one.old, two.old, two.location) for one, two in label_map.chains()]
    if request.before is None:
        return
    if not manifests:
        raise UsageError(
            "--from says what the old chunks were, and no manifest says what the new ones are",
            hint="name it in ragguard.yml (`corpus:`) or with --corpus",
        )
    before = open_manifest(request.before)
    if not request.allow_access_change:
        check_access(label_map, before, manifests)
    parents = other_parents(label_map, before, manifests)
    result.parents = [(old.chunk_id, new.chunk_id) for old, new in parents]


def sound_rows(source: SourceFile) -> Iterator[DatasetRow]:
    """The rows of a dataset; one that is not sound is refused, for half of it would be lost."""
    for read in read_rows(source.path, source.shown, FieldMapping(source.suite.fields)):
        if read.faults:
            error = refusal(read.faults[0], Location(source.shown, read.line.number))
            raise InputError(
                f"{error.message}; nothing is written", location=error.location, hint=error.hint
            )
        if read.row is not None:
            yield read.row


def _fields_after(row: DatasetRow, edits: Sequence[Edit]) -> dict[str, object]:
    """A row under canonical names as its edits leave it."""
    if not edits:
        return row.fields
    content = row.text.encode("utf-8", "surrogatepass")
    offset = row.line.content_offset
    for edit in reversed(edits):
        content = content[: edit.start - offset] + edit.replacement + content[edit.end - offset :]
    return row.mapping.canonical(json.loads(content.decode("utf-8", "surrogatepass")))


def _conflicts(
    row: DatasetRow, fields: dict[str, object], source: SourceFile
) -> Iterator[InputError]:
    """The chunks that a row would label and forbid, and did not before."""
    if fields is row.fields:
        return
    threshold = source.suite.scoring.policy.relevance_threshold
    before = _contradicted(row.fields, threshold)
    for chunk_id in sorted(_contradicted(fields, threshold) - before):
        yield InputError(
            f"{chunk_id!r} would be relevant and forbidden in one row ({row.query_id})",
            location=row.locate("forbidden_ids"),
            hint="two old chunks became one: decide by hand which of the two labels holds",
        )


def _contradicted(fields: dict[str, object], threshold: int) -> set[str]:
    forbidden = fields.get("forbidden_ids")
    if not isinstance(forbidden, list):
        return set()
    return set(relevant_ids(fields, threshold)).intersection(
        each for each in forbidden if isinstance(each, str)
    )


def _numbers(row: DatasetRow) -> int:
    """How many of a row's labels and forbidden ids are numbers."""
    lists = [row.fields.get("relevant_ids"), row.fields.get("forbidden_ids")]
    evidence = row.fields.get("evidence")
    lists += evidence if isinstance(evidence, list) else []
    return sum(type(each) is int for ids in lists if isinstance(ids, list) for each in ids)
