"""What the files of other tools have in common: JSON or lines, and ids under many names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ragguard.dataset.decoding import decode
from ragguard.dataset.lines import SourceLine, read_lines
from ragguard.dataset.whole import refusal, whole_object
from ragguard.errors import InputError
from ragguard.location import Location

ID_KEYS = ("_id", "query_id", "query-id", "id", "qid")


def is_json_object(path: Path, shown: str) -> bool:
    """Whether the file is one JSON object rather than lines."""
    for line in read_lines(path, shown):
        if line.content.strip():
            text = text_of(line, shown).strip()
            return text.startswith("{") and id_of(decode(text.encode()).value or {}) is None
    return False


def object_in(path: Path, shown: str, forms: str) -> dict[str, Any]:
    """The one JSON object that a file is.

    Raises:
        InputError: it is none, or has a fault; `forms` is the hint.
    """
    return whole_object(b"\n".join(line.content for line in read_lines(path, shown)), shown, forms)


def row_of(text: str, location: Location) -> dict[str, Any]:
    """The object on a line; a faulty one is refused, for half of it would be lost."""
    decoded = decode(text.encode())
    if decoded.value is None or decoded.faults:
        raise refusal(decoded.faults[0], location)
    return decoded.value


def id_of(row: Mapping[str, Any], keys: Sequence[str] = ID_KEYS) -> str | None:
    """The id under the first of these names; integers as their digits, None for other types."""
    found = next((row[key] for key in keys if key in row), None)
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) else None


def text_of(line: SourceLine, shown: str) -> str:
    """The line decoded.

    Raises:
        InputError: it is not UTF-8.
    """
    try:
        return line.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: byte 0x{line.content[error.start]:02x}",
            location=Location(shown, line.number),
            hint="convert the file to UTF-8",
        ) from error
