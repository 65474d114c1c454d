"""trec_eval's own published qrels, results and expected output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragguard.metrics.means import mean
from tests.metrics.judging import seen, value
from tests.shared_data import shared

PRINTED = 0.5e-4 + 1e-9
"""trec_eval prints four decimals."""

NAMES = {"map": "ap", "recip_rank": "rr", "Rprec": "rprec", "ndcg": "ndcg_linear"}
FAMILIES = {
    "P_": "precision@",
    "recall_": "recall@",
    "success_": "hit@",
    "map_cut_": "ap@",
    "ndcg_cut_": "ndcg_linear@",
}


def folder() -> Path:
    """Where the suite lies."""
    return shared("data/trec-beir/trec_eval/test")


def judgments_in(name: str) -> dict[str, dict[str, int]]:
    """Grade by query and document; a line that begins with `#` is a comment."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for line in lines_of(name):
        query_id, _, document, grade = line.split()
        grades[query_id][document] = int(grade)
    return grades


def rankings_in(name: str) -> dict[str, list[str]]:
    """Documents by query as trec_eval orders them: by score, then by id, both descending."""
    scored: dict[str, list[tuple[float, bytes]]] = defaultdict(list)
    for line in lines_of(name):
        query_id, _, document, _, score, _ = line.split()
        scored[query_id].append((float(score), document.encode()))
    return {
        query_id: [document.decode() for _, document in sorted(pairs, reverse=True)]
        for query_id, pairs in scored.items()
    }


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file that are no comments."""
    for line in (folder() / name).read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            yield line


def expected_in(name: str) -> Iterator[tuple[str, str, float]]:
    """Metric under its canonical name, query or `all`, and value, of what ragguard computes too."""
    for line in lines_of(name):
        trec_name, query_id, printed = line.split()
        metric = canonical(trec_name)
        if metric:
            yield metric, query_id, float(printed)


def canonical(trec_name: str) -> str | None:
    """The metric that trec_eval calls so; None for one that ragguard does not compute."""
    if trec_name in NAMES:
        return NAMES[trec_name]
    family = trec_name.rstrip("0123456789")
    cutoff = trec_name.removeprefix(family)
    return f"{FAMILIES[family]}{cutoff}" if family in FAMILIES and cutoff else None


@pytest.mark.parametrize(
    ("qrels", "results", "output", "count"),
    [
        ("qrels.test", "results.test", "out.test", 10),
        ("qrels.test", "results.test", "out.test.a", 40),
        ("qrels.test", "results.test", "out.test.aq", 160),
    ],
)
def test_values_are_those_that_trec_eval_publishes(
    qrels: str, results: str, output: str, count: int
) -> None:
    """Per topic and over all topics, down to the printed digits."""
    grades, rankings = judgments_in(qrels), rankings_in(results)
    judged = {query_id: seen(rankings[query_id], grades[query_id]) for query_id in rankings}
    compared = list(expected_in(output))
    assert len(compared) >= count
    for metric, query_id, printed in compared:
        if query_id == "all":
            values = [value(one, metric) for one in judged.values()]
            found = mean(values, [1.0] * len(values)).macro
        else:
            found = value(judged[query_id], metric)
        assert found == pytest.approx(printed, abs=PRINTED), (metric, query_id)


def test_one_topic_alone_has_the_values_it_has_among_others() -> None:
    """The files of topic 302 hold the same topic."""
    grades, rankings = judgments_in("qrels-302.test"), rankings_in("results-302.test")
    judged = seen(rankings["302"], grades["302"])
    compared = [row for row in expected_in("out.test.aq") if row[1] == "302"]
    assert compared
    for metric, _, printed in compared:
        assert value(judged, metric) == pytest.approx(printed, abs=PRINTED), metric
