"""The main line of the action in this process: real git, a real retriever, the loopback GitHub."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ragguard.errors import ExitCode, UsageError
from ragguard.github.action import run_action
from ragguard.github.settings import variable
from ragguard.report.asking import no_progress
from ragguard.report.reading import read_report
from tests.e2e import events
from tests.e2e.consumer import Consumer
from tests.e2e.project import git
from tests.github.test_writing import read_like_a_runner
from tests.loopback.server import LoopbackGitHub
from tests.loopback.state import PullRequest

CONFIGURATION = """\
version: 1
suites:
  docs:
    dataset: eval/docs.jsonl
    retriever: {run: run.json}
    gates:
      evidence@5: {max_drop: 0.1}
      critical: {at: 5}
"""
RUN = {f"q{number}": ["noise", f"chunk-{number}"] for number in range(1, 9)}
WORSE = RUN | {"q1": ["noise"], "q2": ["noise"]}


def rows(**changed: Any) -> str:
    """Eight queries, the first of them critical; changes apply to the first."""
    listed: list[dict[str, Any]] = [
        {
            "query_id": f"q{number}",
            "query": f"What about {number}?",
            "relevant_ids": [f"chunk-{number}"],
            "dataset_version": "1",
            "corpus_version": "1",
        }
        for number in range(1, 9)
    ]
    listed[0] |= {"critical": True} | changed
    return "".join(json.dumps(row) + "\n" for row in listed)


class Bench:
    """A consumer, and the action run on its events."""

    def __init__(self, github: LoopbackGitHub, folder: Path) -> None:
        self.github, self.folder = github, folder
        files = {
            "ragguard.yml": CONFIGURATION,
            "eval/docs.jsonl": rows(),
            "run.json": json.dumps(RUN),
        }
        self.consumer = Consumer.create(github, folder, files)
        self.token = github.add_token("org/repo")
        self.log: list[str] = []
        self.count = 0

    def pull(self, files: Mapping[str, str | bytes | None]) -> PullRequest:
        """A pull request that changes these files."""
        self.consumer.commit(files, branch="feature")
        return self.consumer.open_pull("feature")

    def baseline(self) -> None:
        """Commit the report of main as its baseline."""
        self.run(events.push(self.consumer))
        kept = (self.place / "temporary/ragguard/default/ragguard-report.jsonl").read_bytes()
        self.consumer.commit({"ragguard-baseline.jsonl": kept})

    def run(self, event: events.Event, **inputs: str) -> ExitCode:
        """Run the action on an event."""
        self.count += 1
        place = self.place
        (place / "temporary").mkdir(parents=True)
        workspace = place / "workspace"
        workspace.mkdir()
        git(workspace, "init", "-q")
        git(workspace, "remote", "add", "origin", str(self.consumer.origin))
        git(workspace, "fetch", "-q", "--depth=1", "origin", event.sha)
        git(workspace, "checkout", "-q", "--detach", event.sha)
        (place / "event.json").write_text(json.dumps(event.payload))
        self.environment = {
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_REPOSITORY": "org/repo",
            "GITHUB_EVENT_NAME": event.name,
            "GITHUB_EVENT_PATH": str(place / "event.json"),
            "GITHUB_SHA": event.sha,
            "GITHUB_REF": event.ref,
            "GITHUB_ACTOR": event.actor,
            "GITHUB_API_URL": self.github.url,
            "GITHUB_GRAPHQL_URL": self.github.graphql_url,
            "GITHUB_RUN_NUMBER": str(self.count),
            "GITHUB_OUTPUT": str(place / "output"),
            "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
            "RUNNER_TEMP": str(place / "temporary"),
            variable("github-token"): self.token,
            **{variable(name.replace("_", "-")): value for name, value in inputs.items()},
        }
        self.log.clear()
        return run_action(self.environment, self.log.append, no_progress)

    @property
    def place(self) -> Path:
        """The folder of the present run."""
        return self.folder / f"run-{self.count}"

    @property
    def outputs(self) -> dict[str, str]:
        """Outputs of the last run."""
        return read_like_a_runner(self.place / "output")

    @property
    def summary(self) -> str:
        """Job summary of the last run."""
        return (self.place / "summary.md").read_text("utf-8")

    @property
    def gates(self) -> list[str]:
        """The gates that failed in the last run."""
        return [reason["gate"] for reason in json.loads(self.outputs["json"])["reasons"]]


@pytest.fixture
def bench(github: LoopbackGitHub, tmp_path: Path) -> Iterator[Bench]:
    """A consumer whose main is good; the working directory is put back."""
    before = Path.cwd()
    try:
        yield Bench(github, tmp_path)
    finally:
        os.chdir(before)


def test_a_change_cannot_lower_its_own_bar(bench: Bench) -> None:
    """The gates of the base branch count, and what was loosened is a reason of its own."""
    bench.baseline()
    loose = CONFIGURATION.replace("max_drop: 0.1", "max_drop: 0.9").replace(
        "critical: {at: 5}", "critical: {at: 5, require: any}"
    )
    pull = bench.pull({"ragguard.yml": loose, "run.json": json.dumps(WORSE)})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.FAILED
    assert sorted(bench.gates) == [
        "critical", "evidence@5.max_drop", "loosened-gate", "loosened-gate",
    ]  # fmt: skip
    assert bench.outputs["critical-misses"] == "1"
    assert bench.outputs["regressions"] == "2"
    (comment,) = bench.consumer.repository.comments_of(pull.number)
    assert "ragguard-baseline.jsonl in git" in comment.body
    assert "max_drop was 0.1, is now 0.9" in comment.body


def test_the_label_accepts_what_can_be_accepted_and_no_more(bench: Bench) -> None:
    """A critical miss yes, a mean no; it is read now, not from the event."""
    bench.baseline()
    pull = bench.pull({"run.json": json.dumps(RUN | {"q1": ["noise"]})})
    event = events.pull_request(bench.consumer, pull)
    loose = bench.consumer.commit(
        {"ragguard.yml": CONFIGURATION.replace("max_drop: 0.1", "max_drop: 0.2")}
    )
    assert loose
    bench.consumer.refresh(pull)
    event = events.pull_request(bench.consumer, pull)
    assert bench.run(event) == ExitCode.FAILED
    assert "ragguard-accepted" in bench.summary
    pull.labels.append("ragguard-accepted")
    assert bench.run(event) == ExitCode.PASSED
    assert bench.outputs["verdict"] == "passed"
    assert "Accepted" in bench.summary
    bench.consumer.commit({"run.json": json.dumps(WORSE)}, branch="feature")
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.FAILED
    assert bench.gates == ["evidence@5.max_drop"]


def test_lint_errors_fail_the_run_and_are_annotated(bench: Bench) -> None:
    """With file, line and rule."""
    bench.baseline()
    pull = bench.pull({"eval/docs.jsonl": rows(relevant_ids=["chunk-1", " "])})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.FAILED
    assert "lint" in bench.gates
    assert any(line.startswith("::error file=eval/docs.jsonl,line=1,") for line in bench.log)


FAULTY = rows(relevant_ids=["chunk-1", " "])
LISTED = '- {code: RG106, file: eval/docs.jsonl, query_id: q1, reason: "to be mended"}\n'


@pytest.mark.parametrize(
    "files",
    [
        {"ragguard-ignores.yml": LISTED},
        {"ragguard.yml": CONFIGURATION + "lint: {severity: {RG106: warning}}\n"},
        {"ragguard.yml": CONFIGURATION + "lint: {exclude: [eval/*]}\n"},
        {"ragguard.yml": CONFIGURATION + "lint: {per_file_ignores: {'eval/**': [RG1]}}\n"},
    ],
    ids=["list", "severity", "exclusion", "per file"],
)
def test_what_lint_is_told_to_pass_over_fails_no_run(bench: Bench, files: dict[str, str]) -> None:
    """As at the terminal; what a list ignores is counted where the reviewer reads."""
    bench.baseline()
    pull = bench.pull({"eval/docs.jsonl": FAULTY, **files})
    bench.run(events.pull_request(bench.consumer, pull))
    assert "lint" not in bench.gates
    told = "1 lint finding is ignored by ragguard-ignores.yml"
    (comment,) = bench.consumer.repository.comments_of(pull.number)
    is_listed = "ragguard-ignores.yml" in files
    assert (told in comment.body, told in bench.summary) == (is_listed, is_listed)


def test_what_stops_an_evaluation_cannot_be_ignored(bench: Bench) -> None:
    """A query that cannot be told from another is not evaluated, whatever a list says."""
    bench.baseline()
    listed = LISTED.replace("RG106", "RG201")
    twins = rows() + rows().splitlines(keepends=True)[0]
    pull = bench.pull({"eval/docs.jsonl": twins, "ragguard-ignores.yml": listed})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.FAILED
    assert bench.gates == ["lint"]


def test_rows_that_cannot_be_told_apart_fail_without_an_evaluation(bench: Bench) -> None:
    """There is no number to be shown, and the reason is the linter's."""
    bench.baseline()
    pull = bench.pull({"eval/docs.jsonl": rows() + rows().splitlines(keepends=True)[0]})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.FAILED
    assert bench.outputs["verdict"] == "failed"
    assert bench.outputs["report-path"] == ""
    assert bench.gates == ["lint"]
    (comment,) = bench.consumer.repository.comments_of(pull.number)
    assert "RG201 the query id 'q1' stands twice" in comment.body


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"ragguard.yml": "version: 1\nsuites: {docs: {datset: x}}\n"}, "datset"),
        ({"ragguard.yml": None}, "no ragguard.yml found"),
        ({"eval/docs.jsonl": None}, "eval/docs.jsonl"),
        ({"run.json": "{"}, "run.json"),
        ({"ragguard-ignores.yml": "- {code: RG301}\n"}, "lacks the key"),
    ],
    ids=["configuration", "no configuration", "no dataset", "run file", "list of ignores"],
)
def test_unusable_input_is_told_in_the_pull_request(
    bench: Bench, files: dict[str, str | None], told: str
) -> None:
    """Exit code 2 (1 for what the linter finds), and neither a pass nor a stale comment."""
    bench.baseline()
    pull = bench.pull(files)
    code = bench.run(events.pull_request(bench.consumer, pull))
    assert code in {ExitCode.UNUSABLE, ExitCode.FAILED}
    assert bench.outputs["verdict"] in {"incomplete", "failed"}
    (comment,) = bench.consumer.repository.comments_of(pull.number)
    assert told in comment.body
    assert told in bench.summary


