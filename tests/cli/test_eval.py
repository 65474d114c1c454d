"""`ragguard eval` as its users run it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ragguard.resources import schema

CONFIG = """
version: 1
suites:
  docs:
    dataset: eval.jsonl
    retriever: {{python: "app:find", interpreter: {python}, timeout: 2s}}
    gates: {{evidence@5: {{min: 0.9}}}}
"""
ROWS = (
    {"query_id": "q1", "query": "one", "relevant_ids": ["a"], "critical": True},
    {"query_id": "q2", "query": "two", "relevant_ids": ["b"]},
)
GOOD = "def find(query, limit): return ['a', 'b']\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a suite of two queries."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "ragguard.yml").write_text(CONFIG.format(python=json.dumps(sys.executable)))
    (tmp_path / "app.py").write_text(GOOD)
    (tmp_path / "eval.meta.json").write_text('{"dataset_version": "1", "corpus_version": "1"}')
    write_rows(tmp_path, *ROWS)
    return tmp_path


def write_rows(folder: Path, *rows: Any) -> None:
    """Write the dataset; a row that is bytes is written as it is."""
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows]
    (folder / "eval.jsonl").write_bytes(b"".join(lines))


def evaluate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `ragguard eval` in the folder."""
    return subprocess.run(
        [sys.executable, "-m", "ragguard", "eval", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def records(folder: Path) -> list[dict[str, Any]]:
    """The records of the report."""
    return [
        json.loads(line) for line in (folder / "ragguard-report.jsonl").read_text().splitlines()
    ]


def test_a_report_satisfies_its_schema_and_keeps_the_order(project: Path) -> None:
    """Run, queries in dataset order, timing, summary."""
    shown = evaluate(project)
    assert shown.returncode == 0, shown.stderr
    found = records(project)
    assert [record["record"] for record in found] == ["run", "query", "query", "timing", "summary"]
    validator = Draft202012Validator(schema("report"))
    assert not [error.message for record in found for error in validator.iter_errors(record)]
    assert "evidence@5" in shown.stdout
    assert "Report written to ragguard-report.jsonl" in shown.stdout


def test_the_same_input_gives_the_same_bytes_without_timings(project: Path) -> None:
    """Compressed too."""
    for name in ("one.jsonl", "two.jsonl", "one.jsonl.gz", "two.jsonl.gz"):
        assert evaluate(project, "--quiet", "--no-timings", "--output", name).returncode == 0
    read = {name: (project / name).read_bytes() for name in ("one.jsonl", "two.jsonl")}
    assert read["one.jsonl"] == read["two.jsonl"]
    assert (project / "one.jsonl.gz").read_bytes() == (project / "two.jsonl.gz").read_bytes()
    assert b"timing" not in read["one.jsonl"]


def test_failures_are_counted_and_do_not_move_the_mean(project: Path) -> None:
    """Exit 0: every query has a state."""
    (project / "app.py").write_text(
        "def find(query, limit):\n"
        "    if query == 'two': raise ValueError('down')\n"
        "    return ['a']\n"
    )
    shown = evaluate(project)
    assert shown.returncode == 0
    summary = records(project)[-1]["suites"]["docs"]
    assert summary["counts"] == {
        "queries": 2,
        "scored": 1,
        "unanswerable": 0,
        "unlabelled": 0,
        "errors": 1,
        "zero_recall": {f"recall@{k}": 0 for k in (1, 3, 5, 10)},
        "duplicates": 0,
    }
    assert summary["means"]["recall@5"]["macro"] == 1.0
    assert summary["means"]["recall@5"]["count"] == 1
    assert "1 failed" in shown.stdout
    assert "ValueError: down" in shown.stdout


def test_no_query_evaluated_is_no_verdict(project: Path) -> None:
    """Exit 3, with the first cause; the report is written all the same."""
    (project / "app.py").write_text("def find(query, limit): raise ValueError('down')\n")
    shown = evaluate(project, "--quiet")
    assert shown.returncode == 3
    assert "none of the 2 queries could be evaluated; q1: ValueError: down" in shown.stderr
    assert (project / "ragguard-report.jsonl").is_file()


def test_a_retriever_that_cannot_start_is_no_verdict(project: Path) -> None:
    """Exit 3, and an older report stays as it was."""
    (project / "ragguard-report.jsonl").write_text("old")
    (project / "app.py").write_text("import no_such_thing\n")
    shown = evaluate(project)
    assert shown.returncode == 3
    assert "no_such_thing" in shown.stderr
    assert "Traceback" not in shown.stderr.splitlines()[0]
    assert (project / "ragguard-report.jsonl").read_text() == "old"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (b'{"query_id": "q3", "query": "x",}\n', "RG005"),
        (b'{"query_id": "q1", "query": "x", "relevant_ids": ["a"]}\n', "RG201"),
        (b'{"query": "x", "relevant_ids": ["a"]}\n', "RG101"),
        (b'{"query_id": "q3", "query": " ", "relevant_ids": ["a"]}\n', "RG105"),
        (b'{"query_id": "q3", "query": "x", "relevant_ids": [1]}\n', "RG111"),
        (b'{"query_id": "q3", "query": "x", "relevant_ids": "a"}\n', "RG102"),
        (b'{"query_id": "q3", "query": "\xff", "relevant_ids": ["a"]}\n', "RG001"),
    ],
)
def test_a_faulty_row_stops_the_evaluation_with_its_finding(
    project: Path, row: bytes, code: str
) -> None:
    """Exit 2: a number over some of the rows would look like one over all."""
    write_rows(project, *ROWS, row)
    shown = evaluate(project)
    assert shown.returncode == 2, shown.stderr
    assert code in shown.stderr
    assert "eval.jsonl:3:" in shown.stderr
    assert not (project / "ragguard-report.jsonl").exists()


