"""Datasets and manifests against the base branch, in real repositories."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ragguard.errors import UsageError
from ragguard.lint.result import LintResult
from tests.cli.test_main import ragguard
from tests.lint.repository import Repository

CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: eval/*.jsonl\n    corpus: corpus.jsonl\n"
SIDECAR = {"dataset_version": "3", "corpus_version": "2026-11"}


def row(query_id: str, query: str, **fields: Any) -> dict[str, Any]:
    """A sound row."""
    return {"query_id": query_id, "query": query, "relevant_ids": ["c1"], **fields}


HOURS, PARKING = row("q1", "opening hours"), row("q2", "parking")
FILES: dict[str, Any] = {
    "ragguard.yml": CONFIG,
    "eval/docs.jsonl": [HOURS, PARKING],
    "eval/docs.meta.json": SIDECAR,
    "corpus.jsonl": [{"id": "c1"}, {"id": "c2"}],
    "corpus.meta.json": {"corpus_version": "2026-11"},
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clean suite on `main`, and a branch that left it checked out."""
    monkeypatch.chdir(tmp_path)
    made = Repository(tmp_path)
    made.commit(FILES)
    made.git("checkout", "--quiet", "-b", "feature")
    return made


def told(result: LintResult) -> list[str]:
    """The findings with places and notes; a fault fails the test."""
    assert not result.faults
    found = [f"{each.location}: {each.code} {each.message}" for each in result.diagnostics]
    return [*found, *(f"note: {note}" for note in result.notes)]


def codes(result: LintResult) -> list[str]:
    """The codes of the findings; a fault or note fails the test."""
    assert not result.faults
    assert not result.notes
    return [each.code for each in result.diagnostics]


def test_what_has_not_changed_is_clean(repository: Repository) -> None:
    """On the branch and on main, by branch, commit and HEAD."""
    for base in ("main", "HEAD", repository.git("rev-parse", "main").strip()):
        assert codes(repository.lint(base)) == []


def test_an_id_given_to_another_query_is_told_with_what_it_was(repository: Repository) -> None:
    """At the id; the changed row is told at the version, once."""
    repository.write({"eval/docs.jsonl": [HOURS, row("q2", "ways to pay")]})
    assert told(repository.lint()) == [
        "eval/docs.jsonl:2:14: RG206 the query id 'q2' was that of 'parking' at main",
        "eval/docs.meta.json:1:2: RG404 dataset_version is still '3', "
        "but since main the rows are others: 1 changed",
    ]


@pytest.mark.parametrize("private", ["before", "after"])
def test_the_text_of_a_private_query_is_not_told(private: str, repository: Repository) -> None:
    """Neither of one that is private now nor of one that was."""
    secret = {"private": True}
    repository.commit({"eval/docs.jsonl": [row("q1", "his salary", **secret)]})
    repository.git("branch", "--force", "main")
    now = row("q1", "her salary", **(secret if private == "after" else {}))
    if private == "after":
        repository.commit({"eval/docs.jsonl": [row("q1", "his salary")]})
        repository.git("branch", "--force", "main")
    repository.write({"eval/docs.jsonl": [now], "eval/docs.meta.json": SIDECAR | {"v": 1}})
    first = told(repository.lint())[0]
    assert (
        first == "eval/docs.jsonl:1:14: RG206 the query id 'q1' was that of another query at main"
    )


def test_spelling_is_no_reuse_of_an_id_but_changes_the_row(repository: Repository) -> None:
    """Case, white space and punctuation; a digit is another query."""
    repository.write({"eval/docs.jsonl": [row("q1", "Opening  hours?"), PARKING]})
    assert codes(repository.lint()) == ["RG404"]
    repository.write({"eval/docs.jsonl": [row("q1", "opening hours 2"), PARKING]})
    assert codes(repository.lint()) == ["RG206", "RG404"]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(HOURS, indent=None, separators=(",", ":")) + "\n" + json.dumps(PARKING) + "\n",
        [PARKING, HOURS],
        [dict(reversed(HOURS.items())), PARKING],
        [HOURS | {"review_by": "2030-01-01", "label_hashes": {"c1": "0" * 64}}, PARKING],
        "\ufeff" + json.dumps(HOURS) + "\r\n\r\n" + json.dumps(PARKING) + "\r\n",
    ],
    ids=["spacing", "order of rows", "order of keys", "review", "byte-order mark and CRLF"],
)
def test_another_way_of_writing_is_no_change(content: Any, repository: Repository) -> None:
    """Nor is the record of a review."""
    repository.write({"eval/docs.jsonl": content})
    assert codes(repository.lint()) == []


