"""Field mapping: the dataset's own names to the canonical ones, by dotted path."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HASHED = "@hash"
"""In place of a path for `query_id`: derive it from query and context."""

CANONICAL_FIELDS = (
    "query_id",
    "query",
    "relevant_ids",
    "judgments",
    "evidence",
    "spans",
    "answerable",
    "forbidden_ids",
    "max_rank",
    "critical",
    "category",
    "context",
    "weight",
    "split",
    "origin",
    "review_by",
    "label_hashes",
    "private",
    "reference",
    "claims",
    "dataset_version",
    "corpus_version",
)


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """Where the canonical fields stand in the rows of a dataset.

    Attributes:
        paths: dotted path by canonical field name; a field that is not in it stands under its
            own name.
    """

    paths: Mapping[str, str] = field(default_factory=dict)

    def path_of(self, canonical: str) -> tuple[str, ...]:
        """The keys from the row inwards to where a canonical field stands."""
        path = self.paths.get(canonical, canonical)
        return () if path == HASHED else tuple(path.split("."))

    @property
    def hashes_ids(self) -> bool:
        """Whether ids are derived from query and context."""
        return self.paths.get("query_id") == HASHED

    def canonical(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The row under canonical names; fields that are not mapped keep theirs.

        The name a mapped field was found under is dropped at the top level, and a field of that
        canonical name which the dataset also has gives way to the mapped one.
        """
        if not self.paths:
            return dict(value)
        sources = {path.split(".")[0] for path in self.paths.values() if "." not in path}
        row = {key: each for key, each in value.items() if key not in sources}
        for name in self.paths:
            row.pop(name, None)
        mapped = {name: self._value(value, name) for name in self.paths}
        found = {name: each for name, each in mapped.items() if each is not _ABSENT}
        if self.hashes_ids and isinstance(value, Mapping):
            found["query_id"] = hashed_id({**row, **found})
        return {**found, **row}

    def _value(self, value: Mapping[str, Any], canonical: str) -> Any:
        path = self.path_of(canonical)
        if not path:
            return _ABSENT
        found: Any = value
        for key in path:
            if not isinstance(found, Mapping) or key not in found:
                return _ABSENT
            found = found[key]
        return found


_ABSENT = object()


def hashed_id(row: Mapping[str, Any]) -> str:
    """An id for a row that has none.

    `h` and the first 16 hex digits of the SHA-256 of the list of its query and its context (an
    empty object without one) as JSON with sorted keys, no spaces and ASCII only.
    """
    import hashlib  # few datasets need it, and it takes time to load

    asked = [row.get("query"), row.get("context") or {}]
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "h" + hashlib.sha256(text.encode()).hexdigest()[:16]
