"""Globs of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.lint.file_globs import glob_matches, path_from


@pytest.mark.parametrize(
    ("glob", "written", "matches"),
    [
        ("eval/*.jsonl", "eval/a.jsonl", True),
        ("eval/*.jsonl", "eval/old/a.jsonl", False),
        ("eval/*.jsonl", "more/eval/a.jsonl", False),
        ("eval/**/*.jsonl", "eval/a.jsonl", True),
        ("eval/**/*.jsonl", "eval/x/y/a.jsonl", True),
        ("eval/**", "eval/x/y/a.jsonl", True),
        ("**/old/*", "old/a.jsonl", True),
        ("**/old/*", "x/y/old/a.jsonl", True),
        ("**/old/*", "x/older/a.jsonl", False),
        ("eval", "eval/x/a.jsonl", True),
        ("eval", "deep/eval/a.jsonl", True),
        ("eval/", "deep/eval/a.jsonl", True),
        ("/eval", "deep/eval/a.jsonl", False),
        ("/eval", "eval/a.jsonl", True),
        ("./eval/a.jsonl", "eval/a.jsonl", True),
        ("old*.jsonl", "eval/old-1.jsonl", True),
        ("old*.jsonl", "eval/cold-1.jsonl", False),
        ("a?.jsonl", "ab.jsonl", True),
        ("a?.jsonl", "a/.jsonl", False),
        ("[ab].jsonl", "b.jsonl", True),
        ("[!ab].jsonl", "b.jsonl", False),
        ("[!ab].jsonl", "c.jsonl", True),
        ("a[1].jsonl", "a[1].jsonl", True),
        ("a[1].jsonl", "a1.jsonl", True),
        ("[z-a].jsonl", "b.jsonl", False),
        ("[", "[", True),
        ("a.jsonl", "abjsonl", False),
        ("../shared/*", "../shared/a.jsonl", True),
    ],
)
def test_a_glob_means_files_and_folders(glob: str, written: str, matches: bool) -> None:
    """Worked out by hand from what the page on linting says."""
    assert glob_matches(glob, written) is matches


def test_a_path_is_written_from_the_folder_of_the_configuration(tmp_path: Path) -> None:
    """With `..` for what lies beside it."""
    assert path_from(tmp_path / "a", tmp_path / "a/b/../c.jsonl") == "c.jsonl"
    assert path_from(tmp_path / "a", tmp_path / "b.jsonl") == "../b.jsonl"
