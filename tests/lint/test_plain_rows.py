"""The fast way over many rows finds exactly what the slow and exact way finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragguard.config.model import Suite
from ragguard.dataset import lines
from ragguard.dataset.lines import Block
from ragguard.dataset.loading import read_row
from ragguard.dataset.mapping import FieldMapping
from ragguard.lint.plain.rows import PlainRowReader
from tests.lint.linting import lint, suite_of, told, write

GOOD = [
    {"query_id": f"q{number}", "query": f"text {number}", "relevant_ids": [f"c{number}", "c0"]}
    for number in range(1, 9)
]
GRADED = [
    {"query_id": "q21", "query": "graded", "judgments": {"c1": 2, "c2": 0}},
    {"query_id": "q22", "query": "and critical", "judgments": {"c3": 1}, "critical": True},
]
TWO_ON_A_LINE = b" ".join(b'{"query_id": "q1", "query": "x", "relevant_ids": ["c"]}' for _ in "ab")
TOO_DEEP = b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": %b%b}' % (
    b"[" * 150,
    b"]" * 150,
)
ODD = [
    b'{"query_id": "q1", "query": "one", "query": "two", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query" : "one", "query": "two", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "says \\": so", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "one: two :", "relevant_ids": ["c1"]}',
    TWO_ON_A_LINE,
    b'{"query_id": "q1",',
    b'"query": "spans lines", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "x", "judgments":',
    b'{"c1": 1}}',
    b"",
    b"  ",
    b'{"query_id": "q1", "query": "\xff", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "\\ud800", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "\\ud83d\\ude00", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "\xe2\x80\xa8", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1", "c1"]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1", ""]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1", "c2 "]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": []}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "judgments": {"c1": 1}}',
    b'{"query_id": "q1", "query": "x", "judgments": {"c1": 0}}',
    b'{"query_id": "q1", "query": "x", "judgments": {"c1": 1001}}',
    b'{"query_id": "q1", "query": "x", "judgments": {"c1": 1, "c1": 1}}',
    b'{"query_id": 1, "query": "x", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": [1]}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "answerable": false}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "critcal": true}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "critical": 1}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": 1e999}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": ' + b"9" * 400 + b"}",
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": NaN}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": {"a": 1, "a": 2}}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "note": '
    + b"[" * 150
    + b"]" * 150
    + b"}",
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"], "dataset_version": "2"}',
    b'{"query_id": "q1", "query": "x", "relevant_ids": ["c1"]}\r',
    b'\xef\xbb\xbf{"query_id": "q1", "query": "x", "relevant_ids": ["c1"]}',
    b'{"query_id": "q1", "query": "x\x00", "relevant_ids": ["c1"]}',
    b'{"query\\u005fid": "q1", "query": "x", "relevant_ids": ["c1"]}',
]


@contextmanager
def blocks_of(first: int, size: int, *, slowly: bool = False) -> Iterator[None]:
    """Blocks of so many bytes, read by the fast way or by the slow one alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_FIRST_BLOCK", first)
        patch.setattr(lines, "_BLOCK", size)
        if slowly:
            patch.setattr(PlainRowReader, "read", lambda _, block: (None, block.lines()))
        yield


def both_ways(folder: Path, content: bytes, suite: Suite, size: int = 400) -> tuple[Any, Any]:
    """What is found the fast way, and what the slow way."""
    write(folder, {"docs.jsonl": content, "docs.meta.json": {"corpus_version": "1"}})
    write(folder, {"manifest.jsonl": [{"id": f"c{number}"} for number in range(8)]})
    found = []
    for slowly in (False, True):
        with blocks_of(100, size, slowly=slowly):
            result = lint(folder, suite)
        found.append((told(result), result.rows, [str(fault) for fault in result.faults]))
    return found[0], found[1]


def encoded(rows: list[dict[str, Any]]) -> bytes:
    """Rows as JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.parametrize("size", [100, 400, 5000])
@pytest.mark.parametrize("odd", ODD)
def test_an_odd_line_among_plain_ones_is_found(odd: bytes, size: int, tmp_path: Path) -> None:
    """Alone, and beside its like: whatever is odd is found as if it had been looked at alone."""
    content = encoded(GOOD[:4]) + odd + b"\n" + encoded([*GOOD[4:], *GRADED]) + odd + b"\n"
    fast, slow = both_ways(tmp_path, content, suite_of("docs.jsonl", corpus="manifest.jsonl"), size)
    assert fast == slow


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    parts=st.lists(st.sampled_from([*map(encoded, [[row] for row in [*GOOD, *GRADED]]), *ODD])),
    cut=st.integers(0, 200),
    size=st.sampled_from([90, 300, 4000]),
)
def test_any_mixture_of_lines_is_found_alike(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], cut: int, size: int
) -> None:
    """Line ends in odd places included: parts of rows run into each other."""
    joined = b"".join(part if part.endswith(b"\n") else part + b"\n" for part in parts)
    content = encoded(GOOD[:3]) + joined[cut:] + joined[:cut]
    folder = tmp_path_factory.mktemp("mixture")
    fast, slow = both_ways(folder, content, suite_of("docs.jsonl", corpus="manifest.jsonl"), size)
    assert fast == slow


def test_plain_rows_are_not_looked_at_one_by_one(tmp_path: Path) -> None:
    """The fast way takes all rows of a shape it has met, graded and mapped ones included."""
    suite = suite_of("docs.jsonl", fields={"query": "question", "relevant_ids": "gold"})
    reader = PlainRowReader(suite)
    rows = [
        {"query_id": "q1", "question": "a: b", "gold": ["c1"], "tags": ["x"], "score": 1.5},
        {"query_id": "q2", "question": "ü", "gold": ["c2", "c1"], "category": "k"},
    ]
    content = encoded(rows)
    for line in Block(1, 0, content).lines():
        row = read_row(line, "docs.jsonl", FieldMapping(suite.fields)).row
        assert row is not None
        reader.learn(row)
    found, rest = reader.read(Block(11, 0, content))
    assert found is not None
    assert list(rest) == []
    assert (list(found.numbers), found.query_ids) == ([11, 12], ["q1", "q2"])
    assert found.queries == ["a: b", "ü"]
    assert list(found.labels) == ["c1", "c2", "c1"]


def test_versions_in_rows_are_counted_as_one_by_one(tmp_path: Path) -> None:
    """Several versions, versions missing here and there: the fast way tells them the same."""
    rows = [{**row, "dataset_version": "1"} for row in GOOD]
    rows[5]["dataset_version"] = "2"
    del rows[6]["dataset_version"]
    suite = suite_of("docs.jsonl")
    fast, slow = both_ways(tmp_path, encoded(rows * 3), suite)
    assert fast == slow
    assert any("dataset_version is '2' (3 times)" in each for each in fast[0])
