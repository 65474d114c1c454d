"""`ragguard diff`: forms, exit codes and faults, as a user meets them."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ragguard.config.gates import MetricGate
from ragguard.report.model import Report
from ragguard.report.writing import write_report
from ragguard.resources import schema
from tests.cli.test_main import ragguard
from tests.made_reports import PRIMARY, filler, made_report, made_result, made_scoring

GATED = made_scoring(metrics={PRIMARY: MetricGate(max_drop=0.3)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good base and a head that lost a critical query from rank 3 to 14."""
    (tmp_path / ".git").mkdir()
    asked = {"query": "Export | a log?", "critical": True}
    base = [*filler(9), made_result("q002", "a b gold", **asked)]
    head = [*filler(9), made_result("q002", [*"abcdefghijklm", "gold"], **asked)]
    write_report(made_report(base, GATED), tmp_path / "base.jsonl")
    write_report(made_report(head, GATED), tmp_path / "head.jsonl")
    return tmp_path


def write(report: Report, folder: Path, name: str) -> str:
    """Write a report into the folder; its name."""
    write_report(report, folder / name)
    return name


def test_a_critical_miss_exits_1_and_says_where_it_went(folder: Path) -> None:
    """The line of the whole product."""
    shown = ragguard("diff", "base.jsonl", "head.jsonl", cwd=folder)
    assert shown.returncode == 1
    assert "rank 3 → 14" in shown.stdout
    assert shown.stdout.startswith("❌ Retrieval failed: 1 critical miss")
    assert shown.stderr == ""


def test_the_same_report_twice_exits_0(folder: Path) -> None:
    """And says how many queries were compared."""
    shown = ragguard("diff", "base.jsonl", "base.jsonl", cwd=folder)
    assert shown.returncode == 0
    assert shown.stdout.startswith("✅ Retrieval passed: 10 queries compared, none regressed")


def test_a_compressed_report_is_read_by_its_content(folder: Path) -> None:
    """Committed baselines are gzip."""
    content = (folder / "base.jsonl").read_bytes()
    (folder / "ragguard-baseline.jsonl.gz").write_bytes(gzip.compress(content))
    shown = ragguard("diff", "ragguard-baseline.jsonl.gz", "head.jsonl", cwd=folder)
    assert shown.returncode == 1


def test_json_satisfies_its_schema_with_the_same_exit_code(folder: Path) -> None:
    """Scripts read what people read."""
    shown = ragguard("diff", "base.jsonl", "head.jsonl", "--format", "json", cwd=folder)
    assert shown.returncode == 1
    told = json.loads(shown.stdout)
    Draft202012Validator(schema("diff")).validate(told)
    (miss,) = told["suites"]["docs"]["critical_misses"]
    assert (miss["query_id"], miss["new"]) == ("q002", True)
    assert [(m["base_rank"], m["head_rank"]) for m in miss["missing"]] == [(3, 14)]


def test_markdown_goes_to_a_file_and_obeys_the_settings_of_comments(folder: Path) -> None:
    """`comment.queries: hidden` of the configuration, and the reproduce line."""
    (folder / "ragguard.yml").write_text(
        "version: 1\nsuites: {docs: {dataset: d.jsonl}}\ncomment: {queries: hidden}\n"
    )
    arguments = ("diff", "base.jsonl", "head.jsonl", "--format", "markdown")
    shown = ragguard(*arguments, "--output", "comment.md", cwd=folder)
    assert (shown.returncode, shown.stdout) == (1, "")
    text = (folder / "comment.md").read_text(encoding="utf-8")
    assert "rank 3 → 14" in text
    assert "Export" not in text
    assert "Reproduce: `ragguard diff base.jsonl head.jsonl`" in text


def test_a_configuration_named_and_missing_is_an_error(folder: Path) -> None:
    """Exit 2 with its name."""
    shown = ragguard(
        *("diff", "base.jsonl", "head.jsonl", "--format", "markdown", "--config", "no.yml"),
        cwd=folder,
    )
    assert shown.returncode == 2
    assert "no.yml" in shown.stderr


