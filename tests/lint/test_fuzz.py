"""Whatever the bytes: no traceback, places inside the file, and fixes that mend what they name."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragguard.config.model import Config, Suite
from ragguard.dataset.decoding import decode
from ragguard.dataset.lines import SourceLine
from ragguard.dataset.mapping import FieldMapping
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError, RagguardError
from ragguard.lint.engine import lint_config
from ragguard.lint.excerpts import excerpts
from ragguard.lint.fixes.fixing import Fixing
from ragguard.lint.plain.row import PlainRow
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintPart, LintResult
from ragguard.lint.rule import Scope
from ragguard.render import lint_formats
from ragguard.render.lint_view import LintView
from tests.lint.hostile import (
    CORPUS,
    FILES,
    GRADED,
    GROUPED,
    NAMES,
    ODD_LINES,
    SOUND,
    SOUND_LINES,
    VALUES,
)
from tests.lint.linting import EVERYTHING, suite_of, write
from tests.lint.repository import Repository

EVERY_EXAMPLE = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
MAPPED = {"relevant_ids": "gold.ids", "label_hashes": "review.hashes", "query_id": "id"}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"corpus": "corpus.jsonl"},
    {"corpus": "corpus.jsonl", "unlabelled": "unanswerable"},
    {"fields": MAPPED, "corpus": "corpus.jsonl"},
    {"fields": {"query_id": "@hash", "query": "query_id"}, "corpus": "corpus.jsonl"},
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of a suite of two files and a corpus, all of it committed as it should be."""
    folder = tmp_path_factory.mktemp("world")
    repository = Repository(folder)
    rows = [dict(SOUND), dict(GRADED)]
    write(folder, {"a.jsonl": rows, "b.jsonl": [dict(GROUPED)], "corpus.jsonl": [*CORPUS]})
    repository.git("add", ".")
    repository.git("commit", "-qm", "as it should be")
    return folder


def part_of(folder: Path, suite: Suite, base: str | None = None) -> LintPart:
    """A suite linted by every rule, in a way that can be repeated with other contents."""
    config = Config(folder, {suite.name: suite})

    def look(stand_ins: Any) -> LintResult:
        return lint_config(config, EVERYTHING, base=base, stand_ins=stand_ins)

    return LintPart(look({}), look)


def check_places(folder: Path, result: LintResult) -> None:
    """Every finding stands in its file, one column past the end of its line at most."""
    lines: dict[str, list[bytes]] = {}
    for found in result.diagnostics:
        where = found.location
        if where.line is None:
            continue
        if where.file not in lines:
            lines[where.file] = (folder / where.file).read_bytes().split(b"\n")
        assert 1 <= where.line <= len(lines[where.file]), found
        text = lines[where.file][where.line - 1].decode("utf-8", "replace")
        assert where.column is None or 1 <= where.column <= len(text) + 1, found
        assert "\n" not in found.message
    assert all(isinstance(fault, RagguardError) for fault in result.faults)


def check_formats(result: LintResult) -> None:
    """Every format can be written as UTF-8, whatever the values that it names."""
    for name in lint_formats.NAMES:
        view = LintView(excerpts=excerpts(result), folder="/", root="/")
        text = "".join(lint_formats.formatted(name, result, view))
        text.encode()
        if name in {"json", "sarif", "gitlab"}:
            json.loads(text)


def fixed(part: LintPart, folder: Path, *, unsafe_fixes: bool) -> tuple[Fixing, dict[str, bytes]]:
    """A suite after fixing, and what fixing makes of each of its files that changes."""
    fixing = Fixing([part], folder)
    fixing.fix(unsafe_fixes=unsafe_fixes)
    return fixing, {file.source.shown: b"".join(file.parts()) for file in fixing.files}


_SEEN_AFTER_ANY = {"RG202", "RG203", "RG204", "RG205", "RG402"}
_SEEN_AFTER_ANY |= {f"RG50{number}" for number in range(1, 9)}
_SEEN_AFTER_ANY |= {"RG301", "RG302", "RG303", "RG306", "RG307", "RG404"}
REVEALED = {
    False: _SEEN_AFTER_ANY | {"RG101", "RG104", "RG107", "RG201", "RG206", "RG305"},
    True: _SEEN_AFTER_ANY | {"RG304", "RG903"},
}
"""Rules that may find more once fixes are applied, by whether these need judgment: a trimmed id is
the twin of another, two rows become one query, a renamed field has labels."""


def check_fixes(
    folder: Path, part: LintPart, before: LintResult, *, unsafe_fixes: bool
) -> LintResult:
    """Nothing fixable is left, other lines are as they were, and it is no worse than before."""
    with TemporaryDirectory() as copies:
        fixing, after = fixed(part, Path(copies), unsafe_fixes=unsafe_fixes)
    left = fixing.parts[0].result
    assert left.fixable == 0
    assert not unsafe_fixes or left.unsafely_fixable == 0
    assert len(left.faults) <= len(part.result.faults)
    named = {
        (found.location.file, found.location.line)
        for found in [*part.result.diagnostics, *before.diagnostics]
        if found.fix is not None
    }
    for shown, content in after.items():
        assert content != (folder / shown).read_bytes()
        kept = [
            line
            for number, line in enumerate((folder / shown).read_bytes().split(b"\n"), 1)
            if (shown, number) not in named and line.strip()
        ]
        assert not Counter(kept) - Counter(content.split(b"\n"))
    counts = [Counter(found.code for found in each.diagnostics) for each in (before, left)]
    assert set(counts[1] - counts[0]) <= REVEALED[unsafe_fixes]
    return left


