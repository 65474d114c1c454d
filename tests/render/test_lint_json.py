"""Findings for programs."""

from __future__ import annotations

from ragguard.render.lint_json import lint_object
from tests.render.test_lint_text import RESULT


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
        "summary": {"files": 0, "rows": 4, "errors": 1, "warnings": 1, "fixable": 1},
    }
