"""Findings for people."""

from __future__ import annotations

import re
from typing import Any

from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic, Fix, Severity
from ragguard.lint.excerpts import Excerpt
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_formats import counted, formatted
from ragguard.render.lint_view import LintView

UNKNOWN = Diagnostic(
    "RG301",
    "unknown-chunk-id",
    Severity.ERROR,
    "'audit-fromat' is not in corpus/manifest.jsonl",
    Location("eval/docs.jsonl", 2, 71),
    "did you mean 'audit-format'?",
    "q002",
)
BLANK = Diagnostic(
    "RG003",
    "blank-line",
    Severity.WARNING,
    "blank line",
    Location("eval/docs.jsonl", 4, 1),
    fix=Fix("remove the blank line", ()),
)
RESULT = LintResult((UNKNOWN, BLANK), rows=4)


def shown(result: LintResult, **view: Any) -> str:
    """What the format `text` makes of a result."""
    return "".join(formatted("text", result, LintView(**view)))


def test_a_finding_is_one_line_and_its_hint_another() -> None:
    """`file:line:column: CODE message`; warnings say so; the last line counts."""
    assert shown(RESULT) == (
        "eval/docs.jsonl:2:71: RG301 'audit-fromat' is not in corpus/manifest.jsonl\n"
        "  hint: did you mean 'audit-format'?\n"
        "eval/docs.jsonl:4:1: RG003 blank line (warning)\n"
        "Found 1 error, 1 warning: 4 rows in 0 files. 1 fixable with --fix.\n"
    )


def test_the_place_stands_in_its_line_with_carets_below_the_value() -> None:
    """Between the finding and the way out; a finding without an excerpt has none."""
    line = '"relevant_ids": ["audit-fromat"]}'
    excerpts = [Excerpt(line, 54, 14, is_cut=False, digest=""), None]
    assert shown(RESULT, excerpts=excerpts) == (
        "eval/docs.jsonl:2:71: RG301 'audit-fromat' is not in corpus/manifest.jsonl\n"
        '  2 | …"relevant_ids": ["audit-fromat"]}\n'
        "    |                   ^^^^^^^^^^^^^^\n"
        "  hint: did you mean 'audit-format'?\n"
        "eval/docs.jsonl:4:1: RG003 blank line (warning)\n"
        "Found 1 error, 1 warning: 4 rows in 0 files. 1 fixable with --fix.\n"
    )


def test_colour_adds_styles_and_changes_no_word() -> None:
    """The text without the styles is the text without colour."""
    excerpts = (Excerpt('"audit-fromat"', 71, 14, is_cut=False, digest=""),)
    styled = shown(RESULT, colour=True, excerpts=excerpts)
    assert "\x1b[31mRG301\x1b[0m" in styled
    assert "\x1b[33mRG003\x1b[0m" in styled
    assert "\x1b[31m^^^^^^^^^^^^^^\x1b[0m" in styled
    assert re.sub(r"\x1b\[\d+m", "", styled) == shown(RESULT, excerpts=excerpts)


def test_clean_is_said_with_how_much_was_looked_at() -> None:
    """Silence could also mean that nothing was checked; a fault is no clean file."""
    assert shown(LintResult(rows=2)) == "Clean: 2 rows in 0 files.\n"
    faulty = LintResult(faults=(InputError("cannot read it"),))
    assert shown(faulty) == "No finding: 0 rows in 0 files.\n"


def test_statistics_count_by_rule_the_most_frequent_first() -> None:
    """In place of the list."""
    result = LintResult((UNKNOWN, BLANK, UNKNOWN), rows=4)
    for name in ("text", "concise"):
        assert "".join(counted(name, result, LintView())).splitlines() == [
            "     2  RG301  unknown-chunk-id",
            "     1  RG003  blank-line",
            "Found 2 errors, 1 warning: 4 rows in 0 files. 1 fixable with --fix.",
        ]


def test_foreign_text_steers_no_terminal() -> None:
    """Escapes in file names come from whoever made the file."""
    nasty = Diagnostic(
        "RG003", "x", Severity.ERROR, "m\x1b[2J", Location("a\x1b[2Jb\n.jsonl", 1, 1)
    )
    text = shown(LintResult((nasty,)))
    assert "\x1b" not in text
    assert len(text.splitlines()) == 2
