"""A suite as it was at a commit, as far as it is another now."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Config, Suite
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError
from ragguard.lint.base.corpus import CorpusChange, corpus_change
from ragguard.lint.base.line_changes import Lines, line_hashes, new_lines
from ragguard.lint.base.place import BasePlace, find_place
from ragguard.lint.base.row_print import row_print
from ragguard.lint.base.tree import BaseTree, NoBaseError

_VERSION = "dataset_version"


@dataclass(frozen=True, slots=True)
class BaseSuite:
    """What there is to compare a suite with.

    Attributes:
        ref: the branch, tag or commit that was asked for.
        rows: by query id the `row_print` of the rows on lines that no dataset has any more.
        changed: by dataset of today the lines that none had then.
        versions: the dataset versions it named; empty where not all of it could be read.
        corpus: how its manifest changed under one version; None when it did not.
        notes: what was not compared, and why.
    """

    ref: str
    rows: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    changed: Mapping[Path, Lines] = field(default_factory=dict, repr=False)
    versions: frozenset[str] = frozenset()
    corpus: CorpusChange | None = None
    notes: tuple[str, ...] = ()
    _read: tuple[BasePlace, Mapping[str, Lines]] | None = field(default=None, repr=False)

    def texts(self, query_ids: Collection[str]) -> Mapping[str, str]:
        """The texts that queries had, read once more; those of private rows are left out.

        Raises:
            InputError: a file cannot be read any more.
        """
        if self._read is None:
            return {}
        place, lines = self._read
        return {
            query_id: row.fields["query"]
            for name, numbers in lines.items()
            for row in _rows_then(place, name, numbers, query_ids)
            if (query_id := row.query_id) is not None
            and query_id in query_ids
            and row.fields.get("private") is not True
        }


def read_base(suite: Suite, config: Config, ref: str, files: Mapping[Path, Path]) -> BaseSuite:
    """A suite as it was where HEAD left the history of a ref; nothing, with a note, if unknown.

    Args:
        suite: as it is now.
        config: its configuration as it is now.
        ref: a branch, tag or commit.
        files: its datasets now, each with the file that is read in its place, mostly itself.

    Raises:
        UsageError: the repository has no such ref.
        InputError: a dataset of now cannot be read.
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
    compared = _compared(place, suite, files)
    return replace(compared, corpus=change, notes=(*place.notes, *compared.notes, *notes))


def _compared(place: BasePlace, suite: Suite, files: Mapping[Path, Path]) -> BaseSuite:
    """The rows on lines that are not the same, where the files are not."""
    names = {path: place.tree.name_of(path) for path in files}
    as_is = [name for path, name in names.items() if name and files[path] == path]
    kept = place.unchanged(as_is, suite)
    now = {
        path: line_hashes(content, shown_path(path))
        for path, content in files.items()
        if names[path] not in kept
    }
    rows: dict[str, bytes] = {}
    versions: set[str] = set()
    with ExitStack() as stack:
        copies, before, faults = _copies(place, kept, stack)
        gone: Mapping[str, Lines] = dict.fromkeys(before)
        new: Mapping[Path, Lines] = dict.fromkeys(now)
        if place.reads_as(suite):
            gone, new = new_lines(before, now.values()), new_lines(now, before.values())
        for name, path in copies.items():
            versions.update(_first_version(path, place.suite))
            for row in _rows(path, place.suite, gone[name]):
                versions.update(_version_in(row.fields))
                if row.query_id is not None:
                    rows.setdefault(row.query_id, row_print(row.fields))
    for path in (path for path, name in names.items() if name in kept):
        versions.update(_first_version(path, suite))
    return BaseSuite(
        place.ref,
        rows,
        new,
        frozenset() if faults else frozenset({*versions, *_sidecar_versions(place)}),
        notes=faults,
        _read=(place, gone),
    )


def _copies(
    place: BasePlace, kept: Collection[str], stack: ExitStack
) -> tuple[dict[str, Path], dict[str, array[int]], tuple[str, ...]]:
    """Copies of the datasets that were others, the hashes of their lines, and what failed."""
    copies: dict[str, Path] = {}
    hashes: dict[str, array[int]] = {}
    faults: list[str] = []
    for name in (name for name in place.names if name not in kept):
        try:
            path = stack.enter_context(place.tree.copy(name))
            hashes[name] = line_hashes(path, name)
            copies[name] = path
        except InputError as error:
            faults.append(f"{name} of {place.ref} is not compared: {error.message}")
    return copies, hashes, tuple(faults)


def _rows_then(
    place: BasePlace, name: str, numbers: Lines, naming: Collection[str]
) -> Iterator[DatasetRow]:
    with place.tree.copy(name) as path:
        yield from _rows(path, place.suite, numbers, naming)


def _rows(
    path: Path, suite: Suite, numbers: Lines = None, naming: Collection[str] | None = None
) -> Iterator[DatasetRow]:
    for read in read_rows(path, path.name, FieldMapping(suite.fields), numbers, naming):
        if read.row is not None:
            yield read.row


def _first_version(path: Path, suite: Suite) -> Iterator[str]:
    """The version that the first row of a file names, for all rows that have not changed."""
    first = next(_rows(path, suite), None)
    if first is not None:
        yield from _version_in(first.fields)


def _sidecar_versions(place: BasePlace) -> Iterator[str]:
    for name in place.names:
        try:
            yield from _version_in(place.tree.sidecar(name))
        except InputError:
            continue  # it named none that anybody could read


def _version_in(fields: Mapping[str, Any]) -> Iterator[str]:
    version = fields.get(_VERSION)
    if isinstance(version, str):
        yield version
