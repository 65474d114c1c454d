"""The ids that a row names, each with its place; whatever the row is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.row import DatasetRow
from ragguard.lint.field_types import is_integer
from ragguard.location import Location

LABEL_FIELDS = ("relevant_ids", "judgments", "evidence", "spans")
ID_FIELDS = ("relevant_ids", "judgments", "evidence", "forbidden_ids")


@dataclass(frozen=True, slots=True)
class NamedId:
    """An id that stands somewhere in a row.

    Attributes:
        path: canonical path to it; its key for an id that is one.
        value: what stands there; a string when the row is as it should be.
        is_key: whether it is the key of an object (`judgments`).
    """

    row: DatasetRow
    path: tuple[str | int, ...]
    value: Any
    is_key: bool = False

    @property
    def field(self) -> str:
        """The canonical field it stands in."""
        return str(self.path[0])

    @property
    def location(self) -> Location:
        """Where it stands."""
        if self.is_key:
            return self.row.locate_key(*self.row.source_path(self.path))
        return self.row.locate(*self.path)


def named_ids(row: DatasetRow) -> Iterator[NamedId]:
    """Every id in a row's labels and forbidden ids, in the order of the fields."""
    for name in ID_FIELDS:
        yield from _in_field(row, name)


def _in_field(row: DatasetRow, name: str) -> Iterator[NamedId]:
    value = row.fields.get(name)
    if name == "judgments":
        if isinstance(value, dict):
            yield from (NamedId(row, (name, key), key, is_key=True) for key in value)
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            if name != "evidence":
                yield NamedId(row, (name, index), entry)
            elif isinstance(entry, list):
                for inner, member in enumerate(entry):
                    yield NamedId(row, (name, index, inner), member)


def has_label(fields: dict[str, Any]) -> bool:
    """Whether a canonical row carries any label."""
    return any(fields.get(name) for name in LABEL_FIELDS)


def is_answerable(fields: dict[str, Any]) -> bool:
    """Whether the corpus is said to answer the query."""
    return fields.get("answerable", True) is not False


def relevant_ids(fields: Mapping[str, Any], threshold: int) -> Iterator[str]:
    """The ids that a canonical row labels as relevant, in its order; one may come twice.

    Args:
        fields: the row.
        threshold: the grade from which a judgment says so.
    """
    relevant, evidence = fields.get("relevant_ids"), fields.get("evidence")
    groups = [relevant, *(evidence if isinstance(evidence, list) else ())]
    for group in groups:
        if isinstance(group, list):
            yield from (each for each in group if isinstance(each, str))
    judgments = fields.get("judgments")
    if isinstance(judgments, dict):
        for chunk_id, grade in judgments.items():
            if is_integer(grade) and grade >= threshold:
                yield chunk_id


def ids_of(fields: Mapping[str, Any]) -> Iterator[str]:
    """The ids that a canonical row labels or forbids; what is no string is left out."""
    for name in ("relevant_ids", "judgments", "forbidden_ids"):
        named = fields.get(name)
        if isinstance(named, list | dict):
            for each in named:
                if type(each) is str:
                    yield each
    evidence = fields.get("evidence")
    if isinstance(evidence, list):
        for group in evidence:
            if isinstance(group, list):
                for each in group:
                    if type(each) is str:
                        yield each
