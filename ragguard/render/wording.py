"""Numbers and counts as people read them; the same words in every form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragguard.render.visible import visible

if TYPE_CHECKING:
    from ragguard.evaluation.result import QueryResult

MINUS = "\u2212"
UNDEFINED = "\u2013"
_TINY = 5e-10

QUERY_LIMIT = 80


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 query`, `3 queries`; the plural is regular unless given."""
    if count == 1:
        return f"1 {noun}"
    if many is None:
        many = re.sub("(?<![aeiou])y$", "ie", noun) + ("es" if noun.endswith("s") else "s")
    return f"{count:,} {many}"


def points(value: float | None, digits: int = 3) -> str:
    """A metric's value, rounded for show; an en dash where it is undefined."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference with its sign; what rounds to zero but is none keeps more digits."""
    if value is None:
        return UNDEFINED
    if abs(value) < _TINY:
        return f"±{0:.{digits}f}"
    while digits < 9 and round(value, digits) == 0:
        digits += 1
    return f"{'+' if value > 0 else MINUS}{abs(value):.{digits}f}"


def from_to(before: float | None, after: float | None, digits: int = 2) -> str:
    """`1.00 → 0.50`, with as many digits as it takes to see a difference."""
    while (
        digits < 9
        and before is not None
        and after is not None
        and abs(before - after) > _TINY
        and round(before, digits) == round(after, digits)
    ):
        digits += 1
    return f"{points(before, digits)} → {points(after, digits)}"


def query_text(result: QueryResult, *, hidden: bool = False) -> str:
    """What may be shown of a query's text: nothing when texts are hidden or the row is private."""
    if hidden:
        return ""
    if result.query.private:
        return "(private)"
    return visible(result.query.text, QUERY_LIMIT)


def slice_of(result: QueryResult, path: str | None) -> str:
    """The value of a slice field as text, empty when the row has none."""
    return (result.query.slice_value(path) or "") if path else ""
