"""Which rules run."""

from __future__ import annotations

import pytest

from ragguard.config.model import LintSettings
from ragguard.errors import UsageError
from ragguard.lint.registry import RULES
from ragguard.lint.selection import Selection

ALL_CODES = {rule.code for rule in RULES}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (["ALL"], [], ALL_CODES),
        (["RG3"], [], {"RG301", "RG303", "RG305"}),
        (["RG3"], ["RG301"], {"RG303", "RG305"}),
        (["RG301"], ["RG3"], {"RG301"}),
        (["ALL", "RG30"], ["RG3"], ALL_CODES),
        (["RG301"], ["RG301"], set()),
        (["RG5"], [], set()),
        (["RG301"], ["ALL"], {"RG301"}),
    ],
)
def test_the_longer_code_wins(select: list[str], ignore: list[str], expected: set[str]) -> None:
    """As ruff does; of equal ones, ignoring wins."""
    assert Selection.of(select, ignore).codes == expected


def test_every_rule_is_on_by_default() -> None:
    """All families but Quality, which has no rule yet."""
    assert Selection.of(LintSettings().select).codes == ALL_CODES


@pytest.mark.parametrize("code", ["RG999", "rg301", "F401", "", "RG3011"])
def test_a_code_of_no_rule_is_refused(code: str) -> None:
    """A misspelt code would silently check nothing."""
    with pytest.raises(UsageError, match="no lint rule matches"):
        Selection.of([code] if code else ["X"])


def test_rules_are_ignored_per_file() -> None:
    """By the path from the configuration's folder, or the bare name."""
    selection = Selection.of(["ALL"], [], {"eval/old*.jsonl": ("RG1",), "b.jsonl": ("ALL",)})
    assert selection.is_ignored("RG103", "eval/old-1.jsonl")
    assert not selection.is_ignored("RG201", "eval/old-1.jsonl")
    assert not selection.is_ignored("RG103", "eval/new.jsonl")
    assert selection.is_ignored("RG001", "deep/down/b.jsonl")
