"""Manifests of every form as a stream of chunks, line by line: memory for one at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from ragguard.corpus.chunk import Chunk, NumberedChunk
from ragguard.corpus.chunk_row import FORMS, chunk_of
from ragguard.corpus.faults import Faults
from ragguard.dataset.decoding import decode, likely_encoding
from ragguard.dataset.fault import FaultKind
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.dataset.positions import value_span
from ragguard.dataset.sidecar import check_versions
from ragguard.dataset.whole import place, refusal, whole_object
from ragguard.errors import InputError
from ragguard.location import Location


def read_chunks(
    path: Path, shown: str, faults: Faults, *, with_text: bool
) -> Iterator[NumberedChunk]:
    """The chunks of a manifest with the line each stands on.

    Args:
        path: the file; its form is told by its name and its first line, gzip by its bytes.
        shown: its name in errors.
        faults: takes note of the lines that hold no chunk.
        with_text: whether to keep titles and texts.

    Raises:
        InputError: the file cannot be read.
    """
    lines = read_lines(path, shown)
    first = next((line for line in lines if line.content.strip()), None)
    if first is None:
        raise InputError("the manifest is empty", location=Location(shown), hint=FORMS)
    reader = _reader_for(_plain_name(path), first)
    return reader(chain([first], lines), faults, with_text)


def is_json_lines(path: Path, first: SourceLine) -> bool:
    """Whether a manifest is in JSON Lines, by its name and its first line."""
    return _reader_for(_plain_name(path), first) is read_json_lines


def _plain_name(path: Path) -> str:
    return path.name.removesuffix(".gz").lower()


Reader = Callable[[Iterator[SourceLine], Faults, bool], Iterator[NumberedChunk]]


def _reader_for(name: str, first: SourceLine) -> Reader:
    if name.endswith((".csv", ".tsv")):
        from ragguard.corpus.separated import read_separated

        return read_separated
    if not first.content.lstrip().startswith((b"{", b"[")):
        return _plain_ids
    if name.endswith(".json") or _is_object_of_ids(first.content):
        return _one_object
    return read_json_lines


def _is_object_of_ids(content: bytes) -> bool:
    """Whether the first line alone is `{"corpus_version": …, "ids": […]}`."""
    try:
        decoded = json.loads(content)
    except (ValueError, RecursionError):
        return content.strip() == b"{"
    if not isinstance(decoded, dict) or "id" in decoded or "_id" in decoded:
        return False
    return isinstance(decoded.get("ids"), list)


def text_of(line: SourceLine, shown: str) -> str:
    """A line decoded.

    Raises:
        InputError: it is no UTF-8.
    """
    try:
        return line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte 0x{line.content[error.start]:02x}; "
            f"it looks like {likely_encoding(line.content)}",
            location=Location(shown, line.number, error.start + 1),
            hint="save the manifest as UTF-8",
        ) from error


def read_json_lines(
    lines: Iterable[SourceLine], faults: Faults, with_text: bool
) -> Iterator[NumberedChunk]:
    """The chunks of lines of JSON; each line that holds none is a fault."""
    for line in lines:
        if not line.content.strip():
            continue
        try:
            chunk = _decoded(line, faults.shown, with_text)
        except InputError as error:
            faults.add(error)
        else:
            yield line.number, chunk


def _decoded(line: SourceLine, shown: str, with_text: bool) -> Chunk:
    location = Location(shown, line.number, 1)
    decoded = decode(line.content)
    for fault in decoded.faults:
        # A number that is none may stand in a field nobody reads; where one reads it, it tells.
        if decoded.value is None or fault.kind is not FaultKind.NUMBER:
            raise refusal(fault, location)
    return chunk_of(decoded.value, location, with_text=with_text)


_LIST_AS_OBJECT = b'{"ids":', b"}"


def _one_object(
    lines: Iterator[SourceLine], faults: Faults, with_text: bool
) -> Iterator[NumberedChunk]:
    shown = faults.shown
    content = b"\n".join(line.content for line in lines)
    if content.lstrip().startswith(b"["):
        content = content.join(_LIST_AS_OBJECT)
    ids = whole_object(content, shown, FORMS).get("ids")
    if not isinstance(ids, list):
        raise InputError("the object has no list `ids`", location=Location(shown, 1, 1), hint=FORMS)
    for index, entry in enumerate(ids):
        row = entry if isinstance(entry, dict) else {"id": entry}
        try:
            yield 1, chunk_of(row, Location(shown, 1), with_text=with_text)
        except InputError as error:
            location = _place_of(index, content.decode("utf-8"), shown)
            faults.add(InputError(error.message, location=location, hint=error.hint))


def _place_of(index: int, text: str, shown: str) -> Location:
    """Where an entry of the list `ids` stands; looked up only to say what is wrong with it."""
    span = value_span(text, ["ids", index])
    return place(text, span.start if span else 0, shown)


def read_facts(path: Path, shown: str) -> dict[str, Any]:
    """What a manifest that is one JSON object says of the whole; empty for every other form.

    A manifest that cannot be read says nothing here; reading its chunks says what is wrong.

    Raises:
        InputError: a version is no text.
    """
    try:
        lines = read_lines(path, shown)
        first = next((line for line in lines if line.content.strip()), None)
        if first is None or _reader_for(_plain_name(path), first) is not _one_object:
            return {}
        content = b"\n".join(line.content for line in chain([first], lines))
        facts = whole_object(content, shown)
    except InputError:
        return {}
    check_versions(facts, content.decode("utf-8"), shown)
    return {key: value for key, value in facts.items() if key != "ids"}


def _plain_ids(
    lines: Iterator[SourceLine], faults: Faults, with_text: bool
) -> Iterator[NumberedChunk]:
    del with_text
    for line in lines:
        try:
            chunk_id = text_of(line, faults.shown)
        except InputError as error:
            faults.add(error)
            continue
        if chunk_id.strip():
            yield line.number, Chunk(chunk_id)
