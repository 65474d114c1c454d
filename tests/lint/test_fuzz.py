"""Whatever the bytes: no traceback, places inside the file, and fixes that mend what they name."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ragguard.dataset.lines import SourceLine
from ragguard.dataset.mapping import CANONICAL_FIELDS, FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.lint.plain_row import PlainRow
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintResult
from ragguard.lint.rule import Scope
from tests.lint.linting import fixed, lint_bytes, suite_of

SOUND: Mapping[str, Any] = {
    "query_id": "q1",
    "query": "opening hours",
    "relevant_ids": ["c1", "c2"],
    "forbidden_ids": ["c3"],
    "critical": True,
    "weight": 2,
}
IDS = st.sampled_from(["c1", "c2", " c1", "c1\t", "", " ", "é", "a b", "c\x00", "\ud800"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 3), st.floats(), IDS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(IDS, inner, max_size=3)),
    max_leaves=6,
)
NAMES = st.sampled_from([*CANONICAL_FIELDS, "citical", "queryId", "metadata", "x"])
ROWS = st.builds(
    lambda base, changed, gone: {k: v for k, v in {**base, **changed}.items() if k not in gone},
    st.sampled_from([SOUND, {}]),
    st.dictionaries(NAMES, VALUES, max_size=4),
    st.sets(st.sampled_from([*SOUND]), max_size=2),
)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\n \n"])
FIXABLE = {rule.code for rule in RULES if rule.is_fixable}


def in_new_folder(content: bytes) -> LintResult:
    """Lint a dataset in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return lint_bytes(Path(folder), content)


def fixed_in_new_folder(content: bytes) -> bytes:
    """Fix a dataset in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return fixed(Path(folder), content)


def check_places(content: bytes) -> None:
    """Every finding stands in the file, one column past the end of its line at most."""
    lines = content.split(b"\n")
    for found in in_new_folder(content).diagnostics:
        line, column = found.location.line, found.location.column
        assert line
        assert column
        assert line <= len(lines)
        assert column <= len(lines[line - 1].decode("utf-8", "replace")) + 1
        assert "\n" not in found.message


def encoded(rows: list[dict[str, Any]], ends: list[bytes]) -> bytes:
    """Rows as JSON Lines with these line ends, NaN and lone surrogates included."""
    return b"".join(json.dumps(row).encode() + end for row, end in zip(rows, ends, strict=False))


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_random_bytes_are_linted(content: bytes) -> None:
    """Findings or a fault, never a traceback."""
    check_places(content)


@given(st.integers(0, 120), st.binary(min_size=1, max_size=3), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_a_damaged_row_is_linted(at: int, inserted: bytes, removed: int) -> None:
    """A sound row with bytes put in or taken out anywhere."""
    row = json.dumps(SOUND).encode() + b"\n"
    check_places(row + row[:at] + inserted + row[at + removed :])


@given(st.lists(ROWS, min_size=1, max_size=3), st.lists(ENDS, min_size=3, max_size=3))
@settings(max_examples=250, deadline=None)
def test_rows_of_any_values_are_linted_and_fixed(
    rows: list[dict[str, Any]], ends: list[bytes]
) -> None:
    """Fixing leaves no finding with a fix, changes nothing twice, and brings up nothing new."""
    content = encoded(rows, ends)
    check_places(content)
    before = in_new_folder(content)
    after_bytes = fixed_in_new_folder(content)
    after = in_new_folder(after_bytes)
    assert after.fixable == 0
    assert fixed_in_new_folder(after_bytes) == after_bytes
    kept = [found.code for found in before.diagnostics if found.code not in FIXABLE]
    for code in {found.code for found in after.diagnostics} - FIXABLE - {"RG201", "RG305", "RG301"}:
        assert code in kept


@given(st.dictionaries(NAMES, VALUES, max_size=4), st.sampled_from(["error", "unanswerable"]))
@settings(max_examples=600, deadline=None)
def test_the_cheap_look_lets_no_faulty_row_through(
    changed: dict[str, Any], unlabelled: str
) -> None:
    """What it calls plain no rule has anything against; and rules change no row."""
    suite = suite_of("docs.jsonl", unlabelled=unlabelled)
    value = {**SOUND, **changed}
    text = json.dumps(value)
    line = SourceLine(1, 0, text.encode())
    row = DatasetRow("docs.jsonl", line, text, value, dict(value), FieldMapping())
    rules = [rule for rule in RULES if rule.scope is Scope.ROW and not rule.looks_at_every_row]
    untouched = copy.deepcopy(value)
    found = [each.code for rule in rules for each in rule.diagnostics(row, suite)]
    assert repr(value) == repr(untouched)
    if PlainRow(suite)(value, row.fields):
        assert found == []


def test_the_cheap_look_lets_sound_rows_through() -> None:
    """Else it would save nothing: flat, graded, grouped and unanswerable rows."""
    look = PlainRow(suite_of("docs.jsonl"))
    asked = {"query_id": "q1", "query": "é b"}
    for labels in (
        {"relevant_ids": ["c1", "é"]},
        {"judgments": {"c1": 2, "c2": 0}, "category": "x", "private": False},
        {"evidence": [["c1", "c2"], ["c3"]], "judgments": {"c1": 2}, "forbidden_ids": ["c4"]},
        {"answerable": False, "metadata": {"language": "de"}},
    ):
        row = {**asked, **labels}
        assert look(row, row), labels
