"""Findings as a Code Quality report."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from ragguard.lint.result import LintResult
from ragguard.render.lint_formats import formatted
from ragguard.render.lint_view import LintView
from tests.render.findings import RESULTS, VIEWS
from tests.render.test_lint_text import RESULT


def issues(result: LintResult, view: LintView) -> list[dict[str, Any]]:
    """The report, decoded."""
    decoded: list[dict[str, Any]] = json.loads("".join(formatted("gitlab", result, view)))
    return decoded


def test_an_issue_has_the_fields_that_gitlab_reads() -> None:
    """Its documentation names these; errors outrank warnings."""
    found = issues(RESULT, LintView(folder="/repo/app", root="/repo"))
    marks = [each.pop("fingerprint") for each in found]
    assert len({mark for mark in marks if len(mark) == 32}) == 2
    assert found == [
        {
            "description": "RG301 'audit-fromat' is not in corpus/manifest.jsonl "
            "(did you mean 'audit-format'?)",
            "check_name": "RG301",
            "severity": "major",
            "location": {"path": "app/eval/docs.jsonl", "lines": {"begin": 2}},
        },
        {
            "description": "RG003 blank line",
            "check_name": "RG003",
            "severity": "minor",
            "location": {"path": "app/eval/docs.jsonl", "lines": {"begin": 4}},
        },
    ]


@given(RESULTS, VIEWS)
def test_every_issue_is_sound_whatever_was_found(result: LintResult, view: LintView) -> None:
    """GitLab keeps one of several issues with the same fingerprint."""
    found = issues(result, view)
    assert len({each["fingerprint"] for each in found}) == len(result.diagnostics)
    for each in found:
        assert each.keys() == {
            "description",
            "check_name",
            "fingerprint",
            "severity",
            "location",
        }
        assert each["location"]["lines"]["begin"] >= 1
        assert each["location"]["path"]
