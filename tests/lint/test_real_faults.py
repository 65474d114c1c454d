"""Faults that are known to stand in real datasets: each is found, where it stands."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from ragguard.config.reading import read_config
from ragguard.lint.engine import lint_config
from tests.lint.linting import default_selection
from tests.lint.real.building import build
from tests.lint.real.finding import counts, lines, lint
from tests.lint.real.originals import (
    data,
    json_lines,
    number_like,
    repeated,
    table,
)
from tests.shared_data import SHARED, shared

pytestmark = pytest.mark.slow

ZOOMCAMP = "rag-datasets/llm-zoomcamp/06-best-practices"
LAB14 = "rag-datasets/Lab14-AI-Evaluation-Benchmarking/data"
FITNESS = "rag-datasets/fitness-assistant/data"
ARCD = "trec-beir/embedding-leaderboard/datasets/arcd"


def test_arcd_has_652_unknown_queries_and_six_dangling_documents(tmp_path: Path) -> None:
    """Every judged query without a text is a finding, and every label on a document that is not."""
    queries = {row["_id"] for row in json_lines(f"{ARCD}/queries.jsonl")}
    documents = {row["_id"] for row in json_lines(f"{ARCD}/corpus.jsonl")}
    judged = [line.split("\t") for line in data(f"{ARCD}/qrels/test.tsv").splitlines()[1:]]
    unknown = {query_id for query_id, _, _ in judged if query_id not in queries}
    dangling = [chunk_id for _, chunk_id, _ in judged if chunk_id not in documents]
    assert (len(unknown), len(dangling), len(set(dangling))) == (652, 18, 6)
    result = lint("arcd", tmp_path)
    found = {each.query_id for each in result.diagnostics if each.code == "RG101"}
    assert found == unknown
    named = [
        re.findall(r"arcd-doc\d+", each.message)[0]
        for each in result.diagnostics
        if each.code == "RG301"
    ]
    assert sorted(named) == sorted(dangling)


def test_cacm_writes_its_labels_with_leading_zeros(tmp_path: Path) -> None:
    """Documents are 46 and 756, labels 0046 and 0756: ids are texts, and 55 labels dangle."""
    rows = [
        line.split() for line in data("classic/moteur_recherche_fri/cacm/qrels.text").splitlines()
    ]
    labels = [row[1] for row in rows if row]
    assert sum(label.startswith("0") for label in labels) == 55
    found = lint("cacm", tmp_path)
    assert counts(found)["RG301"] == 55
    explained = [each for each in found.diagnostics if "leading zeros" in (each.hint or "")]
    assert explained
    for each in explained:
        label = re.findall(r"'(0\d+)'", each.message)[0]
        assert f"'{label.lstrip('0')}' differs" in (each.hint or "")


def test_cacm_has_no_document_2856_but_28_twice(tmp_path: Path) -> None:
    """Its line `.I 2856` is broken, which labels on all documents 1 to 3204 bring to light."""
    text = shared("data/classic/moteur_recherche_fri/cacm/cacm.all").read_text("latin-1")
    numbers = Counter(re.findall(r"^\.I (\d+)", text, re.MULTILINE))
    assert [n for n, count in numbers.items() if count > 1] == ["28"]
    assert {str(n) for n in range(1, 3205)} - numbers.keys() == {"2856"}
    config = build("cacm", tmp_path)
    rows = (
        {"query_id": f"q{n}", "query": f"no. {n}", "relevant_ids": [str(n)]} for n in range(1, 3205)
    )
    (tmp_path / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = lint_config(read_config(config), default_selection()).diagnostics
    assert [(each.code, each.query_id) for each in found if each.code == "RG301"] == [
        ("RG301", "q2856")
    ]
    (twice,) = [each for each in found if each.code != "RG301"]
    assert twice.code == "RG306"
    assert "'28'" in twice.message


def test_lab14_has_comments_a_missing_gold_id_and_leaks(tmp_path: Path) -> None:
    """115 of 129 lines are comments; DOC_GENERAL is in no section; ids stand in questions."""
    old = data("history/Lab14-AI-Evaluation-Benchmarking/data__golden_set.jsonl/v01-0ff58f1e.jsonl")
    comments = [n for n, line in enumerate(old.split("\n"), 1) if line.startswith("//")]
    assert len(comments) == 115
    (tmp_path / "old").mkdir()
    result = lint("lab14-v01", tmp_path / "old")
    assert lines(result, "RG005") == comments
    assert all("comment" in each.message for each in result.diagnostics if each.code == "RG005")
    known = set(re.findall(r"DOC_\w+", data(f"{LAB14}/knowledge_base.txt")))
    rows = list(enumerate(json_lines(f"{LAB14}/golden_set.jsonl"), 1))
    missing = [n for n, row in rows for id_ in row["expected_retrieval_ids"] if id_ not in known]
    golds = {n: row["expected_retrieval_ids"] for n, row in rows}
    leaking = [n for n, row in rows if any(id_ in row["question"] for id_ in golds[n])]
    result = lint("lab14", tmp_path)
    assert lines(result, "RG301") == missing == [51, 53]
    assert leaking == [52, 61, 62, 63, 64, 65]
    assert lines(result, "RG502") == leaking


def test_llm_zoomcamp_has_placeholder_questions(tmp_path: Path) -> None:
    """`question1` to `question5`, `questions` and `1` to `5`: what an answer was cut into."""
    rows = table(f"{ZOOMCAMP}/ground-truth-data.csv")
    placeholders = [
        n for n, row in enumerate(rows, 1) if re.fullmatch(r"questions?\d?|\d", row["question"])
    ]
    assert len(placeholders) == 82
    result = lint("llm-zoomcamp", tmp_path)
    assert lines(result, "RG506") == placeholders
    twins = repeated((row["question"], row["course"]) for row in rows)
    assert counts(result)["RG201"] == twins == 59


def test_a_document_of_llm_zoomcamp_stands_twice(tmp_path: Path) -> None:
    """Two of its 948 documents have one id, and labels name it."""
    documents = json.loads(data(f"{ZOOMCAMP}/documents-with-ids.json"))
    labels = {row["document"] for row in table(f"{ZOOMCAMP}/ground-truth-data.csv")}
    twice = [id_ for id_, n in Counter(each["id"] for each in documents).items() if n > 1]
    result = lint("llm-zoomcamp", tmp_path)
    (found,) = [each for each in result.diagnostics if each.code == "RG306"]
    assert [f"'{id_}'" in found.message for id_ in twice if id_ in labels] == [True]


def test_number_like_ids_survive_the_import(tmp_path: Path) -> None:
    """Every id of llm-zoomcamp is in the corpus as it is written, `36e54439` included."""
    documents = json.loads(data(f"{ZOOMCAMP}/documents-with-ids.json"))
    ids = {each["id"] for each in documents}
    labels = [row["document"] for row in table(f"{ZOOMCAMP}/ground-truth-data.csv")]
    assert set(labels) <= ids
    assert sum(map(number_like, labels)) >= 3
    assert {"36e54439", "09081824", "0407213397"} & set(labels)
    result = lint("llm-zoomcamp", tmp_path)
    assert "RG301" not in counts(result)
    rows = [json.loads(line) for line in (tmp_path / "eval.jsonl").read_text("utf-8").splitlines()]
    assert [row["relevant_ids"] for row in rows] == [[label] for label in labels]


def test_ids_taken_for_numbers_are_recognised(tmp_path: Path) -> None:
    """A spreadsheet makes 9081824 of `09081824` and infinity of `36e54439`."""
    config = build("llm-zoomcamp", tmp_path)
    path = tmp_path / "eval.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lost = {}
    for row in rows:
        (label,) = row["relevant_ids"]
        if number_like(label):
            lost[row["query_id"]] = label
            row["relevant_ids"] = [str(int(label)) if label.isdigit() else repr(float(label))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = [
        each
        for each in lint_config(read_config(config), default_selection()).diagnostics
        if each.code == "RG301"
    ]
    assert [each.query_id for each in found] == list(lost)
    assert len(lost) == 65
    for each in found:
        label = lost[each.query_id or ""]
        if label.isdigit():
            assert f"'{label}' lost its leading zero" in (each.hint or "")
        elif "'inf'" in each.message:
            assert "lost its exponent to number inference" in (each.hint or "")


def test_the_id_of_fitness_assistant_is_that_of_the_document(tmp_path: Path) -> None:
    """Taken for a query id, every row after the first of a document is a twin."""
    rows = table(f"{FITNESS}/ground-truth-retrieval.csv")
    assert repeated(row["id"] for row in rows) == 828
    assert repeated(row["question"] for row in rows) == 5
    documents = {row["id"] for row in table(f"{FITNESS}/data.csv")}
    assert {row["id"] for row in rows} <= documents
    (tmp_path / "wrong").mkdir()
    assert counts(lint("fitness-assistant-id-as-query", tmp_path / "wrong"))["RG201"] == 828
    assert counts(lint("fitness-assistant", tmp_path))["RG201"] == 5


def test_arguana_has_108_duplicate_texts(tmp_path: Path) -> None:
    """Under other ids and with other labels."""
    path = shared("data/trec-beir/anserini-tools/topics/topics.beir-v1.0.0-arguana.test.tsv.gz")
    texts = [
        line.split("\t", 1)[1] for line in gzip.decompress(path.read_bytes()).decode().splitlines()
    ]
    assert repeated(map(str.strip, texts)) == 108
    found = counts(lint("arguana", tmp_path))
    assert found.get("RG202", 0) + found.get("RG203", 0) == 108


@pytest.mark.parametrize("dataset", ["v01", "v02", "v03", "v04", "v05", "v06"])
@pytest.mark.parametrize("documents", ["v01", "v02", "v03", "v05"])
def test_a_renamed_corpus_is_said_once(dataset: str, documents: str, tmp_path: Path) -> None:
    """Of the Anthropic history, versions on both sides of the renaming share no id."""
    folder = "history/anthropic-cookbook/skills__retrieval_augmented_generation__"
    paths = {
        "rows": next(
            shared(f"data/{folder}evaluation__docs_evaluation_dataset.json").glob(f"{dataset}-*")
        ),
        "docs": next(shared(f"data/{folder}data__anthropic_docs.json").glob(f"{documents}-*")),
    }
    rows, chunks = (json.loads(paths[name].read_text("utf-8")) for name in ("rows", "docs"))
    known = {chunk["chunk_link"] for chunk in chunks}
    dangling = [label for row in rows for label in row["correct_chunks"] if label not in known]
    assert len(dangling) == (0 if (dataset < "v03") == (documents < "v03") else 192)
    config = build(
        "anthropic",
        tmp_path,
        table=[paths["rows"].relative_to(SHARED / "data")],
        manifest={"file": paths["docs"].relative_to(SHARED / "data"), "id": "chunk_link"},
    )
    found = counts(lint_config(read_config(config), default_selection()))
    assert found == ({"RG307": 1} if dangling else {})
