"""Which rules, files and findings `ragguard lint` reports, as a user chooses them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_main import ragguard
from tests.lint.linting import VERSIONS, write

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: eval/*.jsonl\n    corpus: corpus.jsonl\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of one suite: a clean file, and an old one with a label that is unknown."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "eval/docs.jsonl": [ROW],
            "eval/docs.meta.json": VERSIONS,
            "eval/old.jsonl": [ROW | {"query_id": "q2", "query": "x", "relevant_ids": ["zzz"]}],
            "eval/old.meta.json": VERSIONS,
            "corpus.jsonl": [{"id": "c1"}],
        },
    )
    return tmp_path


def configure(project: Path, lint: dict[str, Any]) -> None:
    """Write the configuration with these settings of lint."""
    write(project, {"ragguard.yml": CONFIG + f"lint: {json.dumps(lint)}\n"})


def found(project: Path, *arguments: str) -> tuple[int, list[str], str]:
    """Exit code, findings as `file:line CODE`, and stderr of `ragguard lint`."""
    shown = ragguard("lint", "--format", "json", *arguments, cwd=project)
    decoded = json.loads(shown.stdout)["diagnostics"]
    told = [f"{each['file']}:{each['line']} {each['code']}" for each in decoded]
    return shown.returncode, told, shown.stderr


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_a_configured_severity_holds_in_each_form(form: str, project: Path) -> None:
    """Exit code, counts and what is written follow it."""
    assert ragguard("lint", cwd=project).returncode == 1
    configure(project, {"severity": {"RG3": "warning"}})
    shown = ragguard("lint", "--format", form, cwd=project)
    assert shown.returncode == 0
    assert "warning" in shown.stdout
    assert ragguard("lint", "--strict", cwd=project).returncode == 1
    configure(project, {"severity": {"RG3": "warning", "RG301": "error"}})
    assert ragguard("lint", "--format", form, cwd=project).returncode == 1


@pytest.mark.parametrize(
    "glob", ["eval/old.jsonl", "old.jsonl", "eval/o*", "**/old.jsonl", "/eval/old.*"]
)
def test_an_excluded_file_is_passed_over(glob: str, project: Path) -> None:
    """Whether everything is linted, its folder is named, or it is named beside another."""
    assert found(project)[:2] == (1, ["eval/old.jsonl:1 RG301"])
    configure(project, {"exclude": [glob]})
    for paths in ((), ("eval",), ("eval/docs.jsonl", "eval/old.jsonl")):
        assert found(project, *paths) == (0, [], "")
    shown = ragguard("lint", "eval/old.jsonl", cwd=project)
    assert (shown.returncode, shown.stderr) == (
        0,
        "note: eval/old.jsonl is excluded in ragguard.yml\n",
    )


def test_an_excluded_file_is_not_even_opened(project: Path) -> None:
    """What is broken in it breaks nothing, and its ids are nobody's twins."""
    configure(project, {"exclude": ["old.jsonl"]})
    write(project, {"eval/old.jsonl": [ROW]})
    assert found(project) == (0, [], "")
    (project / "eval/old.jsonl").unlink()
    (project / "eval/old.jsonl").symlink_to("nowhere")
    assert found(project) == (0, [], "")


def test_a_suite_that_is_excluded_whole_is_said_to_be(project: Path) -> None:
    """A glob that is too wide would otherwise look like a clean dataset."""
    configure(project, {"exclude": ["eval"]})
    assert found(project) == (0, [], "note: every file of docs is excluded\n")


def test_an_excluded_manifest_is_looked_up_but_not_reported(project: Path) -> None:
    """Exclusion is about what is reported; the configuration itself is never excluded."""
    write(project, {"corpus.meta.json": {"corpus_version": "2"}})
    configure(project, {"exclude": ["corpus*"]})
    assert "eval/old.jsonl:1 RG301" in found(project)[1]
    write(project, {"ragguard.yml": CONFIG.replace("corpus.jsonl", "gone.jsonl")})
    with (project / "ragguard.yml").open("a") as config:
        config.write("lint: {exclude: ['**/*.yml'], ignore: [RG3]}\n")
    assert found(project)[1] == ["ragguard.yml:5 RG902"]


