"""Tiny qrels and runs whose values were measured in twelve builds of other libraries.

Where the recommended value and the conventions of docs/metrics.md differ, the conventions stand:
a query without a ranking is an error with no values, an id that is no string and a score that is
not finite make the answer invalid, a grade that is no integer is an error of the dataset.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ragguard.config.model import Scoring
from ragguard.config.policy import Policy
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import ranking_warnings, score_results
from ragguard.metrics.name import Metric
from ragguard.report.summary import means_of
from ragguard.resources import schema
from ragguard.retrievers.answer import Answer
from ragguard.retrievers.parsing import parse_answer
from tests.metrics.judging import seen, value
from tests.shared_data import SHARED, shared

ROUNDING = 1e-6
"""The recommended values are written with six decimals."""

Case = Mapping[str, Any]


def cases(kind: str) -> list[Any]:
    """The cases of one kind by id; one that skips with the reason when the file is not there."""
    path = SHARED / "conformance/metrics.json"
    if not path.exists():
        return [pytest.param(None, id="not-there")]
    listed = json.loads(path.read_text(encoding="utf-8"))[kind]
    return [pytest.param(case, id=case["id"]) for case in listed]


def case_named(name: str) -> Case:
    """One case by the beginning of its id."""
    listed = json.loads(shared("conformance/metrics.json").read_text(encoding="utf-8"))["cases"]
    return next(case for case in listed if case["id"].startswith(name))


def canonical(name: str) -> Metric:
    """The metric that a name of the file means."""
    return Metric.parse(name.replace("Hit@", "Success@").replace("nDCGexp", "ndcg_exp2"))


def scoring_of(case: Case) -> Scoring:
    """What the case is scored by."""
    metrics = [canonical(name) for name in case["metrics"]]
    return Scoring(
        primary=metrics[0],
        cutoffs=tuple(sorted({metric.cutoff for metric in metrics if metric.cutoff})),
        policy=Policy(relevance_threshold=case["relevance_threshold"]),
    )


def scored(case: Case) -> dict[str, QueryResult]:
    """Every query of the qrels, answered as the run says, scored."""
    results = [result_of(query_id, case) for query_id in case["qrels"]]
    return {result.query.query_id: result for result in score_results(results, scoring_of(case))}


def result_of(query_id: str, case: Case) -> QueryResult:
    """One query with what the run has for it, not scored yet."""
    judgments = case["qrels"][query_id]
    query = Query.from_row(
        {
            "query_id": query_id,
            "query": query_id,
            "judgments": judgments,
            "answerable": bool(judgments),
        }
    )
    if query_id not in case["run"]:
        return QueryResult(query, Status.ERROR, error="not in the run")
    to_id = int if case.get("run_ids_are_integers") else str
    listed = [{"id": to_id(id_), "score": float(score)} for id_, score in case["run"][query_id]]
    outcome = parse_answer({"results": listed}, 20)
    if isinstance(outcome, Answer):
        return QueryResult(query, Status.OK, outcome)
    return QueryResult(query, Status(outcome.kind), error=outcome.message)


@pytest.mark.parametrize("case", cases("cases"))
def test_every_case_has_the_recommended_values_or_a_named_state(case: Case | None) -> None:
    """Per query and in the mean."""
    if case is None:
        shared("conformance/metrics.json")
        return
    if "per_query" not in case["recommended"]:
        assert case["id"].startswith("C30")
        return
    results = scored(case)
    for query_id, result in results.items():
        for name, expected in case["recommended"]["per_query"][query_id].items():
            found = result.metrics[str(canonical(name))]
            if expected is None or result.status is not Status.OK:
                assert found is None, name
            else:
                assert found == pytest.approx(expected, abs=ROUNDING), name
    if all(result.status is Status.OK for result in results.values()):
        assert_means(case, list(results.values()))


def assert_means(case: Case, results: list[QueryResult]) -> None:
    """The macro means are the recommended ones."""
    scoring = scoring_of(case)
    metrics = [canonical(name) for name in case["metrics"]]
    means = means_of(results, metrics, scoring)
    for name, expected in case["recommended"]["mean"].items():
        found = means[str(canonical(name))]["macro"]
        assert found == pytest.approx(expected, abs=ROUNDING), name


def test_the_exceptions_are_these_and_no_others() -> None:
    """Which queries have a state instead of values, over all cases."""
    listed = json.loads(shared("conformance/metrics.json").read_text(encoding="utf-8"))["cases"]
    failed = {
        (case["id"][:3], query_id, str(result.status))
        for case in listed
        for query_id, result in scored(case).items()
        if result.status is not Status.OK
    }
    assert failed == {
        ("C04", "q2", "error"),
        ("C34", "q1", "error"),
        ("C24", "q1", "invalid"),
        ("C27", "q1", "invalid"),
    }


def test_a_grade_that_is_no_integer_is_an_error_of_the_dataset() -> None:
    """C30 never reaches a measure: its row does not satisfy the schema."""
    row = {"query_id": "q1", "query": "?", "judgments": case_named("C30")["qrels"]["q1"]}
    assert not Draft202012Validator(schema("dataset-row")).is_valid(row)


def test_duplicates_make_the_answer_invalid_where_the_policy_refuses_them() -> None:
    """C08 names the id that came twice."""
    case = case_named("C08")
    strict = Scoring(primary=Metric("recall", 2), policy=Policy(duplicates="error"))
    (result,) = score_results([result_of("q1", case)], strict)
    assert result.status is Status.INVALID
    assert "'d1'" in (result.error or "")
    assert set(result.metrics.values()) == {None}


@pytest.mark.parametrize(
    ("name", "said"),
    [("C11", "tie across the cutoff 1"), ("C15", "scores higher than the one before")],
)
def test_scores_at_odds_with_the_order_are_a_warning(name: str, said: str) -> None:
    """List order decides all the same."""
    answer = result_of("q1", case_named(name)).answer
    assert answer is not None
    (warning,) = ranking_warnings(answer.ranking, [1, 2])
    assert said in warning


def test_micro_pools_relevant_chunks() -> None:
    """C32: five ninths by query, two tenths by relevant chunk."""
    case = case_named("C32")
    results = list(scored(case).values())
    found = means_of(results, [Metric("recall", 1)], scoring_of(case))["recall@1"]
    assert found["macro"] == pytest.approx(5 / 9)
    assert found["micro"] == pytest.approx(2 / 10)


@pytest.mark.parametrize("case", cases("evidence_group_cases"))
def test_evidence_groups_have_the_expected_values(case: Case | None) -> None:
    """The share of groups satisfied, and whether all are."""
    if case is None:
        shared("conformance/metrics.json")
        return
    grades = {member: 1 for group in case["groups"] for member in group}
    judged = seen(case["ranking"], grades, case["groups"])
    for k, expected in case["expect"]["group_recall"].items():
        assert value(judged, f"evidence@{k}") == expected
    for k, expected in case["expect"]["all_groups"].items():
        assert value(judged, f"complete@{k}") == expected
