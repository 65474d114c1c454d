"""The act harness itself, shown with a small action of its own in the place of ragguard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e import events
from tests.e2e.act import Actions
from tests.e2e.consumer import Consumer
from tests.loopback.server import LoopbackGitHub

pytestmark = pytest.mark.e2e

COMMIT_ID = "0123456789abcdef0123456789abcdef01234567"
ACTION = f"""
name: small
description: Comments, writes outputs and a summary, keeps an artifact, then may fail.
inputs:
  github-token: {{ description: token, default: "${{{{ github.token }}}}" }}
  exit: {{ description: exit code, default: "0" }}
outputs:
  comment-url: {{ description: address, value: "${{{{ steps.post.outputs.comment-url }}}}" }}
  lines: {{ description: two lines, value: "${{{{ steps.post.outputs.lines }}}}" }}
runs:
  using: composite
  steps:
    - uses: actions/setup-python@{COMMIT_ID}
      id: python
      with: {{ python-version: "3.11", update-environment: "false" }}
    - uses: actions/cache@{COMMIT_ID}
      id: cache
      with: {{ path: "kept", key: "k-${{{{ runner.os }}}}" }}
    - id: post
      shell: bash
      env:
        TOKEN: ${{{{ inputs.github-token }}}}
        PYTHON: ${{{{ steps.python.outputs.python-path }}}}
        CACHE_HIT: ${{{{ steps.cache.outputs.cache-hit }}}}
      run: '"$PYTHON" "$GITHUB_ACTION_PATH/small.py"'
    - uses: actions/upload-artifact@{COMMIT_ID}
      with: {{ name: report, path: report.jsonl, if-no-files-found: error }}
    - shell: bash
      env: {{ CODE: "${{{{ inputs.exit }}}}" }}
      run: exit "$CODE"
"""
PROGRAM = r"""
import json, os, pathlib, subprocess, urllib.request

def call(method, path, body=None):
    headers = {"User-Agent": "small", "Authorization": "Bearer " + os.environ["TOKEN"]}
    data = None if body is None else json.dumps(body).encode()
    if data: headers["Content-Type"] = "application/json"
    url = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}{path}"
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        print(f"::warning title=GitHub::{error.code} {json.load(error)['message']}")
        return None

event = json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text())
head = subprocess.run(["git", "log", "-1", "--format=%s"], capture_output=True, text=True).stdout
name, url = os.environ["GITHUB_EVENT_NAME"], "none"
if name == "pull_request":
    number, text = event["number"], f"run {os.environ['GITHUB_RUN_NUMBER']}"
    known = call("GET", f"/issues/{number}/comments") or ()
    own = [each for each in known if each["body"].startswith("run ")]
    if own:
        made = call("PATCH", f"/issues/comments/{own[0]['id']}", {"body": text})
    else:
        made = call("POST", f"/issues/{number}/comments", {"body": text})
    url = made["html_url"] if made else "refused"
pathlib.Path("kept").mkdir(exist_ok=True)
pathlib.Path("kept/file").write_text("kept")
pathlib.Path("report.jsonl").write_text(json.dumps({"sha": os.environ["GITHUB_SHA"]}) + "\n")
with open(os.environ["GITHUB_OUTPUT"], "a") as output:
    output.write(f"comment-url={url}\nlines<<END\none\ntwo\nEND\n")
with open(os.environ["GITHUB_STEP_SUMMARY"], "a") as summary:
    summary.write(f"## {name} of {os.environ['GITHUB_REF']}\n")
hit = os.environ["CACHE_HIT"]
print(f"::error file=a.txt,line=2,title=T%3A1::{head.strip()}%0Anext, cache-hit={hit!r}")
"""
WORKFLOW = """
on: [pull_request, push, merge_group]
permissions: { contents: read, pull-requests: write, actions: read }
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: org/ragguard@v1
        id: small
        with: { exit: "EXIT" }
      - run: echo "after" >> "$GITHUB_STEP_SUMMARY"
        if: always()
