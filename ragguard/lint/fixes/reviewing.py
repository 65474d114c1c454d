"""Reviews of labels recorded: the hash of a chunk's text as it was when a person looked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ragguard.corpus.manifest import open_manifest
from ragguard.dataset.files import real_path
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError, UsageError
from ragguard.lint.diagnostic import Edit
from ragguard.lint.fixes.label_hashes import hash_edits, labelled_ids
from ragguard.lint.result import SourceFile
from ragguard.location import Location

ALL = "ALL"
"""In place of a query id: every query."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Recording:
    """What becomes of one file when reviews are recorded.

    Attributes:
        edits: by row that changes.
        lacking: labels of reviewed queries whose hash nobody knows, by query id.
    """

    source: SourceFile
    edits: tuple[tuple[Edit, ...], ...]
    lacking: Mapping[str, tuple[str, ...]]


def recordings(
    sources: Iterable[SourceFile], stand_ins: Mapping[Path, Path], query_ids: Collection[str]
) -> Iterator[Recording]:
    """The edits that record the hashes of the labels of queries, file by file.

    Args:
        sources: the datasets.
        stand_ins: by resolved path of a dataset a file that is read in its place.
        query_ids: the queries whose labels were reviewed; `ALL` for every one.

    Raises:
        UsageError: no dataset has a query of this id, or a suite that has it has no corpus.
        InputError: a file cannot be read, the corpus has no hash for any of the labels, or two
            corpora differ in one.
    """
    unknown = set(query_ids) - {ALL}
    files = []
    for source in sources:
        rows = list(_rows(source, stand_ins, query_ids))
        unknown -= {row.query_id for row in rows if row.query_id is not None}
        if rows:
            files.append((source, rows))
    if unknown:
        raise UsageError(
            f"--reviewed: no query has the id {min(unknown)!r}",
            hint=f"ids are compared to the letter; {ALL} means every query",
        )
    for source, rows in files:
        yield _recording(source, rows)


def _rows(
    source: SourceFile, stand_ins: Mapping[Path, Path], query_ids: Collection[str]
) -> Iterator[DatasetRow]:
    content = stand_ins.get(real_path(source.path), source.path)
    for read in read_rows(content, source.shown, FieldMapping(source.suite.fields)):
        row = read.row
        if row is not None and (ALL in query_ids or row.query_id in query_ids):
            yield row


def _recording(source: SourceFile, rows: list[DatasetRow]) -> Recording:
    if source.is_compressed:
        raise InputError(
            "gzip is not rewritten",
            location=Location(source.shown),
            hint="unpack the file for --reviewed",
        )
    wanted = {chunk_id for row in rows for chunk_id in labelled_ids(row)}
    digests = _digests(source, wanted) if wanted else {}
    edits, lacking = [], {}
    for row in rows:
        labels = labelled_ids(row)
        known = {each: digests[each] for each in labels if each in digests}
        edit = hash_edits(row, known) if known else ()
        if edit:
            edits.append(edit)
        if len(known) < len(labels):
            unknown = tuple(each for each in labels if each not in digests)
            lacking[row.query_id or f"line {row.line.number}"] = unknown
    return Recording(source, tuple(edits), lacking)


def _digests(source: SourceFile, chunk_ids: Collection[str]) -> dict[str, str]:
    """By chunk id the hash of its text as the corpora of a file have it."""
    if not source.corpora:
        raise UsageError(
            f"--reviewed: {source.shown} has no corpus whose hashes could be recorded",
            hint="name its manifest in ragguard.yml (`corpus:`) or with --corpus",
        )
    digests: dict[str, str] = {}
    for path in sorted(source.corpora):
        for chunk_id, digest in _of_manifest(path, chunk_ids).items():
            if digests.setdefault(chunk_id, digest) != digest:
                raise InputError(
                    f"two corpora of this file differ in the text of {chunk_id!r}",
                    location=Location(source.shown),
                    hint="record the review with one of them: --corpus FILE",
                )
    return digests


def _of_manifest(path: Path, chunk_ids: Collection[str]) -> Mapping[str, str]:
    manifest = open_manifest(path)
    digests = manifest.view(chunk_ids, chunk_ids).digests
    for chunk_id, digest in digests.items():
        if not _SHA256.fullmatch(digest):
            raise InputError(
                f"the sha256 of {chunk_id!r} is none: {digest[:80]!r}",
                location=Location(manifest.shown),
                hint="64 hex digits, of the text in UTF-8",
            )
    if not digests:
        raise InputError(
            "it has neither `sha256` nor `text` for any chunk that is labelled",
            location=Location(manifest.shown),
            hint="give each chunk its `sha256`, of the text in UTF-8, or its `text`",
        )
    return digests
