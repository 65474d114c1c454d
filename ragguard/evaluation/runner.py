"""Asking a retriever every query of a suite, and scoring what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragguard.config.model import Scoring, Suite
from ragguard.corpus.chunk import Chunk
from ragguard.corpus.visibility import odd_as_of
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.evaluation.exposure import exposures
from ragguard.evaluation.privacy import PrivateTexts
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import ranking_warnings, score_results
from ragguard.retrievers.answer import Answer, Reply, Retriever

ChunkLookup = Callable[[frozenset[str]], Mapping[str, Chunk]]
"""What the manifest knows of these chunks; ids that it lacks are left out."""

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SuiteOutcome:
    """What evaluating one suite yielded.

    Attributes:
        results: scored, in the order of the queries.
        retriever: what the report says of the retriever.
        worker: what the retriever's process tells of itself.
        warnings: what is odd about the run as a whole.
    """

    results: tuple[QueryResult, ...]
    retriever: Mapping[str, Any]
    worker: Mapping[str, Any]
    warnings: tuple[str, ...]


def evaluate(
    queries: Sequence[Query],
    retriever: Retriever,
    scoring: Scoring,
    *,
    chunks: ChunkLookup | None = None,
    progress: Callable[[], None] = lambda: None,
) -> SuiteOutcome:
    """Ask every query and score the answers; a query that fails has its state, never a zero.

    Args:
        queries: the queries of the suite.
        retriever: what answers them.
        scoring: depth, cutoffs, policy and gates.
        chunks: look-up in the manifest; None without one.
        progress: called after each query.

    Raises:
        RetrieverError: no query can be asked at all.
        InputError: the manifest cannot be read; no query is asked then.
    """
    if chunks:
        chunks(frozenset())  # a manifest that cannot be read must not cost an hour of answers
    results, private = [], PrivateTexts(queries)
    for query, reply in zip(queries, retriever.ask(queries, scoring.depth), strict=True):
        results.append(_result(query, reply, scoring, private))
        progress()
    found = chunks(frozenset(_retrieved_ids(results))) if chunks else {}
    path = scoring.policy.access_from
    exposed = [
        replace(result, exposures=exposures(result.query, result.answer, found, path))
        if result.answer
        else result
        for result in results
    ]
    return SuiteOutcome(
        results=score_results(exposed, scoring),
        retriever=retriever.description,
        worker=retriever.environment,
        warnings=(
            *retriever.warnings,
            *(_unknown_ids(results, found) if chunks else ()),
            *(_odd_dates(queries) if chunks else ()),
            *_strange_ids(results, chunks),
        ),
    )


def unanswered(queries: Sequence[Query], suite: Suite, error: RetrieverError) -> SuiteOutcome:
    """The outcome of a suite whose retriever did not start: each query is an error."""
    settings = suite.retriever
    why = f"not asked: the retriever of suite {suite.name!r} did not start"
    results = [QueryResult(query, Status.ERROR, error=why) for query in queries]
    return SuiteOutcome(
        results=score_results(results, suite.scoring),
        retriever={"kind": settings.kind, "target": settings.target} if settings else {},
        worker={},
        warnings=(f"no query was asked, all {len(results)} are errors: {error.message}",),
    )


def _result(query: Query, reply: Reply, scoring: Scoring, private: PrivateTexts) -> QueryResult:
    outcome = reply.outcome
    if isinstance(outcome, Answer):
        odd = ranking_warnings(outcome.ranking, scoring.cutoffs)
        answer = replace(outcome, warnings=(*outcome.warnings, *odd)) if odd else outcome
        return QueryResult(query, Status.OK, answer, latency_ms=reply.latency_ms)
    message = private.hidden_in(outcome.message, query)
    return QueryResult(query, Status(outcome.kind), error=message, latency_ms=reply.latency_ms)


def _retrieved_ids(results: Iterable[QueryResult]) -> Iterator[str]:
    for result in results:
        if result.answer:
            for ranking in (result.answer.ranking, *result.answer.stages.values()):
                yield from (place.chunk_id for place in ranking)


def _unknown_ids(results: Iterable[QueryResult], found: Mapping[str, Chunk]) -> Iterator[str]:
    unknown = dict.fromkeys(id_ for id_ in _retrieved_ids(results) if id_ not in found)
    if unknown:
        yield (
            f"{len(unknown)} retrieved ids are not in the manifest: {_some(unknown)}; "
            "the index and the manifest are not of the same corpus version"
        )


def _odd_dates(queries: Iterable[Query]) -> Iterator[str]:
    """Days as of which is asked that are none, so that nothing is stale by them."""
    odd = {query.query_id: odd_as_of(query) for query in queries}
    odd = {query_id: as_of for query_id, as_of in odd.items() if as_of is not None}
    if odd:
        yield (
            f"{len(odd)} queries ask as of no date like 2026-11-30 (context.as_of of {_some(odd)}: "
            f"{_some(odd.values())}); their chunks are judged by status alone"
        )


def _strange_ids(results: Sequence[QueryResult], chunks: ChunkLookup | None) -> Iterator[str]:
    """Labels and rankings that share no id at all: two id spaces, or a search that found nothing.

    A manifest that lists ids of both tells them apart; without one it is a question.
    """
    labelled: dict[str, None] = {}
    for result in results:
        if result.answer and result.answer.ranking:
            named = result.query.labels.grades(1)
            if any(place.chunk_id in named for place in result.answer.ranking):
                return
            labelled.update(dict.fromkeys(named))
    retrieved = dict.fromkeys(_retrieved_ids(results))
    if not (labelled and retrieved) or not labelled.keys().isdisjoint(retrieved):
        return
    known = chunks(frozenset({*labelled, *retrieved})) if chunks else {}
    if known.keys().isdisjoint(labelled) or known.keys().isdisjoint(retrieved):
        yield (
            "no labelled id appears in any ranking: are they of another id space? "
            f"(labels: {_some(labelled)}; rankings: {_some(retrieved)})"
        )


def _some(ids: Iterable[object]) -> str:
    listed = list(ids)
    return ", ".join(map(repr, listed[:_EXAMPLES])) + (", …" if len(listed) > _EXAMPLES else "")
