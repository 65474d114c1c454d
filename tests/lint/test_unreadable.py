"""Files that cannot be read, are very large, or change while they are read: no traceback."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragguard.corpus import reading
from ragguard.corpus.reading import NumberedChunk
from tests.cli.test_main import ragguard
from tests.lint.linting import lint, suite_of, write

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}


def make_odd(path: Path, kind: str) -> None:
    """Put something in place of a file that is none, or none that can be read."""
    path.unlink(missing_ok=True)
    if kind == "link to nowhere":
        path.symlink_to("nowhere")
    elif kind == "ring of links":
        path.symlink_to(path.name)
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "memory":
        path.symlink_to("/proc/self/mem")
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "damaged gzip":
        path.write_bytes(gzip.compress(b"x" * 10_000, mtime=0)[:-30] + b"\xff" * 30)
    else:
        path.write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff")


KINDS = ["link to nowhere", "ring of links", "folder", "pipe", "memory", "device"]
KINDS += ["damaged gzip", "worse gzip"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["docs.jsonl", "docs.meta.json", "corpus.jsonl"])
def test_what_cannot_be_read_is_told(name: str, kind: str, tmp_path: Path) -> None:
    """A fault, or a finding that it is not there; the other dataset is linted all the same."""
    if kind == "memory" and not Path("/proc/self/mem").exists():
        pytest.skip("the system shows no memory as a file")
    write(
        tmp_path,
        {
            "docs.jsonl": [ROW],
            "docs.meta.json": {"corpus_version": "1"},
            "other.jsonl": [{"query_id": "q2", "query": "x"}],
            "corpus.jsonl": [{"id": "c1"}],
        },
    )
    make_odd(tmp_path / name, kind)
    suite = suite_of("docs.jsonl", "other.jsonl", corpus="corpus.jsonl")
    result = lint(tmp_path, suite)
    found = {each.code for each in result.diagnostics}
    assert "RG104" in found
    is_absent = kind == "link to nowhere" and name == "docs.meta.json"
    assert is_absent or result.faults or "RG902" in found
    for fault in result.faults:
        assert fault.location is not None
        assert fault.location.file.endswith(name)


@pytest.mark.parametrize("kind", ["pipe", "device", "damaged gzip", "worse gzip"])
def test_a_lone_file_that_cannot_be_read_is_told(kind: str, tmp_path: Path) -> None:
    """Exit 2, and at once: a pipe that nobody writes to would be waited for for ever."""
    make_odd(tmp_path / "docs.jsonl", kind)
    shown = ragguard("lint", "docs.jsonl", cwd=tmp_path)
    assert shown.returncode == 2
    assert "error: docs.jsonl" in shown.stderr
    assert "Traceback" not in shown.stderr
    assert ragguard("lint", ".", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("change", ["cut off", "emptied", "removed", "another", "grown"])
def test_a_manifest_that_changes_while_it_is_read_is_no_traceback(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings of what was read, or a fault; the rest of the suite is linted all the same."""
    path = tmp_path / "corpus.jsonl"
    chunks = [{"id": f"chunk-{number}", "text": "x" * 100} for number in range(5000)]
    rows = [
        {"query_id": f"q{number}", "query": f"query {number}", "relevant_ids": [f"chunk-{number}x"]}
        for number in range(20)
    ]
    write(tmp_path, {"docs.jsonl": [*rows, {"query_id": "last", "query": "x"}], path.name: chunks})
    read = reading.read_chunks

    def changing(*arguments: object, **options: object) -> Iterator[NumberedChunk]:
        for number, chunk in enumerate(read(*arguments, **options)):  # type: ignore[arg-type]
            if number == 100:
                change_manifest(path, change)
            yield number, chunk[1]

    for module in list(sys.modules.values()):
        if getattr(module, "read_chunks", None) is read:
            monkeypatch.setattr(module, "read_chunks", changing)
    result = lint(tmp_path, suite_of("docs.jsonl", corpus="corpus.jsonl"))
    assert "RG104" in {each.code for each in result.diagnostics}


def change_manifest(path: Path, how: str) -> None:
    """What another process may do to a manifest."""
    if how == "cut off":
        with path.open("r+b") as stream:
            stream.truncate(70_001)
    elif how == "emptied":
        path.write_bytes(b"")
    elif how == "removed":
        path.unlink(missing_ok=True)
    elif how == "another":
        path.write_bytes(b'{"nothing": "like a chunk"}\n' * 1000)
    else:
        with path.open("ab") as stream:
            stream.write(b'{"id": "half a li')


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["ragguard", "lint", *sys.argv[2:]]
from ragguard.cli import main
main()
"""


def lint_limited(folder: Path, megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Lint in a process that may not take more memory than so much."""
    command = [sys.executable, "-c", LIMITED, str(megabytes << 20), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_file_of_a_million_rows_takes_no_memory_for_them(tmp_path: Path) -> None:
    """Within 600 MiB of address space, libraries included; the fault in its last row is found."""
    with (tmp_path / "docs.jsonl").open("wb") as stream:
        for first in range(0, 1_000_000, 1000):
            stream.writelines(
                b'{"query_id": "q%d", "query": "row %d %b", "relevant_ids": ["c1"]}\n'
                % (number, number, b"x" * 150)
                for number in range(first, first + 1000)
            )
        stream.write(b'{"query_id": "last", "query": "", "relevant_ids": ["c1"]}\n')
    shown = lint_limited(tmp_path, 600, "docs.jsonl", "--ignore", "RG401")
    assert "docs.jsonl:1000001:31: RG105" in shown.stdout
    assert "Found 1 error: 1,000,001 rows in 1 file." in shown.stdout
    assert shown.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("is_sound", [True, False])
def test_a_line_of_200_megabytes_is_read_or_refused(is_sound: bool, tmp_path: Path) -> None:
    """Memory for a few copies of the line; the rows around it are linted."""
    with (tmp_path / "docs.jsonl").open("wb") as stream:
        stream.write(b'{"query_id": "q1", "query": "", "relevant_ids": ["c1"]}\n')
        stream.write(b'{"query_id": "q2", "query": "')
        for _ in range(200):
            stream.write(b"x" * (1 << 20))
        stream.write(b'", "relevant_ids": ["c1"]}\n' if is_sound else b"\n")
        stream.write(b'{"query_id": "q3", "query": "", "relevant_ids": ["c1"]}\n')
    shown = lint_limited(tmp_path, 500, "docs.jsonl", "--ignore", "RG401")
    assert shown.returncode == 2
    assert "docs.jsonl: not enough memory for one of its lines" in shown.stderr
    assert "Traceback" not in shown.stderr
    shown = lint_limited(tmp_path, 1900, "docs.jsonl", "--ignore", "RG401")
    assert "Traceback" not in shown.stderr
    assert "docs.jsonl:1:29: RG105" in shown.stdout
    assert "docs.jsonl:3:29: RG105" in shown.stdout
    assert ("docs.jsonl:2:29: RG005" in shown.stdout) is not is_sound
    assert shown.returncode == 1
    assert len(shown.stdout) < 10_000
