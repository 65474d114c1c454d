"""Reports made in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ragguard.config.mapping import gates_from_mapping
from ragguard.config.model import Scoring
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import score_results
from ragguard.metrics.name import Metric
from ragguard.report.model import Commits, Fingerprints, Report, SuiteRun, Timing
from ragguard.retrievers.answer import Answer, Retrieved

SCORING = Scoring(
    primary=Metric("evidence", 5),
    gates=gates_from_mapping({"evidence@5": {"min": 0.5, "max_drop": 0.02}}),
)


def answered(row: Mapping[str, Any], ranking: Iterable[str] | None, **answer: Any) -> QueryResult:
    """A query and the ids it was answered with; None is a timeout.

    A text is a sequence of one-letter ids.
    """
    query = Query.from_row({"query_id": "q1", "query": "How?", **row})
    if ranking is None:
        return QueryResult(query, Status.TIMEOUT, error="no answer within 10 s")
    places = tuple(Retrieved(id_, 1 / rank) for rank, id_ in enumerate(ranking, 1))
    return QueryResult(query, Status.OK, Answer(places, **answer))


def report_of(
    results: Iterable[QueryResult],
    scoring: Scoring = SCORING,
    timing: Timing | None = None,
    **parts: Any,
) -> Report:
    """A report of one suite, `docs`, scored."""
    suite = SuiteRun("docs", scoring, Fingerprints("d" * 64, "e" * 64, None, "f" * 64))
    return Report(
        suites={"docs": suite},
        results={"docs": score_results(results, scoring)},
        timing=timing,
        **parts,
    )


def full_report() -> Report:
    """A report in which every optional part occurs."""
    results = [
        answered({"relevant_ids": ["a", "b"], "critical": True, "category": "billing"}, "axb"),
        answered(
            {
                "query_id": "q2",
                "judgments": {"a": 2, "b": 0},
                "evidence": [["a", "c"]],
                "forbidden_ids": ["z"],
                "context": {"roles": ["support"], "as_of": "2026-11-01"},
                "weight": 2.5,
                "max_rank": 3,
                "note": {"free": ["form", None, 1.5]},
            },
            "zaa",
            stages={"candidates": (Retrieved("z", None), Retrieved("a", 2.0))},
            rewritten="How much?",
            admitted=1,
            warnings=("odd",),
        ),
        answered({"query_id": "q3", "answerable": False}, ""),
        answered({"query_id": "q4", "relevant_ids": ["a"], "category": "pay"}, None),
    ]
    return report_of(
        results,
        timing=Timing("2026-11-30T12:00:00+00:00", 1.5, {"docs": {"q1": 3.25, "q2": 1.0}}),
        commits=Commits("1" * 40, "2" * 40, "3" * 40),
        environment={"python": "3.11.7"},
    )
