"""Qrels and queries of other tools made into rows; nothing is lost without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragguard.dataset.imports.joining import join
from ragguard.dataset.imports.qrels import read_qrels
from ragguard.dataset.imports.queries import read_queries
from ragguard.errors import InputError
from tests.shared_data import shared

EXPECTED = {"q1": {"d1": 1, "d 2": 0}, "q2": {"d1": 2}}

QRELS = {
    "trec-tabs.txt": "q1\t0\td1\t1\nq1\t0\td 2\t0\nq2\tQ0\td1\t2\n",
    "beir.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td 2\t0\nq2\td1\t2\n",
    "no-header.tsv": "q1\td1\t1\r\nq1\td 2\t0\r\nq2\td1\t2",
    "four.tsv": "q1\td1\td1\t1\nq1\td 2\td 2\t0\nq2\td1\td1\t2.0\n",
    "comments.txt": "# made by hand\nq1\td1\t1\n\n#more words than four columns here\n"
    "q1\td 2\t0\nq2\td1\t2\n",
    "map.json": '{\n "q1": {"d1": 1, "d 2": 0},\n "q2": {"d1": 2}\n}',
    "one-line.json": '{"q1": {"d1": 1, "d 2": 0}, "q2": {"d1": 2}}',
    "rows.jsonl": '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n'
    '{"query-id": "q1", "corpus-id": "d 2", "score": 0}\n'
    '{"query-id": "q2", "corpus-id": "d1", "score": 2}\n',
}

QUERIES = {
    "beir.jsonl": '{"_id": "q1", "text": "one"}\n{"_id": "q2", "text": "two", "metadata": {}}\n',
    "tabs.tsv": "q1\tone\nq2\ttwo\n",
    "topics.txt": "<top>\n<num> Number: q1\n<title> one\n\n<desc> Description:\nno\n</top>\n"
    "<top>\n<num> q2 </num>\n<title>\ntwo </title>\n</top>\n",
    "documents.txt": "<DOC>\r\n<DOCNO> q1 </DOCNO>\r\n\r\n one\r\n</DOC>\r\n"
    "<DOC>\n<DOCNO>q2</DOCNO>\ntwo</DOC>",
    "header.tsv": "query_id\ttext\r\nq1\tone\r\nq2\ttwo\r\n",
    "map.json": '{"q1": "one",\n "q2": "two"}',
}


def written(folder: Path, name: str, text: str) -> Path:
    """A file with that text."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", QRELS)
def test_every_form_of_qrels_reads_the_same(tmp_path: Path, name: str) -> None:
    """Headers or none, three columns or four, tabs, JSON; ids with spaces survive."""
    assert read_qrels(written(tmp_path, name, QRELS[name]), name) == EXPECTED


@pytest.mark.parametrize("name", QUERIES)
def test_every_form_of_queries_reads_the_same(tmp_path: Path, name: str) -> None:
    """A header is no query."""
    assert read_queries(written(tmp_path, name, QUERIES[name]), name) == {"q1": "one", "q2": "two"}


def test_spaces_separate_columns_where_there_are_no_tabs(tmp_path: Path) -> None:
    """However many, and at the end too; an id may begin with a number sign."""
    path = written(tmp_path, "x.trec", "q1   0 d1  1  \n#7 0 d2 1\n")
    assert read_qrels(path, "x") == {"q1": {"d1": 1}, "#7": {"d2": 1}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no judgment"),
        ("q1 0 d1 1\nq1 0 d 2 1\n", "x:2: 5 columns"),
        ("q1 0 d1 yes\n", "x:1: the grade 'yes' is no integer"),
        ("q1 0 d1 0.5\n", "x:1: the grade '0.5' is no integer"),
        ("q1 0 d1 inf\n", "x:1: the grade 'inf' is no integer"),
        ("q1 0 d1 1\nq1 0 d1 2\n", "x:2: 'd1' has the grades 1 and 2"),
        ('{"q1": {"d1": true}}', "the grade True is no integer"),
        ('{"q1": ["d1", 2]}', "judgments of 'q1' are neither an object nor a list of ids"),
        ('{"q1": "d1"}', "judgments of 'q1' are neither"),
        ('{"q1": [""]}', "x: a blank chunk id"),
        ('{"q1": {"d1": 1}, "q1": {"d2": 1}}', "x:1:19: the key 'q1' stands twice"),
        ('{"q1":\n {"d1": 1,}}', "x:2:10: not JSON: a comma before"),
        ('{"query-id": "q1", "corpus-id": "d1"}', "x:1: no query-id, corpus-id and score"),
        (
            '{"query-id": "q", "corpus-id": "d", "score": 1}\n{"query-id": "q", \n',
            "x:2:19: .*ends in the middle",
        ),
        ("q1\td1\t1\n\td1\t1\n", "x:2: a blank query id"),
        ("q1\t\t1\n", "x:1: a blank chunk id"),
        ('{"q1": {"": 1}}', "x: a blank chunk id"),
        ("1 17 0 0.0\n2 46 0 0.0\n3 62 0 0.0\n", "all 3 queries are judged against .*'0'"),
    ],
)
def test_faulty_qrels_are_refused_with_their_place(tmp_path: Path, text: str, said: str) -> None:
    """A wrong guess here would be a wrong number later."""
    with pytest.raises(InputError, match=said) as caught:
        read_qrels(written(tmp_path, "x", text), "x")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no query"),
        ("q1 one\n", "x:1: no query with id and text"),
        ("q1\tone\nq1\tother\n", "x:2: query 'q1' stands twice"),
        ('{"_id": "q1", "text": "\\ud800"}', "x:1:23: half of a surrogate pair"),
        ('{"_id": "q1", "txt": "one"}', "x:1: no query with id and text"),
        ('{"q1": ["one"]}', "the text of query 'q1' is"),
        ("<top>\n<num> 1\n<title> one\n</top>\n<top>\n<num> 2\n</top>", "x:5: a topic without"),
        ("<top>\n<title> one\n</top>", "x:1: a topic without"),
        ("\n<DOC>\n<DOCNO>1</DOCNO>\n</DOC>", "x:2: a topic without"),
        ("<top>\n<num> 1\n<title> one\n<top>\n", "x:1: a topic that does not end"),
        (
            "<top><num>1<title>one</top>\n<top><num>1<title>two</top>",
            "x:2: query '1' stands twice",
        ),
    ],
)
def test_faulty_queries_are_refused_with_their_place(tmp_path: Path, text: str, said: str) -> None:
    """The same for texts."""
    with pytest.raises(InputError, match=said):
        read_queries(written(tmp_path, "x", text), "x")


