"""The summary: means with their denominators, counts that add up, and every miss by name."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from ragguard.config.mapping import gates_from_mapping
from ragguard.config.model import Scoring
from ragguard.config.policy import Policy
from ragguard.evaluation.result import QueryResult, Status
from ragguard.metrics.name import Metric
from ragguard.report.model import Timing
from ragguard.report.summary import percentile, summarise
from ragguard.report.writing import report_bytes
from ragguard.resources import schema
from tests.report.building import answered, full_report, report_of

SCORING = Scoring(primary=Metric("evidence", 3), cutoffs=(1, 3), slices=("category", "meta.lang"))

RESULTS = [
    answered({"query_id": "one", "relevant_ids": ["a"], "category": "pay", "weight": 3}, "axy"),
    answered(
        {
            "query_id": "two",
            "relevant_ids": list("abcd"),
            "category": "pay",
            "meta": {"lang": "de"},
        },
        "xya",
    ),
    answered({"query_id": "zero", "relevant_ids": ["a"], "category": "login"}, "xyz"),
    answered({"query_id": "any", "evidence": [["a", "b"]], "meta": {"lang": 7}}, "b"),
    answered({"query_id": "none", "answerable": False, "category": "pay"}, "x"),
    answered({"query_id": "bare"}, "x"),
    answered({"query_id": "late", "relevant_ids": ["a"], "category": "pay"}, None),
]


def docs(results: list[QueryResult], scoring: Scoring = SCORING, **parts: object) -> dict:
    """The summary of one suite."""
    return summarise(report_of(results, scoring, **parts))["suites"]["docs"]


def test_means_are_over_the_queries_that_have_a_value() -> None:
    """Recall@3: 1, 1/4 and 0; the query with alternatives has none, nor has a failure."""
    assert docs(RESULTS)["means"]["recall@3"] == {
        "macro": pytest.approx((1 + 1 / 4 + 0) / 3),
        "micro": pytest.approx(2 / 6),
        "weighted": pytest.approx((3 * 1 + 1 / 4 + 0) / 5),
        "count": 3,
    }


def test_evidence_counts_groups_and_precision_counts_places() -> None:
    """Evidence@3: groups found 1, 1, 0, 1 of 1, 4, 1, 1; precision@3 over 3 places each."""
    means = docs(RESULTS)["means"]
    assert means["evidence@3"]["macro"] == pytest.approx((1 + 1 / 4 + 0 + 1) / 4)
    assert means["evidence@3"]["micro"] == pytest.approx(3 / 7)
    assert means["precision@3"]["micro"] == pytest.approx(3 / 12)
    assert means["rr"]["micro"] is None


def test_precision_by_what_came_back_pools_the_places_that_came_back() -> None:
    """Three places, three, three, one: copies do not count, nor does what lies below the depth."""
    returned = replace(SCORING, depth=3, policy=Policy(precision_denominator="returned"))
    results = [
        answered({"query_id": "one", "relevant_ids": ["a"]}, "ax"),
        answered({"query_id": "two", "relevant_ids": ["a"]}, "aaabcd"),
    ]
    means = docs(results, returned)["means"]["precision@3"]
    assert means["macro"] == pytest.approx((1 / 2 + 1 / 1) / 2)
    assert means["micro"] == pytest.approx(2 / 3)


def test_every_query_is_counted_once() -> None:
    """Queries = scored + unanswerable + unlabelled + errors."""
    counts = docs(RESULTS)["counts"]
    assert counts == {
        "queries": 7,
        "scored": 4,
        "unanswerable": 1,
        "unlabelled": 1,
        "errors": 1,
        "zero_recall": {"recall@1": 2, "recall@3": 1},
        "duplicates": 0,
    }


def test_slices_have_their_own_means_and_counts() -> None:
    """By any scalar field, by dotted path too; queries without it are in no slice."""
    slices = docs(RESULTS)["slices"]
    assert list(slices["category"]) == ["login", "pay"]
    assert slices["category"]["pay"]["count"] == 2
    assert slices["category"]["pay"]["means"]["recall@3"]["macro"] == pytest.approx(5 / 8)
    assert slices["category"]["pay"]["means"]["recall@3"]["weighted"] == pytest.approx(3.25 / 4)
    assert set(slices["meta.lang"]) == {"7", "de"}


def test_nothing_scored_is_no_zero() -> None:
    """Means of nothing are null with count 0."""
    found = docs([answered({}, "x"), answered({"query_id": "q2", "relevant_ids": ["a"]}, None)])
    assert found["means"]["recall@3"] == {
        "macro": None,
        "micro": None,
        "weighted": None,
        "count": 0,
    }


@pytest.mark.parametrize(
    ("gate", "missed"),
    [
        ({}, ["half", "gone", "failed"]),
        ({"require": "any"}, ["gone", "failed"]),
        ({"at": 1}, ["half", "gone", "failed", "second"]),
        ({"at": 1, "require": "any"}, ["half", "gone", "failed", "second"]),
    ],
)
def test_critical_misses_are_what_the_gate_requires(gate: dict, missed: list[str]) -> None:
    """A failed query is a miss; one that needs nothing is none."""
    results = [
        answered({"query_id": "half", "relevant_ids": ["a", "b"], "critical": True}, "xa"),
        answered({"query_id": "gone", "relevant_ids": ["a"], "critical": True}, "xyzwa"),
        answered({"query_id": "failed", "relevant_ids": ["a"], "critical": True}, None),
        answered({"query_id": "second", "relevant_ids": ["a"], "critical": True}, "xa"),
        answered({"query_id": "needs-nothing", "answerable": False, "critical": True}, "x"),
        answered({"query_id": "ordinary", "relevant_ids": ["a"]}, "x"),
    ]
    scoring = replace(SCORING, gates=gates_from_mapping({"critical": gate}))
    assert docs(results, scoring)["critical_misses"] == missed


def test_exposures_are_listed_and_stale_only_within_the_primary_cutoff() -> None:
    """A stale chunk at rank 4 is beyond evidence@3; a copy above does not push it down."""

    def exposed(query_id: str, ranking: str, **kinds: tuple[str, ...]) -> QueryResult:
        row = {"query_id": query_id, "relevant_ids": ["a"]}
        return replace(answered(row, ranking), exposures=kinds)

    found = docs(
        [
            exposed("deep", "abcs", stale=("s",)),
            exposed("near", "abs", stale=("s",)),
            exposed("copies", "aabs", stale=("s",)),
            exposed("both", "a", forbidden=("f",), unauthorized=("u",)),
        ]
    )
    assert found["stale"] == ["near", "copies"]
    assert found["forbidden"] == ["both"]
    assert found["unauthorized"] == ["both"]


def test_latency_is_told_by_nearest_rank() -> None:
    """Null without times."""
    times = {f"q{number}": float(number) for number in range(1, 101)}
    timing = Timing("2026-11-30T12:00:00+00:00", 1.0, {"docs": times})
    assert docs(RESULTS, timing=timing)["latency_ms"] == {"p50": 50.0, "p95": 95.0}
    assert docs(RESULTS)["latency_ms"] == {"p50": None, "p95": None}


@pytest.mark.parametrize(
    ("count", "share", "expected"), [(1, 0.95, 1), (2, 0.5, 1), (3, 0.5, 2), (20, 0.95, 19)]
)
def test_a_percentile_is_a_time_that_was_measured(
    count: int, share: float, expected: float
) -> None:
    """Nearest rank: the smallest time that covers the share."""
    assert percentile(range(1, count + 1), share) == expected


def test_the_summary_record_is_the_summary() -> None:
    """Of the same report, and as the schema has it."""
    report = full_report()
    record = json.loads(report_bytes(report).split(b"\n")[-2])
    assert record == {"record": "summary", **json.loads(json.dumps(summarise(report)))}
    definitions = schema("report")["$defs"]
    validator = Draft202012Validator({"$defs": definitions, "$ref": "#/$defs/summary"})
    validator.validate(summarise(report))


def test_failures_of_every_kind_are_errors() -> None:
    """`error`, `timeout` and `invalid` together."""
    failed = answered({"relevant_ids": ["a"]}, None)
    kinds = (Status.ERROR, Status.TIMEOUT, Status.INVALID)
    results = [
        replace(failed, status=kind, query=replace(failed.query, query_id=str(kind)))
        for kind in kinds
    ]
    counts = docs(results)["counts"]
    assert counts["errors"] == counts["queries"] == 3