def test_rows_numbered_anew_are_told_once(repository: Repository) -> None:
    """Twenty findings are read, two thousand are not."""
    texts = [f"text {number}" for number in range(22)]
    repository.git("checkout", "--quiet", "main")
    rows = [row(f"q{number}", text) for number, text in enumerate(texts)]
    repository.commit({"eval/docs.jsonl": rows})
    anew = [row(f"q{number}", text) for number, text in enumerate(["a new one", *texts])]
    repository.write({"eval/docs.jsonl": anew})
    first, second = told(repository.lint("HEAD"))
    assert first == (
        "eval/docs.jsonl:1:14: RG206 22 of 23 query ids were those of other queries at HEAD"
    )
    assert second.endswith(
        "RG404 dataset_version is still '3', "
        "but since HEAD the rows are others: 1 added, 22 changed"
    )
    repository.write({"eval/docs.jsonl": [*anew[:20], *rows[20:]]})
    assert codes(repository.lint("HEAD")).count("RG206") == 20


def test_fixing_is_compared_as_what_it_leaves(repository: Repository) -> None:
    """Rows that only a fix changes are others than at the base, in the same run."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.jsonl": [row("q1", "opening hours", relevant_ids=["c1", "c1"])]})
    shown = ragguard("lint", "--base", "HEAD", "--fix", cwd=repository.folder)
    assert "RG404 dataset_version is still '3', but since HEAD the rows are others: 1 changed" in (
        shown.stdout
    )
    again = ragguard("lint", "--base", "HEAD", cwd=repository.folder)
    assert again.stdout == shown.stdout


def test_rows_added_removed_and_changed_are_counted(repository: Repository) -> None:
    """Silent as soon as the version is another one, in the sidecar or in the rows."""
    rows = [row("q2", "parking", critical=True), row("q3", "a"), row("q4", "b")]
    repository.write({"eval/docs.jsonl": rows})
    assert told(repository.lint()) == [
        "eval/docs.meta.json:1:2: RG404 dataset_version is still '3', "
        "but since main the rows are others: 2 added, 1 removed, 1 changed"
    ]
    repository.write({"eval/docs.meta.json": SIDECAR | {"dataset_version": "4"}})
    assert codes(repository.lint()) == []


def test_only_lines_that_changed_are_looked_at_and_that_changes_nothing(
    repository: Repository,
) -> None:
    """Moved between files, blank lines between, no newline at the end; one row is another."""
    repository.git("checkout", "--quiet", "main")
    lines = [json.dumps(row(f"q{number}", f"text {number}")) for number in range(6)]
    repository.commit({"eval/docs.jsonl": "\n".join(lines)})
    changed = lines[3].replace("text 3", "another")
    repository.write(
        {
            "eval/docs.jsonl": "\r\n\r\n".join([lines[5], changed, lines[0]]),
            "eval/more.jsonl": "\n".join([lines[1], lines[4], lines[2], ""]),
            "eval/more.meta.json": SIDECAR,
        }
    )
    assert told(repository.lint("HEAD")) == [
        "eval/docs.jsonl:3:14: RG206 the query id 'q3' was that of 'text 3' at HEAD",
        "eval/docs.meta.json:1:2: RG404 dataset_version is still '3', "
        "but since HEAD the rows are others: 1 changed",
    ]


def test_a_version_in_every_row_is_compared(repository: Repository) -> None:
    """At the first row that names it; one file may be new or as it was."""
    named = {"dataset_version": "3", "corpus_version": "2026-11"}
    before = [HOURS | named, PARKING | named]
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.jsonl": before, "eval/docs.meta.json": None})
    repository.write({"eval/more.jsonl": [row("q3", "a third", **named)]})
    (line,) = told(repository.lint("HEAD"))
    column = json.dumps(before[0]).index('"3"') + 1
    assert line.startswith(f"eval/docs.jsonl:1:{column}: RG404 ")
    renewed = {"dataset_version": "4"}
    repository.write(
        {
            "eval/docs.jsonl": [each | renewed for each in before],
            "eval/more.jsonl": [row("q3", "a third", **named) | renewed],
        }
    )
    assert codes(repository.lint("HEAD")) == []


def test_one_sidecar_raised_while_another_file_changed_is_silent(repository: Repository) -> None:
    """A suite has one version; that two are named is another rule's matter."""
    repository.commit({"eval/b.jsonl": [row("q9", "b")], "eval/b.meta.json": SIDECAR})
    repository.git("branch", "--force", "main")
    repository.write({"eval/docs.jsonl": [HOURS], "eval/b.meta.json": {"dataset_version": "4"}})
    assert codes(repository.lint()) == []


