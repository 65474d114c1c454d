"""`ragguard lint -`: a dataset that an editor has not saved yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_main import in_shell
from tests.lint.linting import VERSIONS, write

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = (
    "version: 1\nsuites:\n  docs:\n    dataset: eval/*.jsonl\n    corpus: corpus.jsonl\n"
    "    fields: {query: question}\n"
)
ASKED = {"query_id": "q1", "question": "opening hours", "relevant_ids": ["c1"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A suite with its own name for the query, and two files."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "eval/docs.jsonl": [ASKED],
            "eval/docs.meta.json": VERSIONS,
            "eval/more.jsonl": [ASKED | {"query_id": "q2", "question": "parking"}],
            "eval/more.meta.json": VERSIONS,
            "corpus.jsonl": [{"id": "c1"}],
        },
    )
    return tmp_path


def piped(project: Path, content: bytes | list[object], *options: str) -> tuple[int, bytes, str]:
    """Exit code, stdout and stderr of linting a content that is piped in."""
    if isinstance(content, list):
        content = "".join(f"{json.dumps(row)}\n" for row in content).encode()
    done = subprocess.run(
        [sys.executable, "-m", "ragguard", "lint", *options],
        input=content,
        cwd=project,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode()


NAMED = ("--stdin-filename", "eval/docs.jsonl")


@pytest.mark.parametrize("dash", [(), ("-",)])
def test_what_is_piped_is_linted_as_the_file_that_it_will_be(
    dash: tuple[str, ...], project: Path
) -> None:
    """Its mapping, sidecar, corpus and the suite's other files; the file itself is not read."""
    write(project, {"eval/docs.jsonl": "nonsense"})
    assert piped(project, [ASKED], *dash, *NAMED)[:2] == (0, b"Clean: 2 rows in 2 files.\n")
    rows: list[object] = [ASKED | {"relevant_ids": ["zz"]}, ASKED | {"query_id": "q2"}]
    code, out, _ = piped(project, rows, *dash, *NAMED, "--format", "concise", "--ignore", "RG202")
    assert (code, out.decode().splitlines()) == (
        1,
        [
            "eval/docs.jsonl:1:66: RG301 'zz' is not in corpus.jsonl",
            "eval/more.jsonl:1:14: RG201 the query id 'q2' stands twice; first at "
            "eval/docs.jsonl:2",
        ],
    )


def test_the_line_of_a_finding_is_that_of_the_pipe(project: Path) -> None:
    """Not that of the file on the disk."""
    out = piped(project, [ASKED | {"relevant_ids": ["zz"]}], *NAMED)[1].decode()
    assert '"relevant_ids": ["zz"]' in out


def test_a_file_that_is_not_saved_yet_belongs_to_the_suite_whose_glob_it_matches(
    project: Path,
) -> None:
    """Its ids are held against the others; a path that is none of a suite is passed over."""
    name = ("--stdin-filename", "eval/new.jsonl")
    out = piped(project, [ASKED], *name, "--format", "concise")[1].decode()
    assert "eval/new.jsonl:1:14: RG201" in out
    assert not (project / "eval/new.jsonl").exists()
    none = ("--stdin-filename", "elsewhere/new.jsonl")
    assert piped(project, b"no row", *none)[:2] == (0, b"Clean: 0 rows in 0 files.\n")


def test_ignores_and_exclusion_hold_for_the_name(project: Path) -> None:
    """As for the file."""
    rows: list[object] = [ASKED | {"relevant_ids": ["zz"]}]
    lint = "lint: {per_file_ignores: {'docs.jsonl': [RG301]}}\n"
    write(project, {"ragguard.yml": CONFIG + lint})
    assert piped(project, rows, *NAMED)[0] == 0
    write(project, {"ragguard.yml": CONFIG + "lint: {exclude: ['docs.jsonl']}\n"})
    code, _, err = piped(project, rows, *NAMED)
    assert (code, err) == (0, "note: eval/docs.jsonl is excluded in ragguard.yml\n")


