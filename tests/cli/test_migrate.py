"""`ragguard migrate` as a user calls it: what it changes, what it says, what it refuses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.test_main import ragguard
from tests.lint.linting import write
from tests.shared_data import shared

CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: docs.jsonl\n    corpus: corpus.jsonl\n"
ROWS = (
    b'{"query_id": "q1", "query": "caf\xc3\xa9", "relevant_ids": ["a"], "weight":  1.50}\r\n'
    b"\n"
    b'{"query_id":"q2","query":"b","judgments":{"b":2,"keep":0},"forbidden_ids":["a"]}\n'
    b'{"query_id":"q3","query":"c","relevant_ids":["keep","ghost"]}'
)
MOVED = (
    b'{"query_id": "q1", "query": "caf\xc3\xa9", "relevant_ids": ["x", "y"], "weight":  1.50}\r\n'
    b"\n"
    b'{"query_id":"q2","query":"b","judgments":{"z":2,"keep":0},"forbidden_ids":["x","y"]}\n'
    b'{"query_id":"q3","query":"c","relevant_ids":["keep","ghost"]}'
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository whose corpus was cut anew, and the mapping."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "docs.jsonl": ROWS,
            "corpus.jsonl": [
                {"id": "x", "parent_id": "d"},
                {"id": "y", "parent_id": "d", "access": ["staff"]},
                {"id": "z", "parent_id": "e"},
                {"id": "keep"},
            ],
            "old.jsonl": [{"id": "a", "parent_id": "d"}, {"id": "b", "parent_id": "d"}],
            "map.csv": "old,new,confidence\na,x|y,1\nb,z,0.9\nnowhere,z,1\n",
        },
    )
    return tmp_path


def test_labels_move_and_nothing_else(project: Path) -> None:
    """Line ends, spaces and blank lines stay; the summary counts, and a second run does nothing."""
    done = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert (done.returncode, done.stdout) == (0, "moved 3 labels in 2 rows of 1 file\n")
    assert (project / "docs.jsonl").read_bytes() == MOVED
    assert "1 old id in no row: nowhere" in done.stderr
    assert "1 labelled id still in no manifest: ghost" in done.stderr
    assert "raise dataset_version" in done.stderr
    again = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert again.stdout == "moved 0 labels in 0 rows of 0 files\n"
    assert (project / "docs.jsonl").read_bytes() == MOVED


def test_a_diff_writes_nothing(project: Path) -> None:
    """What would change is printed as a patch, the summary beside it."""
    shown = ragguard("migrate", "--map", "map.csv", "--diff", cwd=project)
    assert (shown.returncode, shown.stdout.count("\n-{"), shown.stdout.count("\n+{")) == (0, 2, 2)
    assert "would move 3 labels in 2 rows of 1 file" in shown.stderr
    assert (project / "docs.jsonl").read_bytes() == ROWS


def test_a_lone_dataset_is_migrated_without_a_configuration(project: Path) -> None:
    """Without a manifest the new ids are not looked up, and that is said."""
    (project / "ragguard.yml").unlink()
    done = ragguard("migrate", "--map", "map.csv", "docs.jsonl", cwd=project)
    assert (done.returncode, (project / "docs.jsonl").read_bytes()) == (0, MOVED)
    assert "no corpus: the new ids were not looked up" in done.stderr


def test_only_named_datasets_of_a_suite_change(project: Path) -> None:
    """Somebody who names a file means that file."""
    (project / "ragguard.yml").write_text(CONFIG.replace("docs.jsonl", "'*ocs*.jsonl'"))
    (project / "ocs2.jsonl").write_bytes(ROWS)
    done = ragguard("migrate", "--map", "map.csv", "ocs2.jsonl", cwd=project)
    assert done.returncode == 0
    assert (project / "docs.jsonl").read_bytes() == ROWS
    assert (project / "ocs2.jsonl").read_bytes() == MOVED


def test_access_changes_only_when_a_person_says_so(project: Path) -> None:
    """The row of the mapping is named; a move into another document is told."""
    refused = ragguard("migrate", "--map", "map.csv", "--from", "old.jsonl", cwd=project)
    assert refused.returncode == 2
    assert "map.csv:2: 'a' may be seen by everybody, 'y' by staff" in refused.stderr
    assert (project / "docs.jsonl").read_bytes() == ROWS
    options = ("--map", "map.csv", "--from", "old.jsonl", "--allow-access-change")
    done = ragguard("migrate", *options, cwd=project)
    assert (done.returncode, (project / "docs.jsonl").read_bytes()) == (0, MOVED)
    assert "1 move into another document: b → z" in done.stderr


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        ("old,new\na,x\nb,zz\n", "map.csv:3: the new id 'zz' of 'b' is not in corpus.jsonl"),
        ("old,new\nb,x\na,x\n", "docs.jsonl:3:75: 'x' would be relevant and forbidden in one row"),
    ],
)
def test_a_bad_mapping_changes_nothing(project: Path, mapping: str, told: str) -> None:
    """It ends with 2 and says where."""
    (project / "map.csv").write_text(mapping)
    refused = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert (refused.returncode, told in refused.stderr) == (2, True), refused.stderr
    assert (project / "docs.jsonl").read_bytes() == ROWS


def test_chains_are_said_and_not_followed(project: Path) -> None:
    """A label on `a` becomes `x`, although the mapping moves `x` on."""
    (project / "map.csv").write_text("old,new\na,x\nx,y\n")
    done = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert "map.csv:3: 'a' becomes 'x', which itself moves" in done.stderr
    first = json.loads((project / "docs.jsonl").read_bytes().split(b"\r\n")[0])
    assert first["relevant_ids"] == ["x"]


def test_gone_labels_are_dropped_only_when_asked(project: Path) -> None:
    """A query without labels left is named."""
    (project / "map.csv").write_text("old,new\na,\n")
    kept = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert "chunks gone, labels kept: a" in kept.stderr
    assert (project / "docs.jsonl").read_bytes() == ROWS
    dropped = ragguard("migrate", "--map", "map.csv", "--drop-gone", cwd=project)
    assert "queries left without any label: q1" in dropped.stderr
    assert b'"relevant_ids": []' in (project / "docs.jsonl").read_bytes()


def test_faulty_rows_and_gzip_are_refused_whole(project: Path) -> None:
    """Half a migration would be worse than none."""
    (project / "docs.jsonl").write_bytes(ROWS + b"\n{broken\n")
    refused = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert (refused.returncode, "docs.jsonl:5:2: not JSON" in refused.stderr) == (2, True)
    (project / "docs.jsonl").write_bytes(gzip.compress(ROWS))
    refused = ragguard("migrate", "--map", "map.csv", cwd=project)
    assert (refused.returncode, "gzip is not rewritten" in refused.stderr) == (2, True)


def test_the_command_of_the_hint_works(project: Path) -> None:
    """RG307 names it, to be pasted."""
    shown = ragguard("migrate", "--help", cwd=project)
    assert (shown.returncode, "ragguard migrate --map map.csv" in shown.stdout) == (0, True)
    bare = ragguard("migrate", cwd=project)
    assert (bare.returncode, "--map map.csv" in bare.stderr) == (2, True)


def test_a_real_renaming_is_carried_out(tmp_path: Path) -> None:
    """A public dataset whose documents moved to another host: gold sets become those of later."""
    folder = shared("data/history/anthropic-cookbook")
    name = "skills__retrieval_augmented_generation__evaluation__docs_evaluation_dataset.json"
    before, after = (
        json.loads(next((folder / name).glob(f"{version}-*")).read_text(encoding="utf-8"))
        for version in ("v02", "v03")
    )
    old_ids = {each for row in before for each in row["correct_chunks"]}
    mapping = {old: old.replace("docs.anthropic.com", "docs.claude.com") for old in old_ids}
    fields = "    fields: {query_id: id, query: question, relevant_ids: correct_chunks}\n"
    write(
        tmp_path,
        {
            ".git/HEAD": "",
            "ragguard.yml": "version: 1\nsuites:\n  docs:\n    dataset: docs.jsonl\n" + fields,
            "docs.jsonl": before,
            "map.json": mapping,
        },
    )
    done = ragguard("migrate", "--map", "map.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "docs.jsonl").read_text().splitlines()]
    gold = {row["id"]: row["correct_chunks"] for row in rows}
    assert gold == {row["id"]: row["correct_chunks"] for row in after}
    labels = sum(len(row["correct_chunks"]) for row in before)
    assert done.stdout == f"moved {labels} labels in 100 rows of 1 file\n"
    for row in (*rows, *before):
        del row["correct_chunks"]
    assert rows == before
