"""Lint findings for editors and grep: one line each, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.result import LintResult
from ragguard.render.lint_text import finding_line
from ragguard.render.lint_view import LintView
from ragguard.render.terminal import Style


def lint_concise(result: LintResult, view: LintView) -> Iterator[str]:
    """`file:line:column: CODE message`, by file, line and column."""
    style = Style(view.colour)
    return (f"{finding_line(found, style)}\n" for found in result.diagnostics)
