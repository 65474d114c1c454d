"""From a decoded row of a manifest to the chunk it describes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragguard.corpus.chunk import Chunk
from ragguard.errors import InputError
from ragguard.location import Location

FORMS = (
    "a manifest is JSON Lines with an `id`, a JSON object with `ids`, a text file of ids, "
    "or CSV/TSV with a header that names `id`"
)
"""What a manifest may look like, for hints."""


def chunk_of(row: Any, location: Location, *, with_text: bool) -> Chunk:
    """The chunk that a decoded manifest row describes.

    BEIR's `_id` is understood, too.

    Raises:
        InputError: it is no object, its id is no text, or a field has another type.
    """
    if not isinstance(row, dict):
        raise InputError("a chunk is a JSON object", location=location, hint=FORMS)
    chunk_id = row["id"] if "id" in row else row.get("_id")
    if not isinstance(chunk_id, str) or not chunk_id:
        raise _no_id(row, chunk_id, location)
    access = row.get("access") or ()
    if not isinstance(access, list | tuple) or not all(isinstance(a, str) for a in access):
        raise InputError(f"access is a list of texts, here {access!r}", location=location)
    return Chunk(
        chunk_id=chunk_id,
        access=tuple(access),
        status=_status(row, location),
        **{name: _field(row, name, location) for name in _FIELDS[with_text]},
    )


_OTHER_IDS = frozenset({"chunk_id", "chunkId", "chunkid", "uuid", "node_id", "ID", "Id"})
"""What other tools call the id of a chunk."""


def _no_id(row: Mapping[str, Any], chunk_id: Any, location: Location) -> InputError:
    if "id" in row or "_id" in row:
        written = "null" if chunk_id is None else repr(chunk_id)
        return InputError(
            f"the id of a chunk is a text that is not empty, here {written}",
            location=location,
            hint='write ids in quotes: {"id": "42"}',
        )
    like = next((name for name in row if name in _OTHER_IDS), None)
    return InputError(
        "a chunk without an id",
        location=location,
        hint=f"rename {like!r} to 'id'" if like else FORMS,
    )


_WITHOUT_TEXT = ("parent_id", "sha256", "superseded_by", "effective_from", "effective_to")
_FIELDS = {False: _WITHOUT_TEXT, True: (*_WITHOUT_TEXT, "title", "text")}
_STATUSES = ("active", "superseded", "withdrawn")
_DATE_FIELDS = frozenset({"effective_from", "effective_to"})
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T.*)?", re.ASCII)


def _status(row: Mapping[str, Any], location: Location) -> str:
    status = _field(row, "status", location) or "active"
    if status not in _STATUSES:
        raise InputError(
            f"the status {status!r} is none of {', '.join(_STATUSES)}", location=location
        )
    return status


def _field(row: Mapping[str, Any], name: str, location: Location) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name} is a text, here {value!r}", location=location)
    if value and name in _DATE_FIELDS and not _ISO_DATE.fullmatch(value):
        raise InputError(
            f"{name} is no ISO date: {value!r}",
            location=location,
            hint="write year-month-day: 2026-11-30",
        )
    return value
