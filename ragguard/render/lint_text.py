"""Lint findings for people: `file:line:column: CODE message`, the way out below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.terminal import Style
from ragguard.render.visible import visible
from ragguard.render.wording import plural

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def lint_text(result: LintResult, *, colour: bool = False, statistics: bool = False) -> str:
    """Every finding and a last line that counts them.

    Args:
        result: what was found.
        colour: whether to style it for a terminal.
        statistics: count findings by rule instead of listing them.
    """
    style = Style(colour)
    lines = _by_rule(result) if statistics else _listed(result, style)
    return "".join(f"{line}\n" for line in [*lines, summary(result, style)])


def _listed(result: LintResult, style: Style) -> Iterator[str]:
    for found in result.diagnostics:
        yield f"{style(visible(str(found.location)), 'bold')}: {_told(found, style)}"
        if found.hint:
            yield f"  {style('hint:', 'cyan')} {visible(found.hint)}"


def _told(found: Diagnostic, style: Style) -> str:
    kind = " (warning)" if found.severity is Severity.WARNING else ""
    return f"{style(found.code, _COLOURS[found.severity])} {visible(found.message)}{kind}"


def _by_rule(result: LintResult) -> Iterator[str]:
    counted = Counter((found.code, found.name) for found in result.diagnostics)
    for (code, name), count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>6}  {code}  {name}"


def summary(result: LintResult, style: Style) -> str:
    """What was found and looked at, in one line."""
    errors, warnings = result.count(Severity.ERROR), result.count(Severity.WARNING)
    looked = f"{plural(result.rows, 'row')} in {plural(len(result.files), 'file')}"
    if not result.diagnostics:
        return f"{style('Clean', 'green') if not result.faults else 'No finding'}: {looked}."
    told = ", ".join(
        text
        for count, text in (
            (errors, style(plural(errors, "error"), "red")),
            (warnings, style(plural(warnings, "warning"), "yellow")),
        )
        if count
    )
    return f"Found {told}: {looked}.{_fixable(result)}"


def _fixable(result: LintResult) -> str:
    """How many findings the options for it would fix."""
    safe, unsafe = result.fixable, result.unsafely_fixable
    if not safe:
        return f" {unsafe} fixable with --fix --unsafe-fixes." if unsafe else ""
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return f" {safe} fixable with --fix{more}."
