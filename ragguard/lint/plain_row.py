"""A cheap look at a row that lets the sound ones through without asking any rule.

It may send a sound row to the rules, which then find nothing; it never lets a faulty one pass. A
test holds it to that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragguard.config.model import Suite
from ragguard.dataset.mapping import CANONICAL_FIELDS, FieldMapping
from ragguard.lint.field_types import FIELD_TYPES, HIGHEST_GRADE
from ragguard.lint.slip import known_near

_plain_id = re.compile(r"[!-~](?:[ -~]*[!-~])?").fullmatch
_LABELS = frozenset({"relevant_ids", "judgments", "evidence", "forbidden_ids"})
_OTHER_TYPES = {name: type_ for name, type_ in FIELD_TYPES.items() if name not in _LABELS}
_BESIDE_RELEVANT = frozenset({"judgments", "evidence", "spans", "forbidden_ids", "answerable"})


class PlainRow:
    """The look for the rows of one suite."""

    __slots__ = ("_known", "_names", "_threshold")

    def __init__(self, suite: Suite) -> None:
        mapping = FieldMapping(suite.fields)
        self._names = known_names(mapping)
        self._known = frozenset(self._names)
        self._threshold = suite.scoring.policy.relevance_threshold

    def __call__(self, value: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
        """Whether no row rule can find anything in a row.

        Args:
            value: the row as written.
            fields: the same under canonical names.
        """
        query_id, query = fields.get("query_id"), fields.get("query")
        if type(query_id) is not str or type(query) is not str:
            return False
        if not query or query.isspace() or not _plain_id(query_id):
            return False
        return self._fields_fit(value, fields) and self._labels_fit(fields)

    def _fields_fit(self, value: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
        for name, each in fields.items():
            type_ = _OTHER_TYPES.get(name)
            if type_ is not None and (not type_.fits(each) or (type_.parts and each)):
                return False
        known, names = self._known, self._names
        return not any(name not in known and known_near(name, names) for name in value)

    def _labels_fit(self, fields: Mapping[str, Any]) -> bool:
        relevant = fields.get("relevant_ids", [])
        if not _are_plain(relevant):
            return False
        if _BESIDE_RELEVANT.isdisjoint(fields):
            return bool(relevant)
        return self._rare_labels_fit(relevant, fields)

    def _rare_labels_fit(self, relevant: list[str], fields: Mapping[str, Any]) -> bool:
        judgments, evidence = fields.get("judgments", {}), fields.get("evidence", [])
        forbidden = fields.get("forbidden_ids", [])
        if not (_are_judgments(judgments) and _are_groups(evidence) and _are_plain(forbidden)):
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


def _are_plain(ids: Any) -> bool:
    """Whether it is a list of well-formed ids, none of them twice; it may be empty."""
    if type(ids) is not list:
        return False
    for each in ids:
        if type(each) is not str or not _plain_id(each):
            return False
    return len(ids) < 2 or len(set(ids)) == len(ids)


def _are_judgments(value: Any) -> bool:
    if type(value) is not dict:
        return False
    if not all(type(grade) is int and 0 <= grade <= HIGHEST_GRADE for grade in value.values()):
        return False
    return _are_plain(list(value))


def _are_groups(value: Any) -> bool:
    return type(value) is list and all(group and _are_plain(group) for group in value)


def known_names(mapping: FieldMapping) -> tuple[str, ...]:
    """The names of the canonical fields as the dataset writes them, outermost key only."""
    paths = (mapping.path_of(name) for name in CANONICAL_FIELDS)
    return tuple(dict.fromkeys(path[0] for path in paths if path))
