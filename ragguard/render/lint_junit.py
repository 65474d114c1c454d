"""Lint findings as JUnit's XML: a suite for each file, a test case for each finding.

JUnit knows no warnings: one that does not fail the run is a case that passed and says what it is.
A file without findings is one case that passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree import ElementTree  # written, never read

from ragguard.errors import RagguardError
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.lint_view import LintView
from ragguard.render.visible import visible

_NO_FILE = "ragguard"


def lint_junit(result: LintResult, view: LintView) -> Iterator[str]:
    """A document that XML 1.0 allows whatever the findings quote."""
    suites = list(_suites(result, view))
    root = _element("testsuites", name="ragguard lint", **_totals(suites))
    root.extend(suites)
    ElementTree.indent(root)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield ElementTree.tostring(root, encoding="unicode") + "\n"


def _suites(result: LintResult, view: LintView) -> Iterator[ElementTree.Element]:
    """Every file that was looked at, by name."""
    faults: dict[str, list[RagguardError]] = {}
    for fault in result.faults:
        faults.setdefault(fault.location.file if fault.location else _NO_FILE, []).append(fault)
    groups = groupby(result.diagnostics, key=lambda each: each.location.file)
    found = {file: tuple(diagnostics) for file, diagnostics in groups}
    for file in sorted({*faults, *found, *(source.shown for source in result.files)}):
        cases = [
            *(_error(fault, file) for fault in faults.get(file, ())),
            *(_case(each, view) for each in found.get(file, ())),
        ]
        yield _suite(file, cases or [_element("testcase", name="clean", classname=file)])


def _suite(file: str, cases: list[ElementTree.Element]) -> ElementTree.Element:
    counts = {
        "tests": len(cases),
        "failures": _having("failure", cases),
        "errors": _having("error", cases),
    }
    suite = _element("testsuite", name=file, **{each: str(count) for each, count in counts.items()})
    suite.extend(cases)
    return suite


def _having(kind: str, cases: Iterable[ElementTree.Element]) -> int:
    return sum(case.find(kind) is not None for case in cases)


def _totals(suites: Iterable[ElementTree.Element]) -> dict[str, str]:
    listed = list(suites)
    return {
        name: str(sum(int(suite.get(name, "0")) for suite in listed))
        for name in ("tests", "failures", "errors")
    }


def _case(found: Diagnostic, view: LintView) -> ElementTree.Element:
    where = found.location
    place = ":".join(str(each) for each in (where.line, where.column) if each is not None)
    name = f"{found.code} {found.name}" + (f" at {place}" if place else "")
    case = _element("testcase", name=name, classname=where.file)
    text = f"{visible(str(where))}: {found.code} {visible(found.message)}"
    if found.hint:
        text += f"\nhint: {visible(found.hint)}"
    if found.severity is Severity.ERROR or view.is_strict:
        inner = _element("failure", type=found.severity.value, message=found.message)
    else:
        inner = _element("system-out")
        text = f"warning: {text}"
    inner.text = text
    case.append(inner)
    return case


def _error(fault: RagguardError, file: str) -> ElementTree.Element:
    case = _element("testcase", name="readable", classname=file)
    inner = _element("error", type=type(fault).__name__, message=fault.message)
    inner.text = "\n".join(map(visible, str(fault).splitlines()))
    case.append(inner)
    return case


def _element(tag: str, **attributes: str) -> ElementTree.Element:
    """An element whose attributes hold nothing that XML 1.0 forbids."""
    return ElementTree.Element(tag, {name: visible(each) for name, each in attributes.items()})
