"""Findings for programs."""

from __future__ import annotations

import json
from dataclasses import replace

from ragguard.lint.result import LintResult
from ragguard.render.lint_formats import counted, formatted
from ragguard.render.lint_json import lint_object
from ragguard.render.lint_view import LintView
from tests.render.test_lint_text import BLANK, RESULT, UNKNOWN


def test_the_object_has_exactly_the_names_of_the_contract() -> None:
    """Scripts rely on these."""
    assert lint_object(RESULT) == {
        "diagnostics": [
            {
                "code": "RG301",
                "name": "unknown-chunk-id",
                "severity": "error",
                "message": "'audit-fromat' is not in corpus/manifest.jsonl",
                "hint": "did you mean 'audit-format'?",
                "file": "eval/docs.jsonl",
                "line": 2,
                "column": 71,
                "query_id": "q002",
                "fix": None,
            },
            {
                "code": "RG003",
                "name": "blank-line",
                "severity": "warning",
                "message": "blank line",
                "hint": None,
                "file": "eval/docs.jsonl",
                "line": 4,
                "column": 1,
                "query_id": None,
                "fix": "remove the blank line",
            },
        ],
        "summary": {"files": 0, "rows": 4, "errors": 1, "warnings": 1, "fixable": 1, "ignored": 0},
    }


def test_statistics_have_counts_and_the_summary() -> None:
    """The most frequent rule first."""
    result = LintResult((UNKNOWN, BLANK, UNKNOWN), rows=4)
    assert json.loads("".join(counted("json", result, LintView()))) == {
        "statistics": [
            {"code": "RG301", "name": "unknown-chunk-id", "severity": "error", "count": 2},
            {"code": "RG003", "name": "blank-line", "severity": "warning", "count": 1},
        ],
        "summary": {"files": 0, "rows": 4, "errors": 2, "warnings": 1, "fixable": 1, "ignored": 0},
    }


def test_the_format_is_the_object_as_text() -> None:
    """A lone surrogate in a message leaves it JSON in UTF-8."""
    result = LintResult((replace(UNKNOWN, message="\ud800"),))
    text = "".join(formatted("json", result, LintView()))
    assert json.loads(text.encode().decode()) == lint_object(result)
