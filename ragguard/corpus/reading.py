"""Manifests of every form as a stream of chunks: memory for one chunk at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.errors import InputError
from ragguard.location import Location

NumberedChunk = tuple[int, Chunk]
"""A chunk and the line it stands on."""

_FORMS = (
    "a manifest is JSON Lines with an `id`, a JSON object with `ids`, a text file of ids, "
    "or CSV/TSV with a header that names `id`"
)
_ID_COLUMNS = ("id", "_id", "chunk_id", "doc_id", "docid")


def read_chunks(path: Path, shown: str, *, with_text: bool) -> Iterator[NumberedChunk]:
    """The chunks of a manifest with the line each stands on.

    Args:
        path: the file; its form is told by its name and its first line, gzip by its bytes.
        shown: its name in errors.
        with_text: whether to keep texts.

    Raises:
        InputError: the file cannot be read, or a line holds no chunk.
    """
    lines = read_lines(path, shown)
    first = next((line for line in lines if line.content.strip()), None)
    if first is None:
        raise InputError("the manifest is empty", location=Location(shown), hint=_FORMS)
    reader = _reader_for(path.name.removesuffix(".gz").lower(), first)
    return reader(chain([first], lines), shown, with_text)


Reader = Callable[[Iterator[SourceLine], str, bool], Iterator[NumberedChunk]]


def _reader_for(name: str, first: SourceLine) -> Reader:
    if name.endswith((".csv", ".tsv")):
        return _separated
    if not first.content.lstrip().startswith((b"{", b"[")):
        return _plain_ids
    if name.endswith(".json") or _is_object_of_ids(first.content):
        return _one_object
    return _json_lines


def _is_object_of_ids(content: bytes) -> bool:
    """Whether the first line alone is `{"corpus_version": …, "ids": […]}`."""
    try:
        decoded = json.loads(content)
    except (ValueError, RecursionError):
        return content.strip() == b"{"
    return isinstance(decoded, dict) and isinstance(decoded.get("ids"), list)


def _text(line: SourceLine, shown: str) -> str:
    try:
        return line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte 0x{line.content[error.start]:02x}",
            location=Location(shown, line.number, error.start + 1),
            hint="save the manifest as UTF-8",
        ) from error


def _json_lines(
    lines: Iterator[SourceLine], shown: str, with_text: bool
) -> Iterator[NumberedChunk]:
    for line in lines:
        content = line.content
        if not content.strip():
            continue
        try:
            row = json.loads(content)
        except UnicodeDecodeError:
            _text(line, shown)
            raise
        except (ValueError, RecursionError) as error:
            column = error.colno if isinstance(error, json.JSONDecodeError) else 1
            raise InputError(
                f"not a line of JSON: {error}",
                location=Location(shown, line.number, column),
                hint=_FORMS,
            ) from error
        yield line.number, chunk_of(row, Location(shown, line.number, 1), with_text=with_text)


def chunk_of(row: Any, location: Location, *, with_text: bool) -> Chunk:
    """The chunk that a decoded manifest row describes.

    BEIR's `_id`, `title` and `text` are understood: the title is the first line of the text.

    Raises:
        InputError: it is no object, its id is no text, or a field has another type.
    """
    if not isinstance(row, dict):
        raise InputError("a chunk is a JSON object", location=location, hint=_FORMS)
    chunk_id = row["id"] if "id" in row else row.get("_id")
    if not isinstance(chunk_id, str) or not chunk_id:
        raise InputError(
            f"the id of a chunk is a text that is not empty, here {chunk_id!r}",
            location=location,
            hint='write ids in quotes: {"id": "42"}',
        )
    access = row.get("access") or ()
    if not isinstance(access, list | tuple) or not all(isinstance(a, str) for a in access):
        raise InputError(f"access is a list of texts, here {access!r}", location=location)
    return Chunk(
        chunk_id=chunk_id,
        access=tuple(access),
        status=_field(row, "status", location) or "active",
        text=_full_text(row, location) if with_text else None,
        **{name: _field(row, name, location) for name in _TEXT_FIELDS},
    )


_TEXT_FIELDS = ("parent_id", "sha256", "superseded_by", "effective_from", "effective_to")


def _field(row: Mapping[str, Any], name: str, location: Location) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is a text, here {value!r}", location=location)
    return value


def _full_text(row: Mapping[str, Any], location: Location) -> str | None:
    title, text = _field(row, "title", location), _field(row, "text", location)
    return f"{title}\n{text}" if title and text is not None else text


def _one_object(
    lines: Iterator[SourceLine], shown: str, with_text: bool
) -> Iterator[NumberedChunk]:
    text = "\n".join(_text(line, shown) for line in lines)
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise InputError(
            f"not JSON: {error}", location=Location(shown, line), hint=_FORMS
        ) from error
    ids = decoded.get("ids") if isinstance(decoded, dict) else decoded
    if not isinstance(ids, list):
        raise InputError(
            "the object has no list `ids`", location=Location(shown, 1, 1), hint=_FORMS
        )
    for entry in ids:
        row = {"id": entry} if isinstance(entry, str) else entry
        yield 1, chunk_of(row, Location(shown, 1), with_text=with_text)


def _plain_ids(lines: Iterator[SourceLine], shown: str, with_text: bool) -> Iterator[NumberedChunk]:
    del with_text
    for line in lines:
        chunk_id = _text(line, shown)
        if chunk_id:
            yield line.number, Chunk(chunk_id)


def _separated(lines: Iterator[SourceLine], shown: str, with_text: bool) -> Iterator[NumberedChunk]:
    first = next(lines)
    header = _text(first, shown)
    delimiter = "\t" if "\t" in header else ","
    names = next(csv.reader(io.StringIO(header), delimiter=delimiter))
    column = next((name for name in _ID_COLUMNS if name in names), None)
    if column is None:
        raise InputError(
            f"no column {_ID_COLUMNS[0]!r} in the header: {', '.join(names)}",
            location=Location(shown, first.number),
            hint=_FORMS,
        )
    rows = csv.reader((_text(line, shown) + "\n" for line in lines), delimiter=delimiter)
    for values in rows:
        if not values:
            continue
        line_number = first.number + rows.line_num
        row: dict[str, Any] = {
            name: value for name, value in zip(names, values, strict=False) if value != ""
        }
        row["id"] = row.get(column)
        if "access" in row:
            row["access"] = [role.strip() for role in row["access"].split("|")]
        yield line_number, chunk_of(row, Location(shown, line_number), with_text=with_text)