def test_a_dataset_without_a_version_is_silent(repository: Repository) -> None:
    """There is no version to raise."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.meta.json": None})
    repository.write({"eval/docs.jsonl": [HOURS]})
    assert codes(repository.lint("HEAD")) == []


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([{"id": "c1"}], "2 chunks then, 1 now"),
        ([{"id": "c1"}, {"id": "c3"}], "2 chunks then, 2 now"),
        ([{"id": "c1"}, {"id": "c2", "status": "withdrawn"}], "2 chunks then, 2 now"),
        ([{"id": "c1"}, {"id": "c2", "access": ["staff"]}], "2 chunks then, 2 now"),
        ([{"id": "c2"}, {"id": "c1"}], None),
        ("c1\r\nc2\r\n", None),
        ([{"id": "c1", "sha256": "0" * 64}, {"id": "c2", "tags": ["a"]}], None),
    ],
    ids=["gone", "another", "withdrawn", "access", "order", "form", "hashes and tags are new"],
)
def test_a_manifest_that_changed_under_its_version_is_an_error(
    content: Any, found: str | None, repository: Repository
) -> None:
    """At the version; order and form are no content, nor is a hash where there was none."""
    repository.write({"corpus.jsonl": content})
    expected = (
        "corpus.meta.json:1:2: RG406 corpus_version is still '2026-11', "
        f"but since main corpus.jsonl lists other chunks ({found})"
    )
    assert told(repository.lint()) == ([expected] if found else [])
    repository.write({"corpus.meta.json": {"corpus_version": "2026-12"}})
    assert codes(repository.lint()) == []


def test_another_text_of_a_chunk_changes_the_manifest(repository: Repository) -> None:
    """By the text itself or by the hash that stands for it; the same of both ways is the same."""
    text = "open from nine"
    digest = hashlib.sha256(text.encode()).hexdigest()
    repository.commit({"corpus.jsonl": [{"id": "c1", "text": text}, {"id": "c2", "text": ""}]})
    repository.git("branch", "--force", "main")
    empty = hashlib.sha256(b"").hexdigest()
    repository.write(
        {"corpus.jsonl": [{"id": "c1", "sha256": digest}, {"id": "c2", "sha256": empty}]}
    )
    assert codes(repository.lint()) == []
    repository.write({"corpus.jsonl": [{"id": "c1", "text": "closed"}, {"id": "c2", "text": ""}]})
    assert codes(repository.lint()) == ["RG406"]


def test_the_commit_where_the_branch_left_counts_not_what_came_after(
    repository: Repository,
) -> None:
    """What others did on main meanwhile is not blamed on this branch."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.jsonl": [row("q1", "holidays"), row("q5", "new")]})
    repository.git("checkout", "--quiet", "feature")
    assert codes(repository.lint()) == []


def test_a_renamed_dataset_is_followed_by_the_configuration_of_then(
    repository: Repository,
) -> None:
    """The base's own configuration names its files and maps its fields."""
    renamed = [{"id": "q1", "question": "ways to pay", "gold": ["c1"]}]
    repository.commit(
        {
            "eval/docs.jsonl": None,
            "eval/docs.meta.json": None,
            "data/q.jsonl": renamed,
            "data/q.meta.json": SIDECAR,
            "ragguard.yml": "version: 1\nsuites:\n  docs:\n    dataset: data/q.jsonl\n"
            "    fields: {query_id: id, query: question, relevant_ids: gold}\n",
        }
    )
    assert told(repository.lint()) == [
        "data/q.jsonl:1:8: RG206 the query id 'q1' was that of 'opening hours' at main",
        "data/q.meta.json:1:2: RG404 dataset_version is still '3', "
        "but since main the rows are others: 1 removed, 1 changed",
    ]


def test_another_mapping_alone_changes_no_row_that_reads_the_same(repository: Repository) -> None:
    """Fields renamed in rows and configuration together."""
    renamed = [
        {"id": each["query_id"], "query": each["query"], "relevant_ids": each["relevant_ids"]}
        for each in (HOURS, PARKING)
    ]
    repository.write(
        {"eval/docs.jsonl": renamed, "ragguard.yml": f"{CONFIG}    fields: {{query_id: id}}\n"}
    )
    assert codes(repository.lint()) == []


