"""`ragguard lint --fix` as a user calls it: what it changes, what it leaves, what it refuses."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ragguard.errors import InputError
from ragguard.lint.run import LintRequest, run
from tests.cli.test_main import ragguard
from tests.lint.linting import VERSIONS, write

CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: docs.jsonl\n    corpus: corpus.jsonl\n"
CORPUS: list[Any] = [
    {"id": "c1", "text": "Open from nine to five."},
    {"id": "c2", "sha256": "b" * 64},
    {"id": "old", "status": "superseded", "superseded_by": "c2"},
]

MESSY = (
    b"\xef\xbb\xbf"
    b'{"query_id":1,"query":"caf\\u00e9 \\/ \xc3\xa9","relevant_ids":["c1"],"weight":1.50e+0}\r\n'
    b"\r\n"
    b'{ "query_id" : "q2" , "query" : "a\xe2\x80\xa8b" , '
    b'"relevant_ids" : [ "c1 ","c1" ] , "n" : -0.0 }\n'
    b'\t{"query":"no fix here","query_id":"q3","zeta":1,"alpha":2,"relevant_ids":["c1"]} \r\n'
    b"   \n"
    b'{"query_id":"q4","query":"x","judgments":{"OLD":2}}'
)
SAFE = (
    b'{"query_id":"1","query":"caf\\u00e9 \\/ \xc3\xa9","relevant_ids":["c1"],"weight":1.50e+0}\r\n'
    b'{ "query_id" : "q2" , "query" : "a\xe2\x80\xa8b" , "relevant_ids" : [ "c1" ] , "n" : -0.0 }\n'
    b'\t{"query":"no fix here","query_id":"q3","zeta":1,"alpha":2,"relevant_ids":["c1"]} \r\n'
    b'{"query_id":"q4","query":"x","judgments":{"OLD":2}}\n'
)
UNSAFE = SAFE.replace(b'"OLD"', b'"c2"')


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository whose dataset is in a mess."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "docs.jsonl": MESSY,
            "docs.meta.json": VERSIONS,
            "corpus.jsonl": CORPUS,
        },
    )
    return tmp_path


@pytest.mark.parametrize(
    ("options", "expected"), [([], SAFE), (["--unsafe-fixes"], UNSAFE)], ids=["safe", "unsafe"]
)
def test_only_what_is_named_changes_and_only_once(
    options: list[str], expected: bytes, project: Path
) -> None:
    """Line ends, spaces, key order, escapes and spellings of numbers stay; then nothing is left."""
    path = project / "docs.jsonl"
    ragguard("lint", "--fix", *options, cwd=project)
    assert path.read_bytes() == expected
    state = path.stat()
    shown = ragguard("lint", "--diff", *options, cwd=project)
    assert (shown.stdout, "fixed" in shown.stderr) == ("", False)
    assert ragguard("lint", "--fix", *options, cwd=project).stderr == ""
    assert path.stat().st_mtime_ns == state.st_mtime_ns


@pytest.mark.parametrize("options", [[], ["--unsafe-fixes"]], ids=["safe", "unsafe"])
def test_the_difference_is_what_fixing_does(options: list[str], project: Path) -> None:
    """`patch` makes of it, byte for byte, what --fix makes; --diff itself changes nothing."""
    many = b"".join(
        b'{"query_id":%d,"query":"row %d","relevant_ids":["c1"]}\n' % (n, n)
        if n in {100, 103, 111, 118, 119, 160}
        else b'{"query_id":"q%d","query":"row %d","relevant_ids":["c1"]}\n' % (n, n)
        for n in range(50, 200)
    )
    for content in (MESSY, many, many + MESSY.removeprefix(b"\xef\xbb\xbf"), MESSY + b"\n" + many):
        write(project, {"docs.jsonl": content})
        shown = ragguard("lint", "--diff", *options, "--output-file", "out.patch", cwd=project)
        assert shown.stdout == ""
        assert (project / "docs.jsonl").read_bytes() == content
        arguments = ["patch", "--binary", "-s", "-F0", "-o", "patched", "docs.jsonl", "out.patch"]
        subprocess.run(arguments, cwd=project, check=True)
        ragguard("lint", "--fix", *options, cwd=project)
        assert (project / "patched").read_bytes() == (project / "docs.jsonl").read_bytes()


def test_the_summary_tells_safe_fixes_from_others(project: Path) -> None:
    """As many as each option takes; JSON describes what the options given would do."""
    row = {"query_id": "q1", "query": "x", "relevant_ids": ["c1 ", "OLD"]}
    write(project, {"docs.jsonl": [row]})
    last = ragguard("lint", cwd=project).stdout.splitlines()[-1]
    assert last.endswith("1 fixable with --fix (2 more with --unsafe-fixes).")
    decoded = json.loads(ragguard("lint", "--format", "json", cwd=project).stdout)
    assert decoded["summary"]["fixable"] == 1
    fixes = {each["code"]: each["fix"] for each in decoded["diagnostics"]}
    assert fixes == {"RG106": "remove the white space around the id", "RG301": None}
    shown = ragguard("lint", "--format", "json", "--unsafe-fixes", cwd=project)
    decoded = json.loads(shown.stdout)
    assert decoded["summary"]["fixable"] == 3
    assert decoded["diagnostics"][-1]["fix"] == "label 'old' instead"
    ragguard("lint", "--fix", cwd=project)
    last = ragguard("lint", cwd=project).stdout.splitlines()[-1]
    assert last.endswith("1 fixable with --fix --unsafe-fixes.")


def test_a_review_is_recorded(project: Path) -> None:
    """Of the query named, once; what has no hash is told; then the chunk changes."""
    row = {"query_id": "q1", "query": "x", "relevant_ids": ["c1", "old"]}
    write(project, {"docs.jsonl": [row, {**row, "query_id": "q2", "query": "y"}]})
    shown = ragguard("lint", "--diff", "--reviewed", "q1", cwd=project)
    assert shown.stdout.count("\n+{") == 1
    assert "note: q1: no hash is known of 'old'" in shown.stderr
    shown = ragguard("lint", "--fix", "--reviewed", "q1", cwd=project)
    assert "recorded the labels of 1 query in docs.jsonl" in shown.stderr
    rows = [json.loads(line) for line in (project / "docs.jsonl").read_bytes().splitlines()]
    assert [list(row.get("label_hashes", ())) for row in rows] == [["c1"], []]
    shown = ragguard("lint", "--fix", "--reviewed", "q1", cwd=project)
    assert "recorded" not in shown.stderr
    write(project, {"corpus.jsonl": [{**CORPUS[0], "text": "Closed."}, *CORPUS[1:]]})
    shown = ragguard("lint", "--select", "RG304", cwd=project)
    assert "then: ragguard lint --fix --reviewed q1" in shown.stdout
    ragguard("lint", "--fix", "--reviewed", "ALL", cwd=project)
    assert ragguard("lint", "--select", "RG304", cwd=project).returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--reviewed", "q2"], "--reviewed changes datasets"),
        (["--fix", "--reviewed", "Q2"], "no query has the id 'Q2'"),
    ],
)
def test_a_review_that_cannot_be_recorded_is_a_usage_error(
    options: list[str], message: str, project: Path
) -> None:
    """Exit 2, and the dataset is as it was, fixes and all."""
    shown = ragguard("lint", *options, cwd=project)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert (project / "docs.jsonl").read_bytes() == MESSY


def test_a_file_that_changes_while_it_is_linted_is_not_overwritten(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither before its fixes are made nor before they are written."""
    monkeypatch.chdir(project)
    path = project / "docs.jsonl"
    done = run(LintRequest())
    fixed = done.fixed(project)
    path.write_bytes(MESSY + b"\n")
    for act in (lambda: done.fixed(project), fixed.files[0].write):
        with pytest.raises(InputError, match=r"changed on disk") as error:
            act()
        assert error.value.hint == "run it again"
    assert path.read_bytes() == MESSY + b"\n"


