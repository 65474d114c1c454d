"""Findings as annotations."""

from __future__ import annotations

from dataclasses import replace

from ragguard.errors import InputError
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_formats import formatted
from ragguard.render.lint_view import LintView
from tests.render.test_lint_text import BLANK, RESULT, UNKNOWN


def lint_github(result: LintResult, **view: str) -> str:
    """What the format `github` makes of a result."""
    return "".join(formatted("github", result, LintView(**view)))


def test_an_annotation_stands_on_its_line_with_title_and_hint() -> None:
    """As the runner reads it."""
    assert lint_github(RESULT).splitlines() == [
        "::error file=eval/docs.jsonl,line=2,col=71,title=RG301 unknown-chunk-id::"
        "'audit-fromat' is not in corpus/manifest.jsonl%0Ahint: did you mean 'audit-format'?",
        "::warning file=eval/docs.jsonl,line=4,col=1,title=RG003 blank-line::blank line",
    ]


def test_no_dataset_can_begin_a_command_of_its_own() -> None:
    """Line ends, colons, commas and percent signs are escaped, in data and in properties."""
    nasty = replace(
        UNKNOWN,
        message="a\r\n::set-output name=x::1 100%0A",
        hint=None,
        location=Location("a,line=9:b%\n::error::.jsonl", 1, 1),
    )
    shown = lint_github(LintResult((nasty,)))
    assert shown.count("\n") == 1
    assert shown.startswith(
        "::error file=a%2Cline=9%3Ab%25%0A%3A%3Aerror%3A%3A.jsonl,line=1,col=1,"
    )
    assert shown.endswith("::a ::set-output name=x::1 100%250A\n")


def test_ten_of_each_kind_are_shown_and_the_rest_is_counted() -> None:
    """GitHub drops the eleventh without a word."""
    shown = lint_github(LintResult((*[UNKNOWN] * 12, *[BLANK] * 11))).splitlines()
    assert sum(line.startswith("::error ") for line in shown) == 10
    assert sum(line.startswith("::warning ") for line in shown) == 10
    assert shown[-1] == (
        "::notice title=ragguard lint::2 more errors and 1 more warning not shown here; "
        "run `ragguard lint` to see all"
    )
    assert not any(line.startswith("::notice") for line in lint_github(RESULT).splitlines())


def test_what_cannot_be_read_is_the_first_error() -> None:
    """It is one of the ten."""
    fault = InputError("cannot read it", location=Location("a.jsonl"), hint="make it readable")
    shown = lint_github(LintResult((UNKNOWN,) * 10, faults=(fault, InputError("x")))).splitlines()
    assert shown[:2] == [
        "::error file=a.jsonl,title=ragguard lint::cannot read it%0Ahint: make it readable",
        "::error title=ragguard lint::x",
    ]
    assert sum(line.startswith("::error ") for line in shown) == 10
    assert "2 more errors not shown" in shown[-1]


def test_files_are_named_from_the_root_of_the_repository() -> None:
    """GitHub resolves nothing; a step may run in a folder of it."""
    for file in ("eval/docs.jsonl", "../app/eval/docs.jsonl", "/repo/app/eval/docs.jsonl"):
        found = replace(UNKNOWN, location=Location(file, 2, 71))
        shown = lint_github(LintResult((found,)), folder="/repo/app", root="/repo")
        assert shown.startswith("::error file=app/eval/docs.jsonl,line=2,")
    outside = replace(UNKNOWN, location=Location("/else/docs.jsonl", 2, 71))
    shown = lint_github(LintResult((outside,)), folder="/repo/app", root="/repo")
    assert shown.startswith("::error file=/else/docs.jsonl,")
