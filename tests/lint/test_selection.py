"""Which rules run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.model import Config, LintSettings
from ragguard.errors import UsageError
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.registry import RULES
from ragguard.lint.selection import Choice, Selection
from ragguard.location import Location

ALL_CODES = {rule.code for rule in RULES}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (["ALL"], [], ALL_CODES),
        (["RG3"], [], {f"RG30{number}" for number in range(1, 8)}),
        (["RG3"], ["RG301"], {f"RG30{number}" for number in range(2, 8)}),
        (["RG301"], ["RG3"], {"RG301"}),
        (["ALL", "RG30"], ["RG3"], ALL_CODES),
        (["RG301"], ["RG301"], set()),
        (["RG5"], [], {f"RG50{number}" for number in range(1, 9)}),
        (["RG301"], ["ALL"], {"RG301"}),
    ],
)
def test_the_longer_code_wins(select: list[str], ignore: list[str], expected: set[str]) -> None:
    """As ruff does; of equal ones, ignoring wins."""
    assert Selection.of(select, ignore).codes == expected


def test_every_rule_but_those_of_quality_is_on_by_default() -> None:
    """The family RG5 is opt-in."""
    opt_in = {code for code in ALL_CODES if code.startswith("RG5")}
    assert len(opt_in) == 8
    assert Selection.of(LintSettings().select).codes == ALL_CODES - opt_in


@pytest.mark.parametrize(
    ("settings", "choice", "expected"),
    [
        ({"select": ("RG30",)}, Choice(ignore=("ALL",)), set()),
        ({"select": ("RG301",)}, Choice(ignore=("RG3",)), set()),
        ({"select": ("RG301",)}, Choice(extend_select=("RG303",)), {"RG301", "RG303"}),
        ({"select": ("RG301",), "extend_select": ("RG303",)}, Choice(), {"RG301", "RG303"}),
        ({"select": ("RG301", "RG303"), "ignore": ("RG303",)}, Choice(), {"RG301"}),
        ({"ignore": ("RG303",)}, Choice(select=("RG303",)), {"RG303"}),
        ({"ignore": ("RG301",)}, Choice(extend_select=("RG301",), ignore=("ALL",)), {"RG301"}),
        ({}, Choice(select=("RG301",), extend_select=("RG303",)), {"RG301", "RG303"}),
        ({}, Choice(select=("RG301",), ignore=("ALL",)), {"RG301"}),
        ({"select": ("RG301",)}, Choice(extend_select=("RG3",), ignore=("RG3",)), set()),
    ],
)
def test_the_command_line_comes_on_top_of_the_configuration(
    settings: dict[str, Any], choice: Choice, expected: set[str]
) -> None:
    """As ruff does: its select takes the place of all, else its codes change what is chosen."""
    assert Selection.configured(LintSettings(**settings), choice).codes == expected


@pytest.mark.parametrize(
    ("severity", "expected"),
    [
        ({}, "error"),
        ({"ALL": "warning"}, "warning"),
        ({"RG3": "warning", "RG301": "error"}, "error"),
        ({"RG301": "warning", "RG3": "error", "ALL": "error"}, "warning"),
        ({"RG303": "warning"}, "error"),
    ],
)
def test_the_longest_code_tells_how_bad_a_finding_is(
    severity: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    """Of all that match the rule; without any the rule itself tells."""
    selection = Selection.configured(LintSettings(severity=severity))
    found = Diagnostic("RG301", "unknown-chunk-id", Severity.ERROR, "m", Location("a.jsonl", 1, 1))
    (told,) = selection.applied([found], Config(tmp_path, {}))
    assert told == replace(found, severity=Severity(expected))


@pytest.mark.parametrize("code", ["RG999", "rg301", "F401", "", "RG3011"])
def test_a_code_of_no_rule_is_refused(code: str) -> None:
    """A misspelt code would silently check nothing."""
    with pytest.raises(UsageError, match="no lint rule matches"):
        Selection.of([code] if code else ["X"])


def test_rules_are_ignored_per_file(tmp_path: Path) -> None:
    """By the path from the configuration's folder, or the bare name."""
    selection = Selection.of(["ALL"], [], {"eval/old*.jsonl": ("RG10",), "b.jsonl": ("ALL",)})
    tens = {code for code in ALL_CODES if code.startswith("RG10")}
    assert selection.ignored_for(tmp_path / "eval/old-1.jsonl", tmp_path) == tens
    assert selection.ignored_for(tmp_path / "eval/new.jsonl", tmp_path) == set()
    assert selection.ignored_for(tmp_path / "deep/down/b.jsonl", tmp_path) == ALL_CODES
    assert selection.ignored_for(tmp_path.parent / "b.jsonl", tmp_path) == ALL_CODES
