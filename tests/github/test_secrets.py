"""A secret of the retriever reaches nobody who reads what the action tells."""

from __future__ import annotations

import json
import sys

import pytest

from ragguard.errors import ExitCode
from tests.e2e import events
from tests.github.test_action import CONFIGURATION, Bench, bench

__all__ = ["bench"]

SECRET = "pl4nted/s3cr3t+value"
WORKER = """\
import json, os, sys
key = os.environ["KEY"]
def say(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
print("key", key, file=sys.stderr, flush=True)
{beginning}
say(ready=True, name=key)
for line in sys.stdin:
    question = json.loads(line)
    number = question["query"].split()[-1].strip("?")
    if number == "1": say(id=question["id"], error="refused: " + key)
    elif number == "2": sys.exit(3)
    else: say(id=question["id"], results=["chunk-" + number], rewritten=key)
"""


@pytest.mark.parametrize(
    ("beginning", "code", "told"),
    [
        ("", ExitCode.FAILED, "refused: ${env:PLANTED}"),
        ("sys.exit(key + ' is wrong')", ExitCode.NO_VERDICT, "${env:PLANTED} is wrong"),
    ],
    ids=["queries fail", "no start"],
)
def test_a_planted_secret_is_in_nothing_that_the_action_writes(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, beginning: str, code: ExitCode, told: str
) -> None:
    """Report, log, annotations, job summary, outputs, comment."""
    bench.baseline()
    monkeypatch.setenv("PLANTED", SECRET)
    command = json.dumps([sys.executable, "worker.py"])
    retriever = f'{{command: {command}, env: {{KEY: "${{env:PLANTED}}"}}}}'
    changed = {
        "ragguard.yml": CONFIGURATION.replace("{run: run.json}", retriever),
        "worker.py": WORKER.format(beginning=beginning),
    }
    pull = bench.pull(changed)
    assert bench.run(events.pull_request(bench.consumer, pull)) == code
    comments = bench.consumer.repository.comments_of(pull.number)
    written = [
        path for path in bench.place.rglob("*") if path.is_file() and ".git" not in path.parts
    ]
    everything = "\n".join(
        [
            *bench.log,
            *(comment.body for comment in comments),
            *(path.read_text("utf-8", "replace") for path in written),
        ]
    )
    assert {"summary.md", "output", "event.json"} <= {path.name for path in written}
    assert any(path.name == "ragguard-report.jsonl" for path in written) == (not beginning)
    assert not [part for part in (SECRET, "pl4nted", "s3cr3t", "+value") if part in everything]
    assert told in everything


def test_a_variable_that_a_fork_lacks_is_told_as_such(bench: Bench) -> None:
    """With its place, as no verdict and not as a loss."""
    bench.baseline()
    retriever = '{command: cat, env: {KEY: "${env:SURELY_NOT_SET}"}}'
    pull = bench.pull({"ragguard.yml": CONFIGURATION.replace("{run: run.json}", retriever)})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.UNUSABLE
    (comment,) = bench.consumer.repository.comments_of(pull.number)
    assert "the environment variable SURELY_NOT_SET is not set" in comment.body
    assert "ragguard.yml:5:42: the" in comment.body.replace("&#8203;", "")
