"""One finding of the linter: what, where, how bad, and the way out."""

from __future__ import annotations

from dataclasses import dataclass
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
        edits: replacements that do not overlap, in file order.
        query_id: the id that the query of the row gets by it; None when it keeps its own.
        is_safe: whether it may be applied unseen; one that is not needs a person's judgment.
    """

    description: str
    edits: tuple[Edit, ...]
    query_id: str | None = None
    is_safe: bool = True


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
