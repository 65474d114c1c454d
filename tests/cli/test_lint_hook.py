"""`ragguard lint --hook`, called with whatever changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_main import ragguard
from tests.lint.linting import VERSIONS, write

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = "version: 1\nsuites:\n  docs: {dataset: 'eval/*.jsonl', corpus: chunks.txt}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of one clean suite, with files that are none of its."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "eval/docs.jsonl": [ROW],
            "eval/docs.meta.json": VERSIONS,
            "chunks.txt": "c1\n",
            "package.json": {"name": "app"},
            "log.jsonl": "no JSON\n",
        },
    )
    return tmp_path


def test_what_is_of_no_suite_is_passed_over_in_silence(project: Path) -> None:
    """A hook is called for every JSON file."""
    shown = ragguard("lint", "--hook", "package.json", "log.jsonl", cwd=project)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == "Clean: 0 rows in 0 files.\n"


def test_a_manifest_of_any_name_checks_its_suite(project: Path) -> None:
    """The label is in another file."""
    write(project, {"chunks.txt": "c2\n"})
    shown = ragguard("lint", "--hook", "package.json", "chunks.txt", cwd=project)
    assert shown.returncode == 1
    assert "eval/docs.jsonl:1:63: RG301 'c1' is not in chunks.txt" in shown.stdout


def test_the_list_of_ignored_findings_checks_all_suites(project: Path) -> None:
    """What is ignored no more is found."""
    write(project, {"ragguard-ignores.yml": "[]\n", "chunks.txt": "c2\n"})
    shown = ragguard("lint", "--hook", "ragguard-ignores.yml", cwd=project)
    assert shown.returncode == 1
    assert "RG301 'c1' is not in chunks.txt" in shown.stdout


def test_a_file_that_is_gone_checks_all_suites_of_its_realm(project: Path) -> None:
    """Nobody knows any more whose it was; outside of any realm it is passed over."""
    (project / "chunks.txt").unlink()
    shown = ragguard("lint", "--hook", "gone.json", cwd=project)
    assert shown.returncode == 1
    assert "RG902 corpus of suite 'docs': there is no file 'chunks.txt'" in shown.stdout
    (project / "ragguard.yml").unlink()
    assert ragguard("lint", "--hook", "gone.jsonl", cwd=project).returncode == 0
    assert ragguard("lint", "gone.jsonl", cwd=project).returncode == 2


def test_without_configuration_only_datasets_are_linted(project: Path) -> None:
    """A row says what it is; how many files were passed over is said once."""
    (project / "ragguard.yml").unlink()
    write(project, {"eval/more.jsonl": [{"query_id": "q2"}]})
    named = ("package.json", "log.jsonl", "chunks.txt", "eval/docs.meta.json")
    shown = ragguard("lint", "--hook", *named, "eval/more.jsonl", cwd=project)
    assert shown.returncode == 1
    assert {line.split(":")[0] for line in shown.stdout.splitlines() if ": RG" in line} == {
        "eval/more.jsonl"
    }
    told = "note: 4 changed files are of no suite and no dataset: no ragguard.yml names them"
    assert told in shown.stderr.splitlines()
    shown = ragguard("lint", "--hook", "package.json", cwd=project)
    assert shown.returncode == 0
    assert "1 changed file is of no suite and no dataset" in shown.stderr


def test_names_may_begin_with_a_dash_and_hold_spaces(project: Path) -> None:
    """After `--` they are no options."""
    names = ["-x.jsonl", "Übung für zwei.jsonl", "--exit-zero.jsonl"]
    (project / "ragguard.yml").write_text(CONFIG.replace("eval/*.jsonl", "*.jsonl"))
    (project / "log.jsonl").unlink()
    for name in names:
        write(project, {name: [{"query_id": name}]})
    shown = ragguard("lint", "--hook", "--format=concise", "--", *names, cwd=project)
    assert shown.returncode == 1
    assert {line.split(":")[0] for line in shown.stdout.splitlines()} == set(names)


def test_the_configuration_is_checked_alone(project: Path) -> None:
    """No dataset is read for it: one that is broken is not its fault, one that is gone is."""
    write(project, {"eval/docs.jsonl": "{", "chunks.txt": b"\xff\xfe"})
    configured = ("lint", "--hook", "--select", "RG901,RG902", "ragguard.yml")
    shown = ragguard(*configured, cwd=project)
    assert (shown.returncode, shown.stdout) == (0, "Clean: 0 rows in 0 files.\n")
    assert shown.stderr == ""
    (project / "chunks.txt").unlink()
    (project / "eval/docs.jsonl").unlink()
    shown = ragguard(*configured, cwd=project)
    assert shown.returncode == 1
    assert "RG902 dataset of suite 'docs': no file matches the glob" in shown.stdout
    assert "RG902 corpus of suite 'docs': there is no file 'chunks.txt'" in shown.stdout
    (project / "ragguard.yml").write_text(CONFIG + "sutes: {}\n")
    assert "RG901 unknown key 'sutes'" in ragguard(*configured, cwd=project).stdout