def test_nothing_evaluated_is_no_verdict(bench: Bench) -> None:
    """Every query failed: exit 3, not a mean of zero."""
    bench.baseline()
    pull = bench.pull({"run.json": json.dumps({"other": ["chunk-1"]})})
    assert bench.run(events.pull_request(bench.consumer, pull)) == ExitCode.NO_VERDICT
    assert bench.outputs["verdict"] == "incomplete"
    assert "None of the 8 queries could be evaluated" in bench.summary
    assert bench.outputs["keep"] == "false"


def test_a_push_gates_nothing_and_says_what_it_was(bench: Bench) -> None:
    """It has happened; the report is kept with the commits it stands for."""
    bench.baseline()
    bench.consumer.commit({"run.json": json.dumps(WORSE)})
    assert bench.run(events.push(bench.consumer)) == ExitCode.PASSED
    assert bench.outputs["verdict"] == "failed"
    assert bench.outputs["keep"] == "true"
    report = read_report(Path(bench.outputs["report-path"]))
    assert report.commits.evaluated == bench.consumer.tip()
    assert not bench.consumer.repository.comments


def test_fail_on_never_says_it_only(bench: Bench) -> None:
    """And a missing baseline fails when it was asked to."""
    pull = bench.pull({"a.txt": "x"})
    event = events.pull_request(bench.consumer, pull)
    assert bench.run(event, on_missing_baseline="fail") == ExitCode.FAILED
    assert bench.run(event) == ExitCode.PASSED
    bench.baseline()
    bench.consumer.commit({"run.json": json.dumps(WORSE)}, branch="feature")
    assert bench.run(events.pull_request(bench.consumer, pull), fail_on="never") == ExitCode.PASSED
    assert bench.outputs["verdict"] == "failed"


