"""Which chunks a query may be answered with: by the roles it is asked with, and by its day."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?", re.ASCII | re.DOTALL)


def roles_of(query: Query, access_from: str) -> frozenset[str]:
    """The roles a query is asked with, at a dotted path of its row; one text is one role."""
    value = query.value_at(access_from)
    if isinstance(value, str):
        return frozenset({value})
    return frozenset(map(str, value)) if isinstance(value, list | tuple) else frozenset()


def as_of_date(query: Query) -> str | None:
    """The ISO date as of which the query is asked, from `context.as_of`; None without one."""
    return _day(query.context.get("as_of"))


def odd_as_of(query: Query) -> Any:
    """The `context.as_of` of a query where it is there and no ISO date, so that no day is known."""
    value = query.context.get("as_of")
    return None if _day(value) else value


def _day(value: object) -> str | None:
    """The day of the calendar with which a text begins: `2026-11-30`, alone or before a time."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value[:10]).isoformat()
    except ValueError:
        return None


def may_see(chunk: Chunk, roles: frozenset[str]) -> bool:
    """Whether someone with these roles may see the chunk; no access list means everybody."""
    return not chunk.access or not roles.isdisjoint(chunk.access)


def is_stale(chunk: Chunk, as_of: str | None) -> bool:
    """Whether the chunk does not hold: at `as_of` by its effective dates, else by its status.

    A superseded chunk holds for a query that asks as of a day within its effective dates.
    """
    if as_of is not None and (chunk.effective_from or chunk.effective_to):
        begins, ends = chunk.effective_from or "", chunk.effective_to or "9999-12-31"
        return not begins[:10] <= as_of <= ends[:10]
    return chunk.status != "active"
