"""One finding of the linter: what, where, how bad, and the way out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from ragguard.location import Location


class Severity(StrEnum):
    """How bad a finding is; only errors make a run fail (`--strict`: warnings too)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of bytes in a file.

    Attributes:
        start, end: half-open byte range in the file as it was read.
        replacement: what takes their place.
    """

    start: int
    end: int
    replacement: bytes


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that removes a finding.

    Attributes:
        description: the change in words ("remove the byte-order mark").
        edits: replacements that do not overlap, in file order, all within one line (its end
            included).
        query_id: the id that the query of the row gets by it; None when it keeps its own.
        is_safe: whether it may be applied unseen; one that is not needs a person's judgment.
    """

    description: str
    edits: tuple[Edit, ...]
    query_id: str | None = None
    is_safe: bool = True


_SAFE, _UNSAFE = "--fix", "--fix --unsafe-fixes"
_FIX_TOLD = {
    (option, asks): f" If so, {option} does it" if asks else f"; {option} does"
    for option in (_SAFE, _UNSAFE)
    for asks in (True, False)
}
"""What the hint of a finding that has a fix ends in, by option and whether the hint asks."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding of one rule at one place."""

    code: str
    name: str
    severity: Severity
    message: str
    location: Location
    hint: str | None = None
    query_id: str | None = None
    fix: Fix | None = None

    def without_fix(self, reason: str) -> Diagnostic:
        """The finding without its fix; its hint says why there is none."""
        if self.fix is None:
            return self
        kept = self.hint or ""
        for told in _FIX_TOLD.values():
            kept = kept.removesuffix(told)
        return replace(self, fix=None, hint=f"{kept}; {reason}" if kept else reason)


def hint_with_fix(hint: str | None, fix: Fix | None) -> str | None:
    """The way out, with the option that takes it when there is a fix."""
    if fix is None:
        return hint
    hint = hint or fix.description
    return hint + _FIX_TOLD[_SAFE if fix.is_safe else _UNSAFE, hint.endswith("?")]
