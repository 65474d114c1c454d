"""Running a suite: states, exposures, and warnings about the run as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragguard.config.model import Scoring
from ragguard.corpus.chunk import Chunk
from ragguard.dataset.query import Query
from ragguard.errors import InputError
from ragguard.evaluation.result import Status
from ragguard.evaluation.runner import ChunkLookup, SuiteOutcome, evaluate
from ragguard.metrics.name import Metric
from ragguard.retrievers.answer import Answer, Failure, Reply, Retrieved

SCORING = Scoring(primary=Metric("evidence", 5))


class Scripted:
    """A retriever that replies what it was told to."""

    description: Mapping[str, Any] = {"kind": "scripted"}
    environment: Mapping[str, Any] = {}
    warnings: Sequence[str] = ()

    def __init__(self, *outcomes: Answer | Failure) -> None:
        """Keep one outcome per query."""
        self._outcomes = outcomes

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """The outcomes, one after the other."""
        for outcome in self._outcomes:
            yield Reply(outcome, 1.5)


def answer(*ids: str, **more: Any) -> Answer:
    """An answer of these ids without scores."""
    return Answer(tuple(Retrieved(id_) for id_ in ids), **more)


def row(query_id: str, *relevant: str, **more: Any) -> Query:
    """A query with these labels."""
    return Query.from_row(
        {"query_id": query_id, "query": "?", "relevant_ids": list(relevant), **more}
    )


def run(queries: Sequence[Query], *outcomes: Answer | Failure, **more: Any) -> SuiteOutcome:
    """Evaluate scripted outcomes."""
    return evaluate(queries, Scripted(*outcomes), SCORING, **more)


def test_each_query_ends_in_a_state_and_only_ok_has_metrics() -> None:
    """Failures are neither zeros nor missing; an empty list is a zero."""
    queries = [row(f"q{number}", "a") for number in range(5)]
    outcomes = (
        answer("a"),
        answer(),
        Failure("error", "it broke"),
        Failure("timeout", "too slow"),
        Failure("invalid", "no id"),
    )
    results = run(queries, *outcomes).results
    assert [result.status for result in results] == [
        Status.OK,
        Status.OK,
        Status.ERROR,
        Status.TIMEOUT,
        Status.INVALID,
    ]
    values = [result.metrics["recall@5"] for result in results]
    assert values == [1.0, 0.0, None, None, None]
    assert [result.error for result in results[2:]] == ["it broke", "too slow", "no id"]


def test_no_error_quotes_a_private_query() -> None:
    """Neither its own nor that of a query asked after it."""
    queries = [row("q1", "a", private=True), row("q2", "a")]
    queries[0] = replace(queries[0], text="hush-hush")
    outcomes = (Failure("error", "no hush-hush"), Failure("error", "log: asked hush-hush"))
    errors = [result.error for result in run(queries, *outcomes).results]
    assert not any("hush" in (error or "") for error in errors)
    assert errors[1] == "log: asked (private query)"


def test_progress_is_told_of_every_query() -> None:
    """Failed ones too."""
    told: list[int] = []
    run([row("q1"), row("q2")], answer(), Failure("error", "x"), progress=lambda: told.append(1))
    assert len(told) == 2


def test_forbidden_chunks_are_found_in_every_stage() -> None:
    """A reranker that hides one does not undo that it was retrieved."""
    query = row("q", "a", forbidden_ids=["x"])
    hidden = answer("a", stages={"candidates": (Retrieved("x"), Retrieved("a"))})
    assert run([query], hidden).results[0].exposures == {"forbidden": ("x",)}


def test_unauthorized_and_stale_are_judged_by_the_manifest() -> None:
    """Access lists against the roles of the row; status and dates against its day."""
    chunks = {
        "open": Chunk("open"),
        "closed": Chunk("closed", access=("finance",)),
        "old": Chunk("old", status="superseded", effective_to="2024-12-31"),
    }
    query = row("q", "open")
    asked_in_2024 = row("r", "open", context={"roles": ["finance"], "as_of": "2024-06-01"})
    ranking = answer("open", "closed", "old")
    first, second = run(
        [query, asked_in_2024],
        ranking,
        ranking,
        chunks=lambda ids: {id_: chunks[id_] for id_ in ids},
    ).results
    assert first.exposures == {"unauthorized": ("closed",), "stale": ("old",)}
    assert second.exposures == {}


def test_retrieved_ids_that_the_manifest_lacks_are_a_warning() -> None:
    """Index and manifest are then of two corpus versions."""
    outcome = run([row("q", "a")], answer("a", "ghost"), chunks=lambda _: {"a": Chunk("a")})
    (warning,) = outcome.warnings
    assert "1 retrieved ids are not in the manifest: 'ghost'" in warning


def test_two_id_spaces_are_told_apart_from_a_bad_search() -> None:
    """When no labelled id ever appears, both sides are shown."""
    outcome = run([row("q", "doc:1")], answer("1", "2"))
    (warning,) = outcome.warnings
    assert "labels: 'doc:1'" in warning
    assert "rankings: '1', '2'" in warning


def test_a_manifest_that_lists_both_sides_shows_a_search_that_only_missed() -> None:
    """One id space then; and still two when it lists the ids of one side alone."""

    def listing(*ids: str) -> ChunkLookup:
        return lambda asked: {id_: Chunk(id_) for id_ in ids if id_ in asked}

    queries = [row("q", "a")]
    assert run(queries, answer("b"), chunks=listing("a", "b")).warnings == ()
    (warning,) = run(queries, answer("b"), chunks=listing("b")).warnings
    assert "another id space" in warning


def test_a_manifest_that_cannot_be_read_stops_the_run_before_a_query_is_asked() -> None:
    """Hours of answers must not be lost for a file that could be looked at first."""

    def broken(_ids: frozenset[str]) -> Mapping[str, Chunk]:
        raise InputError("no manifest")

    told: list[int] = []
    with pytest.raises(InputError, match="no manifest"):
        run([row("q", "a")], answer("a"), chunks=broken, progress=lambda: told.append(1))
    assert told == []


def test_days_that_are_none_are_told() -> None:
    """Compared as texts they would make every chunk stale, or none."""
    queries = [row("q", "a", context={"as_of": "tomorrow"}), row("r", "a")]
    chunk = Chunk("a", effective_from="2024-01-01")
    outcome = run(queries, answer("a"), answer("a"), chunks=lambda _: {"a": chunk})
    (warning,) = outcome.warnings
    assert "1 queries ask as of no date" in warning
    assert "'q': 'tomorrow'" in warning
    assert [result.exposures for result in outcome.results] == [{}, {}]


def test_a_search_that_finds_nothing_is_no_other_id_space() -> None:
    """Empty rankings say nothing about ids."""
    assert run([row("q", "a")], answer()).warnings == ()


def test_an_order_that_contradicts_its_scores_is_a_warning_of_the_query() -> None:
    """The order given decides."""
    odd = Answer((Retrieved("a", 0.1), Retrieved("b", 0.9)))
    (result,) = run([row("q", "b")], odd).results
    assert result.answer is not None
    assert "scores higher than the one before it" in result.answer.warnings[0]
    assert result.metrics["rr"] == 0.5
