"""Reports made by hand, small enough to be worked out on paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ragguard.config.gates import Gates
from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import score_results
from ragguard.location import Location
from ragguard.metrics.name import Metric
from ragguard.report.fingerprint import dataset_digest, labels_digest
from ragguard.report.model import Commits, Fingerprints, Report, SuiteRun
from ragguard.retrievers.answer import Answer, Ranking, Retrieved

PRIMARY = Metric("evidence", 5)


def made_scoring(**settings: Any) -> Scoring:
    """evidence@5 as primary, cutoffs 1, 3 and 5, depth 20; gates given by name."""
    gates = {name: settings.pop(name) for name in list(settings) if name in Gates.__slots__}
    return replace(
        Scoring(primary=PRIMARY, cutoffs=(1, 3, 5), gates=Gates(**gates)),
        **settings,
    )


def ranking_of(ids: str | Iterable[str]) -> Ranking:
    """A ranking without scores; a text is split at spaces."""
    listed = ids.split() if isinstance(ids, str) else ids
    return tuple(Retrieved(chunk_id) for chunk_id in listed)


def made_query(query_id: str, relevant: str | None = "gold", **row: Any) -> Query:
    """A query whose text is `text of <id>` unless given; labels are ids split at spaces."""
    full: dict[str, Any] = {"query_id": query_id, "query": f"text of {query_id}", **row}
    if relevant is not None:
        full["relevant_ids"] = relevant.split()
    return Query.from_row(full, Location("eval/docs.jsonl", 7))


def made_result(
    query_id: str,
    ids: str | Sequence[str] | None,
    relevant: str | None = "gold",
    *,
    status: Status = Status.OK,
    error: str | None = None,
    stages: Mapping[str, str] | None = None,
    exposures: Mapping[str, tuple[str, ...]] | None = None,
    **row: Any,
) -> QueryResult:
    """One query and its ranking (None: it failed), not scored yet."""
    if ids is None:
        status = Status.ERROR if status is Status.OK else status
        error = error or "connection refused"
    kept = {name: ranking_of(stage) for name, stage in (stages or {}).items()}
    return QueryResult(
        query=made_query(query_id, relevant, **row),
        status=status,
        answer=None if ids is None else Answer(ranking_of(ids), stages=kept),
        error=error,
        exposures=exposures or {},
    )


def made_report(
    suites: Sequence[QueryResult] | Mapping[str, Sequence[QueryResult]],
    scoring: Scoring | None = None,
    *,
    corpus_version: str | None = "1",
    commit: str | None = None,
    retriever: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Report:
    """A report of these results, scored; a sequence is the one suite `docs`."""
    by_name = suites if isinstance(suites, Mapping) else {"docs": suites}
    chosen = scoring or made_scoring()
    return Report(
        suites={
            name: SuiteRun(
                name,
                chosen,
                Fingerprints(
                    dataset_digest(result.query for result in results),
                    labels_digest(result.query for result in results),
                    manifest="0" * 64,
                    configuration="1" * 64,
                ),
                corpus_version=corpus_version,
                retriever=retriever or {},
            )
            for name, results in by_name.items()
        },
        results={name: score_results(results, chosen) for name, results in by_name.items()},
        commits=Commits(evaluated=commit),
        **settings,
    )


def filler(count: int, lost: int = 0, prefix: str = "f") -> list[QueryResult]:
    """Queries that find their chunk at rank 1, the first `lost` of them not at all."""
    return [
        made_result(f"{prefix}{index:04d}", "x y z" if index < lost else "gold x y")
        for index in range(count)
    ]
