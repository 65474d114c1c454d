"""The project's own hooks, run by pre-commit in the repository of a consumer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.hooks import Hooks, consumer_repository
from tests.e2e.project import committed_snapshot

pytestmark = pytest.mark.e2e

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = "version: 1\nsuites:\n  docs: {dataset: 'eval/*.jsonl', corpus: corpus/manifest.jsonl}\n"
VERSIONS = json.dumps({"dataset_version": "1", "corpus_version": "1"})


def line(**changed: object) -> str:
    """A row of a dataset as a line."""
    return json.dumps(ROW | changed) + "\n"


def consumer(folder: Path, **datasets: str) -> Path:
    """A repository with one suite over these datasets."""
    files: dict[str, str | bytes] = {
        "ragguard.yml": CONFIG,
        "corpus/manifest.jsonl": '{"id": "c1"}\n',
        "log.jsonl": "no JSON\n",
    }
    for name, content in datasets.items():
        files |= {f"eval/{name}.jsonl": content, f"eval/{name}.meta.json": VERSIONS}
    return consumer_repository(folder, files)


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Hooks:
    """The project's hooks; their environment is made once for this module."""
    project = committed_snapshot(tmp_path_factory.mktemp("project"))
    return Hooks(project, tmp_path_factory.mktemp("pre-commit"))


def test_a_newcomer_tries_the_hook(hooks: Hooks, tmp_path: Path) -> None:
    """`pre-commit try-repo`: a log is none of its business, a misspelt label is."""
    folder = consumer(
        tmp_path / "consumer", docs=line(), more=line(query_id="q2", relevant_ids=["C1"])
    )
    shown = hooks.try_repo(folder, "ragguard-lint", ["log.jsonl", "eval/docs.jsonl"])
    assert shown.exit_code == 1, shown.output
    assert "eval/more.jsonl:1:" in shown.output
    assert "RG301 'C1' is not in corpus/manifest.jsonl" in shown.output
    assert "differs from it only by case" in shown.output
    assert "log.jsonl" not in shown.output


def test_a_clean_suite_passes(hooks: Hooks, tmp_path: Path) -> None:
    """The log beside it is skipped."""
    folder = consumer(tmp_path / "consumer", docs=line())
    shown = hooks.run(folder, "ragguard-lint", ["log.jsonl", "eval/docs.jsonl", "ragguard.yml"])
    assert shown.exit_code == 0, shown.output


def test_a_changed_configuration_or_manifest_calls_the_hook(hooks: Hooks, tmp_path: Path) -> None:
    """The suite is checked whole, whichever of its files is committed."""
    folder = consumer(tmp_path / "consumer", docs=line(relevant_ids=["c2"]))
    for name in ("ragguard.yml", "corpus/manifest.jsonl", "eval/docs.meta.json"):
        shown = hooks.run(folder, "ragguard-lint", [name])
        assert shown.exit_code == 1, (name, shown.output)
        assert "eval/docs.jsonl:1:" in shown.output


def test_the_fixing_hook_changes_the_file_and_stops_the_commit_once(
    hooks: Hooks, tmp_path: Path
) -> None:
    """The second run passes and changes nothing."""
    folder = consumer(tmp_path / "consumer", docs=line(query_id=7))
    first = hooks.run(folder, "ragguard-fix", ["eval/docs.jsonl"])
    assert first.exit_code == 1, first.output
    assert "files were modified by this hook" in first.output
    assert (folder / "eval/docs.jsonl").read_text() == line(query_id="7")
    second = hooks.run(folder, "ragguard-fix", ["eval/docs.jsonl"])
    assert second.exit_code == 0, second.output
    assert (folder / "eval/docs.jsonl").read_text() == line(query_id="7")
