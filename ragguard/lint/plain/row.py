"""A cheap look at a row that lets the sound ones through without asking any rule.

It may send a sound row to the rules, which then find nothing; it never lets a faulty one pass. A
test holds it to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ragguard.config.model import Suite
from ragguard.dataset.mapping import CANONICAL_FIELDS, FieldMapping
from ragguard.lint.field_types import FIELD_TYPES, HIGHEST_GRADE, FieldType
from ragguard.lint.slip import known_near

_LABELS = frozenset({"relevant_ids", "judgments", "evidence", "forbidden_ids"})
_BESIDE_RELEVANT = frozenset({"judgments", "evidence", "spans", "forbidden_ids", "answerable"})
_EXACT = {"a text": str, "true or false": bool}
_MOST_SHAPES = 1000


@dataclass(frozen=True, slots=True)
class _Shape:
    """What to look at in the rows that have the same fields.

    Attributes:
        exact: names of fields with the one type their values must have.
        others: names of fields with what else their values must be.
    """

    exact: tuple[tuple[str, type], ...]
    others: tuple[tuple[str, FieldType], ...] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> _Shape:
        types = {
            name: FIELD_TYPES[name] for name in names if name in FIELD_TYPES and name not in _LABELS
        }
        exact = [
            (name, _EXACT[type_.words]) for name, type_ in types.items() if type_.words in _EXACT
        ]
        others = [(name, type_) for name, type_ in types.items() if type_.words not in _EXACT]
        return cls((("query_id", str), *exact), tuple(others))


_UNKNOWN: Final = _Shape(())


class PlainRow:
    """The look for the rows of one suite."""

    __slots__ = ("_is_mapped", "_names", "_shapes", "_threshold")

    def __init__(self, suite: Suite) -> None:
        self._names = known_names(FieldMapping(suite.fields))
        self._is_mapped = bool(suite.fields)
        self._threshold = suite.scoring.policy.relevance_threshold
        self._shapes: dict[tuple[str | None, ...], _Shape | None] = {}

    def __call__(self, value: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
        """Whether no row rule can find anything in a row.

        Args:
            value: the row as written.
            fields: the same under canonical names.
        """
        names = (*value, None, *fields) if self._is_mapped else tuple(value)
        shape = self._shapes.get(names, _UNKNOWN)
        if shape is _UNKNOWN:
            shape = self._learn(names, value, fields)
        if shape is None:
            return False
        for name, exact in shape.exact:
            if type(fields[name]) is not exact:
                return False
        for name, type_ in shape.others:
            if not type_.fits(fields[name]) or (type_.parts and fields[name]):
                return False
        if fields["query"].isspace() or not fields["query"]:
            return False
        return are_plain_ids([fields["query_id"]]) and self._labels_fit(fields)

    def _learn(
        self, names: tuple[str | None, ...], value: Mapping[str, Any], fields: Mapping[str, Any]
    ) -> _Shape | None:
        """What to look at in rows that have these fields."""
        shape = None
        if "query_id" in fields and "query" in fields:
            near = (known_near(name, self._names) for name in value)
            shape = None if any(near) else _Shape.of(fields)
        if len(self._shapes) < _MOST_SHAPES:
            self._shapes[names] = shape
        return shape

    def _labels_fit(self, fields: Mapping[str, Any]) -> bool:
        relevant = fields.get("relevant_ids", [])
        if not are_plain_ids(relevant):
            return False
        if _BESIDE_RELEVANT.isdisjoint(fields):
            return bool(relevant)
        return self._rare_labels_fit(relevant, fields)

    def _rare_labels_fit(self, relevant: list[str], fields: Mapping[str, Any]) -> bool:
        judgments, evidence = fields.get("judgments", {}), fields.get("evidence", [])
        forbidden = fields.get("forbidden_ids", [])
        if not (_are_judgments(judgments) and _are_groups(evidence) and are_plain_ids(forbidden)):
            return False
        graded = bool(judgments or evidence)
        if not fields.get("answerable", True):
            return not (relevant or graded)
        if bool(relevant) is graded:  # neither is RG104, both is RG102
            return False
        if judgments and not evidence and max(judgments.values()) < self._threshold:
            return False
        named = {*relevant, *judgments, *(member for group in evidence for member in group)}
        return named.isdisjoint(forbidden)


def are_plain_ids(ids: Any) -> bool:
    """Whether it is a list of well-formed ids, none of them twice; it may be empty."""
    if type(ids) is not list or not are_well_formed(ids):
        return False
    return len(ids) < 2 or len(set(ids)) == len(ids)


def are_well_formed(ids: list[Any]) -> bool:
    """Whether they are ids without padding and control characters, none of them blank.

    Joined by single spaces, an id that is blank or has a space at an end makes two in a row, or
    one at an end. What is printable holds no control character and no other white space.
    """
    if not ids:
        return True
    try:
        joined = " ".join(ids)
    except TypeError:
        return False
    if "  " in joined or not joined or joined[0] == " " or joined[-1] == " ":
        return False
    return joined.isprintable()


def _are_judgments(value: Any) -> bool:
    if type(value) is not dict:
        return False
    if not all(type(grade) is int and 0 <= grade <= HIGHEST_GRADE for grade in value.values()):
        return False
    return are_plain_ids(list(value))


def _are_groups(value: Any) -> bool:
    return type(value) is list and all(group and are_plain_ids(group) for group in value)


def known_names(mapping: FieldMapping) -> tuple[str, ...]:
    """The names of the canonical fields as the dataset writes them, outermost key only."""
    paths = (mapping.path_of(name) for name in CANONICAL_FIELDS)
    return tuple(dict.fromkeys(path[0] for path in paths if path))