def test_an_acknowledged_loss_passes_and_stays_visible(folder: Path) -> None:
    """By gate and query; another query's name accepts nothing."""
    both = ("diff", "base.jsonl", "head.jsonl", "--acknowledge")
    accepted = ragguard(*both, "critical:q002", cwd=folder)
    assert accepted.returncode == 0
    assert "Accepted\n  docs critical" in accepted.stdout
    assert ragguard(*both, "critical:q001", cwd=folder).returncode == 1


def test_what_cannot_be_accepted_is_refused_by_name(folder: Path) -> None:
    """A forbidden chunk is no loss one can mean."""
    shown = ragguard(
        *("diff", "base.jsonl", "head.jsonl", "--acknowledge", "forbidden"), cwd=folder
    )
    assert shown.returncode == 2
    assert "forbidden" in shown.stderr
    assert "removed-critical" in shown.stderr


def test_the_base_s_policy_judges_when_asked_for(folder: Path) -> None:
    """As in a pull request: head's easier gates do not count, and are named."""
    easy = made_scoring(metrics={PRIMARY: MetricGate(max_drop=0.9)})
    head = write(made_report(filler(10, 5), easy), folder, "easy.jsonl")
    base = write(made_report(filler(10), GATED), folder, "strict.jsonl")
    by_head = ragguard("diff", base, head, cwd=folder)
    by_base = ragguard("diff", base, head, "--policy", "base", cwd=folder)
    assert "loosened-gate" in by_head.stdout
    assert "evidence@5.max_drop: evidence@5 fell by 0.500" not in by_head.stdout
    assert "evidence@5.max_drop: evidence@5 fell by 0.500" in by_base.stdout


def test_reports_that_cannot_be_compared_exit_3_without_a_number(folder: Path) -> None:
    """In every form; none of them looks like a pass."""
    report = replace(made_report(filler(10, 2), GATED), partial=True)
    base = write(report, folder, "partial.jsonl")
    for form in ("text", "markdown", "json"):
        shown = ragguard("diff", base, "head.jsonl", "--format", form, cwd=folder)
        assert shown.returncode == 3
        assert "partial" in shown.stdout
        assert "✅" not in shown.stdout
        assert "0.8" not in shown.stdout


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot read"),
        (b"", "empty"),
        (b'{"record": "run", "version": 99}\n', "version 99"),
        (b'{"query_id": "q1", "query": "x"}\n', "not a ragguard report"),
        (b"\x1f\x8b\x08broken", "gzip"),
        ("half", "cut off"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_a_report_that_cannot_be_used_exits_2_with_file_and_reason(
    folder: Path, content: bytes | str | None, told: str, side: int
) -> None:
    """Missing, empty, of another version, something else, damaged, truncated; on either side."""
    if content == "half":
        lines = (folder / "base.jsonl").read_bytes().splitlines(keepends=True)
        content = b"".join(lines[:3])
    if isinstance(content, bytes):
        (folder / "bad.jsonl").write_bytes(content)
    names = ["base.jsonl", "head.jsonl"]
    names[side] = "bad.jsonl"
    shown = ragguard("diff", *names, cwd=folder)
    assert shown.returncode == 2
    assert shown.stderr.startswith("error: bad.jsonl")
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_an_output_that_cannot_be_written_exits_2(folder: Path) -> None:
    """The folder does not exist."""
    shown = ragguard("diff", "base.jsonl", "head.jsonl", "--output", "no/such.md", cwd=folder)
    assert shown.returncode == 2
    assert "no/such.md" in shown.stderr


def test_colour_is_for_terminals(folder: Path) -> None:
    """None into a pipe unless asked for."""
    both = ("diff", "base.jsonl", "head.jsonl")
    assert "\x1b[" not in ragguard(*both, cwd=folder, NO_COLOR="", FORCE_COLOR="").stdout
    assert "\x1b[1;31m" in ragguard(*both, cwd=folder, NO_COLOR="", FORCE_COLOR="1").stdout
