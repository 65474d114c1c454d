"""A suite as it was at a commit, as far as it is another now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragguard.config.model import Config, Suite
from ragguard.dataset.files import match_files
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError
from ragguard.lint.base_corpus import CorpusChange, corpus_change
from ragguard.lint.base_place import BasePlace, find_place
from ragguard.lint.base_tree import BaseTree, NoBaseError
from ragguard.lint.occurrence import near_key

_VERSION = "dataset_version"
_OF_A_REVIEW = frozenset({_VERSION, "corpus_version", "review_by", "label_hashes"})
"""Fields that say when, and for what, a row was reviewed: with others it is the same row."""


_HALF = 8
"""Bytes of each of the two digests that a row is kept as."""


@dataclass(frozen=True, slots=True)
class BaseSuite:
    """What there is to compare a suite with.

    Attributes:
        ref: the branch, tag or commit that was asked for.
        rows: by query id the `row_print` of the rows in files that are not what they were.
        changed: today's datasets that are not what they were.
        versions: the dataset versions it named; empty where not all of it could be read.
        corpus: how its manifest changed under one version; None when it did not.
        notes: what was not compared, and why.
    """

    ref: str
    rows: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    changed: frozenset[Path] = frozenset()
    versions: frozenset[str] = frozenset()
    corpus: CorpusChange | None = None
    notes: tuple[str, ...] = ()
    _read: tuple[BasePlace, tuple[str, ...]] | None = field(default=None, repr=False)

    def texts(self, query_ids: Collection[str]) -> Mapping[str, str]:
        """The texts that queries had, read once more; those of private rows are left out.

        Raises:
            InputError: a file cannot be read any more.
        """
        place, names = self._read or (None, ())
        return {
            query_id: row.fields["query"]
            for name in names
            for row in (_rows(place, name) if place else ())
            if (query_id := row.query_id) is not None
            and query_id in query_ids
            and row.fields.get("private") is not True
        }


def row_print(fields: Mapping[str, Any]) -> bytes:
    """Two digests of a canonical row, one after the other.

    The first is of its query, whatever the case, white space and punctuation; the second of
    everything but what is said of its review.
    """
    content = {name: value for name, value in fields.items() if name not in _OF_A_REVIEW}
    query = fields.get("query")
    # A query that is no text is like any other that is none: another rule tells of it.
    text = near_key(query) if isinstance(query, str) else ""
    return _digest(text) + _digest(json.dumps(content, sort_keys=True))


def is_reworded(one: bytes, other: bytes) -> bool:
    """Whether two prints are of rows that ask with other words."""
    return one[:_HALF] != other[:_HALF]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HALF).digest()


def read_base(
    suite: Suite, config: Config, ref: str, *, edited: Collection[Path] = ()
) -> BaseSuite:
    """A suite as it was where HEAD left the history of a ref; nothing, with a note, if unknown.

    Args:
        suite: as it is now.
        config: its configuration as it is now.
        ref: a branch, tag or commit.
        edited: datasets that are linted as they will be, links resolved; git knows nothing of it.

    Raises:
        UsageError: the repository has no such ref.
    """
    folder = config.root if config.path else (config.root / suite.dataset[0]).parent
    try:
        tree = BaseTree.open(folder, ref)
    except NoBaseError as reason:
        return BaseSuite(ref, notes=(f"nothing is compared with {ref}: {reason}",))
    place = find_place(tree, suite, config, ref)
    change, notes = corpus_change(place, suite, config)
    if not place.names:
        notes = (*notes, f"{suite.name}: its dataset is new since {ref}")
        return BaseSuite(ref, corpus=change, notes=(*place.notes, *notes))
    compared = _compared(place, suite, config, edited)
    return replace(compared, corpus=change, notes=(*place.notes, *compared.notes, *notes))


def _compared(
    place: BasePlace, suite: Suite, config: Config, edited: Collection[Path]
) -> BaseSuite:
    """The rows of the files that are not what they were."""
    files = match_files(suite.dataset, config.root).files
    today = {path: place.tree.name_of(path) for path in files}
    as_is = [name for path, name in today.items() if name and path.resolve() not in edited]
    kept = place.unchanged(as_is, suite)
    rows: dict[str, bytes] = {}
    versions: set[str] = set()
    faults: list[str] = []
    for name in place.names:
        try:
            versions.update(_version_in(place.tree.sidecar(name)))
            for row in _rows(place, name) if name not in kept else ():
                versions.update(_version_in(row.fields))
                if row.query_id is not None:
                    rows.setdefault(row.query_id, row_print(row.fields))
        except InputError as error:
            faults.append(f"{name} of {place.ref} is not compared: {error.message}")
    for path in (path for path, name in today.items() if name in kept):
        versions.update(_first_version(path, suite))
    return BaseSuite(
        place.ref,
        rows,
        frozenset(path for path, name in today.items() if name not in kept),
        frozenset() if faults else frozenset(versions),
        notes=tuple(faults),
        _read=(place, tuple(name for name in place.names if name not in kept)),
    )


def _rows(place: BasePlace, name: str) -> Iterator[DatasetRow]:
    """The rows of a file as they were."""
    with place.tree.copy(name) as path:
        for read in read_rows(path, name, FieldMapping(place.suite.fields)):
            if read.row is not None:
                yield read.row


def _first_version(path: Path, suite: Suite) -> Iterator[str]:
    """The version that the first row of a file names; one row is enough where none has changed."""
    rows = (read.row for read in read_rows(path, path.name, FieldMapping(suite.fields)))
    first = next((row for row in rows if row is not None), None)
    if first is not None:
        yield from _version_in(first.fields)


def _version_in(fields: Mapping[str, Any]) -> Iterator[str]:
    version = fields.get(_VERSION)
    if isinstance(version, str):
        yield version
