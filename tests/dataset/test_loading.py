"""A suite's dataset as queries: what is read, what stops it, and what is kept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.config.model import Scoring, Suite
from ragguard.dataset.loading import Dataset, load_suite, read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.errors import InputError
from ragguard.location import Location
from ragguard.metrics.name import Metric


def suite(*dataset: str, **settings: Any) -> Suite:
    """A suite over these files."""
    return Suite(name="docs", dataset=dataset, scoring=Scoring(Metric("evidence", 5)), **settings)


def written(root: Path, name: str, *rows: dict[str, Any] | str) -> None:
    """A dataset of these rows."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    content = "".join(line + "\n" for line in lines).encode()
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)


def load(root: Path, *dataset: str, **settings: Any) -> Dataset:
    """The dataset of a suite over these files."""
    return load_suite(suite(*dataset, **settings), root)


def test_queries_come_in_the_order_of_files_and_rows(tmp_path: Path) -> None:
    """Blank lines count as lines; the source is where the row stands, below the configuration."""
    written(tmp_path, "eval/b.jsonl", {"query_id": "b1", "query": "x", "relevant_ids": ["c"]})
    written(
        tmp_path,
        "eval/a.jsonl.gz",
        {"query_id": "a1", "query": "y", "judgments": {"c": 2}, "critical": True},
        "",
        {"query_id": "a2", "query": "z", "evidence": [["c", "d"]], "context": {"roles": ["r"]}},
    )
    dataset = load(tmp_path, "eval/*")
    assert [query.query_id for query in dataset.queries] == ["a1", "a2", "b1"]
    assert [query.source for query in dataset.queries] == [
        Location("eval/a.jsonl.gz", 1),
        Location("eval/a.jsonl.gz", 3),
        Location("eval/b.jsonl", 1),
    ]
    first, second, third = dataset.queries
    assert first.critical
    assert dict(first.labels.judgments) == {"c": 2}
    assert second.labels.evidence == (("c", "d"),)
    assert second.context == {"roles": ["r"]}
    assert third.labels.relevant_ids == ("c",)


def test_a_source_outside_the_root_is_relative_all_the_same(tmp_path: Path) -> None:
    """A report names no folder of one machine."""
    written(tmp_path, "x.jsonl", {"query_id": "q", "query": "x"})
    (tmp_path / "conf").mkdir()
    dataset = load(tmp_path / "conf", "../x.jsonl")
    assert dataset.queries[0].source == Location("../x.jsonl", 1)


def test_mapped_rows_are_canonical(tmp_path: Path) -> None:
    """Other fields are kept for slices and the report."""
    written(tmp_path, "x.jsonl", {"question": "x", "gold": {"ids": ["c"]}, "kind": "k"})
    fields = {"query_id": "@hash", "query": "question", "relevant_ids": "gold.ids"}
    query = load(tmp_path, "x.jsonl", fields=fields).queries[0]
    assert query.query_id.startswith("h")
    assert query.text == "x"
    assert query.labels.relevant_ids == ("c",)
    assert query.row["kind"] == "k"
    assert query.slice_value("kind") == "k"


@pytest.mark.parametrize(("unlabelled", "answerable"), [("error", True), ("unanswerable", False)])
def test_a_suite_says_what_a_row_without_labels_is(
    tmp_path: Path, unlabelled: str, answerable: bool
) -> None:
    """Unless the row says so itself."""
    written(
        tmp_path,
        "x.jsonl",
        {"query_id": "q1", "query": "x"},
        {"query_id": "q2", "query": "y", "relevant_ids": []},
        {"query_id": "q3", "query": "z", "relevant_ids": ["c"]},
        {"query_id": "q4", "query": "w", "answerable": True},
    )
    queries = load(tmp_path, "x.jsonl", unlabelled=unlabelled).queries
    assert [query.answerable for query in queries] == [answerable, answerable, True, True]