"""


@pytest.fixture
def actions(github: LoopbackGitHub, tmp_path: Path) -> Actions:
    """A consumer of the small action."""
    action = tmp_path / "action"
    action.mkdir()
    (action / "action.yml").write_text(ACTION)
    (action / "small.py").write_text(PROGRAM)
    files = {".github/workflows/ragguard.yml": WORKFLOW.replace("EXIT", "0"), "a.txt": "one\ntwo\n"}
    return Actions(Consumer.create(github, tmp_path, files), action, tmp_path / "runs")


def test_pull_request_run_comments_and_a_second_push_edits_the_comment(actions: Actions) -> None:
    """Comment, outputs, summary, annotation and artifact of a run; then one comment, edited."""
    consumer = actions.consumer
    consumer.commit({"b.txt": "three\n"}, branch="feature/x")
    pull = consumer.open_pull("feature/x")
    first = actions.run(events.pull_request(consumer, pull, "opened"))
    comments = consumer.repository.comments_of(pull.number)
    assert [each.body for each in comments] == ["run 1"]
    assert comments[0].author == "github-actions[bot]"
    assert first.exit_code == 0, first.log
    assert first.jobs == {"check": "success"}
    assert first.steps["check/small"] == "success"
    page = f"https://github.com/org/repo/pull/1#issuecomment-{comments[0].id}"
    assert first.outputs("small") == {"comment-url": page, "lines": "one\ntwo"}
    assert first.summary == "## pull_request of refs/pull/1/merge\nafter\n"
    (error,) = first.annotations_of("error")
    merged = f"Merge {pull.head_sha} into {consumer.tip()}"
    assert error.message == f"{merged}\nnext, cache-hit=''"
    assert error.properties == {"file": "a.txt", "line": "2", "title": "T:1"}
    assert error.step == "check/small/post"
    (artifact,) = consumer.repository.artifacts.values()
    assert artifact.run_id == first.run.id
    assert artifact.files() == {
        "report.jsonl": b'{"sha": "%s"}\n' % str(pull.merge_commit_sha).encode()
    }
    assert (first.run.head_sha, first.run.conclusion) == (pull.head_sha, "success")

    consumer.commit({"b.txt": "four\n"}, branch="feature/x")
    second = actions.run(events.pull_request(consumer, pull))
    assert [each.body for each in consumer.repository.comments_of(pull.number)] == ["run 2"]
    assert "cache-hit='true'" in second.annotations_of("error")[0].message
    methods = [each.received.method for each in consumer.github.exchanges]
    assert methods == ["GET", "POST", "GET", "PATCH"]


def test_push_and_merge_group_runs_see_their_branch(actions: Actions) -> None:
    """Each event has its own ref and commit, and no comment comes of it."""
    consumer = actions.consumer
    consumer.commit({"b.txt": "three\n"}, branch="feature")
    pull = consumer.open_pull("feature")
    pushed = actions.run(events.push(consumer))
    assert pushed.summary == "## push of refs/heads/main\nafter\n"
    assert pushed.annotations_of("error")[0].message.startswith("Start\n")
    branch = consumer.queue(pull)
    grouped = actions.run(events.merge_group(consumer, branch))
    assert grouped.summary == f"## merge_group of refs/heads/{branch}\nafter\n"
    assert grouped.annotations_of("error")[0].message.startswith("Merge pull request #1\n")
    assert consumer.repository.comments == {}
    runs = consumer.repository.runs.values()
    assert [(each.event, each.head_branch) for each in runs] == [
        ("push", "main"),
        ("merge_group", branch),
    ]


def test_failing_action_fails_the_job_but_keeps_what_it_wrote(actions: Actions) -> None:
    """Exit code, step states and outputs of a failing composite action; later steps still run."""
    consumer = actions.consumer
    changed = {".github/workflows/ragguard.yml": WORKFLOW.replace("EXIT", "3")}
    consumer.commit(changed, branch="feature")
    pull = consumer.open_pull("feature")
    result = actions.run(events.pull_request(consumer, pull))
    assert result.exit_code == 1
    assert result.jobs == {"check": "failure"}
    assert result.steps["check/small"] == "failure"
    assert result.outputs("small")["lines"] == "one\ntwo"
    assert result.summary.endswith("after\n")
    assert result.run.conclusion == "failure"


def test_fork_has_a_token_that_may_not_write(actions: Actions) -> None:
    """The loopback refuses what GitHub would; act itself does not look at permissions."""
    consumer = actions.consumer
    consumer.commit({"b.txt": "three\n"}, branch="feature")
    pull = consumer.open_pull("feature", fork="guest/repo", author="guest")
    assert consumer.repository.branches.keys() == {"main"}
    token = consumer.github.add_read_only_token("org/repo")
    event = events.pull_request(consumer, pull, "opened")
    assert event.payload["pull_request"]["head"]["repo"]["full_name"] == "guest/repo"
    assert event.payload["pull_request"]["head"]["repo"]["fork"] is True
    result = actions.run(event, token=token)
    assert result.outputs("small")["comment-url"] == "refused"
    (warning,) = result.annotations_of("warning")
    assert warning.message == "403 Resource not accessible by integration"
    assert consumer.repository.comments == {}
    assert token not in result.log


def test_second_half_runs_on_the_default_branch_after_a_fork_run(actions: Actions) -> None:
    """workflow_run: the payload names the fork's run but no pull request; its artifact is found."""
    consumer = actions.consumer
    second = """
on: { workflow_run: { workflows: [check], types: [completed] } }
jobs:
  comment:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/download-artifact@v4
        with:
          name: report
          run-id: ${{ github.event.workflow_run.id }}
          github-token: ${{ github.token }}
      - id: state
        run: |
          {
            echo "report=$(cat report.jsonl)"
            echo "where=$GITHUB_REF $GITHUB_SHA"
            echo "pulls=${{ toJSON(github.event.workflow_run.pull_requests) }}"
            echo "from=${{ github.event.workflow_run.head_repository.full_name }}"
          } >> "$GITHUB_OUTPUT"
"""
    consumer.commit({".github/workflows/comment.yml": second})
    consumer.commit({"b.txt": "three\n"}, branch="feature")
    pull = consumer.open_pull("feature", fork="guest/repo", author="guest")
    token = consumer.github.add_read_only_token("org/repo")
    first = actions.run(events.pull_request(consumer, pull, "opened"), token=token)
    event = events.workflow_run(consumer, first.run)
    result = actions.run(event, ".github/workflows/comment.yml")
    assert result.exit_code == 0, result.log
    assert result.outputs("state") == {
        "report": f'{{"sha": "{pull.merge_commit_sha}"}}',
        "where": f"refs/heads/main {consumer.tip()}",
        "pulls": "[]",
        "from": "guest/repo",
    }


