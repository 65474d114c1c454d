"""Lint findings for people: what and where, the place in its line, the way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.lint_view import LintView
from ragguard.render.terminal import Style
from ragguard.render.visible import visible
from ragguard.render.wording import plural

if TYPE_CHECKING:
    from ragguard.lint.excerpts import Excerpt

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def lint_text(result: LintResult, view: LintView) -> Iterator[str]:
    """Every finding, and a last line that counts them."""
    style = Style(view.colour)
    for found, excerpt in view.excerpted(result):
        yield f"{finding_line(found, style)}\n"
        if excerpt is not None:
            yield _excerpt(found, excerpt, style)
        if found.hint:
            yield f"  {style('hint:', 'cyan')} {visible(found.hint)}\n"
    yield f"{summary(result, style)}\n"


def finding_line(found: Diagnostic, style: Style) -> str:
    """`file:line:column: CODE message`; a warning says that it is one."""
    kind = " (warning)" if found.severity is Severity.WARNING else ""
    where = style(visible(str(found.location)), "bold")
    code = style(found.code, _COLOURS[found.severity])
    return f"{where}: {code} {visible(found.message)}{kind}"


def _excerpt(found: Diagnostic, excerpt: Excerpt, style: Style) -> str:
    from ragguard.render.excerpt import drawn  # a clean run has no use for it

    shown = drawn(excerpt, found.location.column or 1)
    number = str(found.location.line)
    bar = style("|", "dim")
    marks = " " * shown.lead + style("^" * shown.marked, _COLOURS[found.severity])
    return f"  {style(number, 'dim')} {bar} {shown.line}\n  {' ' * len(number)} {bar} {marks}\n"


def summary(result: LintResult, style: Style) -> str:
    """What was found and looked at, in one line."""
    errors, warnings = result.count(Severity.ERROR), result.count(Severity.WARNING)
    looked = f"{plural(result.rows, 'row')} in {plural(len(result.files), 'file')}"
    if not result.diagnostics:
        clean = style("Clean", "green") if not result.faults else "No finding"
        return f"{clean}: {looked}.{_ignored(result)}"
    told = ", ".join(
        text
        for count, text in (
            (errors, style(plural(errors, "error"), "red")),
            (warnings, style(plural(warnings, "warning"), "yellow")),
        )
        if count
    )
    return f"Found {told}: {looked}.{_fixable(result)}{_ignored(result)}"


def _ignored(result: LintResult) -> str:
    """How many findings are known and kept, and where that is written."""
    return "".join(
        f" {count:,} ignored by {visible(name)}." for name, count in result.ignored.items()
    )


def _fixable(result: LintResult) -> str:
    """How many findings the options for it would fix."""
    safe, unsafe = result.fixable, result.unsafely_fixable
    if not safe:
        return f" {unsafe} fixable with --fix --unsafe-fixes." if unsafe else ""
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return f" {safe} fixable with --fix{more}."
