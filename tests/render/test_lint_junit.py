"""Findings as JUnit's XML, read by another package."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from junitparser import Error, Failure, JUnitXml

from ragguard.errors import InputError
from ragguard.lint.diagnostic import Severity
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_formats import formatted
from ragguard.render.lint_view import LintView
from tests.render.findings import RESULTS, VIEWS, faulty_project, shown
from tests.render.test_lint_text import BLANK, RESULT

ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that are no Char of XML 1.0."""


def parsed(result: LintResult, view: LintView | None = None) -> JUnitXml:
    """The document as the package reads it."""
    text = "".join(formatted("junit", result, view or LintView()))
    return JUnitXml.fromstring(text.encode())


def test_a_file_is_a_suite_and_a_finding_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clean file is a case that passed; counts add up."""
    monkeypatch.chdir(tmp_path)
    result = faulty_project(tmp_path)
    document = JUnitXml.fromstring(shown("junit", result, tmp_path).encode())
    clean, faulty = document
    assert (clean.name, clean.tests, clean.failures) == ("eval/clean.jsonl", 1, 0)
    assert [case.is_passed for case in clean] == [True]
    assert faulty.name == "eval/docs 1%.jsonl"
    assert faulty.tests == len(result.diagnostics)
    failed = [case for case in faulty if not case.is_passed]
    assert len(failed) == faulty.failures == result.count(Severity.ERROR)
    assert (document.tests, document.failures) == (faulty.tests + 1, faulty.failures)
    assert failed[0].name == "RG111 id-not-string at 1:14"


@pytest.mark.parametrize("is_strict", [False, True])
def test_a_warning_fails_when_it_fails_the_run(is_strict: bool) -> None:
    """A green run has no red case."""
    (suite,) = parsed(RESULT, LintView(is_strict=is_strict))
    error, warning = suite
    assert not error.is_passed
    assert warning.is_passed is not is_strict
    assert is_strict or "warning: eval/docs.jsonl:4:1: RG003" in warning.system_out


def test_what_cannot_be_read_is_an_error() -> None:
    """Of its file, or of the run."""
    faults = (
        InputError("cannot read it", location=Location("a.jsonl"), hint="make it readable"),
        InputError("no place"),
    )
    document = parsed(LintResult((BLANK,), faults=faults))
    assert [suite.name for suite in document] == ["a.jsonl", "eval/docs.jsonl", "ragguard"]
    assert document.errors == 2
    (case,) = next(iter(document))
    assert isinstance(case.result[0], Error)
    assert case.result[0].text == "a.jsonl: cannot read it\nhint: make it readable"


@given(RESULTS, VIEWS)
def test_hostile_findings_leave_the_document_well_formed(
    result: LintResult, view: LintView
) -> None:
    """With no character that XML 1.0 forbids, and a case for each finding and fault."""
    text = "".join(formatted("junit", result, view))
    assert not ILLEGAL.search(text)
    cases = [case for suite in JUnitXml.fromstring(text.encode()) for case in suite]
    assert len(cases) == len(result.diagnostics) + len(result.faults)
    failures = sum(isinstance(each, Failure) for case in cases for each in case.result)
    failing = result.diagnostics if view.is_strict else ()
    assert failures == (len(failing) or result.count(Severity.ERROR))
    assert ElementTree.fromstring(text).get("errors") == str(len(result.faults))
