"""A query as the rules see it that compare the queries of a suite with each other."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.row import DatasetRow
from ragguard.location import Location

_LABELS = ("relevant_ids", "judgments", "evidence", "spans", "answerable")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_ASCII_BETWEEN_WORDS = bytes(
    code for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"
)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One row of a suite whose query reads like that of another row.

    Attributes:
        location: where its query stands.
        context: its context as canonical JSON; empty without one.
        labels: everything that says what is relevant, as canonical JSON; the order of labels does
            not count.
    """

    location: Location
    query_id: str | None
    query: str
    context: str
    labels: str
    split: str | None
    is_private: bool

    @classmethod
    def of(cls, row: DatasetRow) -> Occurrence:
        """The occurrence that a row with a query is."""
        fields = row.fields
        split = fields.get("split")
        labels = {name: _unordered(fields[name]) for name in _LABELS if name in fields}
        return cls(
            location=row.locate("query"),
            query_id=row.query_id,
            query=fields["query"],
            context=_canonical(fields["context"]) if fields.get("context") else "",
            labels=_canonical(labels),
            split=split if isinstance(split, str) else None,
            is_private=fields.get("private") is True,
        )


def near_key(text: str) -> str:
    """What is left of a query without case, white space, punctuation and compatibility forms.

    A query that is nothing but punctuation is its own key.
    """
    normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _BETWEEN_WORDS.sub("", normal.casefold()) or text


def near_hashes(queries: Sequence[str]) -> list[int]:
    """For each query a hash; queries with the same `near_key` have the same one.

    Many queries of plain ASCII are taken together, which is several times as fast.
    """
    joined = "\n".join(queries)
    if joined.isascii() and joined.count("\n") == len(queries) - 1:
        keys = joined.lower().encode().translate(None, _ASCII_BETWEEN_WORDS).split(b"\n")
        if all(keys):
            return list(map(hash, keys))
    return [hash(near_key(query).encode("utf-8", "surrogatepass")) for query in queries]


def _unordered(value: Any) -> Any:
    """A list of labels in an order of its own; a group's members likewise."""
    if not isinstance(value, list):
        return value
    return sorted((_unordered(each) for each in value), key=_canonical)


def _canonical(value: Mapping[str, Any] | Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
