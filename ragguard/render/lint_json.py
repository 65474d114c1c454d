"""Lint findings for programs; the names are a contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.json_text import json_text
from ragguard.render.lint_view import LintView


def lint_json(result: LintResult, view: LintView) -> Iterator[str]:
    """The findings and how many there are."""
    del view
    yield json_text(lint_object(result))


def lint_object(result: LintResult) -> dict[str, Any]:
    """The object that `ragguard lint --format json` prints."""
    return {
        "diagnostics": [_diagnostic(found) for found in result.diagnostics],
        "summary": summary_object(result),
    }


def summary_object(result: LintResult) -> dict[str, int]:
    """How much was looked at and found."""
    return {
        "files": len(result.files),
        "rows": result.rows,
        "errors": result.count(Severity.ERROR),
        "warnings": result.count(Severity.WARNING),
        "fixable": result.fixable,
        "ignored": sum(result.ignored.values()),
    }


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "name": found.name,
        "severity": found.severity.value,
        "message": found.message,
        "hint": found.hint,
        "file": found.location.file,
        "line": found.location.line,
        "column": found.location.column,
        "query_id": found.query_id,
        # What --fix would do: what needs judgment counts once --unsafe-fixes is given.
        "fix": found.fix.description if found.fix and found.fix.is_safe else None,
    }
