"""How many findings of each rule there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ragguard.lint.result import LintResult
from ragguard.render.json_text import json_text
from ragguard.render.lint_json import summary_object
from ragguard.render.lint_text import summary
from ragguard.render.lint_view import LintView
from ragguard.render.terminal import Style


def statistics_text(result: LintResult, view: LintView) -> Iterator[str]:
    """A line for each rule, the most frequent first, and the summary."""
    for (code, name, _), count in _by_rule(result):
        yield f"{count:>6}  {code}  {name}\n"
    yield f"{summary(result, Style(view.colour))}\n"


def statistics_json(result: LintResult, view: LintView) -> Iterator[str]:
    """The same for programs."""
    del view
    rules = [
        {"code": code, "name": name, "severity": severity, "count": count}
        for (code, name, severity), count in _by_rule(result)
    ]
    yield json_text({"statistics": rules, "summary": summary_object(result)})


def _by_rule(result: LintResult) -> list[tuple[tuple[str, str, str], int]]:
    counted = Counter((each.code, each.name, each.severity.value) for each in result.diagnostics)
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))
