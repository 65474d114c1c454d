"""The project's own hooks, run by pre-commit and by prek in the repository of a consumer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.hooks import RUNNERS, Hooks, consumer_repository
from tests.e2e.project import committed_snapshot, git

pytestmark = pytest.mark.e2e

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = "version: 1\nsuites:\n  docs: {dataset: 'eval/*.jsonl', corpus: corpus/manifest.jsonl}\n"
VERSIONS = json.dumps({"dataset_version": "1", "corpus_version": "1"})


def line(**changed: object) -> str:
    """A row of a dataset as a line."""
    return json.dumps(ROW | changed) + "\n"


def consumer(folder: Path, more: dict[str, str] | None = None, **datasets: str) -> Path:
    """A repository with one suite over these datasets, and with other files."""
    files: dict[str, str | bytes] = {
        "ragguard.yml": CONFIG,
        "corpus/manifest.jsonl": '{"id": "c1"}\n',
        "log.jsonl": "no JSON\n",
        **(more or {}),
    }
    for name, content in datasets.items():
        files |= {f"eval/{name}.jsonl": content, f"eval/{name}.meta.json": VERSIONS}
    return consumer_repository(folder, files)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a repository that is cloned."""
    return committed_snapshot(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module", params=RUNNERS)
def hooks(
    request: pytest.FixtureRequest, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> Hooks:
    """The project's hooks; each runner makes their environment once for this module."""
    return Hooks(project, tmp_path_factory.mktemp(request.param), request.param)


def test_a_newcomer_tries_the_hook(hooks: Hooks, tmp_path: Path) -> None:
    """`try-repo`: a log is none of its business, a misspelt label is."""
    folder = consumer(
        tmp_path / "consumer",
        docs=line(),
        more_docs=line(query_id="q2", query="parking", relevant_ids=["C1"]),
    )
    shown = hooks.try_repo(folder, "ragguard-lint", ["log.jsonl", "eval/docs.jsonl"])
    assert shown.exit_code == 1, shown.output
    assert "eval/more_docs.jsonl:1:" in shown.output
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


def test_a_manifest_of_any_name_calls_the_hook(hooks: Hooks, tmp_path: Path) -> None:
    """By its ending; one with another ending is named in `files`."""
    for name, settings in (("chunks.csv", ""), ("ids.lst", "files: '[.](jsonl|lst)$'")):
        folder = tmp_path / name.replace(".", "-")
        content = "id\nc2\n" if name.endswith("csv") else "c2\n"
        more = {"ragguard.yml": CONFIG.replace("corpus/manifest.jsonl", name), name: content}
        consumer(folder, more, docs=line())
        shown = hooks.run(folder, "ragguard-lint", [name], settings)
        assert shown.exit_code == 1, (name, shown.output)
        assert f"RG301 'c1' is not in {name}" in shown.output


def test_files_of_no_suite_and_repositories_without_one_pass(hooks: Hooks, tmp_path: Path) -> None:
    """Silence where there is a configuration, a note where there is none."""
    others = {"package.json": "{}\n", "requirements.txt": "a==1\n"}
    folder = consumer(tmp_path / "configured", others, docs="broken\n")
    shown = hooks.run(folder, "ragguard-lint", ["log.jsonl", *others])
    assert shown.exit_code == 0, shown.output
    folder = consumer_repository(tmp_path / "bare", {**others, "log.jsonl": "no JSON\n"})
    shown = hooks.run(folder, "ragguard-lint", ["log.jsonl", *others])
    assert shown.exit_code == 0, shown.output
    assert "3 changed files are of no suite and no dataset" in shown.output


def test_names_hold_what_names_hold(hooks: Hooks, tmp_path: Path) -> None:
    """Spaces, umlauts, quotes; a leading dash makes no option of it."""
    names = ["-strict.jsonl", "--exit-zero.jsonl", "zwei Übungen.jsonl", "a'b\"c.jsonl"]
    content = {name: line(query_id=name, query=name, relevant_ids=["C1"]) for name in names}
    config = CONFIG.replace("eval/*.jsonl", "*.jsonl")
    manifest = '{"id": "c1"}\n'
    folder = consumer_repository(
        tmp_path / "consumer",
        {"ragguard.yml": config, "corpus/manifest.jsonl": manifest, **content},
    )
    shown = hooks.commit(folder, "ragguard-lint")
    assert shown.exit_code == 1, shown.output
    for name in names:
        assert f"{name}:1:" in shown.output


def test_a_deleted_file_is_no_fault_of_the_hook(hooks: Hooks, tmp_path: Path) -> None:
    """Deleted with its entry it passes; deleted alone, the next change of the suite tells."""
    folder = consumer(tmp_path / "consumer", docs=line(), extra=line(query_id="q2", query="b"))
    git(folder, "commit", "-q", "--no-verify", "-m", "Begin")
    git(folder, "rm", "-q", "eval/extra.jsonl", "eval/extra.meta.json")
    shown = hooks.run(folder, "ragguard-lint", ["eval/extra.jsonl", "eval/docs.jsonl"])
    assert shown.exit_code == 0, shown.output
    git(folder, "rm", "-q", "corpus/manifest.jsonl")
    shown = hooks.run(folder, "ragguard-lint", ["corpus/manifest.jsonl", "eval/docs.jsonl"])
    assert shown.exit_code == 1, shown.output
    assert "RG902 corpus of suite 'docs': there is no file" in shown.output


def test_a_commit_is_stopped_and_then_made(hooks: Hooks, tmp_path: Path) -> None:
    """By the hook that the runner installs into git."""
    folder = consumer(tmp_path / "consumer", docs=line(relevant_ids=["c2"]))
    stopped = hooks.commit(folder, "ragguard-lint")
    assert stopped.exit_code == 1, stopped.output
    assert "RG301 'c2'" in stopped.output
    (folder / "eval/docs.jsonl").write_text(line(), "utf-8")
    git(folder, "add", "eval/docs.jsonl")
    made = hooks.commit(folder, "ragguard-lint")
    assert made.exit_code == 0, made.output


def test_the_fixing_hook_changes_the_file_and_stops_the_commit_once(
    hooks: Hooks, tmp_path: Path
) -> None:
    """The second run passes and changes nothing."""
    folder = consumer(tmp_path / "consumer", docs=line(query_id=7))
    first = hooks.run(folder, "ragguard-fix", ["eval/docs.jsonl"])
    assert first.exit_code == 1, first.output
    assert "files were modified by this hook" in first.output.lower()
    assert (folder / "eval/docs.jsonl").read_text() == line(query_id="7")
    second = hooks.run(folder, "ragguard-fix", ["eval/docs.jsonl"])
    assert second.exit_code == 0, second.output
    assert (folder / "eval/docs.jsonl").read_text() == line(query_id="7")


def test_the_fixing_hook_mends_files_that_were_not_named(hooks: Hooks, tmp_path: Path) -> None:
    """The suite is whole to it too; the runner sees that a file has changed."""
    folder = consumer(tmp_path / "consumer", docs=line(), extra=line(query_id=7, query="b"))
    shown = hooks.run(folder, "ragguard-fix", ["eval/docs.jsonl"])
    assert shown.exit_code == 1, shown.output
    assert '"query_id": "7"' in (folder / "eval/extra.jsonl").read_text()


def test_the_configuration_has_a_hook_of_its_own(hooks: Hooks, tmp_path: Path) -> None:
    """It reads no dataset; a wrong key or a file that is not there stops it."""
    folder = consumer(tmp_path / "consumer", docs="broken\n")
    shown = hooks.run(folder, "ragguard-config", ["ragguard.yml", "eval/docs.jsonl"])
    assert shown.exit_code == 0, shown.output
    (folder / "ragguard.yml").write_text(CONFIG + "sutes: {}\n", "utf-8")
    shown = hooks.run(folder, "ragguard-config", ["ragguard.yml"])
    assert shown.exit_code == 1, shown.output
    assert "ragguard.yml:4:1: RG901 unknown key 'sutes'" in shown.output


def test_the_hook_of_a_folder_finds_its_own_configuration(hooks: Hooks, tmp_path: Path) -> None:
    """A repository of several projects; only the one that changed is looked at."""
    files: dict[str, str | bytes] = {}
    for name in ("one", "two"):
        files |= {
            f"{name}/ragguard.yml": CONFIG,
            f"{name}/eval/docs.jsonl": line(relevant_ids=["c2"]),
            f"{name}/eval/docs.meta.json": VERSIONS,
            f"{name}/corpus/manifest.jsonl": '{"id": "c1"}\n',
        }
    folder = consumer_repository(tmp_path / "consumer", files)
    shown = hooks.run(folder, "ragguard-lint", ["one/corpus/manifest.jsonl"])
    assert shown.exit_code == 1, shown.output
    assert "one/eval/docs.jsonl:1:" in shown.output
    assert "two/" not in shown.output


def test_a_split_list_of_files_finds_what_a_whole_one_finds(hooks: Hooks, tmp_path: Path) -> None:
    """So many files that the runner calls the hook several times."""
    twins = {f"eval/{'x' * 200}-{number:04}.jsonl": line() for number in range(2)}
    many = {f"other/{'x' * 230}-{number:05}.json": "{}\n" for number in range(900)}
    folder = consumer(tmp_path / "consumer", {**twins, **many})
    shown = hooks.run(folder, "ragguard-lint", [*many, *twins])
    assert shown.exit_code == 1, shown.output
    assert "RG201 the query id 'q1' stands twice" in shown.output
