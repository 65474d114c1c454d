"""Run files of every form, and what is said of those that are none."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ragguard.dataset.query import Query
from ragguard.errors import InputError
from ragguard.retrievers.answer import Answer, Failure, Reply, Retrieved
from ragguard.retrievers.run_file import RunFileRetriever
from tests.shared_data import shared


def ask(path: Path, *query_ids: str, depth: int = 10) -> list[Reply]:
    """Ask a run file for these queries."""
    return list(RunFileRetriever(path, path.name).ask([Query(q, "?") for q in query_ids], depth))


def ids(reply: Reply) -> list[str]:
    """The ranking of a reply."""
    assert isinstance(reply.outcome, Answer), reply.outcome
    return [place.chunk_id for place in reply.outcome.ranking]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.9 tag\n", ["b", "a"]),
        ("q1\tQ0\ta\t7\t1\ttag\nq1\tQ0\tb\t9\t1\ttag\n", ["b", "a"]),
        ("q1 Q0 9 1 1.0 t\nq1 Q0 10 2 1.0 t\n", ["9", "10"]),
        ('{"q1": ["a", "b"]}', ["a", "b"]),
        ('{"q1": [["a", 1], ["b", 2]]}', ["a", "b"]),
        ('{"q1": {"a": 1, "b": 2}}', ["b", "a"]),
        ('{"q1": {"a": 1, "b": 1}}', ["b", "a"]),
        ('{\n  "q1": [\n    "a"\n  ]\n}', ["a"]),
        ('{"query_id": "q1", "results": ["a", {"id": "b", "score": 1}]}\n', ["a", "b"]),
        ('{"query_id": "q1", "results": [["a", 0.5]], "stages": {"s": ["c"]}}\n', ["a"]),
        ("\ufeffq1 Q0 a 1 0.5 tag", ["a"]),
        ("q1 Q0 a\u00a0b 1 0.5\n", ["a\u00a0b"]),
        ("q1 Q0 a\u3000b\u2028c 1 0.5 tag\r\n", ["a\u3000b\u2028c"]),
        ('{"query_id": "q9", "error": "late"}\n{"query_id": "q1", "results": ["a"]}', ["a"]),
        ('{"query_id": "q1", "results": ["a"], "error": null}', ["a"]),
        ('{"query_id": ["z"], "q1": ["a"]}', ["a"]),
    ],
)
def test_each_form_is_read_in_its_own_order(
    tmp_path: Path, content: str, expected: list[str]
) -> None:
    """TREC by score then id, both descending; lists as they stand; objects by score."""
    path = tmp_path / "run"
    path.write_text(content, encoding="utf-8")
    assert ids(ask(path, "q1")[0]) == expected


def test_gzip_is_recognised_by_its_bytes(tmp_path: Path) -> None:
    """The name does not matter."""
    path = tmp_path / "run.trec"
    path.write_bytes(gzip.compress(b"q1 Q0 a 1 0.5 tag\n"))
    assert ids(ask(path, "q1")[0]) == ["a"]


def test_a_query_the_file_lacks_is_an_error_of_that_query(tmp_path: Path) -> None:
    """Not a zero; an empty list is one."""
    path = tmp_path / "run.json"
    path.write_text('{"q1": [], "q9": ["a"]}')
    retriever = RunFileRetriever(path, "run.json")
    there, absent = retriever.ask([Query("q1", "?"), Query("q2", "?")], 5)
    assert ids(there) == []
    assert absent.outcome == Failure("error", "run.json has no query 'q2'")
    assert retriever.warnings == ["run.json has 1 queries that the dataset lacks: 'q9'"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"q1": [1]}', "ids are strings"),
        ('{"q1": {"a": "x"}}', "no finite number"),
        ('{"q1": {"a": NaN}}', "no finite number"),
        ('{"q1": "abc"}', "must be a list"),
        ('{"q1": null}', "must be a list"),
        ('{"query_id": "q1", "results": ["a"], "stages": []}', "must be an object"),
    ],
)
def test_an_entry_that_cannot_be_scored_is_invalid(
    tmp_path: Path, content: str, message: str
) -> None:
    """Only its query is."""
    path = tmp_path / "run.json"
    path.write_text(content)
    (reply,) = ask(path, "q1")
    assert isinstance(reply.outcome, Failure)
    assert reply.outcome.kind == "invalid"
    assert message in reply.outcome.message


@pytest.mark.parametrize(
    ("content", "where", "message"),
    [
        (b"", "run:", "is empty"),
        (b"q1 Q0 a 1 0.5 t\nq1 Q0 a\n", "run:2:", "3 columns"),
        (b"q1 Q0 a 1 nan t\n", "run:1:", "no finite number"),
        (b"q1 Q0 a 1 high t\n", "run:1:", "no finite number"),
        (b"q1 Q0 a 1 1_0 t\n", "run:1:", "no finite number"),
        (b'[{"query_id": "q1", "results": []}]', "run:1:", "JSON list"),
        (b'{"q1": ' + b"[" * 100_000, "run:", "not a run in JSON"),
        (b'{"query_id": "q", "results": ["a"], "results": []}', "run:1:", "twice"),
        (b'{"query_id": 1, "results": []}', "run:1:", "query_id 1 is no text"),
        (b'{"q1": ["a"],}', "run:1:", "not a run in JSON"),
        (b'{"q1": ["a"], "q1": ["b"]}', "run:", "twice"),
        (
            b'{"query_id": "q", "results": []}\n{"query_id": "q", "results": []}\n',
            "run:2:",
            "twice",
        ),
        (b'{"query_id": "q", "results": []}\n{"results": []}\n', "run:2:", "query_id"),
        (b"\xff\xfe", "run:", "not UTF-8"),
        (b"\x1f\x8b\x08", "run:", "gzip"),
    ],
)
def test_what_is_no_run_file_is_refused_with_its_place(
    tmp_path: Path, content: bytes, where: str, message: str
) -> None:
    """File, line and fault are in the message."""
    path = tmp_path / "run"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        RunFileRetriever(path, "run")
    assert str(caught.value).startswith(where)
    assert message in str(caught.value)


def test_stages_have_the_forms_of_results(tmp_path: Path) -> None:
    """Pairs and scores by id, as a run has them."""
    path = tmp_path / "run.jsonl"
    path.write_text('{"query_id": "q1", "results": [], "stages": {"s": [["a", 1]], "t": {"b": 2}}}')
    (reply,) = ask(path, "q1")
    assert isinstance(reply.outcome, Answer)
    assert reply.outcome.stages == {"s": (Retrieved("a", 1.0),), "t": (Retrieved("b", 2.0),)}


def test_a_missing_run_file_says_what_to_do(tmp_path: Path) -> None:
    """It is often written by a step that did not run."""
    with pytest.raises(InputError, match="before `ragguard eval`"):
        RunFileRetriever(tmp_path / "absent", "absent")


def test_real_runs_are_read_whole() -> None:
    """The same run as TREC, gzip and JSON has the same rankings."""
    folder = shared("data/trec-beir/ranx/tests/unit/ranx/test_data")
    by_form = [ids(ask(folder / name, "q1")[0]) for name in ("run.trec", "run.trec.gz", "run.json")]
    assert by_form[0] == by_form[1] == by_form[2]
    assert by_form[0]
