"""What is written is what is read, and all of it is what the schema says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragguard.config.gates import CriticalGate, Gates, MetricGate, SliceGate
from ragguard.config.model import Scoring
from ragguard.config.policy import Policy
from ragguard.dataset.query import Query
from ragguard.evaluation.result import QueryResult, Status
from ragguard.evaluation.scoring import score_results
from ragguard.location import Location
from ragguard.metrics.name import Metric
from ragguard.metrics.registry import REGISTRY
from ragguard.report.model import Commits, Fingerprints, Report, SuiteRun, Timing
from ragguard.report.reading import read_report, report_from_bytes
from ragguard.report.soundness import is_sound
from ragguard.report.writing import report_bytes, write_report
from ragguard.resources import schema
from ragguard.retrievers.answer import Answer, Retrieved
from tests.report.building import full_report

SCHEMA = Draft202012Validator(schema("report"))

ids = st.text(min_size=1, max_size=6)
texts = st.text(max_size=12)
scores = st.none() | st.floats(allow_nan=False, allow_infinity=False)
rankings = st.lists(st.builds(Retrieved, ids, scores), max_size=6).map(tuple)
leaves = st.none() | st.booleans() | st.integers(-9, 9) | texts
free_values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
positive = st.floats(0.001, 1000)
metrics = st.builds(Metric, st.sampled_from(sorted(set(REGISTRY) - {"rprec"})), st.integers(1, 20))
limits = st.none() | st.floats(0, 1)
counts = st.none() | st.integers(0, 3)
gates = st.builds(
    Gates,
    metrics=st.dictionaries(metrics, st.builds(MetricGate, limits, limits), max_size=3),
    slices=st.dictionaries(
        texts,
        st.dictionaries(
            metrics, st.builds(SliceGate, limits, limits, st.integers(1, 9)), max_size=2
        ),
        max_size=2,
    ),
    critical=st.builds(
        CriticalGate,
        st.none() | st.integers(1, 9),
        st.sampled_from(["all", "any"]),
        st.sampled_from(["list", "block"]),
    ),
    forbidden=counts,
    unauthorized=counts,
    stale=counts,
    failures=counts,
    min_paired=st.floats(0, 1),
)
scorings = st.builds(
    Scoring,
    primary=metrics,
    cutoffs=st.lists(st.integers(1, 20), min_size=1, max_size=3, unique=True)
    .map(sorted)
    .map(tuple),
    depth=st.integers(1, 30),
    policy=st.builds(
        Policy,
        st.integers(1, 3),
        st.sampled_from(["k", "returned"]),
        st.sampled_from(["collapse", "error"]),
        texts,
    ),
    slices=st.lists(texts, max_size=2, unique=True).map(tuple),
    system=st.dictionaries(texts, free_values, max_size=2),
    gates=gates,
)
labels = st.one_of(
    st.fixed_dictionaries({"relevant_ids": st.lists(ids, max_size=3)}),
    st.fixed_dictionaries({"judgments": st.dictionaries(ids, st.integers(0, 4), max_size=3)}),
    st.fixed_dictionaries(
        {"evidence": st.lists(st.lists(ids, min_size=1, max_size=3), max_size=3)}
    ),
)
rest = st.fixed_dictionaries(
    {},
    optional={
        "answerable": st.booleans(),
        "critical": st.booleans(),
        "forbidden_ids": st.lists(ids, max_size=2),
        "context": st.dictionaries(texts, free_values, max_size=2),
        "weight": positive,
        "max_rank": st.integers(1, 20),
        "category": texts,
        "anything": free_values,
    },
)


@st.composite
def queries(draw: st.DrawFn, number: int) -> Query:
    """A query whose text is not private, with any labels."""
    row = {"query_id": f"q{number}", "query": draw(texts)} | draw(labels) | draw(rest)
    source = st.none() | st.builds(Location, texts, st.none() | st.integers(1, 99))
    return Query.from_row(row, draw(source))


@st.composite
def results(draw: st.DrawFn, number: int) -> QueryResult:
    """An answered or failed query, not scored yet."""
    query = draw(queries(number))
    if draw(st.booleans()):
        failed = st.sampled_from([Status.ERROR, Status.TIMEOUT, Status.INVALID])
        return QueryResult(query, draw(failed), error=draw(texts))
    answer = Answer(
        draw(rankings),
        stages=draw(st.dictionaries(texts, rankings, max_size=2)),
        rewritten=draw(st.none() | texts),
        admitted=draw(st.none() | st.integers(0, 5)),
        warnings=tuple(draw(st.lists(texts, max_size=2))),
    )
    kinds = st.sampled_from(["forbidden", "unauthorized", "stale"])
    found = st.dictionaries(kinds, st.lists(ids, min_size=1, max_size=2).map(tuple), max_size=3)
    return QueryResult(query, Status.OK, answer, exposures=draw(found))


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any report of one or two suites."""
    names = draw(st.lists(ids, min_size=1, max_size=2, unique=True))
    suites, by_suite = {}, {}
    for name in names:
        scoring = draw(scorings)
        prints = Fingerprints(draw(texts), draw(texts), draw(st.none() | texts), draw(texts))
        suites[name] = SuiteRun(
            name,
            scoring,
            prints,
            dataset_version=draw(st.none() | texts),
            corpus_version=draw(st.none() | texts),
            retriever=draw(st.dictionaries(texts, free_values, max_size=2)),
            worker=draw(st.dictionaries(texts, free_values, max_size=2)),
            warnings=tuple(draw(st.lists(texts, max_size=2))),
        )
        count = draw(st.integers(0, 3))
        by_suite[name] = score_results([draw(results(n)) for n in range(count)], scoring)
    latency = st.dictionaries(texts, st.dictionaries(texts, positive, max_size=2), max_size=2)
    return Report(
        suites,
        by_suite,
        commits=draw(st.builds(Commits, *[st.none() | texts] * 3)),
        partial=draw(st.booleans()),
        shard=draw(st.none() | texts),
        environment=draw(st.dictionaries(texts, free_values, max_size=2)),
        timing=draw(st.none() | st.builds(Timing, texts, positive, latency)),
    )


