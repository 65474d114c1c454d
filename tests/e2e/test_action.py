"""The action, run by act as GitHub would run it, against the loopback GitHub."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e import events
from tests.e2e.act import Actions
from tests.e2e.consumer import Consumer
from tests.loopback import faults
from tests.loopback.server import LoopbackGitHub

pytestmark = pytest.mark.e2e

WORKFLOW = """
on: [pull_request, push, merge_group]
permissions: { contents: read, actions: read, pull-requests: write }
jobs:
  retrieval:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: org/ragguard@v1
        id: ragguard
"""
CONFIGURATION = """\
version: 1
suites:
  docs:
    dataset: eval/docs.jsonl
    retriever:
      python: search:retrieve
    gates:
      evidence@5: {max_drop: 0.1}
"""
ROWS = "".join(
    json.dumps(
        {
            "query_id": f"q{number}",
            "query": f"What about {number}?",
            "relevant_ids": [f"chunk-{number}"],
            "critical": number == 1,
            "dataset_version": "1",
            "corpus_version": "1",
        }
    )
    + "\n"
    for number in range(1, 9)
)
SEARCH = """\
import os, re

assert "INPUT_GITHUB_TOKEN" not in os.environ, "the retriever was shown the token"


def retrieve(query, limit):
    number = int(re.search(r"[0-9]+", query)[0])
    return ["noise-1", "noise-2", f"chunk-{number}"]
"""
WORSE = SEARCH.replace('f"chunk-{number}"', 'f"chunk-{number if number > 1 else 99}"')


@pytest.fixture
def consumer(github: LoopbackGitHub, tmp_path: Path) -> Consumer:
    """A project with eight queries, the first of them critical."""
    files = {
        ".github/workflows/ragguard.yml": WORKFLOW,
        "ragguard.yml": CONFIGURATION,
        "eval/docs.jsonl": ROWS,
        "search.py": SEARCH,
    }
    return Consumer.create(github, tmp_path, files)


@pytest.fixture
def actions(consumer: Consumer, project_copy: Path, tmp_path: Path) -> Actions:
    """Runs that project's workflow."""
    return Actions(consumer, project_copy, tmp_path / "runs")


def test_a_loss_is_told_and_the_next_push_edits_the_comment(
    actions: Actions, consumer: Consumer
) -> None:
    """Push keeps a baseline; a worse search fails with a comment; the mended one edits it."""
    first = actions.run(events.push(consumer))
    assert first.exit_code == 0, first.log
    assert first.outputs("ragguard")["verdict"] == "no-baseline"
    (artifact,) = consumer.repository.artifacts.values()
    assert artifact.name == "ragguard-report-default"
    assert list(artifact.files()) == ["ragguard-report.jsonl"]

    consumer.commit({"search.py": WORSE}, branch="feature")
    pull = consumer.open_pull("feature")
    failed = actions.run(events.pull_request(consumer, pull, "opened", stale_base_sha="0" * 40))
    assert failed.exit_code == 1, failed.log
    outputs = failed.outputs("ragguard")
    assert outputs["verdict"] == "failed"
    assert outputs["exit-code"] == "1"
    assert outputs["critical-misses"] == "1"
    assert outputs["regressions"] == "1"
    assert outputs["baseline-sha"] == consumer.tip()
    assert float(outputs["primary-delta"]) == pytest.approx(-1 / 8)
    assert json.loads(outputs["json"])["suites"]["docs"]["critical_misses"] == ["q1"]
    assert "rank 3 → not retrieved" in failed.summary
    (comment,) = consumer.repository.comments_of(pull.number)
    assert "1 critical miss" in comment.body
    assert f"blob/{pull.head_sha}/eval/docs.jsonl#L1" in comment.body
    assert outputs["comment-url"].endswith(f"#issuecomment-{comment.id}")
    (annotation,) = failed.annotations_of("error")
    assert annotation.properties["file"] == "eval/docs.jsonl"
    assert annotation.properties["line"] == "1"

    consumer.commit({"search.py": SEARCH + "\n"}, branch="feature")
    mended = actions.run(events.pull_request(consumer, pull))
    assert mended.exit_code == 0, mended.log
    assert mended.outputs("ragguard")["verdict"] == "passed"
    (edited,) = consumer.repository.comments_of(pull.number)
    assert edited.id == comment.id
    assert "passed: 8 queries compared" in edited.body
    assert "actions/cache" not in edited.body


def test_the_merge_queue_is_gated_without_a_comment(actions: Actions, consumer: Consumer) -> None:
    """The group's own base is compared with."""
    actions.run(events.push(consumer))
    consumer.commit({"search.py": WORSE}, branch="feature")
    pull = consumer.open_pull("feature")
    result = actions.run(events.merge_group(consumer, consumer.queue(pull)))
    assert result.exit_code == 1, result.log
    assert result.outputs("ragguard")["verdict"] == "failed"
    assert "1 critical miss" in result.summary
    assert not consumer.repository.comments_of(pull.number)


def test_a_fork_is_judged_without_a_comment(
    actions: Actions, consumer: Consumer, github: LoopbackGitHub
) -> None:
    """Its token may only read: summary, annotations and report, no failure because of that."""
    actions.run(events.push(consumer))
    consumer.commit({"README.md": "hello\n"}, branch="feature")
    pull = consumer.open_pull("feature", fork="guest/repo", author="guest")
    token = github.add_read_only_token("org/repo")
    result = actions.run(events.pull_request(consumer, pull, "opened"), token=token)
    assert result.exit_code == 0, result.log
    assert result.outputs("ragguard")["verdict"] == "passed"
    assert "may only read" in result.summary
    assert not consumer.repository.comments_of(pull.number)
    assert not [each for each in github.exchanges if each.received.method == "PATCH"]


def test_a_first_pull_request_says_how_to_get_a_baseline(
    actions: Actions, consumer: Consumer
) -> None:
    """Neutral, and never shown as "no change"."""
    consumer.commit({"search.py": WORSE}, branch="feature")
    pull = consumer.open_pull("feature")
    result = actions.run(events.pull_request(consumer, pull, "opened"))
    assert result.exit_code == 0, result.log
    assert result.outputs("ragguard")["verdict"] == "no-baseline"
    (comment,) = consumer.repository.comments_of(pull.number)
    assert "no baseline yet" in comment.body
    assert "pushes to main" in comment.body


def test_when_github_is_down_summary_and_report_survive(
    actions: Actions, consumer: Consumer, github: LoopbackGitHub
) -> None:
    """A look-up that failed is not a missing baseline: exit 3, and nothing is lost."""
    consumer.commit({"README.md": "hello\n"}, branch="feature")
    pull = consumer.open_pull("feature")
    github.inject("*", faults.server_error(502), times=None)
    result = actions.run(events.pull_request(consumer, pull, "opened"))
    assert result.exit_code == 1, result.log
    assert "exit status 3" in result.log
    outputs = result.outputs("ragguard")
    assert outputs["verdict"] == "incomplete"
    assert outputs["exit-code"] == "3"
    assert "GitHub answered 502" in result.summary
    assert "ragguard-report-default" in [a.name for a in consumer.repository.artifacts.values()]
