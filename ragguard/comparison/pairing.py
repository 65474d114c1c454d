"""Which query of head is which query of base; order never matters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult
from ragguard.report.fingerprint import text_digest


@dataclass(frozen=True, slots=True)
class Pairing:
    """How the queries of two results correspond.

    Attributes:
        paired: base and head result of the same query: same text and context, whatever the id.
        reworded: same id, other text or context; not compared.
        added: results that only head has.
        removed: results that only base has.
    """

    paired: tuple[tuple[QueryResult, QueryResult], ...]
    reworded: tuple[tuple[QueryResult, QueryResult], ...]
    added: tuple[QueryResult, ...]
    removed: tuple[QueryResult, ...]


def pair(base: Sequence[QueryResult], head: Sequence[QueryResult]) -> Pairing:
    """Pair by id, then what is left by text and context; in the order of head."""
    by_id = {result.query.query_id: result for result in base}
    same: dict[str, QueryResult] = {}
    reworded: dict[str, QueryResult] = {}
    for result in head:
        other = by_id.get(result.query.query_id)
        if other is not None:
            is_same = asked(other.query) == asked(result.query)
            (same if is_same else reworded)[result.query.query_id] = other
    taken = {*same, *reworded}
    same |= _renamed(
        [result for result in base if result.query.query_id not in taken],
        [result for result in head if result.query.query_id not in taken],
    )
    used = {result.query.query_id for result in (*same.values(), *reworded.values())}
    known = {*same, *reworded}
    return Pairing(
        paired=tuple((same[r.query.query_id], r) for r in head if r.query.query_id in same),
        reworded=tuple(
            (reworded[r.query.query_id], r) for r in head if r.query.query_id in reworded
        ),
        added=tuple(r for r in head if r.query.query_id not in known),
        removed=tuple(r for r in base if r.query.query_id not in used),
    )


def _renamed(base: Iterable[QueryResult], head: Iterable[QueryResult]) -> dict[str, QueryResult]:
    """Base result by head id where text and context are equal and stand once on either side."""
    before, after = _by_asked(base), _by_asked(head)
    return {
        members[0].query.query_id: before[key][0]
        for key, members in after.items()
        if len(members) == 1 and len(before.get(key, ())) == 1
    }


def _by_asked(results: Iterable[QueryResult]) -> dict[Any, list[QueryResult]]:
    grouped: dict[Any, list[QueryResult]] = {}
    for result in results:
        grouped.setdefault(asked(result.query), []).append(result)
    return grouped


def asked(query: Query) -> tuple[str, str]:
    """What the retriever was asked: digest of the text, and the context in one spelling.

    A report keeps only the digest of a private text, so digests are what is compared.
    """
    kept = query.row.get("query_sha256")
    digest = kept if isinstance(kept, str) else text_digest(query.text)
    return digest, json.dumps(query.context, sort_keys=True)
