"""A retriever in any language: a command that speaks the worker protocol."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ragguard.config.environment import EnvironmentReference
from ragguard.config.model import RetrieverSettings
from ragguard.config.reading import read_config
from ragguard.dataset.loading import load_suite
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.location import Location
from ragguard.resources import examples
from ragguard.retrievers.answer import Answer, Reply
from ragguard.retrievers.command_retriever import command_retriever
from ragguard.retrievers.opening import open_retriever
from ragguard.retrievers.worker import FAILURES_IN_A_ROW
from tests.retrievers.served import failure, ranking

ECHO = r"""
read -r hello
echo "log: $hello" >&2
printf '{"ready": true, "name": "echo %s"}\n' "${WORD-}"
while IFS= read -r question; do
  id=${question#*'"id": "'}
  printf '{"id": "%s", "results": ["args:%s", "word:%s"]}\n' "${id%%\"*}" "$*" "${WORD-}"
done
"""


def ask(
    folder: Path,
    command: str,
    *texts: str,
    timeout: float = 5.0,
    variables: dict[str, str] | None = None,
    **options: Any,
) -> tuple[list[Reply], dict[str, Any]]:
    """The replies of a command, and how it describes itself."""
    named = tuple(EnvironmentReference(name, Location("x")) for name in variables or {})
    settings = RetrieverSettings("command", command, options, timeout, references=named)
    retriever = command_retriever("docs", settings, folder, variables)
    queries = [Query(f"q{number}", text) for number, text in enumerate(texts or ("?",))]
    replies = list(retriever.ask(queries, 5))
    return replies, {**retriever.description, "environment": retriever.environment}


def test_a_command_is_split_as_a_shell_would_and_runs_beside_the_configuration(
    tmp_path: Path,
) -> None:
    """Quotes group, a variable stays as it is written, and no shell reads it."""
    (tmp_path / "echo.sh").write_text(ECHO)
    replies, told = ask(tmp_path, "sh ./echo.sh 'two words' $HOME '*'", "1", "2")
    assert [ranking(reply)[0][0] for reply in replies] == ["args:two words $HOME *"] * 2
    assert told["kind"] == "command"
    assert told["target"] == "sh ./echo.sh 'two words' $HOME '*'"


def test_a_program_beside_the_configuration_is_named_with_a_slash(tmp_path: Path) -> None:
    """Its first line says what runs it."""
    script = tmp_path / "echo"
    script.write_text("#!/bin/sh\n" + ECHO)
    script.chmod(0o755)
    replies, _ = ask(tmp_path, "./echo hi")
    assert ranking(replies[0])[0] == ("args:hi", None)


def test_env_is_added_to_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours is still there."""
    monkeypatch.setenv("OTHER", "kept")
    (tmp_path / "echo.sh").write_text('WORD="$WORD $OTHER"\n' + ECHO)
    (reply,), told = ask(tmp_path, "sh echo.sh", env={"WORD": "said"})
    assert ranking(reply)[1] == ("word:said kept", None)
    assert told["name"] == "echo said kept"


@pytest.mark.parametrize(
    ("command", "content", "told"),
    [
        ("no-such-program", "", "cannot start the retriever with 'no-such-program': No such file"),
        ("./script", "", "Permission denied"),
        ("false", "", "it ended with exit code 1"),
        ("sh ./script", "echo 'the index is missing' >&2; exit 3", "the index is missing"),
        ("sh ./script", "echo hello; cat", "it printed 'hello' to stdout"),
        ("sh ./script", 'echo \'{"ready": false, "error": "locked"}\'', "could not start: locked"),
        (
            "sh ./script",
            "echo '{}'",
            'could not start: it answered {}, where {"ready": true} belongs',
        ),
    ],
)
def test_a_command_that_does_not_start_is_an_error_of_the_run_with_the_way_out(
    tmp_path: Path, command: str, content: str, told: str
) -> None:
    """The cause is in the message; the hint speaks of commands and not of Python."""
    (tmp_path / "script").write_text(content)
    with pytest.raises(RetrieverError) as caught:
        ask(tmp_path, command)
    assert told in str(caught.value)
    assert caught.value.hint is not None
    assert "stdin" in caught.value.hint or "PATH" in caught.value.hint


def python_worker(folder: Path, deed: str) -> str:
    """A command that does something for each question, in the language of the tests."""
    (folder / "worker.py").write_text(
        dedent("""
        import json, os, sys, time
        def say(**message): print(json.dumps(message), flush=True)
        sys.stdin.readline()
        say(ready=True)
        for line in sys.stdin:
            question = json.loads(line)
        """)
        + "".join(f"    {line}\n" for line in dedent(deed).strip().splitlines())
    )
    return shlex.join([sys.executable, "worker.py"])


def test_a_command_that_dies_or_hangs_costs_its_query_and_is_started_again(
    tmp_path: Path,
) -> None:
    """As for python; the others are answered."""
    command = python_worker(
        tmp_path,
        """
        if question["query"] == "die": os._exit(9)
        if question["query"] == "hang": time.sleep(60)
        if question["query"] == "fail": say(id=question["id"], error="no index")
        else: say(id=question["id"], results=[question["query"]])
        """,
    )
    replies, _ = ask(tmp_path, command, "a", "die", "b", "hang", "c", "fail", "d", timeout=1.5)
    answered = [reply for reply in replies if isinstance(reply.outcome, Answer)]
    assert [ranking(reply)[0][0] for reply in answered] == ["a", "b", "c", "d"]
    failures = [failure(replies[number]) for number in (1, 3, 5)]
    assert [each.kind for each in failures] == ["error", "timeout", "error"]
    assert "exit code 9" in failures[0].message
    assert failures[2].message == "no index"


def test_a_command_that_always_dies_is_given_up(tmp_path: Path) -> None:
    """After the third in a row the rest is not asked."""
    replies, _ = ask(tmp_path, python_worker(tmp_path, "os._exit(1)"), *map(str, range(6)))
    messages = [failure(reply).message for reply in replies]
    assert all("lost" in message for message in messages[:FAILURES_IN_A_ROW])
    assert all("not asked" in message for message in messages[FAILURES_IN_A_ROW:])


def test_a_secret_that_a_command_prints_is_hidden_wherever_it_is_cut(tmp_path: Path) -> None:
    """In its log, its error, its name, what it prints by mistake; a chunk id is refused."""
    secret = "s3cret" * 8
    command = python_worker(
        tmp_path,
        """
        secret, number = os.environ["KEY"], int(question["query"])
        if number == 0: say(id=question["id"], error="x" * 1990 + secret)
        if number == 1: say(id=question["id"], results=[{"id": ["y" * 70, secret]}])
        if number == 2: say(id=question["id"], results=["a", "b-" + secret])
        if number == 3: say(id=question["id"], results=["a"], stages={secret: ["a"]})
        if number == 4: print("z" * 190 + secret, flush=True)
        if number == 5: say(id=secret)
        if number == 6:
            sys.stderr.write(secret + "w" * 1990); sys.stderr.flush(); os._exit(1)
        """,
    )
    replies, _ = ask(
        tmp_path,
        command,
        *map(str, range(7)),
        env={"KEY": "${env:TOKEN}"},
        variables={"TOKEN": secret},
    )
    assert "s3cret" not in repr(replies)
    assert "cret" * 2 not in repr(replies)
    assert failure(replies[2]).kind == "invalid"
    assert "a chunk id holds the value of ${env:TOKEN}" in failure(replies[2]).message
    assert isinstance(replies[3].outcome, Answer)
    assert list(replies[3].outcome.stages) == ["${env:TOKEN}"]


def test_the_name_that_a_command_gives_itself_holds_no_secret(tmp_path: Path) -> None:
    """A report records it."""
    (tmp_path / "echo.sh").write_text(ECHO)
    _, told = ask(
        tmp_path, "sh echo.sh", env={"WORD": "${env:TOKEN}"}, variables={"TOKEN": "s3cret-word"}
    )
    assert told["name"] == "echo ${env:TOKEN}"


@pytest.mark.parametrize(
    ("suite", "needs"), [("node", ["node"]), ("shell", ["sh", "awk", "sort", "head", "jq"])]
)
def test_the_examples_answer_as_a_search_should(suite: str, needs: list[str]) -> None:
    """Every query has an answer, and words that stand in one chunk alone find it."""
    missing = [program for program in needs if not shutil.which(program)]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    config = read_config(examples() / "retrievers" / "ragguard.yml")
    configured = config.suites[suite]
    queries = load_suite(configured, config.root).queries[:12]
    odd = Query("odd", 'quotes " \\ $(touch x) `id` %s \t ü \u2028 ${env:HOME}', row={})
    replies = list(open_retriever(configured, config.root).ask([*queries, odd], 5))
    assert all(isinstance(reply.outcome, Answer) for reply in replies)
    first = [ranking(reply)[0][0] for reply in replies[:-1] if ranking(reply)]
    relevant = [set(query.labels.grades(1)) for query in queries]
    found = sum(one in labels for one, labels in zip(first, relevant, strict=False))
    assert found >= 6
    scores = [score for reply in replies[:-1] for _, score in ranking(reply)]
    assert scores
    assert all(score is not None and score > 0 for score in scores)


def test_the_pipe_shown_in_the_examples_readme_works() -> None:
    """What readers copy runs."""
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    folder = examples() / "retrievers"
    page = (folder / "README.md").read_text(encoding="utf-8")
    (line,) = [each[2:] for each in page.splitlines() if each.startswith("$ ")]
    shown = subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=True, env=os.environ
    )
    ready, answer = map(json.loads, shown.stdout.splitlines())
    assert ready["ready"] is True
    assert len(answer["results"]) == 2
