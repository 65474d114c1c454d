"""Where values stand in a line: characters for people, bytes for fixes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragguard.dataset.lines import SourceLine
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.positions import Span, key_span, key_spans, value_span
from ragguard.dataset.row import DatasetRow
from ragguard.location import Location

TEXT = '{"a": "é", "b": [1, {"c\\"": [ ]} , "x"], "b2":-1e5,"d":{}}'


def test_spans_hold_the_value_with_its_quotes() -> None:
    """Counted by hand in characters."""
    assert value_span(TEXT, ["a"]) == Span(6, 9)
    assert value_span(TEXT, ["b", 0]) == Span(17, 18)
    assert value_span(TEXT, ["b", 1, 'c"']) == Span(28, 31)
    assert value_span(TEXT, ["b", 2]) == Span(35, 38)
    assert value_span(TEXT, ["b2"]) == Span(46, 50)
    assert value_span(TEXT, []) == Span(0, len(TEXT))


def test_what_is_not_there_has_no_span() -> None:
    """Keys of lists, indexes of objects and past the end, children of scalars."""
    for path in (["z"], ["b", 3], ["b", -1], ["b", "0"], ["a", 0], [0], ["d", "x"]):
        assert value_span(TEXT, path) is None
    assert key_span(TEXT, ["z"]) is None
    assert key_span(TEXT, ["b", 0]) is None


def test_keys_have_spans_and_of_twins_the_last_counts() -> None:
    """As it does for every JSON decoder."""
    text = '{"a": 1, "a": {"k": 2}}'
    assert key_span(text, ["a"]) == Span(9, 12)
    assert value_span(text, ["a"]) == Span(14, 22)
    assert key_span(text, ["a", "k"]) == Span(15, 18)
    assert [key for keys in key_spans(text) for key, _ in keys] == ["a", "a", "k"]


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    """Every value in a value, with its path."""
    found = [(path, value)]
    if isinstance(value, dict):
        found += [pair for key, child in value.items() for pair in paths(child, (*path, key))]
    if isinstance(value, list):
        found += [pair for i, child in enumerate(value) for pair in paths(child, (*path, i))]
    return found


@given(
    st.dictionaries(st.text(max_size=4), NESTED, max_size=4),
    st.sampled_from([None, 1, 3]),
    st.booleans(),
)
def test_every_span_decodes_to_the_value_at_its_path(
    value: dict[str, Any], indent: int | None, is_ascii: bool
) -> None:
    """For any object, however it is spaced and escaped."""
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    for path, expected in paths(value):
        span = value_span(text, path)
        assert span is not None
        assert json.loads(text[span.start : span.end]) == expected
        if path and isinstance(path[-1], str):
            key = key_span(text, path)
            assert key is not None
            assert json.loads(text[key.start : key.end]) == path[-1]


def row(text: str, *, fields: dict[str, str] | None = None, mark: bytes = b"") -> DatasetRow:
    """The row of a text that stands in line 1 after a mark, or in line 7 at byte 100."""
    line = SourceLine(1, 0, mark + text.encode()) if mark else SourceLine(7, 100, text.encode())
    mapping = FieldMapping(fields or {})
    value = json.loads(text)
    return DatasetRow("eval/x.jsonl", line, text, value, mapping.canonical(value), mapping)


def test_columns_count_code_points_and_bytes_count_bytes() -> None:
    """An emoji is one column and four bytes."""
    found = row('{"query": "\U0001f600é", "relevant_ids": ["ü", "b"]}')
    assert found.locate("relevant_ids", 1) == Location("eval/x.jsonl", 7, 39)
    assert found.byte_span("relevant_ids", 1) == (100 + 38 + 3 + 1 + 1, 100 + 38 + 3 + 1 + 1 + 3)
    assert found.locate_key("relevant_ids") == Location("eval/x.jsonl", 7, 17)


def test_a_missing_field_is_column_1_of_its_row() -> None:
    """There is no better place for what is not there."""
    found = row('  {"query": "x"}')
    assert found.locate("query_id") == Location("eval/x.jsonl", 7, 1)
    assert found.locate("query") == Location("eval/x.jsonl", 7, 13)
    assert found.locate() == Location("eval/x.jsonl", 7, 1)
    assert found.byte_span("query_id") is None


def test_a_mapped_field_is_found_where_the_dataset_has_it() -> None:
    """Canonical names are for rules; places are those of the file."""
    fields = {"query_id": "id", "relevant_ids": "gold.chunks"}
    found = row('{"id": "q", "gold": {"chunks": ["a", "b"]}}', fields=fields)
    assert found.query_id == "q"
    assert found.fields["relevant_ids"] == ["a", "b"]
    assert found.locate("relevant_ids", 1).column == 38
    assert found.locate("query_id").column == 8
    assert found.locate_key("gold", "chunks").column == 22


def test_a_derived_id_stands_nowhere() -> None:
    """`@hash` points at the row."""
    found = row('{"query": "x"}', fields={"query_id": "@hash"})
    assert found.locate("query_id").column == 1
    assert found.byte_span("query_id") is None


def test_a_byte_order_mark_moves_bytes_and_no_columns() -> None:
    """Editors do not show it; fixes must step over it."""
    found = row('{"query": "x"}', mark=b"\xef\xbb\xbf")
    assert found.locate("query").column == 11
    assert found.byte_span("query") == (13, 16)
