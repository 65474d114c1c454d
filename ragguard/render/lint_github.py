"""Lint findings as annotations of GitHub Actions, on the lines of the dataset.

GitHub shows ten errors and ten warnings of a step and drops the rest without a word, so the rest
is counted here, aloud. It knows files by their path from the root of the repository.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.errors import RagguardError
from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.location import Location
from ragguard.render.lint_view import LintView
from ragguard.render.visible import visible
from ragguard.render.wording import plural
from ragguard.render.workflow_commands import workflow_command

MOST_OF_A_KIND = 10
"""https://docs.github.com/en/rest/checks/runs and the runner: annotations of a step, by level."""


def lint_github(result: LintResult, view: LintView) -> Iterator[str]:
    """Workflow commands, one a line: at most ten errors and ten warnings, and how many are left.

    What cannot be read is an error, and comes first.
    """
    left = dict.fromkeys(Severity, 0)
    for severity in Severity:
        for index, command in enumerate(_annotations(result, severity, view)):
            if index < MOST_OF_A_KIND:
                yield f"{command}\n"
            else:
                left[severity] += 1
    told = [plural(count, f"more {each.value}") for each, count in left.items() if count]
    if told:
        message = f"{' and '.join(told)} not shown here; run `ragguard lint` to see all"
        yield f"{workflow_command('notice', message, {'title': 'ragguard lint'})}\n"


def _annotations(result: LintResult, severity: Severity, view: LintView) -> Iterator[str]:
    if severity is Severity.ERROR:
        for fault in result.faults:
            yield _annotation(severity, "ragguard lint", fault, fault.location, view)
    for found in result.diagnostics:
        if found.severity is severity:
            yield _annotation(severity, f"{found.code} {found.name}", found, found.location, view)


def _annotation(
    severity: Severity,
    title: str,
    told: Diagnostic | RagguardError,
    where: Location | None,
    view: LintView,
) -> str:
    message = visible(told.message)
    if told.hint:
        message += f"\nhint: {visible(told.hint)}"
    properties = {
        "file": view.in_repository(where.file) if where else None,
        "line": where.line if where else None,
        "col": where.column if where else None,
        "title": title,
    }
    return workflow_command(severity.value, message, properties)
