"""Which chunks a query may be answered with: by the roles it is asked with, and by its day."""

from __future__ import annotations

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query


def roles_of(query: Query, access_from: str) -> frozenset[str]:
    """The roles a query is asked with, at a dotted path of its row; one text is one role."""
    value = query.value_at(access_from)
    if isinstance(value, str):
        return frozenset({value})
    return frozenset(map(str, value)) if isinstance(value, list | tuple) else frozenset()


def as_of_date(query: Query) -> str | None:
    """The ISO date as of which the query is asked, from `context.as_of`."""
    value = query.context.get("as_of")
    return value[:10] if isinstance(value, str) else None


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