def test_versions_come_from_sidecar_or_rows(tmp_path: Path) -> None:
    """Whichever names one."""
    written(tmp_path, "a.jsonl", {"query_id": "q1", "query": "x", "corpus_version": "c1"})
    (tmp_path / "a.meta.json").write_text('{"dataset_version": "7"}')
    dataset = load(tmp_path, "a.jsonl")
    assert (dataset.dataset_version, dataset.corpus_version) == ("7", "c1")
    written(tmp_path, "b.jsonl", {"query_id": "q1", "query": "x"})
    assert load(tmp_path, "b.jsonl").dataset_version is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"query_id": "q", "query": "x"}\n{"query_id":\n', r"x\.jsonl:2:13: .*in the middle"),
        (b'{"query_id": "q", "query": "x"}\n{"query_id": "q2", "quer', r"x\.jsonl:2:20: "),
        (b'"x"\n', r"x\.jsonl:1:1: not an object"),
        (b"", "its dataset has no row"),
        (b"\n\n", "its dataset has no row"),
        ('{"query_id": "q"}'.encode("utf-16"), r"x\.jsonl:1:1: not UTF-8.*UTF-16"),
    ],
)
def test_a_file_that_is_no_dataset_stops_it(tmp_path: Path, content: bytes, said: str) -> None:
    """A query that is left out would raise the mean."""
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=said):
        load(tmp_path, "x.jsonl")


@pytest.mark.parametrize("pattern", ["gone.jsonl", "eval/*.jsonl"])
def test_what_matches_nothing_stops_it(tmp_path: Path, pattern: str) -> None:
    """An evaluation of nothing would pass."""
    with pytest.raises(InputError, match="nothing matches"):
        load(tmp_path, pattern)


def test_a_dataset_that_is_a_folder_stops_it(tmp_path: Path) -> None:
    """With the way to write a glob."""
    (tmp_path / "eval").mkdir()
    with pytest.raises(InputError, match="directory") as caught:
        load(tmp_path, "eval")
    assert caught.value.hint
    assert "*.jsonl" in caught.value.hint


def test_a_bad_line_never_hides_the_next(tmp_path: Path) -> None:
    """The linter sees every line, a mark and carriage returns included."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{bad}\r\n\xff\n\n{"b": "\xe2\x80\xa8"}\n[1]')
    found = list(read_rows(path, "x", FieldMapping()))
    assert [line.line.number for line in found] == [1, 2, 3, 4, 5, 6]
    assert [line.row.fields if line.row else None for line in found] == [
        {"a": 1},
        None,
        None,
        None,
        {"b": "\u2028"},
        None,
    ]
    assert [len(line.faults) for line in found] == [0, 1, 1, 0, 0, 1]


def test_a_line_of_50_megabytes_is_a_line(tmp_path: Path) -> None:
    """However unlikely; nothing is cut off."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"query_id": "q", "query": "' + b"x" * 50_000_000 + b'"}\n')
    queries = load(tmp_path, "x.jsonl").queries
    assert [len(query.text) for query in queries] == [50_000_000]


@given(st.binary(max_size=200))
def test_no_bytes_end_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    """Each line is a row, blank, or has a fault whose place lies inside the line."""
    path = tmp_path_factory.mktemp("fuzz") / "x.jsonl"
    path.write_bytes(content)
    try:
        found = list(read_rows(path, "x", FieldMapping({"query_id": "@hash", "query": "a.b"})))
    except InputError:
        assert content.startswith(b"\x1f\x8b")
        return
    for line in found:
        assert line.row is not None or line.faults or not line.line.content.strip()
        for fault in line.faults:
            assert 0 <= fault.position <= len(line.text)


@given(
    rows=st.lists(st.lists(st.text('a"\\é\u2028', max_size=3), max_size=3), max_size=6),
    naming=st.lists(st.text('a"\\é', max_size=2), max_size=3),
    ascii_only=st.booleans(),
)
def test_no_row_that_names_a_text_is_left_out(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[str]],
    naming: list[str],
    ascii_only: bool,
) -> None:
    """However the text is written; rows that do not name it may be left out."""
    path = tmp_path_factory.mktemp("naming") / "docs.jsonl"
    encoded = [json.dumps({"ids": ids}, ensure_ascii=ascii_only) + "\n" for ids in rows]
    path.write_text("".join(encoded), encoding="utf-8")
    read = {each.line.number for each in read_rows(path, "shown", FieldMapping(), naming=naming)}
    naming_them = {number for number, ids in enumerate(rows, 1) if not set(ids).isdisjoint(naming)}
    assert read >= naming_them
    if not any(text in each for each in encoded for text in ["\\", *naming]):
        assert not read
