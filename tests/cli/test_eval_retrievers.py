"""`ragguard eval` over commands and services: secrets, several suites, what a log may hold."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ragguard.resources import schema
from tests.retrievers.service import Asked, Service, Told, serving

SECRET = 'pl4nted "s3cr3t"/ü+value'
ROWS = [
    {"query_id": f"q{number}", "query": f"number {number}", "relevant_ids": ["a"]}
    for number in range(8)
]


def project(folder: Path, retrievers: dict[str, Any]) -> Path:
    """A folder with a suite for each retriever, all of them over the same eight queries."""
    (folder / ".git").mkdir()
    (folder / "eval.meta.json").write_text('{"dataset_version": "1", "corpus_version": "1"}')
    (folder / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    suites = {
        name: {"dataset": "eval.jsonl", "retriever": each} for name, each in retrievers.items()
    }
    (folder / "ragguard.yml").write_text(json.dumps({"version": 1, "suites": suites}, indent=1))
    return folder


def ragguard(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder, without the machine's proxies."""
    kept = {name: each for name, each in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.run(
        [sys.executable, "-m", "ragguard", *arguments],
        cwd=folder,
        env={**kept, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def records(folder: Path) -> list[dict[str, Any]]:
    """The records of the report, each of them sound."""
    lines = (folder / "ragguard-report.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    validator = Draft202012Validator(schema("report"))
    assert not [error.message for record in found for error in validator.iter_errors(record)]
    return found


def statuses(folder: Path, suite: str) -> list[str]:
    """The state of each query of a suite."""
    return [each["status"] for each in records(folder) if each.get("suite") == suite]


def indiscreet(asked: Asked) -> Told:
    """A service that repeats the key it was given wherever it can."""
    key = asked.headers["x-key"].encode("latin-1").decode("utf-8", "replace")
    told = [
        Told({"results": ["a"]}),
        Told({"results": [{"id": "a", "score": 1.0}], "q": f"with {key}"}),
        Told({"results": [{"id": "a"}, {"id": key}]}),
        Told({"error": f"the key {key} is used up"}),
        Told(f"denied: {key}".encode(), 400),
        Told(f"<p>{key}</p>".encode()),
        Told({"results": [{"id": "a", "score": key}]}),
        Told(b"", 302, {"location": f"http://127.0.0.1:1/{base64.b64encode(b'x').decode()}"}),
    ]
    return told[int(asked.json["text"].split()[-1])]


@pytest.fixture
def service() -> Iterator[Service]:
    """A service that finds `a`."""
    with serving(lambda _: Told({"results": [{"id": "a"}]})) as running:
        yield running


WORKER = """
import json, os, sys
key = os.environ["KEY"]
def say(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
print("starting with", key, file=sys.stderr, flush=True)
say(ready=True, name="search " + key, system={key: [key]}, environment={"key": key})
for line in sys.stdin:
    question = json.loads(line)
    number = int(question["query"].split()[-1])
    if number == 1: os._exit(3)
    if number == 2: raise ValueError(key)
    if number == 3: say(id=question["id"], error="no " + key)
    elif number == 4: print(key, flush=True)
    else: say(id=question["id"], results=["a"], rewritten=key, stages={"s" + key: ["a"]})
"""


def forms(secret: str) -> list[str]:
    """A secret as it may look in JSON, in Python, in a URL; and its telling parts."""
    return [secret, json.dumps(secret)[1:-1], "pl4nted", "s3cr3t", "+value"]


def test_a_planted_secret_is_in_no_output(tmp_path: Path, service: Service) -> None:
    """Report, tables, warnings, errors, JSON, Markdown, the log of a workflow, our processes."""
    service.respond = indiscreet
    http = {
        "url": f"{service.url}/find?k={{{{limit}}}}",
        "headers": {"X-Key": "${env:ASCII}"},
        "body": {"text": "{{query}}", "key": "${env:PLANTED}"},
        "error": "error",
        "rewritten": "q",
    }
    (tmp_path / "worker.py").write_text(WORKER)
    command = {"command": [sys.executable, "worker.py"], "env": {"KEY": "${env:PLANTED}"}}
    folder = project(tmp_path, {"http": {"http": http}, "command": command})
    ascii_secret = "pl4nted-s3cr3t-of-ascii+value"
    hidden = {"PLANTED": SECRET, "ASCII": ascii_secret}
    shown = [
        ragguard(folder, "eval", GITHUB_ACTIONS="true", **hidden),
        ragguard(folder, "eval", "--output", "head.jsonl", "--gate", **hidden),
        ragguard(folder, "report", "head.jsonl"),
        ragguard(folder, "report", "head.jsonl", "--format", "json", "--gate"),
        ragguard(folder, "report", "head.jsonl", "--format", "markdown"),
        ragguard(folder, "diff", "ragguard-report.jsonl", "head.jsonl"),
        ragguard(folder, "diff", "ragguard-report.jsonl", "head.jsonl", "--format", "json"),
        ragguard(folder, "diff", "ragguard-report.jsonl", "head.jsonl", "--format", "markdown"),
        ragguard(folder, "lint", ".", **hidden),
    ]
    everything = "".join(each.stdout + each.stderr for each in shown)
    everything += "".join(
        path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.suffix == ".jsonl"
    )
    assert not [form for form in forms(SECRET) + forms(ascii_secret) if form in everything]
    assert "${env:PLANTED}" in everything
    assert "${env:ASCII}" in everything
    assert statuses(folder, "http") == [
        "invalid",
        "ok",
        "invalid",
        *["error"] * 3,
        "invalid",
        "error",
    ]
    assert statuses(folder, "command") == ["ok", *["error"] * 4, "ok", "ok", "ok"]
    assert all(ascii_secret in str(asked.headers) for asked in service.asked)
    assert service.asked[0].json["key"] == SECRET


def test_a_secret_is_in_no_list_of_processes(tmp_path: Path) -> None:
    """Neither we nor what we start has it among its arguments."""
    (tmp_path / "worker.py").write_text(
        "import json, os, pathlib, sys\n"
        "sys.stdin.readline()\n"
        "seen = [p.read_bytes() for p in pathlib.Path('/proc').glob('[0-9]*/cmdline')]\n"
        "found = any(os.environ['KEY'].encode() in each for each in seen)\n"
        "print(json.dumps({'ready': True, 'name': f'{len(seen) > 1} {found}'}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'results': []}), flush=True)\n"
    )
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("this system has no /proc")
    command = {"command": f"{sys.executable} worker.py", "env": {"KEY": "${env:PLANTED}"}}
    folder = project(tmp_path, {"docs": command})
    assert ragguard(folder, "eval", PLANTED=SECRET).returncode == 0
    assert records(folder)[0]["suites"]["docs"]["retriever"]["name"] == "True False"


def test_a_variable_that_is_not_set_is_a_configuration_error(tmp_path: Path) -> None:
    """Exit 2 with line and column, before a query is asked; a linter does not mind."""
    folder = project(tmp_path, {"docs": {"command": "cat", "env": {"A": "${env:NOT_SET_HERE}"}}})
    shown = ragguard(folder, "eval")
    assert shown.returncode == 2
    lines = (folder / "ragguard.yml").read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if "NOT_SET_HERE" in text]
    column = lines[line - 1].index('"${') + 1
    told = f"ragguard.yml:{line}:{column}: the environment variable NOT_SET_HERE is not set"
    assert told in shown.stderr
    assert ragguard(folder, "lint", ".").returncode == 0


def test_a_suite_that_does_not_start_leaves_the_answers_of_the_others(
    tmp_path: Path, service: Service
) -> None:
    """Its queries are errors, which the gate counts; what was answered is in the report."""
    good = {"http": {"url": service.url, "body": {"q": "{{query}}"}}}
    bad = {"command": [sys.executable, "-c", "raise SystemExit('no index')"]}
    folder = project(tmp_path, {"first": good, "second": bad, "third": good})
    shown = ragguard(folder, "eval", "--gate")
    assert shown.returncode == 1
    assert statuses(folder, "first") == statuses(folder, "third") == ["ok"] * 8
    assert statuses(folder, "second") == ["error"] * 8
    (warning,) = records(folder)[0]["suites"]["second"]["warnings"]
    assert "no query was asked, all 8 are errors" in warning
    assert "no index" in warning
    assert "warning: second: no query was asked" in shown.stderr
    assert "failures" in shown.stdout
    assert list(records(folder)[0]["suites"]) == ["first", "second", "third"]
    assert ragguard(folder, "eval", "--quiet").returncode == 0


def test_what_is_wrong_with_a_later_suite_shows_before_a_query_is_asked(
    tmp_path: Path, service: Service
) -> None:
    """An hour of answers is not thrown away for a missing file."""
    good = {"http": {"url": service.url}}
    folder = project(tmp_path, {"first": good, "second": {"run": "absent.trec"}})
    shown = ragguard(folder, "eval")
    assert shown.returncode == 2
    assert "absent.trec" in shown.stderr
    assert not service.asked


def test_no_suite_that_starts_is_no_verdict(tmp_path: Path) -> None:
    """Exit 3, no report, and the cause."""
    bad = {"command": "false"}
    folder = project(tmp_path, {"first": bad, "second": bad})
    shown = ragguard(folder, "eval")
    assert shown.returncode == 3
    assert "exit code 1" in shown.stderr
    assert not (folder / "ragguard-report.jsonl").exists()


def test_in_a_workflow_no_line_of_others_is_a_command(tmp_path: Path) -> None:
    """An error, a log, an id may begin with `::`; the runner must not obey."""
    evil = "x\n::error file=a::pwned\r\n  ::set-env name=A::b\n##[error]old"
    (tmp_path / "worker.py").write_text(
        "import json, sys\n"
        f"evil = {evil!r}\n"
        "sys.stdin.readline()\n"
        "print(json.dumps({'ready': True}), flush=True)\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    if number == 3: sys.stderr.write(evil); sys.exit(1)\n"
        "    told = {'results': ['::warning::w']} if number else {'error': evil}\n"
        "    print(json.dumps({'id': json.loads(line)['id'], **told}), flush=True)\n"
    )
    started = {"command": f"{sys.executable} worker.py"}
    never = {"command": [sys.executable, "-c", f"raise SystemExit({evil!r})"]}
    folder = project(tmp_path, {"a": started, "b": never})
    first = {**ROWS[0], "query_id": "::error::q"}
    rows = [first, *ROWS[1:]]
    (folder / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = [
        ragguard(folder, "eval", GITHUB_ACTIONS="true"),
        ragguard(folder, "eval", "--suite", "b", GITHUB_ACTIONS="true"),
        ragguard(folder, "report", "ragguard-report.jsonl", GITHUB_ACTIONS="true"),
    ]
    assert [each.returncode for each in shown] == [0, 3, 0]
    for text in (each for one in shown for each in (one.stdout, one.stderr)):
        assert not [line for line in re.split(r"[\r\n]+", text) if line.lstrip().startswith("::")]
        assert "##[" not in text
    assert "pwned" in shown[1].stderr
    assert ": :error::q" in shown[0].stdout