def test_a_line_that_is_read_in_another_way_is_another_row(repository: Repository) -> None:
    """The bytes are the same, the mapping is not."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.jsonl": [row("q1", "opening hours", question="when open?")]})
    repository.write({"ragguard.yml": f"{CONFIG}    fields: {{query: question}}\n"})
    assert codes(repository.lint("HEAD")) == ["RG206", "RG404"]


def test_a_folder_that_moved_with_its_configuration_is_followed(repository: Repository) -> None:
    """Git sees where the configuration came from."""
    repository.git("checkout", "--quiet", "main")
    (repository.folder / "new").mkdir()
    for name in ("ragguard.yml", "eval", "corpus.jsonl", "corpus.meta.json"):
        repository.git("mv", name, f"new/{name}")
    repository.write({"new/eval/docs.jsonl": [HOURS, row("q2", "ways to pay")]})
    found = told(repository.lint("HEAD", "new/ragguard.yml"))
    assert [line.split(":")[0] for line in found] == [
        "new/eval/docs.jsonl",
        "new/eval/docs.meta.json",
    ]


def test_a_configuration_in_a_subfolder_and_one_dataset_above_it(repository: Repository) -> None:
    """Paths are those of the repository, wherever the configuration stands."""
    repository.git("checkout", "--quiet", "main")
    config = "version: 1\nsuites:\n  docs:\n    dataset: ['../eval/**/*.jsonl']\n"
    repository.commit({"ci/ragguard.yml": config, "eval/deep/er.jsonl": [row("q7", "seven")]})
    repository.write({"eval/deep/er.jsonl": [row("q7", "seventy")]})
    assert codes(repository.lint("HEAD", "ci/ragguard.yml")) == ["RG206", "RG404"]


def test_a_dataset_that_a_link_names_is_compared(repository: Repository) -> None:
    """The file it leads to is the one that git keeps."""
    repository.git("checkout", "--quiet", "main")
    (repository.folder / "eval/docs.jsonl").rename(repository.folder / "real.jsonl")
    (repository.folder / "eval/docs.jsonl").symlink_to("../real.jsonl")
    text = CONFIG.replace("eval/*.jsonl", "eval/docs.jsonl")
    repository.commit({"ragguard.yml": text})
    repository.write({"real.jsonl": [HOURS, row("q2", "ways to pay")]})
    assert codes(repository.lint("HEAD")) == ["RG206", "RG404"]


def test_a_dataset_that_is_new_is_skipped_with_a_note(repository: Repository) -> None:
    """So is a manifest."""
    new = "version: 1\nsuites:\n  docs:\n    dataset: new.jsonl\n    corpus: corpus2.jsonl\n"
    repository.commit({"new.jsonl": [HOURS], "corpus2.jsonl": [{"id": "c1"}]})
    repository.write({"other.yml": new})
    assert told(repository.lint(config="other.yml")) == [
        "note: docs: corpus2.jsonl is new since main",
        "note: docs: its dataset is new since main",
    ]


def test_outside_of_git_and_without_it_nothing_is_compared(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note says so; nothing fails."""
    repository.write({"eval/docs.jsonl": [row("q1", "ways to pay")]})
    monkeypatch.setenv("PATH", "")
    assert told(repository.lint()) == ["note: nothing is compared with main: git is not installed"]
    monkeypatch.undo()
    shutil.rmtree(repository.folder / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.folder.parent))
    (note,) = repository.lint().notes
    assert note.startswith("nothing is compared with main: not a git repository")


def test_a_shallow_clone_that_lacks_the_base_is_skipped_with_the_way_to_get_it(
    repository: Repository, tmp_path: Path
) -> None:
    """As a checkout of depth 1 in CI is."""
    repository.commit({"more.txt": "more"})
    clone = tmp_path / "clone"
    origin = f"file://{repository.folder}"
    repository.git("clone", "--quiet", "--depth=1", "--branch=feature", origin, str(clone))
    shallow = Repository(clone)
    (note,) = shallow.lint("origin/main").notes
    assert note == (
        "nothing is compared with origin/main: this shallow clone lacks it; "
        "`git fetch origin main` first"
    )
    shallow.git("fetch", "--quiet", "--depth=1", "origin", "main")
    shallow.write({"eval/docs.jsonl": [row("q1", "ways to pay"), PARKING]})
    assert codes(shallow.lint("FETCH_HEAD")) == ["RG206", "RG404"]