@settings(deadline=None, max_examples=50)
@given(report=reports(), compressed=st.booleans())
def test_a_report_read_back_is_the_report_that_was_written(
    report: Report, compressed: bool
) -> None:
    """Every field, and every record satisfies the schema."""
    content = report_bytes(report, compressed=compressed)
    back = report_from_bytes(content, "report", strict=True)
    assert back == report
    assert report_bytes(back, compressed=compressed) == content
    for line in report_bytes(report).split(b"\n")[:-1]:
        record = json.loads(line)
        SCHEMA.validate(record)
        assert record["record"] != "query" or is_sound(record)


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_file_is_plain_or_compressed_by_its_name(tmp_path: Path, name: str) -> None:
    """Reading tells them apart by content."""
    report = full_report()
    write_report(report, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    assert content.startswith(b"\x1f\x8b" if name.endswith(".gz") else b'{"record":"run"')
    assert read_report(tmp_path / name) == report
    (tmp_path / name).rename(tmp_path / "other")
    assert read_report(tmp_path / "other") == report


def test_records_stand_in_order_and_hold_what_the_contract_names() -> None:
    """Run, queries in dataset order, timing, summary."""
    records = [json.loads(line) for line in report_bytes(full_report()).split(b"\n")[:-1]]
    assert [record["record"] for record in records] == ["run", *["query"] * 4, "timing", "summary"]
    run, first, second, _, failed, timing, _ = records
    assert run["version"] == 1
    assert run["commit"] == "1" * 40
    assert run["suites"]["docs"]["gates"]["evidence@5"] == {"min": 0.5, "max_drop": 0.02}
    assert run["suites"]["docs"]["policy"]["precision_denominator"] == "k"
    assert first["ranking"] == [["a", 1.0], ["x", 0.5], ["b", 1 / 3]]
    assert first["metrics"]["recall@1"] == 0.5
    assert first["judgments"] == {"a": 1, "b": 1}
    assert first["groups"] == [["a"], ["b"]]
    assert "stages" not in first
    assert second["duplicates"] == 1
    assert second["row"]["note"] == {"free": ["form", None, 1.5]}
    assert second["metrics"]["recall@5"] is None
    assert failed["status"] == "timeout"
    assert "ranking" not in failed
    assert set(failed["metrics"]) == set(first["metrics"])
    assert set(failed["metrics"].values()) == {None}
    assert timing["latency_ms"] == {"docs": {"q1": 3.25, "q2": 1.0}}


def test_without_times_the_same_results_give_the_same_bytes() -> None:
    """Latencies and the hour of the run stand in the timing record alone."""
    report = full_report()
    slower = tuple(replace(result, latency_ms=99.0) for result in report.results["docs"])
    one = replace(report, timing=None)
    other = replace(report, timing=None, results={"docs": slower})
    for compressed in (False, True):
        assert report_bytes(one, compressed=compressed) == report_bytes(
            other, compressed=compressed
        )


def test_a_private_text_is_nowhere_in_the_report() -> None:
    """Its digest stands in its place, so that a rewording is still seen."""
    query = Query.from_row(
        {"query_id": "q1", "query": "salary of X", "private": True, "relevant_ids": ["a"]}
    )
    report = full_report()
    told = Answer((Retrieved("a"),), rewritten="salary of X in euros")
    secret = replace(report.results["docs"][0], query=query, answer=told)
    content = report_bytes(replace(report, results={"docs": (secret,)}))
    assert b"salary" not in content
    row = json.loads(content.split(b"\n")[1])["row"]
    assert row["query_sha256"] == (
        "3c4a25e3e0f1cef7437214a4f4c84996f21d8919c5f56d53b154b888d3a10bcb"
    )
    assert report_from_bytes(content, "r", strict=True).results["docs"][0].query.text == ""
