"""The type of every canonical field, as the row schema has it; plain checks, no schema library.

What is an id is not looked at here: ids have rules of their own (RG106, RG111).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

Path = tuple[str | int, ...]
Misfit = tuple[Path, str, Any]
"""Path below the field, what should stand there, and what does."""

HIGHEST_GRADE = 1000
"""Above it the gain 2^grade of ndcg_exp2 leaves the range of a double."""

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_integer(value: object) -> bool:
    """Whether it is an integer; booleans are none."""
    return type(value) is int


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_boolean(value: object) -> bool:
    return type(value) is bool


def _is_object(value: object) -> bool:
    return type(value) is dict


def _is_rank(value: object) -> bool:
    return isinstance(value, int) and is_integer(value) and value >= 1


def _is_weight(value: object) -> bool:
    return type(value) in {int, float} and isinstance(value, int | float) and value > 0


def _is_date(value: object) -> bool:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and bool(_SHA256.fullmatch(value))


@dataclass(frozen=True, slots=True)
class FieldType:
    """The type of a field.

    Attributes:
        words: what it is, in words, for a message.
        fits: whether a value is of it, as a whole.
        parts: what in a value that fits as a whole does not.
    """

    words: str
    fits: Callable[[object], bool]
    parts: Callable[[Any], Iterator[Misfit]] | None = None

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """Everything in a value that is not of this type."""
        if not self.fits(value):
            yield (), self.words, value
        elif self.parts is not None:
            yield from self.parts(value)


def _grades(value: Mapping[str, Any]) -> Iterator[Misfit]:
    for key, grade in value.items():
        if not is_integer(grade):
            yield (key,), "an integer grade", grade


def _groups(value: list[Any]) -> Iterator[Misfit]:
    for index, group in enumerate(value):
        if not isinstance(group, list) or not group:
            yield (index,), "a list of ids that is not empty", group


def _digests(value: Mapping[str, Any]) -> Iterator[Misfit]:
    for key, digest in value.items():
        if not _is_digest(digest):
            yield (key,), "a SHA-256 in 64 hex digits", digest


def _texts(value: list[Any]) -> Iterator[Misfit]:
    for index, text in enumerate(value):
        if not _is_text(text):
            yield (index,), "a text", text


def _spans(value: list[Any]) -> Iterator[Misfit]:
    for index, span in enumerate(value):
        if not isinstance(span, dict):
            yield (index,), "an object with doc, start and end", span
            continue
        if not _is_text(span.get("doc")):
            yield _inside(span, index, "doc"), "a document id as text", span.get("doc")
        for name in ("start", "end"):
            edge = span.get(name)
            if not isinstance(edge, int) or not is_integer(edge) or edge < 0:
                yield _inside(span, index, name), f"{name} as an integer from 0 up", edge
        start, end = span.get("start"), span.get("end")
        if isinstance(start, int) and isinstance(end, int) and start >= end:
            yield (index, "end"), f"an end after the start {start}", end


def _inside(span: Mapping[str, Any], index: int, name: str) -> Path:
    return (index, name) if name in span else (index,)


def _is_list(value: object) -> bool:
    return type(value) is list


TEXT = FieldType("a text", _is_text)
BOOLEAN = FieldType("true or false", _is_boolean)
IDS = FieldType("a list of ids", _is_list)

FIELD_TYPES: Mapping[str, FieldType] = {
    "query": TEXT,
    "relevant_ids": IDS,
    "judgments": FieldType("an object of grades by id", _is_object, _grades),
    "evidence": FieldType("a list of lists of ids", _is_list, _groups),
    "spans": FieldType("a list of spans", _is_list, _spans),
    "answerable": BOOLEAN,
    "forbidden_ids": IDS,
    "max_rank": FieldType("an integer from 1 up", _is_rank),
    "critical": BOOLEAN,
    "category": TEXT,
    "context": FieldType("an object", _is_object),
    "weight": FieldType("a number above 0", _is_weight),
    "split": TEXT,
    "origin": TEXT,
    "review_by": FieldType("a date as YYYY-MM-DD", _is_date),
    "label_hashes": FieldType("an object of SHA-256 by id", _is_object, _digests),
    "private": BOOLEAN,
    "reference": TEXT,
    "claims": FieldType("a list of texts", _is_list, _texts),
    "dataset_version": TEXT,
    "corpus_version": TEXT,
}
"""By canonical name; `query_id` is an id and has its own rules."""
