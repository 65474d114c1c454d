"""Lint findings as a Code Quality report of GitLab.

Fields: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.json_text import json_text
from ragguard.render.lint_fingerprints import fingerprinted
from ragguard.render.lint_view import LintView
from ragguard.render.visible import visible

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def lint_gitlab(result: LintResult, view: LintView) -> Iterator[str]:
    """An array with one object for each finding."""
    issues = [_issue(found, mark, view) for found, _, mark in fingerprinted(result, view)]
    yield json_text(issues)


def _issue(found: Diagnostic, fingerprint: str, view: LintView) -> dict[str, Any]:
    hint = f" ({visible(found.hint)})" if found.hint else ""
    return {
        "description": f"{found.code} {visible(found.message)}{hint}",
        "check_name": found.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[found.severity],
        "location": {
            "path": view.in_repository(found.location.file),
            "lines": {"begin": found.location.line or 1},
        },
    }