def test_joining_counts_what_became_no_row() -> None:
    """Rows in the order of the queries; grades below zero become 0."""
    qrels = {"q2": {"a": 2, "b": -1}, "gone": {"a": 1, "b": 1}, "q3": {"a": 0}}
    imported = join(qrels, {"q1": "one", "q2": "two", "q3": "three"})
    assert imported.rows == (
        {"query_id": "q2", "query": "two", "judgments": {"a": 2, "b": 0}},
        {"query_id": "q3", "query": "three", "judgments": {"a": 0}},
    )
    assert imported.unknown == {"gone": 2}
    assert imported.unjudged == ("q1",)
    assert imported.without_relevant == ("q3",)
    assert imported.negative == 1


def test_unknown_queries_can_be_kept_without_a_query() -> None:
    """At the end; the linter then names each, and what its labels are wrong in."""
    qrels = {"gone": {"a": 1, "b": 0}, "q1": {"a": 1}}
    imported = join(qrels, {"q1": "one"}, keep_unknown=True)
    assert imported.rows == (
        {"query_id": "q1", "query": "one", "judgments": {"a": 1}},
        {"query_id": "gone", "judgments": {"a": 1, "b": 0}},
    )
    assert imported.unknown == {"gone": 2}


def test_lists_of_relevant_chunks_are_judgments_of_grade_1(tmp_path: Path) -> None:
    """As sentence-transformers and LlamaIndex keep them."""
    path = written(tmp_path, "x.json", '{"q1": ["d1", "d2"], "q2": []}')
    assert read_qrels(path, "x") == {"q1": {"d1": 1, "d2": 1}}


def test_binary_collections_become_flat_lists() -> None:
    """No grade of the whole collection is other than 1."""
    assert join({"q": {"a": 1, "b": 1}}, {"q": "one"}).rows == (
        {"query_id": "q", "query": "one", "relevant_ids": ["a", "b"]},
    )


def test_dangling_queries_of_a_public_collection_are_counted() -> None:
    """arcd: 652 judged query ids have no text."""
    folder = shared("data/trec-beir/embedding-leaderboard/datasets/arcd")
    imported = join(
        read_qrels(folder / "qrels/test.tsv", "qrels"), read_queries(folder / "queries.jsonl", "q")
    )
    assert len(imported.unknown) == 652


@pytest.mark.parametrize(
    ("qrels", "queries"),
    [
        ("embedding-leaderboard/datasets/scifact/qrels/test.tsv", 50),
        ("embedding-leaderboard/datasets/msmarco/qrels/test.tsv", None),
        ("limit/data/limit-small/qrels.jsonl", 1000),
        ("anserini-tools/qrels/qrels.dl19-passage.txt", 43),
        ("anserini-tools/qrels/qrels.beir-v1.0.0-nfcorpus.test.txt", 323),
        ("ranx/tests/unit/ranx/test_data/qrels.trec.gz", None),
        ("trec_eval/test/qrels.test.with-comments", None),
    ],
)
def test_public_qrels_have_as_many_queries_as_they_say(qrels: str, queries: int | None) -> None:
    """Counts as published by their makers; every judgment line of the file is in the result."""
    path = shared(f"data/trec-beir/{qrels}")
    found = read_qrels(path, "qrels")
    assert queries is None or len(found) == queries
    assert all(grades for grades in found.values())


def test_json_and_trec_of_the_same_qrels_agree() -> None:
    """Ranx keeps both."""
    folder = shared("data/trec-beir/ranx/tests/unit/ranx/test_data")
    from_json = json.loads((folder / "qrels.json").read_text())
    assert read_qrels(folder / "qrels.trec", "t") == read_qrels(folder / "qrels.json", "j")
    assert read_qrels(folder / "qrels.trec.gz", "g") == from_json


def test_smart_columns_are_refused_not_misread() -> None:
    """CISI's second column is the document; its third is always 0."""
    path = shared("data/classic/luppar/data/cisi/CISI.REL")
    with pytest.raises(InputError, match="are judged against the one chunk '0'"):
        read_qrels(path, "CISI.REL")
