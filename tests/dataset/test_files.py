"""Which files a suite's dataset is, and their sidecars."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.dataset.files import match_files
from ragguard.dataset.lines import read_lines
from ragguard.dataset.sidecar import read_sidecar, sidecar_path
from ragguard.errors import InputError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with datasets, a sidecar, a folder and a name with brackets."""
    (tmp_path / "eval" / "deep").mkdir(parents=True)
    for name in ("b.jsonl", "a.jsonl", "deep/c.jsonl", "a.meta.json", "n[1].jsonl"):
        (tmp_path / "eval" / name).write_text("{}\n")
    (tmp_path / "eval" / "folder.jsonl").mkdir()
    return tmp_path


def names(root: Path, *patterns: str) -> list[str]:
    """What the patterns match, relative to the root."""
    return [path.relative_to(root).as_posix() for path in match_files(patterns, root).files]


def test_globs_match_files_in_the_order_of_names(root: Path) -> None:
    """Whatever order the file system lists them in; folders are no datasets."""
    assert names(root, "eval/*.jsonl") == ["eval/a.jsonl", "eval/b.jsonl", "eval/n[1].jsonl"]
    assert names(root, "eval/**/*.jsonl")[-1] == "eval/n[1].jsonl"
    assert "eval/deep/c.jsonl" in names(root, "eval/**/*.jsonl")


def test_a_file_matched_twice_counts_once(root: Path) -> None:
    """Also through another spelling or a link."""
    (root / "link.jsonl").symlink_to(root / "eval" / "b.jsonl")
    found = names(root, "eval/b.jsonl", "eval/./b.jsonl", "eval/*.jsonl", "link.jsonl")
    assert found == ["eval/b.jsonl", "eval/a.jsonl", "eval/n[1].jsonl"]


def test_a_name_with_brackets_is_a_name_first(root: Path) -> None:
    """As a glob, `n[1].jsonl` would match `n1.jsonl`."""
    assert names(root, "eval/n[1].jsonl") == ["eval/n[1].jsonl"]


def test_sidecars_are_no_datasets(root: Path) -> None:
    """A broad glob does not read them as rows."""
    assert not any("meta" in name for name in names(root, "eval/a.*"))


def test_what_matches_nothing_is_told(root: Path) -> None:
    """The linter reports it; an empty suite would be green."""
    matched = match_files(["eval/a.jsonl", "eval/*.csv", "gone.jsonl"], root)
    assert matched.unmatched == ("eval/*.csv", "gone.jsonl")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_no_system_allows_is_the_name_of_none(root: Path, name: str) -> None:
    """It is told like any other that matches nothing; its sidecar is an error with a message."""
    assert match_files([name], root).unmatched == (name,)
    with pytest.raises(InputError, match="cannot read it"):
        read_sidecar(root / name, "shown")
    with pytest.raises(InputError, match="cannot read it"):
        list(read_lines(root / name, "shown"))


@pytest.mark.parametrize(
    ("name", "sidecar"),
    [
        ("docs.jsonl", "docs.meta.json"),
        ("docs.jsonl.gz", "docs.meta.json"),
        ("docs.v2.jsonl", "docs.v2.meta.json"),
        ("docs", "docs.meta.json"),
        (".hidden", ".hidden.meta.json"),
    ],
)
def test_a_sidecar_stands_beside_its_file(name: str, sidecar: str) -> None:
    """Strip `.gz`, then the last extension, add `.meta.json`."""
    assert sidecar_path(Path("x") / name) == Path("x") / sidecar


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[]", "shown:1:1: not an object but a list\n.*a sidecar is one JSON object"),
        (b'{\n "a": }', "shown:2:7: .*not JSON"),
        (b"\xff", "shown:1:1: not UTF-8"),
        (b"[" * 100_000, "shown:1:1: nested more than"),
        (b'{"a": 1,\n "a": 2}', "shown:2:2: the key 'a' stands twice"),
        (b'{"corpus_version": "\\ud800"}', "shown:1:20: half of a surrogate pair"),
        (b'{\n  "dataset_version": 7}', "shown:2:22: .*dataset_version is a text, here 7"),
        (b'{"corpus_version": null}', "shown:1:20: .*corpus_version is a text, here None"),
        (b'{"corpus_version": " "}', "shown:1:20: .*corpus_version is blank"),
    ],
)
def test_a_faulty_sidecar_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    """A version that is no text would otherwise look like none at all."""
    (tmp_path / "docs.meta.json").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_sidecar(tmp_path / "docs.jsonl", "shown")


def test_a_sidecar_is_optional_and_may_hold_more(tmp_path: Path) -> None:
    """Facts ragguard does not know are kept."""
    assert read_sidecar(tmp_path / "docs.jsonl", "shown") == {}
    (tmp_path / "docs.meta.json").write_text('{"dataset_version": "7", "chunker": {"size": 3}}')
    facts = read_sidecar(tmp_path / "docs.jsonl.gz", "shown")
    assert facts == {"dataset_version": "7", "chunker": {"size": 3}}


def test_a_link_that_leads_nowhere_is_no_silence(tmp_path: Path) -> None:
    """A glob keeps it, so that reading it is an error; a folder of that name is no dataset."""
    (tmp_path / "a.jsonl").touch()
    (tmp_path / "b.jsonl").symlink_to("nowhere")
    (tmp_path / "c.jsonl").mkdir()
    assert [path.name for path in match_files(["*.jsonl"], tmp_path).files] == [
        "a.jsonl",
        "b.jsonl",
    ]