def check_everything(folder: Path, suite: Suite, base: str | None = None) -> None:
    """Lint, show and fix a suite, safely and unsafely."""
    part = part_of(folder, suite, base)
    check_places(folder, part.result)
    check_formats(part.result)
    if not part.result.faults:
        left = check_fixes(folder, part, part.result, unsafe_fixes=False)
        check_fixes(folder, part, left, unsafe_fixes=True)


@given(FILES, FILES, st.sampled_from(SETTINGS))
@EVERY_EXAMPLE
def test_any_suite_is_linted_and_fixed(
    world: Path, monkeypatch: pytest.MonkeyPatch, one: bytes, other: bytes, how: dict[str, Any]
) -> None:
    """Two files of sound, mutated and damaged lines, with every rule."""
    monkeypatch.chdir(world)
    write(world, {"a.jsonl": one, "b.jsonl": other})
    check_everything(world, suite_of("a.jsonl", "b.jsonl", **how))


@given(FILES, st.sampled_from(SETTINGS[1:4]))
@settings(EVERY_EXAMPLE, max_examples=25)
def test_any_suite_is_compared_with_its_base(
    world: Path, monkeypatch: pytest.MonkeyPatch, one: bytes, how: dict[str, Any]
) -> None:
    """The same against what was committed."""
    monkeypatch.chdir(world)
    write(world, {"a.jsonl": one, "b.jsonl": [dict(GROUPED)]})
    check_everything(world, suite_of("a.jsonl", "b.jsonl", **how), base="HEAD")


@given(st.lists(FILES, max_size=2).map(b"".join), st.booleans())
@settings(EVERY_EXAMPLE, max_examples=60)
def test_any_corpus_is_read_or_refused(
    world: Path, monkeypatch: pytest.MonkeyPatch, corpus: bytes, is_list: bool
) -> None:
    """Rows, damaged lines and bytes in place of a manifest: findings or a fault with a place."""
    monkeypatch.chdir(world)
    name = "ids.txt" if is_list else "other.jsonl"
    write(world, {"a.jsonl": [dict(SOUND)], "b.jsonl": [dict(GROUPED)], name: corpus})
    result = part_of(world, suite_of("a.jsonl", "b.jsonl", corpus=name)).result
    check_places(world, result)
    check_formats(result)


@pytest.mark.parametrize("odd", [*ODD_LINES.values()], ids=[*ODD_LINES])
def test_an_odd_line_hides_nothing(
    odd: bytes, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault or findings; and the faulty row after it is found, too."""
    monkeypatch.chdir(world)
    missing = b'{"query_id": "after", "query": "x"}\n'
    for content in (odd + b"\n" + missing, missing + odd):
        write(world, {"a.jsonl": content, "b.jsonl": [dict(GROUPED)]})
        suite = suite_of("a.jsonl", "b.jsonl", corpus="corpus.jsonl")
        check_everything(world, suite)
        result = part_of(world, suite).result
        if not result.faults and not odd.startswith(b"\xff\xfe"):
            assert "after" in {each.query_id for each in result.diagnostics}
    write(world, {"odd.jsonl": odd + b"\n"})
    result = part_of(world, suite_of("b.jsonl", corpus="odd.jsonl")).result
    check_places(world, result)


@given(st.lists(SOUND_LINES, min_size=1, max_size=3).map(b"\n".join))
@settings(EVERY_EXAMPLE, max_examples=60)
def test_recording_reviews_changes_nothing_but_hashes(
    world: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    """Decoded rows are equal without their hashes, and a second time nothing changes."""
    monkeypatch.chdir(world)
    write(world, {"a.jsonl": content})
    suite = suite_of("a.jsonl", corpus="corpus.jsonl")
    part = part_of(world, suite)
    for _ in range(2):
        with TemporaryDirectory() as copies:
            fixing = Fixing([part], Path(copies))
            try:
                fixing.record(["ALL"])
            except InputError:
                return
            after = b"".join(fixing.files[0].parts()) if fixing.files else None
        if after is None:
            break
        for old, new in zip(content.split(b"\n"), after.split(b"\n"), strict=True):
            rows = [decode(each).value or {} for each in (old, new)]
            for row in rows:
                row.pop("label_hashes", None)
            assert repr(rows[0]) == repr(rows[1])
        content = after
        write(world, {"a.jsonl": content})
        part = part_of(world, suite)
    else:
        pytest.fail("recording a second time changes something")


@given(st.one_of(SOUND_LINES, FILES.map(lambda content: content.split(b"\n")[0])))
@settings(max_examples=500, deadline=None)
def test_the_strict_decoder_agrees_with_the_library(line: bytes) -> None:
    """What it passes is what `json.loads` reads; what that refuses it refuses, too."""
    decoded = decode(line)
    try:
        expected = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        assert decoded.faults
        assert decoded.value is None
        return
    if decoded.faults:
        return
    assert repr(decoded.value) == repr(expected)


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
