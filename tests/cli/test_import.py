"""`ragguard import qrels` as a user runs it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from ragguard.cli.import_command import command
from ragguard.errors import InputError, UsageError
from ragguard.resources import schema
from tests.shared_data import shared


def run(*arguments: str | Path) -> Result:
    """The command in this process; errors that the edge would print are in `exception`."""
    return CliRunner().invoke(command, ["qrels", *map(str, arguments)], standalone_mode=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with qrels of three queries and texts of three, two in common."""
    monkeypatch.chdir(tmp_path)
    Path("q.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t2\nq2\tb\t1\ngone\tc\t1\n")
    Path("texts.tsv").write_text("q1\tone\nq2\ttwo é\nq9\tnine\n")
    return tmp_path


def test_rows_are_written_and_what_is_left_out_is_said(folder: Path) -> None:
    """Judged queries without a text make exit code 1; rows satisfy the schema."""
    result = run("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert rows == [
        {"query_id": "q1", "query": "one", "judgments": {"a": 2}},
        {"query_id": "q2", "query": "two é", "judgments": {"b": 1}},
    ]
    for row in rows:
        Draft202012Validator(schema("dataset-row")).validate(row)
    assert result.return_value == 1
    assert "2 queries written to out.jsonl" in result.stdout
    assert "1 judged query ids have no text and were left out, with 1 judgments: 'gone'" in (
        result.stderr
    )
    assert "1 queries have no judgment" in result.stderr
    assert not Path("out.meta.json").exists()


def test_unknown_queries_are_written_where_that_is_asked_for(folder: Path) -> None:
    """Without a query, which the linter then misses row by row; nothing is left out."""
    result = run("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl", "--unknown", "keep")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert rows[2] == {"query_id": "gone", "judgments": {"c": 1}}
    assert result.return_value == 0
    assert "1 judged query ids have no text and are written without one" in result.stderr


def test_leading_zeros_are_suspected(folder: Path) -> None:
    """CACM's queries are 01 in one file and 1 in the other; ids are never taken for numbers."""
    Path("q.tsv").write_text("01 0 a 1\n2 0 a 1\n")
    Path("texts.tsv").write_text("1\tone\n2\ttwo\n")
    result = run("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl")
    assert "'01' (is '01' the query '1'? leading zeros count)" in result.stderr


def test_versions_go_to_the_sidecar_and_gz_is_packed(folder: Path) -> None:
    """The same rows give the same bytes."""
    arguments = ("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl.gz", "--force")
    run(*arguments, "--dataset-version", "7", "--corpus-version", "2026-11")
    first = Path("out.jsonl.gz").read_bytes()
    assert gzip.decompress(first).count(b"\n") == 2
    assert json.loads(Path("out.meta.json").read_text()) == {
        "dataset_version": "7",
        "corpus_version": "2026-11",
    }
    run(*arguments)
    assert Path("out.jsonl.gz").read_bytes() == first


@pytest.mark.parametrize("existing", ["out.jsonl", "out.meta.json"])
def test_nothing_is_overwritten_unasked(folder: Path, existing: str) -> None:
    """Neither the dataset nor its sidecar; nothing is half written."""
    Path(existing).write_text("mine")
    arguments = ("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl")
    result = run(*arguments, "--dataset-version", "7")
    assert isinstance(result.exception, UsageError)
    assert existing in str(result.exception)
    assert Path(existing).read_text() == "mine"
    assert run(*arguments, "--dataset-version", "7", "--force").return_value == 1
    assert Path(existing).read_text() != "mine"


@pytest.mark.parametrize("output", ["q.tsv", "texts.tsv"])
def test_what_is_imported_is_never_overwritten(folder: Path, output: str) -> None:
    """Not even by force: there would be nothing left to import again."""
    before = Path(output).read_text()
    result = run("q.tsv", "--queries", "texts.tsv", "--output", output, "--force")
    assert isinstance(result.exception, UsageError)
    assert Path(output).read_text() == before


@pytest.mark.parametrize(
    ("qrels", "queries"), [("q.tsv", "gone.tsv"), ("gone.tsv", "texts.tsv"), ("q.tsv", ".")]
)
def test_input_that_cannot_be_read_writes_nothing(folder: Path, qrels: str, queries: str) -> None:
    """Exit code 2 with the file's name."""
    result = run(qrels, "--queries", queries, "--output", "out.jsonl")
    assert isinstance(result.exception, InputError)
    assert result.exception.exit_code == 2
    assert not Path("out.jsonl").exists()


def test_files_with_nothing_in_common_write_nothing(folder: Path) -> None:
    """Ids of two different worlds are the commonest mistake."""
    Path("texts.tsv").write_text("Q-1\tone\n")
    result = run("q.tsv", "--queries", "texts.tsv", "--output", "out.jsonl")
    assert isinstance(result.exception, InputError)
    assert "nothing in common" in str(result.exception)
    assert not Path("out.jsonl").exists()


def test_a_public_collection_with_unknown_queries_says_how_many(folder: Path) -> None:
    """arcd: 652 judged queries do not exist."""
    arcd = shared("data/trec-beir/embedding-leaderboard/datasets/arcd")
    result = run(
        arcd / "qrels/test.tsv", "--queries", arcd / "queries.jsonl", "--output", "arcd.jsonl"
    )
    assert result.return_value == 1
    assert "652 judged query ids have no text" in result.stderr
