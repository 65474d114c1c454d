"""Findings for people."""

from __future__ import annotations

from ragguard.errors import InputError
from ragguard.lint.diagnostic import Diagnostic, Fix, Severity
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_text import lint_text

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


def test_a_finding_is_one_line_and_its_hint_another() -> None:
    """`file:line:column: CODE message`; warnings say so; the last line counts."""
    assert lint_text(RESULT) == (
        "eval/docs.jsonl:2:71: RG301 'audit-fromat' is not in corpus/manifest.jsonl\n"
        "  hint: did you mean 'audit-format'?\n"
        "eval/docs.jsonl:4:1: RG003 blank line (warning)\n"
        "Found 1 error, 1 warning: 4 rows in 0 files. 1 fixable with --fix.\n"
    )


def test_colour_adds_styles_and_changes_no_word() -> None:
    """The text without the styles is the text without colour."""
    styled = lint_text(RESULT, colour=True)
    assert "\x1b[31mRG301\x1b[0m" in styled
    assert "\x1b[33mRG003\x1b[0m" in styled
    bare = styled
    for code in ("31", "33", "1", "36", "0"):
        bare = bare.replace(f"\x1b[{code}m", "")
    assert bare == lint_text(RESULT)


def test_clean_is_said_with_how_much_was_looked_at() -> None:
    """Silence could also mean that nothing was checked; a fault is no clean file."""
    assert lint_text(LintResult(rows=2)) == "Clean: 2 rows in 0 files.\n"
    faulty = LintResult(faults=(InputError("cannot read it"),))
    assert lint_text(faulty) == "No finding: 0 rows in 0 files.\n"


def test_statistics_count_by_rule_the_most_frequent_first() -> None:
    """In place of the list."""
    shown = lint_text(LintResult((UNKNOWN, BLANK, UNKNOWN), rows=4), statistics=True)
    assert shown.splitlines()[:2] == [
        "     2  RG301  unknown-chunk-id",
        "     1  RG003  blank-line",
    ]


def test_foreign_text_steers_no_terminal() -> None:
    """Escapes in file names come from whoever made the file."""
    nasty = Diagnostic(
        "RG003", "x", Severity.ERROR, "m\x1b[2J", Location("a\x1b[2Jb\n.jsonl", 1, 1)
    )
    assert "\x1b" not in lint_text(LintResult((nasty,)))
    assert len(lint_text(LintResult((nasty,))).splitlines()) == 2