@pytest.mark.parametrize("ref", ["nope", "", "--output=x", "main:eval"])
def test_a_ref_that_there_is_not_is_a_usage_error(ref: str, repository: Repository) -> None:
    """With the way to get it."""
    with pytest.raises(UsageError, match="has no such branch, tag or commit") as caught:
        repository.lint(ref)
    assert "git fetch origin" in str(caught.value.hint)
    assert not (repository.folder / "x").exists()


def test_line_endings_that_git_converts_are_no_change(repository: Repository) -> None:
    """A checkout with CRLF of what is kept with LF; a changed row is found in it still."""
    repository.git("config", "core.autocrlf", "true")
    path = repository.folder / "eval/docs.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert codes(repository.lint()) == []
    path.write_bytes(path.read_bytes().replace(b"parking", b"payment"))
    assert codes(repository.lint()) == ["RG206", "RG404"]


def test_a_dataset_in_git_lfs_is_read_where_it_was_fetched(repository: Repository) -> None:
    """From the clone's own store; a pointer to what is not there is a note."""
    before = json.dumps(HOURS).encode() + b"\n"
    oid = hashlib.sha256(before).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {len(before)}\n"
    repository.git("checkout", "--quiet", "main")
    repository.commit({"eval/docs.jsonl": pointer})
    repository.write({"eval/docs.jsonl": [row("q1", "ways to pay")]})
    assert told(repository.lint("HEAD")) == [
        "note: eval/docs.jsonl of HEAD is not compared: "
        "eval/docs.jsonl is kept in Git LFS and was not fetched"
    ]
    store = repository.folder / ".git/lfs/objects" / oid[:2] / oid[2:4]
    store.mkdir(parents=True)
    (store / oid).write_bytes(before)
    assert codes(repository.lint("HEAD")) == ["RG206", "RG404"]


def test_what_cannot_be_read_at_the_base_hides_nothing_and_blames_nobody(
    repository: Repository,
) -> None:
    """Faulty rows, and a broken configuration: today's is used, and that is said."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"ragguard.yml": "suites: [", "eval/docs.jsonl": '{"query_id": \n[]\n'})
    repository.write({"ragguard.yml": CONFIG, "eval/docs.jsonl": [HOURS]})
    assert told(repository.lint("HEAD")) == [
        "eval/docs.meta.json:1:2: RG404 dataset_version is still '3', "
        "but since HEAD the rows are others: 1 added",
        "note: ragguard.yml of HEAD cannot be read: today's settings are used",
    ]


def test_the_command_line_compares_and_its_exit_code_says_so(repository: Repository) -> None:
    """Clean 0, a reused id 1, no such branch 2; without --base nothing is compared."""
    repository.write({"eval/docs.jsonl": [row("q1", "ways to pay"), PARKING]})
    folder = repository.folder
    assert ragguard("lint", cwd=folder).returncode == 0
    shown = ragguard("lint", "--base", "main", cwd=folder)
    assert shown.returncode == 1
    assert "eval/docs.jsonl:1:14: RG206 " in shown.stdout
    assert "eval/docs.meta.json:1:2: RG404 " in shown.stdout
    shown = ragguard("lint", "--base", "nope", cwd=folder)
    assert shown.returncode == 2
    assert "hint: `git fetch origin nope`" in shown.stderr
    repository.git("checkout", "--quiet", ".")
    assert ragguard("lint", "--base", "main", cwd=folder).returncode == 0


def test_a_file_without_configuration_is_compared_with_itself(repository: Repository) -> None:
    """Named on the command line, from another folder, renamed or not."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"ragguard.yml": None})
    repository.git("mv", "eval/docs.jsonl", "eval/renamed.jsonl")
    repository.git("mv", "eval/docs.meta.json", "eval/renamed.meta.json")
    rows = [HOURS, row("q2", "ways to pay")]
    repository.write({"eval/renamed.jsonl": rows})
    shown = ragguard(
        "lint",
        "../eval/renamed.jsonl",
        "--base",
        "HEAD",
        cwd=_made(repository.folder / "elsewhere"),
    )
    assert "RG206 the query id 'q2' was that of 'parking' at HEAD" in shown.stdout
    assert os.fspath(repository.folder) not in shown.stderr


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
