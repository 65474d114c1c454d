"""Rules of quality that look at a whole suite: slices, critical queries, origins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.gates import Gates, SliceGate
from ragguard.config.model import Suite
from ragguard.dataset.loading import read_rows
from ragguard.dataset.mapping import FieldMapping
from ragguard.lint.selection import Selection
from ragguard.lint.suite.tally import tally
from ragguard.lint.wording.generated import reads_as_generated
from ragguard.metrics.name import Metric
from tests.lint.linting import VERSIONS, lint, suite_of, told, write

EVIDENCE, RECALL = Metric("evidence", 5), Metric("recall", 5)


def rows(count: int, first: int = 0, **fields: Any) -> list[dict[str, Any]]:
    """Sound rows that share these fields."""
    return [
        {"query_id": f"q{first + number}", "query": f"text {number}", "relevant_ids": ["c"]}
        | fields
        for number in range(count)
    ]


def unanswerable(query_id: str, **fields: Any) -> dict[str, Any]:
    """A row that the corpus does not answer."""
    return {"query_id": query_id, "query": f"text {query_id}", "answerable": False, **fields}


def gated(**gates: dict[Metric, SliceGate]) -> Suite:
    """A suite that gates these slices, and shows `category`."""
    suite = suite_of("docs.jsonl")
    return replace(suite, scoring=replace(suite.scoring, gates=Gates(slices=gates)))


def found(
    folder: Path, code: str, dataset: Iterable[dict[str, Any]], suite: Suite | None = None
) -> list[str]:
    """What one rule finds in a dataset."""
    write(folder, {"docs.jsonl": list(dataset), "docs.meta.json": VERSIONS})
    result = lint(folder, suite or suite_of("docs.jsonl"), Selection.of([code]))
    assert all(each.hint for each in result.diagnostics)
    return told(result)


def test_a_slice_that_its_gate_leaves_out_is_named_with_what_it_needs(tmp_path: Path) -> None:
    """At the value of its first row; the largest `min_count` of its gates is the one needed."""
    suite = gated(category={EVIDENCE: SliceGate(min_count=4), RECALL: SliceGate(min_count=3)})
    dataset = [*rows(4, category="a"), *rows(3, 4, category="b"), *rows(1, 7, category="c")]
    assert found(tmp_path, "RG503", dataset, suite) == [
        "5:74 RG503 2 of 3 values of category have fewer answerable queries than the 4 that its "
        "gate needs: 'c' (1), 'b' (3)"
    ]


def test_a_slice_that_is_shown_only_needs_ten(tmp_path: Path) -> None:
    """Nine are too few, ten are not."""
    dataset = [*rows(10, category="a"), *rows(9, 10, category="b")]
    assert found(tmp_path, "RG503", dataset) == [
        "11:75 RG503 1 of 2 values of category have fewer answerable queries than 10, too few to "
        "gate: 'b' (9)"
    ]
    assert found(tmp_path, "RG503", [*dataset, *rows(1, 19, category="b")]) == []


def test_only_queries_with_evidence_count_for_a_slice(tmp_path: Path) -> None:
    """A value that only unanswerable queries have is no slice to gate; rows without it are none."""
    suite = gated(category={EVIDENCE: SliceGate(min_count=2)})
    dataset = [*rows(2, category="a"), *rows(3, 2), unanswerable("q9", category="none")]
    assert found(tmp_path, "RG503", dataset, suite) == []
    short = [*rows(1, category="a"), unanswerable("q9", category="a")]
    assert "'a' (1)" in found(tmp_path, "RG503", short, suite)[0]


def test_slices_by_dotted_path_and_of_numbers_are_counted(tmp_path: Path) -> None:
    """`metadata.level`, with the place of the value inside the object."""
    suite = gated(**{"metadata.level": {EVIDENCE: SliceGate(min_count=2)}})
    dataset = [*rows(2, metadata={"level": 1}), *rows(1, 2, metadata={"level": 2})]
    assert found(tmp_path, "RG503", dataset, suite) == [
        "3:84 RG503 1 of 2 values of metadata.level have fewer answerable queries than the 2 that "
        "its gate needs: '2' (1)"
    ]


def test_of_many_small_values_the_smallest_are_named(tmp_path: Path) -> None:
    """Five, and the number of the others."""
    dataset = [each for name in "abcdefg" for each in rows(1, ord(name), category=name)]
    (message,) = found(tmp_path, "RG503", dataset)
    assert message.endswith("'a' (1), 'b' (1), 'c' (1), 'd' (1), 'e' (1) and 2 more")


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        (rows(3), "1:1 RG504 none of the 3 answerable queries of the suite is critical"),
        (
            [*rows(2, critical=True), unanswerable("q9")],
            "1:1 RG504 every answerable query of the suite, 2 in all, is critical",
        ),
        (
            [*rows(2), unanswerable("q9", critical=True)],
            "1:1 RG504 none of the 2 answerable queries of the suite is critical",
        ),
        ([*rows(2), *rows(1, 2, critical=True)], None),
        ([unanswerable("q9")], None),
    ],
)
def test_some_answerable_queries_are_critical_and_some_are_not(
    dataset: list[dict[str, Any]], expected: str | None, tmp_path: Path
) -> None:
    """Where there is no answerable query there is nothing to say of it."""
    assert found(tmp_path, "RG504", dataset) == ([expected] if expected else [])


def test_a_suite_has_an_unanswerable_query(tmp_path: Path) -> None:
    """One is enough; without labels a row is one where the suite says so."""
    expected = ["1:1 RG505 the corpus is said to answer every query of the suite, 2 in all"]
    assert found(tmp_path, "RG505", rows(2)) == expected
    assert found(tmp_path, "RG505", [*rows(2), unanswerable("q9")]) == []
    unlabelled = [*rows(2), {"query_id": "q9", "query": "text"}]
    assert len(found(tmp_path, "RG505", unlabelled)) == 1
    suite = suite_of("docs.jsonl", unlabelled="unanswerable")
    assert found(tmp_path, "RG505", unlabelled, suite) == []


def test_queries_without_an_origin_among_others_are_counted(tmp_path: Path) -> None:
    """At the first of them; a blank origin is none."""
    dataset = [*rows(2, origin="human"), *rows(1, 2), *rows(1, 3, origin=" ")]
    assert found(tmp_path, "RG508", dataset) == [
        "3:29 RG508 2 of 4 queries have no origin; others have one"
    ]
    assert found(tmp_path, "RG508", dataset[:3]) == [
        "3:29 RG508 1 of 3 queries has no origin; others have one"
    ]
    assert found(tmp_path, "RG508", dataset[:2]) == []


def test_a_suite_is_not_all_synthetic(tmp_path: Path) -> None:
    """At the first origin; one human query is enough."""
    dataset = [*rows(1, origin="synthetic"), *rows(1, 1, origin="Synthetic-2026")]
    assert found(tmp_path, "RG508", dataset) == [
        "1:72 RG508 all queries of the suite, 2 in all, are synthetic"
    ]
    assert found(tmp_path, "RG508", [*dataset, *rows(1, 2, origin="production")]) == []


def test_queries_that_read_as_generated_are_reported_where_none_has_an_origin(
    tmp_path: Path,
) -> None:
    """Three of them and 2 % of all; two, or three among two hundred, may be chance."""
    generated = rows(3, query="What is Form 10-K according to the document?")
    assert found(tmp_path, "RG508", [*rows(1, 3), *generated]) == [
        "2:29 RG508 3 of 4 queries read as if a model had written them, and no row has an origin"
    ]
    assert found(tmp_path, "RG508", [*rows(9, 3), *generated[:2]]) == []
    assert found(tmp_path, "RG508", [*rows(148, 3), *generated]) == []
    assert len(found(tmp_path, "RG508", [*rows(147, 3), *generated])) == 1


@pytest.mark.parametrize(
    "query",
    [
        "According to the document, what are the risks?",
        "What is the rate based on the provided information?",
        "Based on the information provided, who signs?",
        "Provide examples from the context information.",
        "Which programs are mentioned in the passage?",
        "Welche Risiken gibt es laut dem Dokument?",
        "Wie hoch ist der Preis basierend auf den Informationen?",
        "Quels sont les risques selon le texte ?",
        "¿Qué riesgos hay según el documento?",
        "Dựa vào tài liệu, điều kiện là gì?",
        "ما هي المخاطر وفقا للنص؟",
        "根据上述文档 有哪些风险",
        "文書によると、リスクは何ですか",
        "3. What are the risks?",
        "Q12) What are the risks?",
    ],
)
def test_marks_of_a_model_are_known_in_several_languages(query: str) -> None:
    """Who asks a retriever has no document before them."""
    assert reads_as_generated(query)


@pytest.mark.parametrize(
    "query",
    [
        "where is the document that I uploaded?",
        "how do I change the text of an invoice?",
        "1,000 genomes project",
        "3.5 mm jack",
        "2. Bundesliga Tabelle",
        "how is tax calculated according to the law?",
        "Wie ändere ich den Text im Dokument?",
        "文書をどこで見られますか",
        "如何上传文档",
    ],
)
def test_queries_about_documents_are_not_taken_for_generated(query: str) -> None:
    """Words alone are no mark."""
    assert not reads_as_generated(query)


def test_a_tally_counts_in_one_pass(tmp_path: Path) -> None:
    """All numbers of one small suite, worked out by hand."""
    dataset = [
        *rows(2, category="a", critical=True, origin="human"),
        *rows(1, 2, category=True),
        {"query_id": "q3", "query": ["no", "text"], "category": ["no", "scalar"]},
        unanswerable("q9", category="a"),
    ]
    write(tmp_path, {"docs.jsonl": dataset})
    path = tmp_path / "docs.jsonl"
    read = (each.row for each in read_rows(path, "docs.jsonl", FieldMapping()))
    counted = tally((each for each in read if each is not None), suite_of("docs.jsonl"))
    assert (counted.queries, counted.answerable, counted.critical) == (5, 4, 2)
    categories = counted.slices["category"]
    assert {value: count.queries for value, count in categories.items()} == {"a": 2, "true": 1}
    assert {origin: count.queries for origin, count in counted.origins.items()} == {"human": 2}
    assert counted.without_origin is not None
    assert counted.without_origin.queries == 3
    assert counted.generated is None
