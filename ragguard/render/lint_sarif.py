"""Lint findings as SARIF 2.1.0, for GitHub's code scanning, editors and whoever reads it.

Specification: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import ragguard
from ragguard.errors import RagguardError
from ragguard.lint.diagnostic import Diagnostic, Edit, Fix, Severity
from ragguard.lint.excerpts import Excerpt
from ragguard.lint.registry import RULES
from ragguard.lint.result import LintResult
from ragguard.lint.rule import Rule
from ragguard.location import Location
from ragguard.render.json_text import json_text
from ragguard.render.lint_fingerprints import fingerprinted
from ragguard.render.lint_view import LintView
from ragguard.render.visible import visible

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
HOME = "https://github.com/org/ragguard"
ROOT = "%SRCROOT%"
"""The base of every URI: the root of the repository, wherever it was checked out."""

FINGERPRINT = "ragguardFinding/v1"


def lint_sarif(result: LintResult, view: LintView) -> Iterator[str]:
    """A log of one run."""
    codes = {found.code for found in result.diagnostics}
    rules = [rule for rule in RULES if rule.code in codes]
    indexes = {rule.code: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [_invocation(result, view)],
        "originalUriBaseIds": {
            ROOT: {"description": {"text": "the root of the repository"}},
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(found, excerpt, mark, indexes, view)
            for found, excerpt, mark in fingerprinted(result, view)
        ],
    }
    yield json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(rules: Iterable[Rule]) -> dict[str, Any]:
    return {
        "name": "ragguard",
        "version": ragguard.__version__,
        "informationUri": HOME,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    anchor = f"{rule.code}-{rule.name}".lower()
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.documentation, "markdown": rule.documentation},
        "helpUri": f"{HOME}/blob/main/docs/rules.md#{anchor}",
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _invocation(result: LintResult, view: LintView) -> dict[str, Any]:
    notes = [{"level": "note", "message": {"text": visible(note)}} for note in result.notes]
    faults = [_fault(fault, view) for fault in result.faults]
    return {
        "executionSuccessful": not result.faults,
        "toolExecutionNotifications": [*faults, *notes],
    }


def _fault(fault: RagguardError, view: LintView) -> dict[str, Any]:
    told: dict[str, Any] = {"level": "error", "message": _message(fault.message, fault.hint)}
    if fault.location is not None:
        told["locations"] = [_location(fault.location, None, view)]
    return told


def _result(
    found: Diagnostic,
    excerpt: Excerpt | None,
    fingerprint: str,
    indexes: Mapping[str, int],
    view: LintView,
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": "error" if found.severity is Severity.ERROR else "warning",
        "message": _message(found.message, found.hint),
        "locations": [_location(found.location, excerpt, view)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if found.code in indexes:
        result["ruleIndex"] = indexes[found.code]
    if found.fix is not None and found.fix.is_safe and found.fix.edits:
        result["fixes"] = [_fix(found.fix, found.location.file, view)]
    return result


def _message(text: str, hint: str | None) -> dict[str, str]:
    return {"text": visible(text) + (f"\n{visible(hint)}" if hint else "")}


def _location(where: Location, excerpt: Excerpt | None, view: LintView) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(where.file, view)}
    if where.line is not None:
        place["region"] = _region(where.line, where.column, excerpt)
    return {"physicalLocation": place}


def _region(line: int, column: int | None, excerpt: Excerpt | None) -> dict[str, int]:
    region = {"startLine": line}
    if column is not None:
        region["startColumn"] = column
        if excerpt is not None:
            region["endColumn"] = column + excerpt.length
    return region


def _artifact(file: str, view: LintView) -> dict[str, str]:
    """A file by its URI: relative to the root of the repository, absolute outside of it."""
    path = view.in_repository(file)
    if PurePath(path).is_absolute():
        return {"uri": PurePath(path).as_uri()}
    # A colon in the first step would make a scheme of it; quoting all of them is as good.
    return {"uri": quote(path, safe="/", errors="surrogateescape"), "uriBaseId": ROOT}


def _fix(fix: Fix, file: str, view: LintView) -> dict[str, Any]:
    return {
        "description": {"text": visible(fix.description)},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(file, view),
                "replacements": [_replacement(edit) for edit in fix.edits],
            }
        ],
    }


def _replacement(edit: Edit) -> dict[str, Any]:
    """Bytes in place of bytes: what `--fix` writes, exactly."""
    told: dict[str, Any] = {
        "deletedRegion": {"byteOffset": edit.start, "byteLength": edit.end - edit.start}
    }
    if edit.replacement:
        told["insertedContent"] = {"binary": b64encode(edit.replacement).decode()}
    return told