def test_baseline_none_applies_the_absolute_gates_alone(bench: Bench) -> None:
    """Nothing was wanted to compare with, so nothing is missing."""
    pull = bench.pull({"a.txt": "x"})
    event = events.pull_request(bench.consumer, pull)
    assert bench.run(event, baseline="none") == ExitCode.PASSED
    assert bench.outputs["verdict"] == "passed"
    assert "baseline-sha" in bench.outputs


def test_switched_off_means_silent(bench: Bench) -> None:
    """No comment, no summary, no annotation; the outputs are always there."""
    bench.baseline()
    pull = bench.pull({"run.json": json.dumps(WORSE)})
    event = events.pull_request(bench.consumer, pull)
    bench.run(event, comment="off", summary="false", annotations="false")
    assert bench.outputs["verdict"] == "failed"
    assert not (bench.place / "summary.md").exists()
    assert not [line for line in bench.log if line.startswith("::")]
    assert not bench.consumer.repository.comments


def test_the_token_is_taken_out_of_the_environment_and_told_nowhere(bench: Bench) -> None:
    """The retriever is the pull request's code."""
    pull = bench.pull({"a.txt": "x"})
    bench.run(events.pull_request(bench.consumer, pull))
    assert variable("github-token") not in bench.environment
    told = "\n".join([*bench.log, bench.summary, *bench.outputs.values()])
    assert bench.token not in told


def test_an_event_that_is_not_handled_is_an_error(bench: Bench) -> None:
    """pull_request_target would run a stranger's code with a token that may write."""
    from dataclasses import replace

    event = replace(events.push(bench.consumer), name="pull_request_target")
    with pytest.raises(UsageError, match="pull_request_target"):
        bench.run(event)
