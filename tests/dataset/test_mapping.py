"""Field mapping: other teams' names, by dotted path."""

from __future__ import annotations

import hashlib
from typing import Any

from ragguard.dataset.mapping import FieldMapping, hashed_id


def canonical(fields: dict[str, str], row: dict[str, Any]) -> dict[str, Any]:
    """The row under canonical names."""
    return FieldMapping(fields).canonical(row)


def test_without_a_mapping_names_are_their_own() -> None:
    """Other fields are kept as given."""
    row = {"query_id": "q", "query": "x", "extra": {"a": [1]}}
    assert canonical({}, row) == row


def test_a_mapped_field_takes_its_canonical_name() -> None:
    """Its old name goes; nested objects stay whole for slices."""
    row = {"id": "q", "question": "x", "meta": {"gold": ["a"], "kind": "k"}, "extra": 1}
    fields = {"query_id": "id", "query": "question", "relevant_ids": "meta.gold"}
    assert canonical(fields, row) == {
        "query_id": "q",
        "query": "x",
        "relevant_ids": ["a"],
        "meta": {"gold": ["a"], "kind": "k"},
        "extra": 1,
    }


def test_names_can_be_swapped() -> None:
    """Mapping reads the row as written, not half-mapped."""
    row = {"query": "the id", "query_id": "the text"}
    fields = {"query": "query_id", "query_id": "query"}
    assert canonical(fields, row) == {"query": "the text", "query_id": "the id"}


def test_a_mapped_field_that_is_absent_stays_absent() -> None:
    """Falling back to the canonical name would be a guess."""
    assert canonical({"query": "question"}, {"query_id": "q", "query": "other"}) == {
        "query_id": "q"
    }
    assert canonical({"query": "meta.question"}, {"meta": "text"}) == {"meta": "text"}


def test_null_is_a_value_not_an_absence() -> None:
    """The linter says what is wrong with it."""
    assert canonical({"relevant_ids": "gold"}, {"gold": None}) == {"relevant_ids": None}


def test_derived_ids_follow_the_documented_formula() -> None:
    """SHA-256 of `[query, context]` in canonical JSON, worked out here from its text."""
    text = '["caf\\u00e9",{"a":1,"b":2}]'
    expected = "h" + hashlib.sha256(text.encode()).hexdigest()[:16]
    row = {"question": "café", "context": {"b": 2, "a": 1}, "gold": ["x"]}
    found = canonical({"query_id": "@hash", "query": "question"}, row)
    assert found["query_id"] == expected
    assert found["query"] == "café"


def test_derived_ids_depend_on_query_and_context_only() -> None:
    """Relabelling a query keeps its id, so that two versions of a dataset pair up."""
    one = hashed_id({"query": "x", "relevant_ids": ["a"]})
    assert hashed_id({"query": "x", "relevant_ids": ["b"], "context": {}}) == one
    assert hashed_id({"query": "x", "context": {"tenant": "t"}}) != one
    assert hashed_id({"query": "y"}) != one