@pytest.mark.parametrize(
    ("file", "code"), [("ragguard.yml", "RG902"), ("eval/old.meta.json", "RG402")]
)
def test_a_finding_in_any_file_is_ignored_by_the_globs_of_that_file(
    file: str, code: str, project: Path
) -> None:
    """In the configuration and in a sidecar."""
    config = CONFIG.replace("eval/*.jsonl", "[eval/*.jsonl, gone.jsonl]")
    write(project, {"eval/docs.meta.json": VERSIONS | {"dataset_version": "0"}})
    write(project, {"ragguard.yml": config})
    before = found(project)[1]
    ignored = [each for each in before if each.startswith(file) and each.endswith(code)]
    assert len(ignored) == 1
    settings = {"per_file_ignores": {f"**/{Path(file).name}": [code]}}
    write(project, {"ragguard.yml": config + f"lint: {json.dumps(settings)}\n"})
    assert found(project)[1] == [each for each in before if each not in ignored]


def test_a_code_of_no_rule_is_a_finding_in_the_configuration(project: Path) -> None:
    """Each with its line and column; it would silently choose nothing."""
    with (project / "ragguard.yml").open("a") as config:
        config.write("lint:\n  select: [RG3, RG399]\n  severity: {RG398: error}\n")
        config.write("  per_file_ignores: {'eval/*': [RG1, RG397]}\n")
    shown = ragguard("lint", cwd=project)
    assert shown.returncode == 1
    assert [line for line in shown.stdout.splitlines() if "RG901" in line] == [
        "ragguard.yml:7:17: RG901 lint.select: no lint rule matches 'RG399'",
        "ragguard.yml:8:14: RG901 lint.severity: no lint rule matches 'RG398'",
        "ragguard.yml:9:38: RG901 lint.per_file_ignores.eval/*: no lint rule matches 'RG397'",
    ]


def test_rules_are_added_to_and_taken_from_the_configured_ones(project: Path) -> None:
    """`--ignore ALL` leaves nothing, `--extend-select` keeps what was selected."""
    assert found(project, "--ignore", "ALL")[:2] == (0, [])
    configure(project, {"select": ["RG1"]})
    assert found(project)[:2] == (0, [])
    assert found(project, "--extend-select", "rg301")[:2] == (1, ["eval/old.jsonl:1 RG301"])
    configure(project, {"select": ["RG1"], "extend_select": ["RG301"]})
    assert found(project)[:2] == (1, ["eval/old.jsonl:1 RG301"])


def test_known_findings_are_listed_with_a_reason_and_lint_is_clean(project: Path) -> None:
    """The list is told about; without a reason the entries say that nobody has looked yet."""
    shown = ragguard("lint", "--add-ignores", cwd=project)
    assert (shown.returncode, shown.stdout) == (0, "")
    assert shown.stderr == "ragguard-ignores.yml: 1 entry for 1 finding (1 added)\n"
    text = (project / "ragguard-ignores.yml").read_text(encoding="utf-8")
    assert text.startswith("# Lint findings that are known and kept")
    assert text.endswith(
        '- code: RG301\n  file: eval/old.jsonl\n  query_id: "q2"\n  count: 1\n'
        '  reason: "not looked into yet: found when this list was written"\n'
    )
    shown = ragguard("lint", cwd=project)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == "Clean: 2 rows in 2 files. 1 ignored by ragguard-ignores.yml.\n"
    decoded = json.loads(ragguard("lint", "--format", "json", cwd=project).stdout)
    assert decoded["summary"]["ignored"] == 1
    shown = ragguard("lint", "--add-ignores", "--reason", "x", cwd=project)
    assert shown.stderr == "ragguard-ignores.yml: 1 entry for 1 finding (nothing changed)\n"
    write(project, {"eval/old.jsonl": [ROW | {"query_id": "q2", "query": "x"}]})
    assert found(project)[:2] == (0, ["ragguard-ignores.yml:5 RG904"])
    assert ragguard("lint", "--strict", cwd=project).returncode == 1
    shown = ragguard("lint", "--add-ignores", cwd=project)
    assert shown.stderr == "ragguard-ignores.yml: 0 entries for 0 findings (1 removed)\n"
    assert found(project) == (0, [], "")


