"""A python retriever in its own process: what it may return, and every way it can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest

from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.retrievers.answer import Answer, Failure
from ragguard.retrievers.python_retriever import python_retriever
from ragguard.retrievers.worker import FAILURES_IN_A_ROW
from tests.retrievers.served import Ask, failure, ranking


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def find(query, limit): return ['a', 'b']", [("a", None), ("b", None)]),
        ("def find(query, limit): return [('a', 2.5), ['b', 1]]", [("a", 2.5), ("b", 1.0)]),
        (
            "def find(query, limit): return [{'id': 'a', 'score': 1.0}, {'chunk_id': 'b'}]",
            [("a", 1.0), ("b", None)],
        ),
        ("def find(query, limit): return (each for each in 'ab')", [("a", None), ("b", None)]),
        ("def find(query, limit): return []", []),
        ("def find(query, k): return ['x'] * 0 + [str(k)]", [("5", None)]),
        ("def find(query, how_many): return [str(how_many)]", [("5", None)]),
        ("def find(query): return [query]", [("?", None)]),
        ("def find(query, *rest): return [str(len(rest))]", [("1", None)]),
        ("async def find(query, limit): return ['a']", [("a", None)]),
        (
            """
            class Hit:
                def __init__(self, item_id, score): self.item_id, self.score = item_id, score
            def find(query, limit): return [Hit('a', 0.5)]
            """,
            [("a", 0.5)],
        ),
        (
            """
            class Document:
                def __init__(self, **metadata): self.page_content, self.metadata = 't', metadata
            class find:
                def invoke(self, query): return [Document(id='a'), Document(id='b')]
            """,
            [("a", None), ("b", None)],
        ),
        (
            """
            class Node:
                node_id, text, metadata = 'n1', 't', {}
            class WithScore:
                node, score = Node(), 0.25
            class find:
                def retrieve(self, query): return [WithScore()]
            """,
            [("n1", 0.25)],
        ),
        (
            "def find(query, limit): return {'results': ['a'], 'stages': {'lexical': ['b']}}",
            [("a", None)],
        ),
    ],
)
def test_every_shape_of_retriever_and_result_is_understood(
    ask: Ask, code: str, expected: list[tuple[str, float | None]]
) -> None:
    """Functions, objects, async ones; ids, pairs, dicts, documents, nodes."""
    assert ranking(ask(code)[0]) == expected


def test_id_field_names_the_metadata_key_of_documents(ask: Ask) -> None:
    """A document's own id gives way to the field that the team uses."""
    code = """
    class Document:
        id, page_content, metadata = 'uuid', 't', {'chunk': 'c1'}
    def find(query, limit): return [Document()]
    """
    assert ranking(ask(code, id_field="chunk")[0]) == [("c1", None)]


def test_context_is_handed_over_when_the_retriever_takes_it(tmp_path: Path) -> None:
    """Roles and dates reach the application as the dataset has them."""
    (tmp_path / "app.py").write_text("def find(query, limit, context): return context['roles']")
    settings = RetrieverSettings("python", "app:find", {"interpreter": sys.executable})
    query = Query("q", "?", context={"roles": ["admin", "é"]})
    (reply,) = python_retriever("docs", settings, tmp_path).ask([query], 5)
    assert ranking(reply) == [("admin", None), ("é", None)]


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("def find(query, limit): raise KeyError('index')", "error", "KeyError: 'index'"),
        ("def find(query, limit): return None", "error", "returned None"),
        ("def find(query, limit): return 'abc'", "error", "returned str"),
        ("def find(query, limit): return {'a': 1}", "error", "returned dict"),
        ("def find(query, limit): return [object()]", "error", "object has no id"),
        ("def find(query, limit): return [{'id': 'a', 'score': 'high'}]", "error", "no number"),
        ("def find(query, limit): return [('a', float('nan'))]", "invalid", "no finite number"),
        ("def find(query, limit): return [('a', 1e400)]", "invalid", "no finite number"),
        ("def find(query, limit): return [1]", "invalid", "ids are strings"),
        ("def find(query, limit): return [None]", "invalid", "ids are strings"),
        ("def find(query, limit): return ['']", "invalid", "is empty"),
        ("def find(query, limit): return [True]", "invalid", "a boolean"),
    ],
)
def test_a_faulty_answer_costs_its_query_and_no_other(
    ask: Ask, code: str, kind: str, message: str
) -> None:
    """The fault has a kind and a message; the next query is answered."""
    wrapped = dedent(code).replace("def find", "def broken") + (
        "\ndef find(query, limit): return broken(query, limit) if query == 'bad' else ['fine']\n"
    )
    first, second = ask(wrapped, "bad", "good")
    assert failure(first).kind == kind
    assert message in failure(first).message
    assert ranking(second) == [("fine", None)]


