"""Report values to and from the JSON records of a report file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ragguard.config.mapping import scoring_from_mapping, scoring_to_mapping
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.location import Location
from ragguard.report.fingerprint import text_digest
from ragguard.report.model import (
    REPORT_VERSION,
    Commits,
    Fingerprints,
    Report,
    SuiteRun,
    Timing,
)
from ragguard.report.summary import summarise
from ragguard.retrievers.answer import Answer, Ranking, Retrieved

Record = dict[str, Any]


def to_records(report: Report) -> Iterator[Record]:
    """The records of a report in the order of the file: run, queries, timing, summary."""
    yield _run_record(report)
    for suite, results in report.results.items():
        threshold = report.suites[suite].scoring.policy.relevance_threshold
        for result in results:
            yield _query_record(suite, result, threshold)
    if report.timing:
        yield {"record": "timing", **asdict(report.timing)}
    yield {"record": "summary", **summarise(report)}


def _run_record(report: Report) -> Record:
    return {
        "record": "run",
        "version": REPORT_VERSION,
        "suites": {name: _suite_mapping(suite) for name, suite in report.suites.items()},
        "commit": report.commits.evaluated,
        "head_commit": report.commits.head,
        "base_commit": report.commits.base,
        "partial": report.partial,
        "shard": report.shard,
        "environment": dict(report.environment),
    }


def _suite_mapping(suite: SuiteRun) -> Record:
    return {
        **scoring_to_mapping(suite.scoring),
        "fingerprints": asdict(suite.fingerprints),
        "dataset_version": suite.dataset_version,
        "corpus_version": suite.corpus_version,
        "retriever": dict(suite.retriever),
        "worker": dict(suite.worker),
        "warnings": list(suite.warnings),
    }


def _query_record(suite: str, result: QueryResult, threshold: int) -> Record:
    query, answer = result.query, result.answer
    record: Record = {
        "record": "query",
        "suite": suite,
        "query_id": query.query_id,
        "row": _kept_row(query),
        "judgments": query.labels.grades(threshold),
        "groups": [list(group) for group in query.labels.groups(threshold)],
        "status": str(result.status),
    }
    if query.source:
        record["source"] = {"file": query.source.file, "line": query.source.line}
    if result.error is not None:
        record["error"] = result.error
    if answer is not None:
        record |= _answer_mapping(replace(answer, rewritten=None) if query.private else answer)
    if result.duplicates:
        record["duplicates"] = result.duplicates
    if result.exposures:
        record["exposures"] = {kind: list(ids) for kind, ids in result.exposures.items()}
    record["metrics"] = result.metrics
    return record


def _kept_row(query: Query) -> Record:
    """The row as the suite read it; a private text is replaced by its digest."""
    row = dict(query.row)
    if query.private and "query" in row:
        row = {"query_sha256": text_digest(row.pop("query")), **row}
    return row


def _answer_mapping(answer: Answer) -> Record:
    mapping: Record = {"ranking": _pairs(answer.ranking)}
    if answer.stages:
        mapping["stages"] = {name: _pairs(ranking) for name, ranking in answer.stages.items()}
    if answer.rewritten is not None:
        mapping["rewritten"] = answer.rewritten
    if answer.admitted is not None:
        mapping["admitted"] = answer.admitted
    if answer.warnings:
        mapping["warnings"] = list(answer.warnings)
    return mapping


def _pairs(ranking: Ranking) -> list[list[Any]]:
    return [[place.chunk_id, place.score] for place in ranking]


def report_from_records(
    run: Record, queries: Sequence[tuple[str, QueryResult]], timing: Timing | None
) -> Report:
    """The report that these records make up.

    Args:
        run: the `run` record, schema-valid.
        queries: suite and result of every query record, in the order of the file.
        timing: the `timing` record, if there is one.
    """
    results: dict[str, list[QueryResult]] = {name: [] for name in run["suites"]}
    for suite, result in queries:
        results[suite].append(result)
    return Report(
        suites={name: _suite_run(name, raw) for name, raw in run["suites"].items()},
        results={name: tuple(listed) for name, listed in results.items()},
        commits=Commits(run["commit"], run["head_commit"], run["base_commit"]),
        partial=run["partial"],
        shard=run["shard"],
        environment=run["environment"],
        timing=timing,
    )


def _suite_run(name: str, raw: Mapping[str, Any]) -> SuiteRun:
    return SuiteRun(
        name=name,
        scoring=scoring_from_mapping(raw),
        fingerprints=Fingerprints(**raw["fingerprints"]),
        dataset_version=raw["dataset_version"],
        corpus_version=raw["corpus_version"],
        retriever=raw["retriever"],
        worker=raw["worker"],
        warnings=tuple(raw["warnings"]),
    )


def timing_from_record(record: Mapping[str, Any]) -> Timing:
    """The times that a `timing` record holds."""
    return Timing(record["started"], record["seconds"], record["latency_ms"])


def query_from_record(record: Mapping[str, Any]) -> QueryResult:
    """The result that a query record holds.

    Raises:
        KeyError, TypeError, ValueError: the record does not satisfy the report schema.
    """
    source = record.get("source")
    query = Query.from_row(
        record["row"], Location(source["file"], source["line"]) if source else None
    )
    return QueryResult(
        query=query,
        status=Status(record["status"]),
        answer=_answer(record) if "ranking" in record else None,
        error=record.get("error"),
        metrics=record["metrics"],
        duplicates=record.get("duplicates", 0),
        exposures={kind: tuple(ids) for kind, ids in record.get("exposures", {}).items()},
    )


def _answer(record: Mapping[str, Any]) -> Answer:
    return Answer(
        ranking=_ranking(record["ranking"]),
        stages={name: _ranking(pairs) for name, pairs in record.get("stages", {}).items()},
        rewritten=record.get("rewritten"),
        admitted=record.get("admitted"),
        warnings=tuple(record.get("warnings", ())),
    )


def _ranking(pairs: Sequence[Sequence[Any]]) -> Ranking:
    return tuple([Retrieved(chunk_id, score) for chunk_id, score in pairs])
