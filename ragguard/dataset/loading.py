"""A suite's dataset: its files read, decoded and mapped."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragguard.config.discovery import shown_path
from ragguard.config.model import Suite
from ragguard.dataset.decoding import decode
from ragguard.dataset.fault import Fault
from ragguard.dataset.files import match_files
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.query import Query
from ragguard.dataset.row import DatasetRow
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.errors import InputError
from ragguard.location import Location

_MOST_SEARCHED = 30
"""Texts beyond which it is faster to decode every line."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line of a dataset: a row, or the faults that left none, or neither when it is blank.

    Attributes:
        text: the line decoded, for the excerpt in a message.
    """

    line: SourceLine
    text: str
    row: DatasetRow | None
    faults: tuple[Fault, ...] = ()


def read_rows(
    path: Path,
    shown: str,
    mapping: FieldMapping,
    numbers: Collection[int] | None = None,
    naming: Collection[str] | None = None,
) -> Iterator[ReadLine]:
    """The lines of a dataset, decoded strictly; a bad line never hides the next.

    Args:
        path: the file, plain or gzip.
        shown: its name in diagnostics.
        mapping: where the canonical fields stand.
        numbers: the lines that are wanted, 1-based; None for all.
        naming: lines that hold none of these texts may be left out; None for no such text.

    Raises:
        InputError: the file cannot be read.
    """
    last = None if numbers is None else max(numbers, default=0)
    may_name = _may_name(naming)
    for line in read_lines(path, shown):
        if last is not None and line.number > last:
            return
        if (numbers is None or line.number in numbers) and may_name(line.raw):
            yield read_row(line, shown, mapping)


def _may_name(texts: Collection[str] | None) -> Callable[[bytes], bool]:
    """Whether a line may hold one of these texts, by its bytes: decoding a line costs far more.

    A text may be written with escapes, so that a line with a backslash always may.
    """
    if texts is None or len(texts) > _MOST_SEARCHED:
        return lambda _: True
    wanted = [b"\\", *(text.encode("utf-8", "surrogatepass") for text in texts)]
    return lambda raw: any(each in raw for each in wanted)


def read_row(line: SourceLine, shown: str, mapping: FieldMapping) -> ReadLine:
    """A line of a dataset, decoded strictly; never raises, whatever its bytes."""
    content = line.content
    if not content.strip():
        return ReadLine(line, "", None)
    decoded = decode(content)
    row = None
    if decoded.value is not None:
        fields = mapping.canonical(decoded.value)
        row = DatasetRow(shown, line, decoded.text, decoded.value, fields, mapping)
    return ReadLine(line, decoded.text, row, decoded.faults)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The queries of a suite, for evaluation.

    Attributes:
        queries: in the order of files and rows.
        files: as shown in diagnostics.
        dataset_version, corpus_version: of the first row or sidecar that names one.
    """

    queries: tuple[Query, ...]
    files: tuple[str, ...]
    dataset_version: str | None
    corpus_version: str | None


class DoubtfulLineError(InputError):
    """A line that the caller's look at it did not pass."""


def load_suite(
    suite: Suite, root: Path, is_sound: Callable[[ReadLine], bool] | None = None
) -> Dataset:
    """The queries of a suite whose dataset has passed the linter's blocking rules.

    Args:
        suite: the suite.
        root: folder to which its paths are relative.
        is_sound: a look at every line that takes the place of the linter's.

    Raises:
        InputError: a file cannot be read, a row is no row (the linter says more), or there is none.
        DoubtfulLineError: a line that is not sound.
    """
    matched = match_files(suite.dataset, root)
    if matched.unmatched:
        raise InputError(
            f"suite {suite.name!r}: nothing matches {matched.unmatched[0]!r}",
            hint="paths are relative to ragguard.yml",
        )
    mapping = FieldMapping(suite.fields)
    queries: list[Query] = []
    versions: dict[str, str] = {}
    for path in matched.files:
        shown, source = shown_path(path), _relative(path, root)
        note_versions(versions, [read_sidecar(path, shown_path(sidecar_path(path)))])
        for read in read_rows(path, shown, mapping):
            if is_sound is not None and not is_sound(read):
                raise DoubtfulLineError("not sound", location=Location(shown, read.line.number))
            if read.faults or (read.row is None and read.text):
                raise _no_row(read, shown)
            if read.row is not None:
                note_versions(versions, [read.row.fields])
                queries.append(_query(read.row, suite, source))
    if not queries:
        raise InputError(
            f"suite {suite.name!r}: its dataset has no row",
            location=Location(shown_path(matched.files[0])),
            hint="a dataset has one JSON object a line",
        )
    return Dataset(
        queries=tuple(queries),
        files=tuple(shown_path(path) for path in matched.files),
        dataset_version=versions.get("dataset_version"),
        corpus_version=versions.get("corpus_version"),
    )


def note_versions(versions: dict[str, str], sources: Iterable[dict[str, Any]]) -> None:
    """Keep the first version of each kind that a row or sidecar names."""
    for source in sources:
        for name in ("dataset_version", "corpus_version"):
            version = source.get(name)
            if isinstance(version, str) and name not in versions:
                versions[name] = version


def _no_row(read: ReadLine, shown: str) -> InputError:
    fault = read.faults[0] if read.faults else None
    return InputError(
        fault.message if fault else "no row",
        location=Location(shown, read.line.number, fault.position + 1 if fault else 1),
        hint="`ragguard lint` says more",
    )


def _relative(path: Path, root: Path) -> str:
    """A file's path from the configuration's folder, as a report keeps it."""
    return Path(os.path.relpath(path, root)).as_posix()


def _query(row: DatasetRow, suite: Suite, source: str) -> Query:
    fields = row.fields
    if suite.unlabelled == "unanswerable" and not _has_labels(fields):
        fields = {"answerable": False, **fields}
    return Query.from_row(fields, Location(source, row.line.number))


def _has_labels(fields: dict[str, Any]) -> bool:
    return any(fields.get(name) for name in ("relevant_ids", "judgments", "evidence", "spans"))