def test_more_than_asked_is_cut_off_and_said(ask: Ask) -> None:
    """The rest is no part of the ranking, and no silence about it."""
    (reply,) = ask("def find(query, limit): return [str(n) for n in range(9)]", depth=3)
    assert ranking(reply) == [("0", None), ("1", None), ("2", None)]
    assert isinstance(reply.outcome, Answer)
    assert "answered 9 results where 3 were asked for" in reply.outcome.warnings[0]


def test_duplicates_reach_the_scoring_as_they_are(ask: Ask) -> None:
    """Collapsing is the policy's business, not the adapter's."""
    (reply,) = ask("def find(query, limit): return ['a', 'b', 'a']")
    assert [chunk_id for chunk_id, _ in ranking(reply)] == ["a", "b", "a"]


def test_printing_does_not_break_the_protocol(ask: Ask) -> None:
    """Prints, writes to descriptor 1 and those of a child process go to the log."""
    code = """
    import os, subprocess, sys
    print('imported')
    def find(query, limit):
        print('{"id": "0", "results": []}')
        os.write(1, b'raw\\n')
        subprocess.run([sys.executable, '-c', 'print("child")'])
        return ['a']
    """
    assert [ranking(reply) for reply in ask(code, "1", "2")] == [[("a", None)], [("a", None)]]


def test_a_hanging_query_times_out_and_the_rest_is_answered(ask: Ask) -> None:
    """The time of a query begins when it is its turn; the process is replaced."""
    code = """
    import time
    def find(query, limit):
        if query == 'slow': time.sleep(60)
        return [query]
    """
    started = time.monotonic()
    replies = ask(code, "a", "slow", "b", "c", timeout=1.0)
    assert time.monotonic() - started < 20
    assert failure(replies[1]) == Failure("timeout", "no answer within 1 s")
    assert [ranking(reply)[0][0] for reply in (replies[0], *replies[2:])] == ["a", "b", "c"]


def test_many_slow_queries_do_not_time_out_for_each_other(ask: Ask) -> None:
    """Written ahead, a question does not age while the ones before it are answered."""
    code = """
    import time
    def find(query, limit):
        time.sleep(0.15)
        return [query]
    """
    replies = ask(code, *map(str, range(10)), timeout=1.0)
    assert [ranking(reply)[0][0] for reply in replies] == list(map(str, range(10)))


@pytest.mark.parametrize(
    ("death", "told"),
    [
        ("os._exit(3)", "ended with exit code 3"),
        ("os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("sys.exit(4)", "ended with exit code 4"),
    ],
)
def test_a_dying_retriever_costs_its_query_and_is_started_again(
    ask: Ask, death: str, told: str
) -> None:
    """The message says how it died and quotes the end of its log."""
    code = f"""
    import os, sys
    def find(query, limit):
        if query == 'die':
            print('last words', flush=True)
            {death}
        return [query]
    """
    before, dead, after = ask(code, "a", "die", "b")
    assert told in failure(dead).message
    assert "last words" in failure(dead).message
    assert failure(dead).kind == "error"
    assert [ranking(before), ranking(after)] == [[("a", None)], [("b", None)]]


def test_a_retriever_that_always_dies_is_given_up(ask: Ask) -> None:
    """The queries that were never asked are errors that say so."""
    replies = ask("import os\ndef find(query, limit): os._exit(1)", *map(str, range(8)))
    messages = [failure(reply).message for reply in replies]
    assert all("lost" in message for message in messages[:FAILURES_IN_A_ROW])
    assert all("not asked" in message for message in messages[FAILURES_IN_A_ROW:])


def test_nothing_is_left_running(ask: Ask, tmp_path: Path) -> None:
    """What the retriever started ends with it."""
    marker = tmp_path / "alive"
    (tmp_path / "child.py").write_text(
        "import pathlib, time\n"
        "for _ in range(100):\n"
        "    time.sleep(0.1)\n"
        f"    pathlib.Path({str(marker)!r}).write_text('here')\n"
    )
    code = """
    import subprocess, sys, time
    def find(query, limit):
        subprocess.Popen([sys.executable, 'child.py'])
        time.sleep(60)
    """
    ask(code, timeout=1.0)
    time.sleep(0.5)
    last = marker.stat().st_mtime_ns
    time.sleep(0.5)
    assert marker.stat().st_mtime_ns == last


@pytest.mark.parametrize(
    ("code", "target", "told"),
    [
        ("import no_such_module", "app:find", "no_such_module"),
        ("find = 1", "app:find", "neither a function nor an object"),
        ("", "app:find", "find"),
        ("def find(: pass", "app:find", "SyntaxError"),
        ("import sys\nsys.exit(5)", "app:find", "5"),
        ("import os\nos._exit(7)", "app:find", "exit code 7"),
    ],
)
def test_a_retriever_that_cannot_start_is_an_error_of_the_run(
    ask: Ask, code: str, target: str, told: str
) -> None:
    """No query is blamed; the cause is in the message."""
    with pytest.raises(RetrieverError, match="could not start") as caught:
        ask(code, target=target)
    assert told in str(caught.value)


def test_an_interpreter_that_does_not_exist_is_named(ask: Ask) -> None:
    """The way out is in the hint."""
    with pytest.raises(RetrieverError, match="no-such-python") as caught:
        ask("def find(query, limit): return []", interpreter="no-such-python")
    assert "interpreter" in str(caught.value)


def test_the_worker_runs_on_the_oldest_supported_python(ask: Ask) -> None:
    """Projects keep their own interpreter, from 3.8 on."""
    old = _old_python()
    if old is None:
        pytest.skip("no Python 3.8 or 3.9 on PATH or under ~/.pyenv")
    (reply,) = ask("def find(query, limit): return ['a']", interpreter=old)
    assert ranking(reply) == [("a", None)]


def _old_python() -> str | None:
    installed = (Path.home() / ".pyenv" / "versions").glob("3.[89].*/bin/python")
    names = [shutil.which("python3.8"), shutil.which("python3.9"), *map(str, installed)]
    for name in filter(None, names):
        if not subprocess.run([name, "-V"], capture_output=True, check=False).returncode:
            return name
    return None


def test_the_report_is_told_what_ran(tmp_path: Path) -> None:
    """Name, Python and the retriever's own `system` are kept."""
    (tmp_path / "app.py").write_text(
        "class Find:\n    system = {'index': '7'}\n    def search(self, query, k): return ['a']\n"
    )
    settings = RetrieverSettings("python", "app:Find", {"interpreter": sys.executable})
    retriever = python_retriever("docs", settings, tmp_path)
    list(retriever.ask([Query("q", "?")], 5))
    assert retriever.description == {"kind": "python", "target": "app:Find", "name": "app:Find"}
    assert retriever.environment["system"] == {"index": "7"}
    assert retriever.environment["python"].startswith(f"{sys.version_info[0]}.")


def test_a_large_answer_does_not_block_the_pipe(ask: Ask) -> None:
    """Both sides write more than a pipe holds, and neither waits for the other for ever."""
    code = "def find(query, limit): return [query[:200] + str(n) for n in range(limit)]"
    replies = ask(code, *["long " * 20_000] * 80, depth=100)
    assert all(len(ranking(reply)) == 100 for reply in replies)


def test_the_module_is_imported_from_the_configurations_folder(ask: Ask, tmp_path: Path) -> None:
    """Not from the folder of the worker's own file, whose modules must not shadow the project's."""
    (tmp_path / "answer.py").write_text("ID = 'mine'")
    (reply,) = ask("import answer, os\ndef find(query, limit): return [answer.ID, os.getcwd()]")
    assert ranking(reply) == [("mine", None), (os.path.realpath(tmp_path), None)]


def test_env_reaches_a_python_retriever_and_its_secrets_stay_hidden(tmp_path: Path) -> None:
    """As for a command: the value is there for the code, and in no message about it."""
    (tmp_path / "app.py").write_text(
        "import os\n"
        "def find(query, limit):\n"
        "    if query == 'raise': raise ValueError('bad key ' + os.environ['KEY'])\n"
        "    return [str(len(os.environ['KEY'])), os.environ['PLAIN']]\n"
    )
    options = {"interpreter": sys.executable, "env": {"KEY": "${env:TOKEN}", "PLAIN": "p"}}
    settings = RetrieverSettings("python", "app:find", options)
    retriever = python_retriever("docs", settings, tmp_path, {"TOKEN": "s3cret-value"})
    good, bad = retriever.ask([Query("q1", "ask"), Query("q2", "raise")], 5)
    assert ranking(good) == [("12", None), ("p", None)]
    assert failure(bad).message == "ValueError: bad key ${env:TOKEN}"
