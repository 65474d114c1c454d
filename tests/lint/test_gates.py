"""Gates that can never fail, or never pass; and good configurations, of which nothing is said."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ragguard.config.model import Scoring
from ragguard.config.reading import read_config
from ragguard.dataset.query import Query
from ragguard.lint.engine import lint_config
from ragguard.lint.gates.attainable import attainable, satisfiable
from ragguard.lint.selection import Selection
from ragguard.metrics.name import Metric
from ragguard.resources import examples
from tests.lint.linting import VERSIONS, write

GATES = Selection.of(["RG903"])
ROW: dict[str, Any] = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}


def found(folder: Path, suite: dict[str, Any], *rows: dict[str, Any]) -> list[str]:
    """What is told of a suite with these settings, each as place and message."""
    numbered = [{**row, "query_id": f"q{number}"} for number, row in enumerate(rows or (ROW,), 1)]
    config = {"version": 1, "suites": {"docs": {"dataset": "docs.jsonl", **suite}}}
    write(
        folder,
        {
            "ragguard.yml": yaml.safe_dump(config, sort_keys=False),
            "docs.jsonl": numbered,
            "docs.meta.json": VERSIONS,
        },
    )
    result = lint_config(read_config(folder / "ragguard.yml"), GATES)
    assert not result.faults
    assert all(each.hint for each in result.diagnostics)
    return [
        f"{Path(each.location.file).name}:{each.location.line}:{each.location.column} "
        f"{'' if each.severity == 'error' else each.severity + ' '}{each.message}"
        for each in result.diagnostics
    ]


def test_the_defaults_are_silent(tmp_path: Path) -> None:
    """No gate written; and all of them, as the documentation writes the defaults."""
    assert found(tmp_path, {}) == []
    gates = {"forbidden": 0, "unauthorized": 0, "stale": 0, "failures": 0, "min_paired": 0.5}
    assert found(tmp_path, {"gates": gates}) == []
    sliced = {"category": {"evidence@5": {"min": 0.6, "max_drop": 0.05, "min_count": 2}}}
    gates |= {"evidence@5": {"min": 0.85, "max_drop": 0.02}, "slices": sliced}
    gates["critical"] = {"at": 5, "require": "all", "existing": "list"}
    rows = [ROW | {"category": "a", "critical": True, "max_rank": 20}, ROW | {"category": "a"}]
    assert found(tmp_path, {"gates": gates}, *rows, ROW | {"category": "b"}) == []


def test_the_example_is_silent() -> None:
    """It has every gate, slices and critical queries."""
    result = lint_config(read_config(examples() / "ragguard.yml"), GATES)
    assert (result.diagnostics, result.faults) == ((), ())


@pytest.mark.parametrize(
    ("gates", "message"),
    [
        ({"recall@5": {"min": 0}}, "7:9 min: 0 can never fail: no mean is below it"),
        ({"R@5": {"max_drop": 1}}, "7:9 max_drop: 1 can never fail: no mean can fall further"),
        ({"failures": 1}, "6:7 failures: 1 can never fail: the suite has 1 query"),
        ({"forbidden": 3, "failures": 0}, "6:7 forbidden: 3 can never fail: the suite has 1 query"),
    ],
)
def test_a_limit_that_nothing_breaks_is_told_where_it_is_written(
    gates: dict[str, Any], message: str, tmp_path: Path
) -> None:
    """At its key, however the metric is spelled."""
    assert found(tmp_path, {"gates": gates}) == [f"ragguard.yml:{message}"]


def test_a_cutoff_beyond_the_depth_is_told_wherever_it_is_written(tmp_path: Path) -> None:
    """Two reports are not comparable there; a cutoff of the depth itself is sound."""
    depth = {"cutoffs": [1, 3], "depth": 5}
    told = found(tmp_path, {**depth, "primary": "evidence@6", "gates": {"hit@7": {"min": 0.5}}})
    assert told == [
        "ragguard.yml:9:5 looks at rank 6, but depth is 5: no comparison will have a verdict",
        "ragguard.yml:11:7 looks at rank 7, but depth is 5: no comparison will have a verdict",
    ]
    slices = {"category": {"rr@9": {"min": 0.5, "min_count": 1}}}
    gates = {"critical": {"at": 8}, "slices": slices}
    rows = [ROW | {"critical": True, "category": "a"}]
    assert [
        line.split(" ")[4].rstrip(",") for line in found(tmp_path, {**depth, "gates": gates}, *rows)
    ] == ["8", "9"]
    gates = {"critical": {"at": 5}, "hit@5": {"min": 0.5}}
    assert found(tmp_path, {**depth, "gates": gates}, *rows) == []


@pytest.mark.parametrize(
    ("gate", "rows", "message"),
    [
        ({"precision@10": {"min": 0.5}}, [ROW], "precision@10 is 0.100 at most"),
        ({"precision@10": {"min": 0.1}}, [ROW], None),
        (
            {"recall@1": {"min": 0.6}},
            [ROW | {"relevant_ids": ["a", "b"]}],
            "recall@1 is 0.500 at most",
        ),
        (
            {"evidence@1": {"min": 0.8}},
            [ROW, ROW | {"evidence": [["a", "b"], ["c"]], "relevant_ids": []}],
            "evidence@1 is 0.750 at most",
        ),
        (
            {"complete@1": {"min": 0.8}},
            [ROW, ROW | {"relevant_ids": ["a", "b"]}],
            "complete@1 is 0.500 at most",
        ),
        ({"recall@1": {"min": 1}}, [ROW, {**ROW, "relevant_ids": [], "answerable": False}], None),
    ],
)
def test_a_floor_that_the_labels_put_out_of_reach_is_told_with_what_can_be_reached(
    gate: dict[str, Any], rows: list[dict[str, Any]], message: str | None, tmp_path: Path
) -> None:
    """Worked out by hand; a floor that is just reached is sound."""
    told = found(tmp_path, {"gates": gate}, *rows)
    if message is None:
        assert told == []
    else:
        (line,) = told
        assert line.startswith("ragguard.yml:7:9 min: ")
        assert line.endswith(f" can never be reached: with these labels {message}")


def test_with_another_denominator_of_precision_the_floor_is_in_reach(tmp_path: Path) -> None:
    """What came back may be one chunk."""
    policy = {"policy": {"precision_denominator": "returned"}}
    assert found(tmp_path, {**policy, "gates": {"precision@10": {"min": 0.5}}}) == []


def test_a_floor_that_is_just_reached_is_sound_whatever_a_sum_of_doubles_is(tmp_path: Path) -> None:
    """The mean of 0.1 and 0.7 is a little less than 0.4."""
    seven = {**ROW, "relevant_ids": list("abcdefg")}
    assert found(tmp_path, {"gates": {"precision@10": {"min": 0.4}}}, ROW, seven) == []
    assert len(found(tmp_path, {"gates": {"precision@10": {"min": 0.41}}}, ROW, seven)) == 1


def test_rows_that_count_as_unanswerable_are_in_no_mean(tmp_path: Path) -> None:
    """Where the suite says that a row without labels is one."""
    suite = {"unlabelled": "unanswerable", "gates": {"precision@10": {"min": 0.5}}}
    (line,) = found(tmp_path, suite, ROW, {"query_id": "", "query": "bicycles?"})
    assert line.endswith("precision@10 is 0.100 at most")


def test_rows_outside_of_a_slice_are_in_none_of_its_means(tmp_path: Path) -> None:
    """Two rows without a category are no category of two."""
    sliced = {"slices": {"category": {"evidence@5": {"max_drop": 0.1, "min_count": 2}}}}
    (line,) = found(tmp_path, {"gates": sliced}, ROW, ROW, ROW | {"category": "x"})
    assert "no category has 2 queries" in line


def test_a_gate_on_what_no_query_has_a_value_of_is_told(tmp_path: Path) -> None:
    """Recall is not defined with alternatives; a slice needs enough queries that have a value."""
    grouped = {**ROW, "relevant_ids": [], "evidence": [["a", "b"]], "category": "x"}
    assert found(tmp_path, {"gates": {"recall@5": {"max_drop": 0.1}}}, grouped) == [
        "ragguard.yml:6:7 no query has a value of recall@5: the gate fails whatever is retrieved"
    ]
    sliced = {"slices": {"category": {"evidence@5": {"max_drop": 0.1, "min_count": 2}}}}
    other = {**grouped, "category": "y"}
    unanswerable = {"query_id": "", "query": "?", "answerable": False, "category": "x"}
    assert found(tmp_path, {"gates": sliced}, grouped, other, unanswerable) == [
        "ragguard.yml:8:11 no category has 2 queries with a value of evidence@5: "
        "the gate fails whatever is retrieved"
    ]
    assert found(tmp_path, {"gates": sliced}, grouped, other, grouped) == []


def test_a_floor_of_one_slice_is_held_against_the_labels_of_that_slice(tmp_path: Path) -> None:
    """The others are sound."""
    sliced = {"slices": {"category": {"recall@1": {"min": 0.9, "min_count": 1}}}}
    wide = {**ROW, "relevant_ids": ["a", "b"], "category": "wide"}
    assert found(tmp_path, {"gates": sliced}, ROW | {"category": "flat"}, wide) == [
        "ragguard.yml:9:13 min: 0.9 can never be reached: with these labels "
        "recall@1 of category=wide is 0.500 at most"
    ]


def test_means_are_not_judged_while_a_row_is_faulty(tmp_path: Path) -> None:
    """Once mended it may be what makes the gate sound."""
    faulty = {**ROW, "relevant_ids": ["a", 5]}
    assert found(tmp_path, {"gates": {"precision@10": {"min": 0.5}}}, ROW, faulty) == []


@pytest.mark.parametrize(
    ("labels", "groups"),
    [
        ({"relevant_ids": list("abcdef")}, 6),
        ({"relevant_ids": list("abcde")}, None),
        ({"relevant_ids": [], "judgments": dict.fromkeys("abcdef", 1)}, 6),
        ({"relevant_ids": [], "judgments": dict.fromkeys("abcdef", 1) | {"f": 0}}, None),
        ({"relevant_ids": [], "evidence": [[each] for each in "abcdefg"]}, 7),
        ({"relevant_ids": [], "evidence": [[each, "all"] for each in "abcdefg"]}, None),
    ],
)
def test_a_critical_query_with_more_groups_than_ranks_can_never_pass(
    labels: dict[str, Any], groups: int | None, tmp_path: Path
) -> None:
    """At its row; one chunk that is in every group satisfies them all."""
    row = {"query_id": "", "query": "holidays", "critical": True, **labels}
    column = len('{"query_id": "q1", "query": "holidays", "critical": ') + 1
    expected = f"critical, but its {groups} evidence groups cannot all stand within rank 5"
    told = [f"docs.jsonl:1:{column} {expected}"] if groups else []
    assert found(tmp_path, {}, row) == told
    for gate in ({"require": "any"}, {"at": 7}):
        assert found(tmp_path, {"gates": {"critical": gate}}, row) == []


def test_critical_rows_are_found_far_down_a_file_as_well(tmp_path: Path) -> None:
    """Where rows are read by the thousand."""
    rows = [ROW | {"query": f"text {number}", "critical": False} for number in range(3000)]
    rows[2500] |= {"critical": True, "relevant_ids": list("abcdef")}
    (line,) = found(tmp_path, {"gates": {"critical": {"at": 5}}}, *rows)
    assert line.startswith("docs.jsonl:2501:")


def test_a_critical_gate_is_missed_by_nobody_only_where_it_is_written(tmp_path: Path) -> None:
    """A warning at its key; it holds by default, and then says nothing."""
    assert found(tmp_path, {"gates": {"critical": {"at": 3}}}) == [
        "ragguard.yml:6:7 warning no query is critical: the gate has nothing to judge"
    ]
    assert found(tmp_path, {"system": {"critical": 1}}) == []


def test_a_rank_that_is_not_kept_or_never_judged_is_told(tmp_path: Path) -> None:
    """The depth itself is sound."""
    rows = [
        {"query_id": "", "query": "a", "max_rank": rank, **labels}
        for rank, labels in (
            (20, {"relevant_ids": ["c1"]}),
            (21, {"relevant_ids": ["c1"]}),
            (1, {"answerable": False}),
        )
    ]
    column = len('{"query_id": "q1", "query": "a", "max_rank": ') + 1
    assert found(tmp_path, {}, *rows) == [
        f"docs.jsonl:2:{column} warning max_rank 21 lies beyond depth 20: no rank there is known",
        f"docs.jsonl:3:{column} max_rank on an unanswerable query can never fail",
    ]


@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=3), min_size=1, max_size=5),
    st.integers(1, 4),
)
def test_no_choice_of_chunks_satisfies_more_groups_than_is_said(
    groups: list[list[str]], k: int
) -> None:
    """Against every choice of k chunks; exact where groups share no member."""
    best = max(
        sum(not set(chosen).isdisjoint(group) for group in groups)
        for chosen in combinations("abcde", k)
    )
    assert best <= satisfiable(groups, k) <= len(groups)
    members = [member for group in groups for member in set(group)]
    if len(members) == len(set(members)):
        assert best == satisfiable(groups, k)


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1),
    st.permutations("abcdefgh"),
    st.sampled_from(
        ["precision@3", "recall@2", "ap@4", "ndcg_exp2@3", "complete@2", "rr", "rprec"]
    ),
)
def test_no_ranking_exceeds_what_is_attainable(
    grades: dict[str, int], ranking: list[str], name: str
) -> None:
    """Any order of any chunks, on every measure."""
    from ragguard.evaluation.scoring import see_answer
    from ragguard.metrics.registry import scorer
    from ragguard.retrievers.answer import Retrieved

    metric = Metric.parse(name)
    scoring = Scoring(primary=Metric("evidence", 5))
    query = Query.from_row({"query_id": "q", "query": "?", "judgments": grades})
    seen = see_answer(query, [Retrieved(chunk_id, None) for chunk_id in ranking], scoring)
    value = scorer([metric])(seen)[str(metric)]
    most = attainable(query, metric, scoring)
    assert (value is None) == (most is None)
    assert value is None or (most is not None and value <= most + 1e-9)