def test_fixing_prints_what_was_piped_as_fixed(project: Path) -> None:
    """Every other byte as it was; findings go to stderr; no file is touched."""
    write(project, {"eval/more.jsonl": b"\xef\xbb\xbf" + json.dumps(ROW).encode()})
    before = {path: path.read_bytes() for path in project.glob("eval/*")}
    content = b'{"query_id":  7, "question": "x", "relevant_ids": ["zz"]}\r\n'
    code, out, err = piped(project, content, *NAMED, "--fix", "--format", "concise")
    assert (code, out) == (1, content.replace(b"7", b'"7"'))
    assert "eval/docs.jsonl:1:54: RG301" in err
    assert "eval/more.jsonl:1:1: RG002" in err
    code, out, err = piped(project, content, *NAMED, "--diff")
    assert out.startswith(b"--- eval/docs.jsonl\n+++ eval/docs.jsonl\n@@ -1 +1 @@\n")
    assert out.count(b"@@ -") == 1
    assert {path: path.read_bytes() for path in project.glob("eval/*")} == before


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (b"{broken", NAMED, 1),
        (b"", NAMED, 2),
        (b"a log\n", ("--stdin-filename", "log.jsonl"), 0),
        (b"\xff\n", ("-",), 1),
    ],
)
def test_what_has_nothing_to_fix_is_passed_on_as_it_is(
    content: bytes, options: tuple[str, ...], code: int, project: Path
) -> None:
    """An editor takes what comes out for the file."""
    done = piped(project, content, *options, "--fix", "--ignore", "RG004")
    assert done[:2] == (code, content)
    assert "Traceback" not in done[2]


def test_after_fixing_the_excerpt_is_of_the_fixed_row(project: Path) -> None:
    """The caret stands below the value as it is printed."""
    row = ASKED | {"query_id": 17, "relevant_ids": ["C1"]}
    code, stdout, stderr = piped(project, [row], *NAMED, "--fix")
    told, excerpt, carets, *_ = stderr.splitlines()
    assert (code, told.split()[1]) == (1, "RG301")
    assert excerpt == f"  1 | {stdout.decode().rstrip()}"
    assert excerpt.index('"C1"') == carets.index("^^^^")


def test_a_pipe_without_a_name_is_a_dataset_alone(project: Path) -> None:
    """No configuration governs it; findings are named by the dash."""
    code, out, _ = piped(project, [{"query_id": "q1"}], "-", "--select", "RG1")
    assert code == 1
    assert out.startswith(b"-:1:1: RG101 ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-", "eval"), "a dataset from a pipe is linted alone"),
        (("eval", *NAMED), "a dataset from a pipe is linted alone"),
        (("--stdin-filename", "corpus.jsonl"), "corpus.jsonl is no dataset"),
        (("--stdin-filename", "eval/docs.meta.json"), "eval/docs.meta.json is no dataset"),
        (("--stdin-filename", "ragguard.yml"), "ragguard.yml is no dataset"),
        (("-", "--add-ignores"), "--add-ignores lists what is in files"),
    ],
)
def test_what_cannot_be_piped_exits_2(
    options: tuple[str, ...], message: str, project: Path
) -> None:
    """With the way out."""
    code, out, err = piped(project, [ASKED], *options)
    assert (code, out) == (2, b"")
    assert message in err
    assert "hint:" in err


@pytest.mark.skipif(os.name == "nt", reason="the shell of Windows closes no streams")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("lint - <&-", "stdin is closed"),
        ("lint - --fix --stdin-filename eval/docs.jsonl < eval/docs.jsonl >&-", "stdout is closed"),
    ],
)
def test_a_closed_stream_is_told(command: str, told: str, project: Path) -> None:
    """What cannot be read or printed is a fault of the call, not a defect."""
    shown = in_shell(f"ragguard {command}", project)
    assert shown.returncode == 2
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr
