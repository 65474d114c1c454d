"""Retrievers that do to their process what a process of a protocol must survive, or say."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.retrievers.python_retriever import python_retriever
from ragguard.retrievers.worker import WorkerRetriever
from tests.retrievers.served import Ask, failure, ranking


@pytest.mark.parametrize(
    "deed",
    [
        "sys.stdin.read()",
        "sys.stdin.close()",
        "subprocess.run(['cat'], check=True)",
        "os.fork()",
        "os.close(1)",
        "sys.stdout.close()",
    ],
)
def test_what_a_retriever_does_to_its_streams_costs_no_query(ask: Ask, deed: str) -> None:
    """Questions and answers go over descriptors of their own, and a fork that returns is mute."""
    code = f"""
    import os, subprocess, sys
    def find(query, limit):
        if query == '0': {deed}
        return [query]
    """
    replies = ask(code, "0", "1", "2", "3", timeout=3.0)
    assert [ranking(reply) for reply in replies] == [[(str(n), None)] for n in range(4)]


def test_a_retriever_that_closes_its_log_still_tells_its_error(ask: Ask) -> None:
    """The traceback is lost, the message is not."""
    code = "import sys\ndef find(query, limit): sys.stderr.close(); raise KeyError('index')"
    assert failure(ask(code)[0]).message == "KeyError: 'index'"


def test_a_death_shows_though_something_it_started_holds_its_stdout(ask: Ask) -> None:
    """A daemon of the retriever must not turn its end into a long wait and a timeout."""
    code = """
    import os, time
    def find(query, limit):
        if query == 'die':
            if os.fork() == 0:
                os.setsid()
                time.sleep(8)
                os._exit(0)
            os._exit(3)
        return [query]
    """
    dead, after = ask(code, "die", "b", timeout=6.0)
    assert failure(dead).kind == "error"
    assert "ended with exit code 3" in failure(dead).message
    assert ranking(after) == [("b", None)]


def test_a_signal_without_a_name_is_given_by_its_number(ask: Ask) -> None:
    """The real-time signals have none."""
    code = "import os\ndef find(query, limit): os.kill(os.getpid(), 40)"
    assert "killed by signal 40" in failure(ask(code)[0]).message


def test_a_retriever_that_does_not_start_again_leaves_the_answers_it_gave(ask: Ask) -> None:
    """What was answered stands; what was not asked is an error that quotes the cause."""
    code = """
    import os
    if os.path.exists('lock'): raise RuntimeError('the index is locked')
    open('lock', 'w').close()
    def find(query, limit):
        if query == 'die': os._exit(1)
        return [query]
    """
    before, dead, *rest = ask(code, "a", "die", "b", "c")
    assert ranking(before) == [("a", None)]
    assert "exit code 1" in failure(dead).message
    assert all("did not start again" in failure(reply).message for reply in rest)
    assert all("the index is locked" in failure(reply).message for reply in rest)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("{'a', 'b'}", "a set, which has no order"),
        ("collections.UserDict(a=1)", "returned UserDict, no list"),
        ("Table()", "returned Table, no list"),
        ("map(str, itertools.count())", "more than 1000000 results"),
        ("[['1', '2']]", "'2': a text, no number"),
        ("{'results': ['a'], 'stages': [['a']]}", "stages is list"),
        ("{'results': ['a'], 'rewritten': nested}", "not an answer in JSON"),
    ],
)
def test_what_would_be_read_as_other_ids_is_refused(ask: Ask, returned: str, told: str) -> None:
    """Each of these has once been a ranking of column names, keys, chance or nothing."""
    code = f"""
    import collections, itertools
    class Table:
        def __iter__(self): return iter(['id', 'score'])
        def iterrows(self): return iter([(0, ['a', 1.0])])
    nested = []
    for _ in range(100_000): nested = [nested]
    def find(query, limit): return ['fine'] if query == 'good' else {returned}
    """
    bad, good = ask(code, "bad", "good", timeout=20.0)
    assert failure(bad).kind == "error"
    assert told in failure(bad).message
    assert ranking(good) == [("fine", None)]


def test_a_named_tuple_is_read_by_its_names(ask: Ask) -> None:
    """Where its id stands does not matter: a row of a database has the order of its query."""
    code = """
    from collections import namedtuple
    Row = namedtuple('Row', 'text chunk_id score')
    def find(query, limit): return [Row('a text', 'a', 0.5)]
    """
    assert ranking(ask(code)[0]) == [("a", 0.5)]


HIT = """
class Hit:
    id = 'uuid'
    metadata = {'chunk': 'c1'}
class Bare:
    id = 'uuid'
    metadata = {'other': 'c1'}
"""


@pytest.mark.parametrize(
    "result",
    ["Hit()", "(Hit(), 0.5)", "{'id': 'uuid', 'chunk': 'c1'}", "{'metadata': {'chunk': 'c1'}}"],
)
def test_id_field_is_looked_for_in_every_shape(ask: Ask, result: str) -> None:
    """In a document's metadata, and beside it."""
    code = HIT + f"def find(query, limit): return [{result}]"
    assert [chunk_id for chunk_id, _ in ranking(ask(code, id_field="chunk")[0])] == ["c1"]


@pytest.mark.parametrize("result", ["Bare()", "{'id': 'uuid'}", "{'metadata': {'other': 'c1'}}"])
def test_a_result_without_the_named_id_field_is_no_other_id(ask: Ask, result: str) -> None:
    """Another id of the document is of another id space, and would score zero in silence."""
    code = HIT + f"def find(query, limit): return [{result}]"
    assert "has no 'chunk'" in failure(ask(code, id_field="chunk")[0]).message


def test_a_value_at_fault_is_shown_by_its_beginning(ask: Ask) -> None:
    """A message is for reading, however large the answer was."""
    large = "def find(query, limit): return [{'id': list(range(100_000))}]"
    assert len(failure(ask(large)[0]).message) < 200
    loud = "def find(query, limit): raise ValueError('x' * 1_000_000)"
    assert len(failure(ask(loud)[0]).message) < 3_000


def test_control_characters_are_shown_and_not_sent_to_the_terminal(ask: Ask) -> None:
    """A colour or a bell in an error or a log; lines stay lines."""
    code = r"""
    import os
    def find(query, limit):
        if query == 'raise': raise ValueError('\x1b[31mred\x07\r\nsecond')
        os.write(2, b'\x1b]0;title\x9b\r\n10 %\rlast\x00 words\r\n')
        os._exit(2)
    """
    raised, died = ask(code, "raise", "die")
    assert failure(raised).message == "ValueError: \\x1b[31mred\\x07\nsecond"
    log = failure(died).message.split("its log ends:\n")[1]
    assert log.split("\n")[-3:] == ["    \\x1b]0;title\ufffd", "    10 %", "    last\\x00 words"]


def test_a_system_with_numbers_that_json_lacks_can_be_recorded(tmp_path: Path) -> None:
    """An infinite threshold is a setting like any other; the report holds it as a text."""
    (tmp_path / "app.py").write_text(
        "class Find:\n"
        "    system = {'limit': float('inf'), 'more': [float('nan'), 1.5]}\n"
        "    def search(self, query, k): return ['a']\n"
    )
    settings = RetrieverSettings("python", "app:Find", {"interpreter": sys.executable})
    retriever = python_retriever("docs", settings, tmp_path)
    list(retriever.ask([Query("q", "?")], 5))
    assert retriever.environment["system"] == {"limit": "inf", "more": ["nan", 1.5]}


def test_modules_beside_the_workers_own_file_are_not_imported_for_the_projects(ask: Ask) -> None:
    """A project that lacks `parsing` must hear so, and not get ragguard's."""
    with pytest.raises(Exception, match="No module named 'run_file'"):
        ask("import run_file")


def test_the_python_path_is_kept_whole_in_safe_mode(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHONSAFEPATH leaves out the script's folder; what stands first then is the project's."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "from_path.py").write_text("ID = 'c1'")
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    monkeypatch.setenv("PYTHONPATH", str(other))
    code = "import from_path\ndef find(query, limit): return [from_path.ID]"
    assert ranking(ask(code)[0]) == [("c1", None)]


def scripted(folder: Path, answer: str, *texts: str) -> WorkerRetriever:
    """A worker of the protocol that answers every question with what `answer` evaluates to."""
    (folder / "worker.py").write_text(
        dedent("""
        import json, os, sys
        def say(text): sys.stdout.write(text + "\\n"); sys.stdout.flush()
        sys.stdin.readline()
        say('{"ready": true, "name": 7, "system": ["x"]}')
        for line in sys.stdin:
            id = json.loads(line)["id"]
        """)
        + indent(dedent(answer), "    ")
    )
    settings = RetrieverSettings("python", "worker", timeout=2.0)
    return WorkerRetriever("docs", settings, [sys.executable, "worker.py"], folder)


GOOD = """say(json.dumps({"id": id, "results": ["a"]}))"""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("say('{')", "where only answers belong"),
        ("say('')", "where only answers belong"),
        ("say('[1]')", "where only answers belong"),
        ("say('[' * 100_000)", "where only answers belong"),
        ("say('{\"id\": ' + '9' * 5000 + '}')", "where only answers belong"),
        ("say(json.dumps({'id': 'other', 'results': ['a']}))", "answered id 'other'"),
        ("say(json.dumps({'id': int(id), 'results': ['a']}))", "answered id 0"),
        ("say(json.dumps({'id': 'x' * 10_000}))", "…, but '0' was asked"),
        ("say(json.dumps({'results': ['a']}))", "answered id None"),
        (f"{GOOD}; {GOOD}; {GOOD}", None),
        ("os.close(1)", "ended with exit code"),
        ("os.close(0); sys.exit(9)", "ended with exit code 9"),
    ],
)
def test_a_worker_that_breaks_the_protocol_is_lost_with_the_reason(
    tmp_path: Path, answer: str, told: str | None
) -> None:
    """Whatever it prints, no query is answered by what belongs to another."""
    queries = [Query(f"q{number}", "?") for number in range(3)]
    replies = list(scripted(tmp_path, answer).ask(queries, 5))
    assert len(replies) == len(queries)
    if told is None:
        assert ranking(replies[0]) == [("a", None)]
        assert "answered id '0', but '1' was asked" in failure(replies[1]).message
    else:
        assert all(told in failure(reply).message for reply in replies[:1])
        assert not any(failure(reply).kind == "timeout" for reply in replies)


@pytest.mark.parametrize("latency", ["NaN", "Infinity", "-1", "true", '"5"', "1" + "0" * 400])
def test_a_latency_that_is_no_time_gives_way_to_our_own_clock(tmp_path: Path, latency: str) -> None:
    """A report cannot hold it, and an answer is not worse for it."""
    answer = f"""say('{{"id": "%s", "results": ["a"], "latency_ms": {latency}}}' % id)"""
    retriever = scripted(tmp_path, answer)
    (reply,) = retriever.ask([Query("q", "?")], 5)
    assert ranking(reply) == [("a", None)]
    assert reply.latency_ms is not None
    assert math.isfinite(reply.latency_ms)
    assert reply.latency_ms >= 0
    assert retriever.description == {"kind": "python", "target": "worker"}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ('"results": ["a"], "error": null', "a"),
        ('"results": ["a"], "stages": null', "a"),
        ('"error": ""', "without a message"),
        ('"results": ["a"], "stages": []', "stages must be an object"),
        ('"results": ["a"], "stages": {"s": 0}', "stage 's' must be a list"),
        ('"results": ["a"], "admitted": -1', "admitted must be a count"),
        ('"results": null', "results must be a list"),
        ("", "results must be a list"),
    ],
)
def test_members_of_an_answer_are_checked_and_null_is_absent(
    tmp_path: Path, members: str, expected: str
) -> None:
    """What is there is not passed over because it is empty."""
    answer = f"""say('{{"id": "%s"{", " if members else ""}{members}}}' % id)"""
    (reply,) = scripted(tmp_path, answer).ask([Query("q", "?")], 5)
    if expected == "a":
        assert ranking(reply) == [("a", None)]
    else:
        assert expected in failure(reply).message
