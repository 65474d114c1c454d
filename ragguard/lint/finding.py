"""What a rule yields; the engine stamps code, name and severity on it."""

from __future__ import annotations

from dataclasses import dataclass

from ragguard.lint.diagnostic import Fix, Severity
from ragguard.location import Location

LONGEST_QUOTE = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found.

    Attributes:
        severity: where it is another than the rule's.
    """

    message: str
    location: Location
    hint: str | None = None
    query_id: str | None = None
    fix: Fix | None = None
    severity: Severity | None = None


def quoted(value: object) -> str:
    """A value as a message names it: on one line, nothing invisible, never long."""
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        return shortened(repr(value))
    except ValueError:  # an integer of thousands of digits
        return "a number of thousands of digits"


def shortened(text: str) -> str:
    """A text of at most the length that a message has room for."""
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
