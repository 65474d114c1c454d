"""What all formats have in common."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from syrupy.assertion import SnapshotAssertion

from ragguard.lint.result import LintResult
from ragguard.render.lint_formats import NAMES, WITH_EXCERPTS, WITH_STATISTICS, formatted
from ragguard.render.lint_view import LintView
from tests.render.findings import RESULTS, VIEWS, faulty_project, shown, steering


@pytest.mark.parametrize("name", [name for name in NAMES if name != "sarif"])
def test_a_real_run_looks_as_it_did(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """Errors, warnings, fixes and a private row; SARIF, with all its documentation, is apart."""
    monkeypatch.chdir(tmp_path)
    assert shown(name, faulty_project(tmp_path), tmp_path) == snapshot


@pytest.mark.parametrize("name", NAMES)
def test_no_format_shows_the_text_of_a_private_row(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its findings are there."""
    monkeypatch.chdir(tmp_path)
    text = shown(name, faulty_project(tmp_path), tmp_path)
    assert "gone" in text
    assert "secret" not in text


@pytest.mark.parametrize("name", NAMES)
def test_nothing_found_is_something_to_read(name: str) -> None:
    """What a service expects of a clean run, never a document that is cut off."""
    text = "".join(formatted(name, LintResult(rows=3), LintView()))
    if name in {"concise", "github"}:
        assert text == ""
    else:
        assert text.endswith("\n")
    if name in {"json", "sarif", "gitlab"}:
        json.loads(text)


@given(RESULTS, VIEWS)
@pytest.mark.parametrize("name", ["text", "concise", "junit"])
def test_hostile_findings_steer_no_terminal(name: str, result: LintResult, view: LintView) -> None:
    """Nor do they begin a line of their own, or fail to be written in UTF-8."""
    text = "".join(formatted(name, result, view))
    assert not steering(text)
    text.encode()
    if name == "concise":
        assert len(text.splitlines()) == len(result.diagnostics)


@given(RESULTS, VIEWS)
def test_hostile_findings_begin_no_command(result: LintResult, view: LintView) -> None:
    """Each is one line to the runner, which ends lines at carriage returns too."""
    text = "".join(formatted("github", result, view))
    commands = re.split(r"\r\n|\r|\n", text)[:-1]
    assert len(commands) == len(result.diagnostics) + len(result.faults)
    assert all(line.startswith(("::error ", "::warning ")) for line in commands)


@given(RESULTS, VIEWS)
@pytest.mark.parametrize("name", ["json", "sarif", "gitlab"])
def test_hostile_findings_leave_json_json(name: str, result: LintResult, view: LintView) -> None:
    """In UTF-8, with one entry for each finding."""
    decoded = json.loads("".join(formatted(name, result, view)).encode().decode())
    entries = {
        "json": lambda: decoded["diagnostics"],
        "sarif": lambda: decoded["runs"][0]["results"],
        "gitlab": lambda: decoded,
    }[name]()
    assert len(entries) == len(result.diagnostics)


def test_naming_the_formats_loads_none_of_them() -> None:
    """The command line names them at start."""
    code = (
        "import sys; before = set(sys.modules); import ragguard.render.lint_formats; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {each for each in done.stdout.split() if each.startswith("ragguard")} == {
        "ragguard",
        "ragguard.render",
        "ragguard.render.lint_formats",
    }


def test_the_lists_of_formats_agree() -> None:
    """A name that is no format would never be asked for."""
    assert set(WITH_STATISTICS) | WITH_EXCERPTS <= set(NAMES)


def test_the_page_on_linting_has_every_format() -> None:
    """In the order of the command's help."""
    page = (Path(__file__).parents[2] / "docs/linting.md").read_text("utf-8")
    listed = page[page.index("## Formats") : page.index("## Hooks")]
    assert tuple(re.findall(r"^\| `(\w+)` \|", listed, re.MULTILINE)) == NAMES