def test_a_read_only_file_is_told_and_stays(project: Path) -> None:
    """Exit 2, no traceback."""
    (project / "docs.jsonl").chmod(0o444)
    shown = ragguard("lint", "--fix", cwd=project)
    assert shown.returncode == 2
    assert "docs.jsonl: cannot write the fixed file: the file is read-only" in shown.stderr
    assert "fixed" not in shown.stdout
    assert (project / "docs.jsonl").read_bytes() == MESSY


AS_NOBODY = """
import os, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from ragguard.lint.run import LintRequest, run
os.chdir(sys.argv[1])
with TemporaryDirectory() as folder:
    fixed = run(LintRequest()).fixed(Path(folder))  # with all that it imports
os.setgid(65534)
os.setuid(65534)
for file in fixed.files:
    file.write()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_read_only_folder_is_told(project: Path) -> None:
    """The file could be written to, but not replaced whole; so it is not written to."""
    (project / "docs.jsonl").chmod(0o666)
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for each in ("ragguard.yml", "docs.jsonl", "docs.meta.json", "corpus.jsonl"):
            shutil.copy(project / each, folder)
        command = [sys.executable, "-c", AS_NOBODY, name]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        assert shown.stderr.splitlines()[-2:] == [
            "ragguard.errors.InputError: docs.jsonl: cannot write the fixed file: "
            "Permission denied",
            "  hint: the file is as it was",
        ]
        assert (folder / "docs.jsonl").read_bytes() == MESSY


def test_no_room_for_a_copy_is_told(project: Path) -> None:
    """The system refuses to write on after 4 KiB."""
    rows = [{"query_id": n, "query": f"row {n}", "relevant_ids": ["c1"]} for n in range(200)]
    write(project, {"docs.jsonl": rows})
    before = (project / "docs.jsonl").read_bytes()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    command = [sys.executable, "-m", "ragguard", "lint", "--fix"]
    shown = subprocess.run(
        command, cwd=project, capture_output=True, text=True, check=False, preexec_fn=limit
    )
    assert shown.returncode == 2
    assert "cannot write a copy for fixing: File too large" in shown.stderr
    assert "TMPDIR" in shown.stderr
    assert (project / "docs.jsonl").read_bytes() == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for 64 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_file(small_disk: Path) -> None:
    """Exit 2; the dataset whole, and nothing beside it."""
    rows = [{"query_id": n, "query": f"row {n}", "relevant_ids": ["c1"]} for n in range(600)]
    write(small_disk, {"docs.jsonl": rows})
    before = (small_disk / "docs.jsonl").read_bytes()
    assert 2 * len(before) > 64 * 1024
    shown = ragguard("lint", "--fix", "docs.jsonl", cwd=small_disk)
    assert shown.returncode == 2
    assert "cannot write the fixed file: No space left on device" in shown.stderr
    assert (small_disk / "docs.jsonl").read_bytes() == before
    assert [each.name for each in small_disk.iterdir()] == ["docs.jsonl"]


@pytest.mark.slow
def test_a_killed_run_leaves_the_old_file_or_the_new_one(project: Path) -> None:
    """SIGKILL at moments of every stage, on a file that takes a while to write."""
    padding = "x" * 2000
    before = b"".join(
        b'{"query_id":%d,"query":"row %d %s","relevant_ids":["c1"]}\n' % (n, n, padding.encode())
        for n in range(20_000)
    )
    path = project / "docs.jsonl"
    path.write_bytes(before)
    began = time.monotonic()
    ragguard("lint", "--fix", cwd=project)
    whole, after = time.monotonic() - began, path.read_bytes()
    assert after != before
    for share in (0.3, 0.6, 0.8, 0.9, 0.95, 1.0):
        path.write_bytes(before)
        command = [sys.executable, "-m", "ragguard", "lint", "--fix"]
        process = subprocess.Popen(command, cwd=project, stderr=subprocess.DEVNULL)
        time.sleep(whole * share)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_bytes() in (before, after)
