"""Every rule by its cases: lines that pass, lines that fail, and what fixing leaves of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragguard.lint.registry import RULES
from ragguard.lint.rule import Rule, Scope
from ragguard.lint.selection import Selection
from tests.lint.linting import EVERYTHING, fixed, lint_bytes, told

CASES = Path(__file__).parent / "cases"
_BY_ROW = [rule.code for rule in RULES if rule.scope in {Scope.LINE, Scope.ROW}]
ROW_BY_ROW = Selection.of(["ALL", *_BY_ROW], ["RG5"])
"""All rules but those of quality that look at a whole suite: one row is too small a suite."""
_BLOCK = re.compile(r"(Fails|Passes)[^\n]*:\n\n```\n(.*?)```", re.DOTALL)


def cases(kind: str) -> Iterator[Any]:
    """The cases of all files of one kind, named by file and number."""
    for path in sorted(CASES.glob("*.yml")):
        decoded = yaml.safe_load(path.read_text(encoding="utf-8"))
        for number, case in enumerate(decoded[kind]):
            yield pytest.param(case, id=f"{path.stem}-{number}")


@pytest.mark.parametrize("line", [*cases("passes")])
def test_a_sound_row_passes_every_rule(line: str, tmp_path: Path) -> None:
    """What a careful team writes has no finding at all, whether quality is asked for or not."""
    for selection in (EVERYTHING, ROW_BY_ROW):
        assert told(lint_bytes(tmp_path, f"{line}\n".encode(), selection)) == []


def marked(line: str) -> tuple[bytes, list[int]]:
    """A line without its marks, and the 1-based column of each."""
    parts = line.split("▸")
    lengths = [len(part) for part in parts[:-1]]
    return f"{''.join(parts)}\n".encode(), [1 + sum(lengths[: n + 1]) for n in range(len(lengths))]


@pytest.mark.parametrize("case", [*cases("fails")])
def test_a_faulty_row_is_reported_exactly(case: dict[str, Any], tmp_path: Path) -> None:
    """Place, code and message of each finding, and no finding besides; the hint where given."""
    content, columns = marked(case["line"])
    result = lint_bytes(tmp_path, content, _selection(case["found"]))
    expected = [f"1:{at} {found}" for at, found in zip(columns, case["found"], strict=True)]
    assert told(result) == expected
    assert all(each.hint for each in result.diagnostics if each.code != "RG008")
    if "hint" in case:
        assert result.diagnostics[-1].hint == case["hint"]


def _selection(found: list[str]) -> Selection:
    """The rules that run when nothing is said of quality, unless a finding is one of it."""
    return ROW_BY_ROW if any(each.startswith("RG5") for each in found) else EVERYTHING


@pytest.mark.parametrize("case", [*cases("fails")])
def test_fixing_changes_what_is_safe_and_nothing_else(case: dict[str, Any], tmp_path: Path) -> None:
    """Byte for byte; a second run changes nothing; a row without a safe fix stays as it is."""
    content, _ = marked(case["line"])
    after = fixed(tmp_path, content)
    assert after == (f"{case['fixed']}\n".encode() if "fixed" in case else content)
    assert fixed(tmp_path, after) == after


@pytest.mark.parametrize("case", [*cases("fails")])
def test_unsafe_fixes_change_what_they_name_and_nothing_else(
    case: dict[str, Any], tmp_path: Path
) -> None:
    """Byte for byte, and once; where there is no such fix it is as with safe ones."""
    content, _ = marked(case["line"])
    after = fixed(tmp_path, content, unsafe_fixes=True)
    expected = case.get("unsafely_fixed", case.get("fixed"))
    assert after == (f"{expected}\n".encode() if expected else content)
    assert fixed(tmp_path, after, unsafe_fixes=True) == after


@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in RULES
        if (rule.scope in {Scope.LINE, Scope.ROW} or rule.code.startswith("RG2"))
        and "Fails:" in rule.documentation
        and "```" in rule.documentation
    ],
    ids=lambda rule: rule.code,
)
def test_a_rule_is_documented_by_rows_that_fail_and_pass_it(rule: Rule, tmp_path: Path) -> None:
    """The rows in a rule's documentation do what it says of them."""
    shown = dict(_BLOCK.findall(rule.documentation))
    assert shown.keys() == {"Fails", "Passes"}
    assert rule.code in {
        each.code for each in lint_bytes(tmp_path, shown["Fails"].encode(), ROW_BY_ROW).diagnostics
    }
    assert told(lint_bytes(tmp_path, shown["Passes"].encode(), ROW_BY_ROW)) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_says_what_why_and_how_to_fix(rule: Rule) -> None:
    """Its documentation has all the parts, and its name is words joined by hyphens."""
    assert re.fullmatch(r"RG\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert "Fails" in rule.documentation
    assert "Passes" in rule.documentation
    assert "\nTo fix: " in rule.documentation
    assert rule.summary.endswith(".")


def test_codes_and_names_are_unique() -> None:
    """One rule, one code, one name."""
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


def test_every_row_rule_has_cases() -> None:
    """A rule for rows without cases would be untested."""
    covered = {path.name[:5].upper() for path in CASES.glob("*.yml")}
    assert {rule.code for rule in RULES if rule.scope is Scope.ROW} <= covered
