"""What linting found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ragguard.config.model import Suite
from ragguard.errors import RagguardError
from ragguard.lint.diagnostic import Diagnostic, Severity


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A dataset that was linted.

    Attributes:
        shown: its name in diagnostics.
        suite: the suite it belongs to.
        ignored: codes of the rules that are ignored for it.
        taken: query ids that no fix may give: another query has them, or would get them too.
    """

    path: Path
    shown: str
    suite: Suite
    ignored: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LintResult:
    """The findings, and how much was looked at.

    Attributes:
        diagnostics: by file, line and column.
        files: datasets that were read.
        rows: lines that hold something, in all of them.
        notes: what was not checked, and why.
        faults: what could not be read at all.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    files: tuple[SourceFile, ...] = ()
    rows: int = 0
    notes: tuple[str, ...] = ()
    faults: tuple[RagguardError, ...] = ()

    @classmethod
    def joined(cls, results: Iterable[LintResult]) -> LintResult:
        """Several results as one; what two of them share counts once."""
        listed = list(results)
        files = {file.path.resolve(): file for result in listed for file in result.files}
        found = dict.fromkeys(each for result in listed for each in result.diagnostics)
        faults = {str(fault): fault for result in listed for fault in result.faults}
        return cls(
            diagnostics=in_order(found),
            files=tuple(files.values()),
            rows=sum(result.rows for result in listed),
            notes=tuple(dict.fromkeys(note for result in listed for note in result.notes)),
            faults=tuple(faults.values()),
        )

    def count(self, severity: Severity) -> int:
        """How many findings are of this severity."""
        return sum(each.severity is severity for each in self.diagnostics)

    @property
    def fixable(self) -> int:
        """How many findings have a safe fix."""
        return sum(each.fix is not None for each in self.diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics by file, line, column and code."""
    return tuple(sorted(diagnostics, key=_place))


def _place(found: Diagnostic) -> tuple[str, int, int, str]:
    where = found.location
    return where.file, where.line or 0, where.column or 0, found.code
