"""Real datasets linted, and what was found in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ragguard.config.reading import read_config
from ragguard.lint.engine import lint_config
from ragguard.lint.result import LintResult
from ragguard.lint.selection import Selection
from tests.lint.real.building import build

ALL = Selection.of(["ALL"])


def lint(name: str, folder: Path, selection: Selection = ALL) -> LintResult:
    """A real dataset in a folder of its own, linted."""
    return lint_config(read_config(build(name, folder)), selection)


def counts(result: LintResult) -> dict[str, int]:
    """Findings by code."""
    return dict(Counter(each.code for each in result.diagnostics))


def lines(result: LintResult, code: str) -> list[int | None]:
    """The lines that have a finding of a code."""
    return [each.location.line for each in result.diagnostics if each.code == code]
