"""Lint findings as annotations of GitHub Actions, on the lines of the dataset.

GitHub shows ten errors and ten warnings of a step and drops the rest without a word, so the rest
is counted here, aloud.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.result import LintResult
from ragguard.render.visible import visible
from ragguard.render.wording import plural
from ragguard.render.workflow_commands import workflow_command

MOST_OF_A_KIND = 10


def lint_github(result: LintResult) -> str:
    """Workflow commands, one a line: at most ten errors and ten warnings, and how many are left."""
    lines: list[str] = []
    for severity in Severity:
        found = [each for each in result.diagnostics if each.severity is severity]
        lines += [_annotation(each) for each in found[:MOST_OF_A_KIND]]
    lines += _hidden(result)
    return "".join(f"{line}\n" for line in lines)


def _annotation(found: Diagnostic) -> str:
    message = visible(found.message)
    if found.hint:
        message += f"\nhint: {visible(found.hint)}"
    where = found.location
    place = {"file": where.file, "line": where.line, "col": where.column}
    title = f"{found.code} {found.name}"
    return workflow_command(found.severity.value, message, {**place, "title": title})


def _hidden(result: LintResult) -> Iterator[str]:
    counts = {each: result.count(each) - MOST_OF_A_KIND for each in Severity}
    told = [plural(count, f"more {each.value}") for each, count in counts.items() if count > 0]
    if told:
        message = f"{' and '.join(told)} not shown here; run `ragguard lint` to see all"
        yield workflow_command("notice", message, {"title": "ragguard lint"})
