"""Lint rules explained: the list, one page, the whole documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ragguard.config.model import LintSettings
from ragguard.lint.rule import Rule

FAMILIES: Mapping[str, str] = {
    "RG0": "Text",
    "RG1": "Shape",
    "RG2": "Identity",
    "RG3": "Corpus",
    "RG4": "Versions",
    "RG5": "Quality (opt-in)",
    "RG9": "Configuration",
}
"""Names of the families of rules by the beginning of their codes."""


def rule_list(rules: Iterable[Rule]) -> str:
    """One line a rule: code, name, what it is about."""
    listed = list(rules)
    width = max(len(rule.name) for rule in listed)
    return "".join(
        f"{rule.code}  {rule.name:<{width}}  {rule.summary}{_marks(rule)}\n" for rule in listed
    )


def rule_page(rule: Rule) -> str:
    """The documentation of one rule under its code and name."""
    return f"{rule.code} {rule.name}{_marks(rule)}\n\n{rule.documentation}\n"


def _marks(rule: Rule) -> str:
    marks = [
        *(["warning"] if rule.severity == "warning" else []),
        *(["opt-in"] if is_opt_in(rule) else []),
        *_fixable(rule),
    ]
    return f" ({', '.join(marks)})" if marks else ""


def is_opt_in(rule: Rule) -> bool:
    """Whether it runs only where it is selected."""
    return not rule.code.startswith(LintSettings().select)


def _fixable(rule: Rule) -> list[str]:
    return [
        *(["safe fix"] if rule.is_fixable else []),
        *(["unsafe fix"] if rule.is_unsafely_fixable else []),
    ]


def rule_object(rule: Rule) -> dict[str, Any]:
    """A rule as JSON values."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default": not is_opt_in(rule),
        "fixable": rule.is_fixable,
        "unsafely_fixable": rule.is_unsafely_fixable,
        "summary": rule.summary,
        "documentation": rule.documentation,
    }


def rules_markdown(rules: Iterable[Rule]) -> str:
    """The page `docs/rules.md`."""
    parts = [_INTRODUCTION]
    family = None
    for rule in rules:
        if rule.code[:3] != family:
            family = rule.code[:3]
            parts.append(f"## {FAMILIES[family]}\n")
        opt_in = ["opt-in"] if is_opt_in(rule) else []
        facts = ", ".join([rule.severity.value, *opt_in, *_fixable(rule)])
        parts.append(f"### {rule.code} {rule.name}\n\n*{facts}*\n\n{rule.documentation}\n")
    return "\n".join(parts)


_INTRODUCTION = """\
# Lint rules

This page is made from the rules themselves; `ragguard rule CODE` shows the same at the terminal.

Errors make `ragguard lint` exit with 1, warnings do so with `--strict`. All rules are on by
default but those of quality (RG5), which are opt-in: `--select ALL` runs them with all others,
`--select RG5` alone. `--select` and `--ignore` take codes and prefixes (`RG301`, `RG3`, `ALL`), the
longer one wins; so do `lint: {select, ignore, per_file_ignores}` in ragguard.yml. A rule with a
safe fix is mended by `ragguard lint --fix`, which leaves every other byte as it is; `--diff` shows
what it would do. An unsafe fix needs your judgment and is applied only with `--unsafe-fixes`.
"""