def test_commits_in_a_fork_move_its_pull_request(actions: Actions) -> None:
    """A push to a fork's branch makes a new head and a new test merge, and no branch here."""
    consumer = actions.consumer
    consumer.commit({"b.txt": "three\n"}, branch="feature")
    pull = consumer.open_pull("feature", fork="guest/repo", author="guest")
    before = pull.head_sha, pull.merge_commit_sha
    pushed = consumer.push_to(pull, {"b.txt": "four\n"})
    assert pull.head_sha == pushed != before[0]
    assert pull.merge_commit_sha != before[1]
    fork = consumer.github.repositories["guest/repo"]
    assert fork.branches["feature"] == pushed
    assert fork.commits[pushed].files["b.txt"] == b"four\n"
    assert consumer.repository.branches == {"main": consumer.tip()}
    merge = consumer.repository.commits[str(pull.merge_commit_sha)]
    assert merge.parents == (consumer.tip(), pushed)


def test_unknown_action_is_an_error_and_no_download(actions: Actions) -> None:
    """A ``uses:`` without a stand-in stops the run before act could reach for the network."""
    workflow = WORKFLOW.replace("actions/checkout@v4", "someone/else@v4")
    actions.consumer.commit({".github/workflows/ragguard.yml": workflow})
    with pytest.raises(RuntimeError, match="no stand-in for someone/else"):
        actions.run(events.push(actions.consumer))


def test_event_that_starts_no_job_is_an_error(actions: Actions) -> None:
    """A run of nothing must not look like a success."""
    with pytest.raises(RuntimeError, match="no job of"):
        actions.run(events.schedule(actions.consumer))
