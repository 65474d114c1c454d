"""A rule as the engine sees it: made from its module, which is its documentation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any

from ragguard.lint.diagnostic import Diagnostic, Severity, hint_with_fix
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
        is_unsafely_fixable: whether some have a fix that needs a person's judgment.
        needs_corpus: whether it is skipped, with a note, for a suite without a corpus.
        needs_base: whether it runs only against a base (`--base`).
        docstring: of its module, as it is written there.
        looks_at_every_row: whether it may find something in a row that `PlainRow` lets through.
    """

    code: str
    name: str
    severity: Severity
    scope: Scope
    docstring: str
    check: Callable[..., Iterable[Finding]]
    is_fixable: bool = False
    is_unsafely_fixable: bool = False
    needs_corpus: bool = False
    needs_base: bool = False
    looks_at_every_row: bool = False

    @classmethod
    def of(cls, module: ModuleType) -> Rule:
        """The rule that a module under `ragguard.lint.rules` is."""
        return cls(
            code=module.CODE,
            name=module.NAME,
            severity=module.SEVERITY,
            scope=module.SCOPE,
            docstring=module.__doc__ or "",
            check=module.check,
            is_fixable=getattr(module, "FIXABLE", False),
            is_unsafely_fixable=getattr(module, "UNSAFELY_FIXABLE", False),
            needs_corpus=getattr(module, "NEEDS_CORPUS", False),
            needs_base=getattr(module, "NEEDS_BASE", False),
            looks_at_every_row=getattr(module, "LOOKS_AT_EVERY_ROW", False),
        )

    @property
    def documentation(self) -> str:
        """In Markdown; what, why, a failing row, a good row, how to fix."""
        return inspect.cleandoc(self.docstring)

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
                severity=found.severity or self.severity,
                message=found.message,
                location=found.location,
                hint=hint_with_fix(found.hint, found.fix),
                query_id=found.query_id,
                fix=found.fix,
            )