def test_an_unlabelled_row_is_evaluated_and_counted(project: Path) -> None:
    """RG104 does not stop an evaluation; its query has no metrics."""
    write_rows(project, *ROWS, {"query_id": "q3", "query": "three"})
    assert evaluate(project, "--quiet").returncode == 0
    counts = records(project)[-1]["suites"]["docs"]["counts"]
    assert (counts["queries"], counts["scored"], counts["unlabelled"]) == (3, 2, 1)


def test_one_query_makes_a_partial_report(project: Path) -> None:
    """Which is refused as a baseline."""
    assert evaluate(project, "--quiet", "--query", "q2").returncode == 0
    found = records(project)
    assert found[0]["partial"] is True
    assert [record["query_id"] for record in found if record["record"] == "query"] == ["q2"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--query", "q22"), "did you mean q2"),
        (("--suite", "dosc"), "there are docs"),
        (("--config", "absent.yml"), "absent.yml"),
        (("--output", "no/such/folder/report.jsonl"), "no/such/folder"),
    ],
)
def test_what_does_not_exist_is_named(project: Path, arguments: tuple[str, ...], told: str) -> None:
    """Exit 2 with the way out."""
    shown = evaluate(project, *arguments)
    assert shown.returncode == 2
    assert told in shown.stderr


def test_gate_applies_the_floors(project: Path) -> None:
    """Exit 1 when the mean is too low; the report is written."""
    (project / "app.py").write_text("def find(query, limit): return ['a']\n")
    shown = evaluate(project, "--gate")
    assert shown.returncode == 1
    assert "0.500" in shown.stdout
    assert (project / "ragguard-report.jsonl").is_file()


def test_the_text_of_a_private_query_stands_nowhere(project: Path) -> None:
    """Only its digest is kept."""
    private = {"query_id": "q9", "query": "hush-hush", "relevant_ids": ["z"], "private": True}
    write_rows(project, *ROWS, private)
    shown = evaluate(project)
    assert shown.returncode == 0
    everything = (project / "ragguard-report.jsonl").read_text() + shown.stdout + shown.stderr
    assert "hush-hush" not in everything
    assert "query_sha256" in everything


def test_a_report_that_has_no_place_is_told_before_a_query_is_asked(project: Path) -> None:
    """An hour of answers must not be lost for a mistyped folder."""
    (project / "app.py").write_text("open('asked', 'w').close()\n" + GOOD)
    shown = evaluate(project, "--output", "absent/report.jsonl")
    assert shown.returncode == 2
    assert "absent/report.jsonl: cannot write the report" in shown.stderr
    assert not (project / "asked").exists()


def test_a_query_that_was_not_selected_is_none_that_the_dataset_lacks(project: Path) -> None:
    """The rest of a run file is no oddity when one query is looked at."""
    (project / "run.json").write_text('{"q1": ["a"], "q2": ["b"], "q9": ["c"]}')
    config = project / "ragguard.yml"
    config.write_text(re.sub(r"retriever: .*", "retriever: {run: run.json}", config.read_text()))
    shown = evaluate(project, "--query", "q1")
    assert shown.returncode == 0
    assert "run.json has 1 queries that the dataset lacks: 'q9'" in shown.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interruption_leaves_nothing_behind(project: Path, number: int, code: int) -> None:
    """Ctrl-C, a cancelled job, a closed terminal: no report, no process."""
    pid_file = project / "pid"
    (project / "app.py").write_text(
        f"import os, pathlib, time\npathlib.Path({str(pid_file)!r}).write_text(str(os.getpid()))\n"
        "def find(query, limit): time.sleep(30)\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-m", "ragguard", "eval"], cwd=project, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 30
    while not pid_file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    running.send_signal(number)
    _, told = running.communicate(timeout=30)
    assert running.returncode == code, told
    assert not (project / "ragguard-report.jsonl").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
