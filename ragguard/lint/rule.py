"""A rule as the engine sees it: made from its module, which is its documentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any

from ragguard.lint.diagnostic import Diagnostic, Severity
from ragguard.lint.finding import Finding


class Scope(StrEnum):
    """What a rule looks at, one after the other."""

    LINE = "line"
    """A line of a file: `check(line: TextLine)`."""
    ROW = "row"
    """A row that could be decoded: `check(row: DatasetRow, suite: Suite)`."""
    SUITE = "suite"
    """Everything of a suite at once: `check(facts: SuiteFacts)`."""
    CONFIGURATION = "configuration"
    """The configuration: `check(...)` with what the engine found of it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        code: `RG` and three digits.
        name: words joined by hyphens.
        is_fixable: whether some of its findings have a safe fix.
        documentation: Markdown; what, why, a failing row, a good row, how to fix.
    """

    code: str
    name: str
    severity: Severity
    scope: Scope
    is_fixable: bool
    documentation: str
    check: Callable[..., Iterable[Finding]]

    @classmethod
    def of(cls, module: ModuleType, scope: Scope) -> Rule:
        """The rule that a module under `ragguard.lint.rules` is."""
        return cls(
            code=module.CODE,
            name=module.NAME,
            severity=module.SEVERITY,
            scope=scope,
            is_fixable=getattr(module, "FIXABLE", False),
            documentation=inspect.cleandoc(module.__doc__ or ""),
            check=module.check,
        )

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return self.documentation.split("\n", 1)[0]

    def diagnostics(self, *subject: Any) -> Iterator[Diagnostic]:
        """What it finds in its subject."""
        for found in self.check(*subject):
            yield Diagnostic(
                code=self.code,
                name=self.name,
                severity=self.severity,
                message=found.message,
                location=found.location,
                hint=found.hint,
                query_id=found.query_id,
                fix=found.fix,
            )
