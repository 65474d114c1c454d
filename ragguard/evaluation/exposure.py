"""Chunks that should not have come back: forbidden, unauthorized, stale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragguard.corpus.chunk import Chunk
from ragguard.corpus.visibility import as_of_date, is_stale, may_see, roles_of
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
    if not chunks and not query.forbidden_ids:
        return {}
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
