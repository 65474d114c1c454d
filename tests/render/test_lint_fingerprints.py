"""The same finding has the same fingerprint in the next run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from ragguard.lint.excerpts import excerpts
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_fingerprints import fingerprinted
from ragguard.render.lint_view import LintView
from tests.lint.linting import lint_bytes
from tests.render.test_lint_text import BLANK, UNKNOWN


def marks(result: LintResult, **view: str) -> list[str]:
    """The fingerprints of a result whose files can be read."""
    shown = LintView(excerpts(result), **view)
    return [fingerprint for _, _, fingerprint in fingerprinted(result, shown)]


def rows(*changes: dict[str, object]) -> bytes:
    """Rows with these fields, one a line."""
    sound = {"query": "opening hours", "relevant_ids": ["c1"]}
    return b"".join(json.dumps(sound | each).encode() + b"\n" for each in changes)


def test_findings_keep_theirs_when_lines_are_put_in_before_them(tmp_path: Path) -> None:
    """Also where a message names a line, and where the row has no id."""
    faulty = rows(
        {"query_id": "q1", "query": "a", "relevant_ids": [1]},
        {"query_id": "q1", "query": "b"},
        {"query": "no id"},
        {"query": "nor this"},
    )
    before = lint_bytes(tmp_path, faulty)
    assert {each.code for each in before.diagnostics} >= {"RG111", "RG201", "RG101"}
    kept = marks(before)
    moved = marks(lint_bytes(tmp_path, rows({"query_id": "new", "query": "z"}) + faulty))
    assert moved == kept


def test_rows_without_an_id_are_told_apart_by_their_lines(tmp_path: Path) -> None:
    """What stays keeps its own when another of them is mended."""
    first, second = {"query": "no id"}, {"query": "nor this"}
    both = marks(lint_bytes(tmp_path, rows(first, second)))
    assert len(both) == 2
    assert marks(lint_bytes(tmp_path, rows({"query_id": "q1", **first}, second))) == both[1:]


def test_no_two_findings_share_one() -> None:
    """Twins are numbered; so one more of them is one more fingerprint."""
    many = LintResult((UNKNOWN, UNKNOWN, BLANK, BLANK, BLANK))
    assert len(set(marks(many))) == 5
    assert set(marks(LintResult((UNKNOWN, BLANK)))) <= set(marks(many))


def test_another_query_value_file_or_rule_makes_another() -> None:
    """Each of them is part of what a finding is."""
    others = (
        replace(UNKNOWN, query_id="q003"),
        replace(UNKNOWN, message="'audit-format' is not in corpus/manifest.jsonl"),
        replace(UNKNOWN, location=Location("eval/more.jsonl", 2, 71)),
        replace(UNKNOWN, code="RG302"),
    )
    found = {marks(LintResult((each,)))[0] for each in (UNKNOWN, *others)}
    assert len(found) == 5


def test_the_folder_of_the_run_makes_no_difference() -> None:
    """Files count by their path in the repository."""
    here = replace(UNKNOWN, location=Location("docs.jsonl", 2, 71))
    there = replace(UNKNOWN, location=Location("eval/docs.jsonl", 2, 71))
    assert marks(LintResult((here,)), folder="/repo/eval", root="/repo") == marks(
        LintResult((there,)), folder="/repo", root="/repo"
    )
