"""What can be wrong with a line before its fields are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """Kinds of faults; each is a rule of the linter."""

    ENCODING = "encoding"
    SYNTAX = "syntax"
    NOT_AN_OBJECT = "not-an-object"
    DUPLICATE_KEY = "duplicate-key"
    NUMBER = "number"
    SURROGATE = "surrogate"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a line.

    Attributes:
        position: 0-based index of the character at fault in the decoded line.
    """

    kind: FaultKind
    message: str
    position: int = 0
    hint: str | None = None
