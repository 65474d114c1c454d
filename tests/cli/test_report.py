"""`ragguard report`: one report in every form, and the gates that need no baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ragguard.config.gates import MetricGate
from ragguard.report.writing import write_report
from ragguard.resources import schema
from tests.cli.test_main import ragguard
from tests.made_reports import PRIMARY, filler, made_report, made_scoring


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a report of ten queries, two of which miss; the floor is 0.9."""
    (tmp_path / ".git").mkdir()
    scoring = made_scoring(metrics={PRIMARY: MetricGate(min=0.9)})
    write_report(made_report(filler(10, 2), scoring), tmp_path / "report.jsonl")
    return tmp_path


def test_the_report_is_shown_with_recall_at_every_cutoff(folder: Path) -> None:
    """recall@1/3/5, the misses, and exit 0: without --gate nothing is judged."""
    shown = ragguard("report", "report.jsonl", cwd=folder)
    assert shown.returncode == 0
    for k in (1, 3, 5):
        assert f"recall@{k}" in shown.stdout
    assert "Misses (2)" in shown.stdout
    assert "instead  x, y, z" in shown.stdout


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_gate_exits_1_when_a_floor_fails_in_every_form(folder: Path, form: str) -> None:
    """And names the gate."""
    shown = ragguard("report", "report.jsonl", "--gate", "--format", form, cwd=folder)
    assert shown.returncode == 1
    assert "evidence@5.min" in shown.stdout + shown.stderr


def test_json_is_the_summary_of_the_report(folder: Path) -> None:
    """The object of the summary record, by its schema."""
    shown = ragguard("report", "report.jsonl", "--format", "json", cwd=folder)
    told = json.loads(shown.stdout)
    definitions = schema("report")["$defs"]
    summary = {"$defs": definitions, "$ref": "#/$defs/summary"}
    Draft202012Validator(summary).validate({"record": "summary", **told})
    assert told["suites"]["docs"]["means"]["recall@5"]["macro"] == 0.8
    assert told["suites"]["docs"]["counts"]["zero_recall"]["recall@5"] == 2


def test_markdown_goes_to_a_file(folder: Path) -> None:
    """For a job summary."""
    arguments = ("report", "report.jsonl", "--format", "markdown", "--output", "r.md")
    shown = ragguard(*arguments, cwd=folder)
    assert (shown.returncode, shown.stdout) == (0, "")
    assert (folder / "r.md").read_text(encoding="utf-8").startswith("## Retrieval report\n")


def test_a_missing_report_exits_2_with_its_name(folder: Path) -> None:
    """No traceback."""
    shown = ragguard("report", "no.jsonl", cwd=folder)
    assert shown.returncode == 2
    assert shown.stderr.startswith("error: no.jsonl")
