"""Chunks that should not have come back: forbidden, unauthorized, stale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query
from ragguard.retrievers.answer import Answer


def exposures(
    query: Query, answer: Answer, chunks: Mapping[str, Chunk], access_from: str
) -> dict[str, tuple[str, ...]]:
    """Ids by kind of exposure; kinds with none are left out.

    Args:
        query: the query, with its forbidden ids and context.
        answer: the raw answer; forbidden and unauthorized look at every stage, stale at the
            final ranking only.
        chunks: what the manifest knows of the retrieved chunks, by id.
        access_from: dotted path in the row to the roles the query is asked with.
    """
    everywhere = tuple(dict.fromkeys(_all_ids(answer)))
    final = dict.fromkeys(place.chunk_id for place in answer.ranking)
    forbidden = set(query.forbidden_ids)
    roles = roles_of(query, access_from)
    as_of = as_of_date(query)
    found = {
        "forbidden": tuple(id_ for id_ in everywhere if id_ in forbidden),
        "unauthorized": tuple(
            id_ for id_ in everywhere if id_ in chunks and not may_see(chunks[id_], roles)
        ),
        "stale": tuple(id_ for id_ in final if id_ in chunks and is_stale(chunks[id_], as_of)),
    }
    return {kind: ids for kind, ids in found.items() if ids}


def _all_ids(answer: Answer) -> Iterator[str]:
    for ranking in (answer.ranking, *answer.stages.values()):
        for place in ranking:
            yield place.chunk_id


def roles_of(query: Query, access_from: str) -> frozenset[str]:
    """The roles a query is asked with; a single text counts as one role."""
    value = query.value_at(access_from)
    if isinstance(value, str):
        return frozenset({value})
    return frozenset(map(str, value)) if isinstance(value, list | tuple) else frozenset()


def as_of_date(query: Query) -> str | None:
    """The ISO date at which the query is asked, from `context.as_of`."""
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