def test_what_is_ignored_by_lint_still_stops_an_evaluation(project: Path) -> None:
    """A row that cannot be read is no query, whatever a list says."""
    write(project, {"eval/old.jsonl": "{\n"})
    config = CONFIG + "    retriever: {search: }\n"
    write(project, {"ragguard.yml": config})
    assert ragguard("lint", "--add-ignores", cwd=project).returncode == 0
    assert ragguard("lint", cwd=project).returncode == 0
    shown = ragguard("eval", cwd=project)
    assert shown.returncode == 2
    assert "eval/old.jsonl:1:2: RG005" in shown.stderr + shown.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--add-ignores", "--fix"], "once everything is fixed"),
        (["--add-ignores", "--diff"], "once everything is fixed"),
        (["--reason", "x"], "--reason says why"),
        (["--add-ignores", "--reason", " "], "--reason says why"),
        (["--add-ignores", "alone/a.jsonl"], "no ragguard.yml governs alone/a.jsonl"),
        (["--add-ignores", "--config", "empty.yml"], "the dataset is empty"),
        (["--add-ignores", "--config", "bad.yml"], "bad.yml:1:1: the configuration lacks"),
    ],
)
def test_no_list_is_written_when_not_everything_is_known(
    arguments: list[str], message: str, project: Path
) -> None:
    """Exit 2 with the way out; what was there stays."""
    (project / "alone/.git").mkdir(parents=True)
    empty = "version: 1\nsuites: {docs: {dataset: empty.jsonl}}\n"
    files = {"alone/a.jsonl": [ROW], "empty.yml": empty, "empty.jsonl": "", "bad.yml": "version: 1"}
    write(project, files)  # type: ignore[arg-type]
    shown = ragguard("lint", *arguments, cwd=project)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "hint:" in shown.stderr or "bad.yml" in shown.stderr
    assert not (project / "ragguard-ignores.yml").exists()


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A repository without configuration."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def test_files_without_a_corpus_are_noted_once(bare: Path) -> None:
    """A folder of a hundred would fill the screen."""
    for name in "abc":
        write(bare, {f"d/{name}.jsonl": [ROW], f"d/{name}.meta.json": VERSIONS})
    err = found(bare, "d", "--select", "RG301,RG403")[2]
    assert err == "note: d/a.jsonl and 2 more have no corpus: RG301, RG403 skipped\n"


def test_what_is_no_dataset_is_not_called_clean(bare: Path) -> None:
    """Nothing was linted, and that is no success; beside a dataset it is a note."""
    write(bare, {"notes.txt": "x", "a.jsonl": [ROW], "a.meta.json": VERSIONS})
    shown = ragguard("lint", "notes.txt", cwd=bare)
    assert shown.returncode == 2
    assert (
        "nothing to lint: notes.txt is no JSON Lines, and no ragguard.yml names it" in shown.stderr
    )
    shown = ragguard("lint", "notes.txt", "a.jsonl", cwd=bare)
    assert (shown.returncode, shown.stdout) == (0, "Clean: 1 row in 1 file.\n")
    assert "notes.txt is no JSON Lines: skipped" in shown.stderr


def test_a_sidecar_stands_for_its_dataset(bare: Path) -> None:
    """Where no configuration says so, its name does."""
    write(bare, {"a.jsonl": [ROW, ROW], "a.meta.json": VERSIONS})
    assert found(bare, "a.meta.json", "--select", "RG2")[:2] == (
        1,
        ["a.jsonl:2 RG201"],
    )


@pytest.mark.parametrize("config", [None, "version: 1\nsuites: {docs: {dataset: p.jsonl}}\n"])
def test_a_named_pipe_is_refused_and_not_waited_for(config: str | None, bare: Path) -> None:
    """It would hang, or give its rows only once."""
    os.mkfifo(bare / "p.jsonl")
    if config:
        write(bare, {"ragguard.yml": config})
    shown = ragguard("lint", *([] if config else ["p.jsonl"]), cwd=bare)
    assert shown.returncode == 2
    assert "p.jsonl" in shown.stderr
    assert "pipe or a device" in shown.stderr
    assert "hint:" in shown.stderr
