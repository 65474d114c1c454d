"""Whatever a file holds, importing it ends in rows or in errors that name it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragguard.dataset.imports.joining import row_line
from ragguard.dataset.imports.qrels import read_qrels
from ragguard.dataset.imports.queries import read_queries
from ragguard.dataset.imports.table import ImportedTable, import_tables
from ragguard.dataset.imports.table_options import TableOptions
from ragguard.errors import InputError

FUZZED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
NAMES = st.sampled_from(["x.csv", "x.json", "x.jsonl", "x"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "query", "gold", "q1", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)
CELLS = st.text(st.sampled_from("ab,;|\t\"'[]{}\r\n 0é\u2028\ud800"), max_size=8)
MAPPINGS = st.dictionaries(
    st.sampled_from(["query_id", "query", "relevant_ids", "judgments", "context.x", "critical"]),
    st.sampled_from(["id", "query", "gold", "x.id", "@hash", "q1"]),
    max_size=4,
)
OPTIONS = st.builds(
    TableOptions,
    fields=MAPPINGS,
    separator=st.sampled_from([None, ",", "list"]),
    unlabelled=st.sampled_from(["error", "unanswerable", "keep"]),
    rows=st.sampled_from([None, None, "x", "x.id"]),
    delimiter=st.sampled_from([None, ";"]),
    encoding=st.sampled_from([None, None, "latin-1", "utf-16"]),
)


def imported(folder: Path, name: str, content: bytes, options: TableOptions) -> ImportedTable:
    """What becomes of a file; rows that can be written, or faults that name it."""
    path = folder / name
    path.write_bytes(content)
    result = import_tables([(path, name)], options)
    for fault in result.faults:
        assert str(fault).startswith(name)
        line = fault.location.line if fault.location else None
        assert line is None or 1 <= line <= content.count(b"\n") + content.count(b"\r") + 1
        assert fault.hint
    if not result.faults:
        for row in result.rows:
            again = json.loads(row_line(row).encode())
            assert isinstance(again["query_id"], str)
            assert isinstance(again["query"], str)
    return result


@FUZZED
@given(content=st.binary(max_size=80), name=NAMES, options=OPTIONS)
def test_bytes(tmp_path: Path, content: bytes, name: str, options: TableOptions) -> None:
    """Any bytes under any name."""
    imported(tmp_path, name, content, options)


@FUZZED
@given(value=VALUES, name=NAMES, options=OPTIONS)
def test_json(tmp_path: Path, value: Any, name: str, options: TableOptions) -> None:
    """Any JSON, NaN and lone surrogates included."""
    imported(tmp_path, name, json.dumps(value).encode(), options)


@FUZZED
@given(
    rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=4),
    mark=st.sampled_from(",;\t"),
    options=OPTIONS,
)
def test_cells(tmp_path: Path, rows: list[list[str]], mark: str, options: TableOptions) -> None:
    """Any cells under a header that fits, quoted or not."""
    text = "\n".join(mark.join(row) for row in [["id", "query", "gold"], *rows])
    imported(tmp_path, "x.csv", text.encode("utf-8", "surrogatepass"), options)


@FUZZED
@given(text=st.text(st.sampled_from('<top>num/ile doc\t\n{}[]":,1aé\u2028'), max_size=60))
def test_queries_and_qrels(tmp_path: Path, text: str) -> None:
    """Any text, tags of topics included."""
    path = tmp_path / "x"
    path.write_text(text, "utf-8")
    for read in (read_queries, read_qrels):
        try:
            read(path, "x")
        except InputError as fault:
            assert str(fault).startswith("x")


@pytest.mark.parametrize(
    "text", ["[" * 5000, '{"a":' * 5000, "9" * 5000, '[{"query": ' + "9" * 5000 + "}]"]
)
def test_what_would_exhaust_a_decoder(tmp_path: Path, text: str) -> None:
    """Deep nesting and long numbers are faults like any other."""
    for name in ("x.json", "x.jsonl", "x.csv"):
        result = imported(tmp_path, name, text.encode(), TableOptions())
        assert result.faults
