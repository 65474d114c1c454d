"""`ragguard import table` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from ragguard.cli.import_command import command
from ragguard.errors import UsageError
from ragguard.resources import schema


def run(*arguments: str | Path) -> Result:
    """The command in this process; errors that the edge would print are in `exception`."""
    return CliRunner().invoke(command, ["table", *map(str, arguments)], standalone_mode=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a table of two queries, one of them without a label."""
    monkeypatch.chdir(tmp_path)
    Path("truth.csv").write_text("question,document\nwhen?,0912\nwhere?,\n")
    return tmp_path


MAPPED = (
    "--field",
    "query=question",
    "--field",
    "query_id=@hash",
    "--field",
    "relevant_ids=document",
)


def test_the_messages_alone_lead_to_a_dataset(folder: Path) -> None:
    """Each error says the option that is missing; following them ends in valid rows."""
    first = run("truth.csv", "-o", "docs.jsonl")
    assert first.return_value == 2
    assert "--field query=question" in first.stderr
    assert "--field query_id=@hash" in first.stderr
    assert "--field relevant_ids=document" in first.stderr
    second = run("truth.csv", "-o", "docs.jsonl", *MAPPED)
    assert second.return_value == 2
    assert "truth.csv:3: no label" in second.stderr
    assert "--unlabelled unanswerable" in second.stderr
    assert "nothing was written" in second.stderr
    assert not Path("docs.jsonl").exists()
    third = run("truth.csv", "-o", "docs.jsonl", *MAPPED, "--unlabelled", "unanswerable")
    assert third.return_value == 0
    assert "2 queries written to docs.jsonl" in third.stdout
    assert "warning: 1 row is written as unanswerable" in third.stderr
    rows = [json.loads(line) for line in Path("docs.jsonl").read_text().splitlines()]
    assert [row.get("relevant_ids") for row in rows] == [["0912"], None]
    for row in rows:
        Draft202012Validator(schema("dataset-row")).validate(row)


def test_a_faulty_row_leaves_the_old_dataset(folder: Path) -> None:
    """Nothing is written half, and not even by force while a row is faulty."""
    Path("docs.jsonl").write_text("old")
    assert run("truth.csv", "-o", "docs.jsonl", "--force", *MAPPED).return_value == 2
    assert Path("docs.jsonl").read_text() == "old"


@pytest.mark.parametrize("output", ["docs.jsonl", "truth.csv", "other.csv"])
def test_nothing_is_overwritten_unasked(folder: Path, output: str) -> None:
    """What is imported never is."""
    for name in ("docs.jsonl", "other.csv"):
        Path(name).write_text("mine")
    before = Path(output).read_text()
    force = () if output == "docs.jsonl" else ("--force",)
    result = run("truth.csv", "other.csv", "-o", output, *force, *MAPPED)
    assert isinstance(result.exception, UsageError)
    assert Path(output).read_text() == before


def test_many_faults_are_counted_after_the_first_twenty(folder: Path) -> None:
    """So that the first is still on the screen."""
    Path("truth.csv").write_text("question,document\n" + "when?,\n" * 50)
    result = run("truth.csv", "-o", "docs.jsonl", *MAPPED)
    assert result.stderr.count("no label") == 20
    assert "truth.csv:2: " in result.stderr
    assert "and 30 more like these" in result.stderr


def test_versions_go_to_the_sidecar(folder: Path) -> None:
    """As with every import."""
    run("truth.csv", "-o", "docs.jsonl", *MAPPED, "--unlabelled", "keep", "--dataset-version", "3")
    assert json.loads(Path("docs.meta.json").read_text()) == {"dataset_version": "3"}


def test_labels_of_unknown_queries_make_exit_code_1(folder: Path) -> None:
    """What is left out is no success."""
    Path("val.json").write_text('{"queries": {"a": "when?"}, "gold": {"a": ["d"], "b": ["d"]}}')
    fields = ("--field", "query=queries", "--field", "relevant_ids=gold")
    result = run("val.json", "-o", "docs.jsonl", *fields)
    assert result.return_value == 1
    assert "1 id of gold is no query and was left out: 'b'" in result.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--delimiter", "ab"),
        ("--delimiter", '"'),
        ("--encoding", "klingon"),
        ("--encoding", "hex"),
        ("--separator", ""),
        ("--field", "x"),
    ],
)
def test_options_that_mean_nothing_are_refused(folder: Path, option: str, value: str) -> None:
    """With the way out."""
    result = run("truth.csv", "-o", "docs.jsonl", option, value)
    assert isinstance(result.exception, UsageError)
    assert result.exception.hint


def test_delimiter_and_encoding_are_used(folder: Path) -> None:
    """A semicolon, a tab by its name, an old encoding."""
    Path("a.csv").write_bytes("question;document\n5 € ;a\n".encode("windows-1252"))
    given = ("--delimiter", ";", "--encoding", "windows-1252")
    assert run("a.csv", "-o", "a.jsonl", *MAPPED, *given).return_value == 0
    assert json.loads(Path("a.jsonl").read_text())["query"] == "5 € "
    Path("b.csv").write_text("question\tdocument\n1,2\ta\n")
    assert run("b.csv", "-o", "b.jsonl", *MAPPED, "--delimiter", "tab").return_value == 0
    assert json.loads(Path("b.jsonl").read_text())["query"] == "1,2"


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    """With every other fault."""
    result = run("gone.csv", "truth.csv", "-o", "docs.jsonl", *MAPPED)
    assert result.return_value == 2
    assert "gone.csv: cannot read it" in result.stderr
    assert "truth.csv:3: no label" in result.stderr
