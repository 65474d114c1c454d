"""Where the baseline comes from, on real git and the loopback GitHub."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ragguard.errors import InputError, LookupFailedError
from ragguard.github import baseline as module
from ragguard.github.base_commit import BaseCommit, find_base_commit
from ragguard.github.baseline import Baseline, find_baseline, report_in_archive
from ragguard.github.client import Api, GitHub
from ragguard.github.event import Event, EventName
from ragguard.github.settings import Settings, read_settings, variable
from ragguard.report.model import Timing
from ragguard.report.writing import report_bytes
from tests.e2e.consumer import Consumer
from tests.e2e.project import git
from tests.loopback import faults
from tests.loopback.faults import Fault
from tests.loopback.repository import zipped
from tests.loopback.server import LoopbackGitHub
from tests.loopback.state import PullRequest
from tests.made_reports import made_report, made_result

NAME = "ragguard-report-default"
REPORT = made_report([made_result("q1", "gold")], commit="a" * 40)
ARCHIVE = zipped({"ragguard-report.jsonl": report_bytes(REPORT)})
RUNS = "GET /repos/{owner}/{repo}/actions/runs"
DOWNLOAD = "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}"


class Desk:
    """A consumer repository, a clone of it, and who asks about it."""

    def __init__(self, github: LoopbackGitHub, folder: Path) -> None:
        self.consumer = Consumer.create(github, folder, {"ragguard.yml": "version: 1\n"})
        self.repository = self.consumer.repository
        self.clone = folder / "clone"
        self.waits: list[float] = []
        api = Api("org/repo", github.add_token("org/repo"), github.url, github.graphql_url)
        self.client = GitHub(api, sleep=self.waits.append, seconds_per_call=5.0)

    def check_out(self, commit: str, *, depth: int | None = 1) -> Path:
        """A clone as actions/checkout makes it; depth None is the whole history."""
        self.clone.mkdir()
        git(self.clone, "init", "-q")
        git(self.clone, "remote", "add", "origin", str(self.consumer.origin))
        shallow = [f"--depth={depth}"] if depth else []
        git(self.clone, "fetch", "-q", "--no-tags", *shallow, "origin", commit)
        git(self.clone, "checkout", "-q", "--detach", commit)
        return self.clone

    def settings(self, **inputs: str) -> Settings:
        """The settings of a run in the clone."""
        given = {variable(name.replace("_", "-")): value for name, value in inputs.items()}
        return read_settings(
            {
                "GITHUB_WORKSPACE": str(self.clone),
                "GITHUB_REPOSITORY": "org/repo",
                "GITHUB_EVENT_NAME": "pull_request",
                "GITHUB_EVENT_PATH": "event.json",
                "GITHUB_SHA": "0" * 40,
                "RUNNER_TEMP": str(self.clone),
                **given,
            }
        )

    def find(self, base: str | None, **inputs: str) -> Baseline | None:
        """The baseline of a run whose base commit is that one."""
        commit = BaseCommit(base, self.clone, self.client) if base else None
        return find_baseline(commit, "main", self.settings(**inputs), self.client, self.clone)

    def keep(self, commit: str, archive: bytes = ARCHIVE, **run: str) -> int:
        """A run of that commit with a report as its artifact; returns the run's id."""
        made = self.repository.run(commit, **run)  # type: ignore[arg-type]
        self.repository.artifact(made, NAME, archive)
        return made.id


@pytest.fixture
def desk(github: LoopbackGitHub, tmp_path: Path) -> Desk:
    """A repository with one commit on main."""
    return Desk(github, tmp_path)


@pytest.fixture
def pull(desk: Desk) -> PullRequest:
    """A pull request of one commit; its base branch moves on after it was opened."""
    desk.consumer.commit({"a.txt": "one\n"}, branch="feature")
    made = desk.consumer.open_pull("feature")
    desk.consumer.commit({"b.txt": "two\n"})
    desk.consumer.refresh(made)
    return made


def event_of(pull: PullRequest) -> Event:
    """The event of that pull request."""
    return Event(EventName.PULL_REQUEST, pull.head_sha, "main", number=pull.number)


def test_the_base_of_a_pull_request_is_the_first_parent_of_its_merge(
    desk: Desk, pull: PullRequest, github: LoopbackGitHub
) -> None:
    """In a shallow clone too, and without asking anybody."""
    clone = desk.check_out(str(pull.merge_commit_sha))
    base = find_base_commit(event_of(pull), clone, desk.client)
    assert base is not None
    assert base.sha == desk.consumer.tip()
    assert not github.exchanges


def test_without_the_merge_it_is_the_merge_base(desk: Desk, pull: PullRequest) -> None:
    """The workflow checks out the head itself; the compare API answers for a shallow clone."""
    clone = desk.check_out(pull.head_sha)
    base = find_base_commit(event_of(pull), clone, desk.client)
    assert base is not None
    assert base.sha == desk.repository.commits[desk.consumer.tip()].parents[0]


def test_a_push_and_a_queue_name_their_base(desk: Desk) -> None:
    """A schedule has none: its own commit's earlier report counts."""
    clone = desk.check_out(desk.consumer.tip())
    for name, told, expected in [
        (EventName.PUSH, "b" * 40, "b" * 40),
        (EventName.MERGE_GROUP, "b" * 40, "b" * 40),
        (EventName.SCHEDULE, None, "c" * 40),
        (EventName.WORKFLOW_DISPATCH, None, "c" * 40),
    ]:
        base = find_base_commit(Event(name, "c" * 40, "main", told), clone, desk.client)
        assert base is not None
        assert base.sha == expected
    assert find_base_commit(Event(EventName.PUSH, "c" * 40, "main"), clone, desk.client) is None


@pytest.mark.parametrize("depth", [1, None], ids=["shallow", "whole"])
def test_files_of_the_base_are_fetched_when_the_clone_lacks_them(
    desk: Desk, pull: PullRequest, depth: int | None
) -> None:
    """A whole clone stays whole."""
    clone = desk.check_out(str(pull.merge_commit_sha), depth=depth)
    base = BaseCommit(desk.consumer.tip(), clone, desk.client)
    assert base.read(clone / "ragguard.yml") == b"version: 1\n"
    assert base.read(clone / "b.txt") == b"two\n"
    assert base.read(clone / "a.txt") is None
    assert base.read(clone.parent / "elsewhere.txt") is None
    if depth is None:
        assert git(clone, "rev-parse", "--is-shallow-repository") == "false"


def test_files_of_the_base_come_from_the_api_when_git_cannot_fetch(
    desk: Desk, pull: PullRequest
) -> None:
    """The checkout kept no credentials."""
    clone = desk.check_out(str(pull.merge_commit_sha))
    git(clone, "remote", "set-url", "origin", "/nowhere")
    base = BaseCommit(desk.consumer.tip(), clone, desk.client)
    assert base.read(clone / "b.txt") == b"two\n"
    assert base.read(clone / "a.txt") is None


def test_an_explicit_file_comes_first(desk: Desk) -> None:
    """A step before has put it there."""
    tip = desk.consumer.tip()
    desk.check_out(tip)
    desk.keep(tip)
    (desk.clone / "given.jsonl").write_bytes(report_bytes(REPORT))
    found = desk.find(tip, baseline_path="given.jsonl")
    assert found is not None
    assert found.source == "file given.jsonl"
    assert found.sha == "a" * 40


def test_a_committed_baseline_is_the_base_commits(desk: Desk) -> None:
    """The pull request cannot bring its own: what it changes in the file does not count."""
    old = made_report([made_result("q1", "x gold")], commit="b" * 40)
    base = desk.consumer.commit({"ragguard-baseline.jsonl.gz": report_bytes(old, compressed=True)})
    forged = {"ragguard-baseline.jsonl.gz": report_bytes(REPORT, compressed=True)}
    desk.check_out(desk.consumer.commit(forged, branch="feature"))
    for inputs in ({}, {"baseline_path": "ragguard-baseline.jsonl.gz"}, {"baseline": "file"}):
        found = desk.find(base, **inputs)
        assert found is not None
        assert found.sha == "b" * 40
        assert found.source == "ragguard-baseline.jsonl.gz in git"
    assert desk.find(base, baseline="artifact") is None
    assert desk.find(base, baseline="none") is None


def test_a_committed_baseline_is_as_old_as_its_run(desk: Desk) -> None:
    """Not as its commit: a report that nobody renewed is to show its age."""
    timing = Timing("2025-01-02T03:04:05+00:00", 1.0)
    old = replace(made_report([made_result("q1", "gold")], commit="b" * 40), timing=timing)
    base = desk.consumer.commit({"ragguard-baseline.jsonl.gz": report_bytes(old, compressed=True)})
    desk.check_out(base)
    found = desk.find(base)
    assert found is not None
    assert found.made == datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_the_artifact_of_exactly_the_base_commit_is_taken(desk: Desk) -> None:
    """Whole name, newest run; another id's report is not this one's."""
    base = desk.consumer.tip()
    desk.check_out(base)
    other = desk.repository.run(base)
    desk.repository.artifact(other, f"{NAME}-2", ARCHIVE)
    run = desk.keep(base)
    found = desk.find(base)
    assert found is not None
    assert found.source == f"artifact of run {run}"
    assert found.sha == base
    assert found.distance == 0
    assert found.made is not None


def test_the_nearest_ancestor_stands_in_with_its_distance(desk: Desk) -> None:
    """Two commits without a report lie between."""
    far = desk.consumer.tip()
    desk.keep(far)
    near = desk.consumer.commit({"c": "1"})
    desk.keep(near)
    desk.consumer.commit({"c": "2"})
    base = desk.consumer.commit({"c": "3"})
    desk.keep(desk.consumer.commit({"c": "4"}))  # a descendant is no baseline
    desk.check_out(base)
    found = desk.find(base)
    assert found is not None
    assert (found.sha, found.distance) == (near, 2)


@pytest.mark.parametrize(
    "run",
    [
        {"event": "pull_request"},
        {"event": "workflow_run"},
        {"head_branch": "feature"},
        {"head_repository": "guest/repo"},
    ],
    ids=str,
)
def test_reports_of_strangers_are_no_baselines(
    desk: Desk, github: LoopbackGitHub, run: dict[str, str]
) -> None:
    """Not of another event, branch or repository, whatever its commit."""
    base = desk.consumer.tip()
    github.add_repository("guest/repo", fork_of="org/repo")
    desk.check_out(base)
    desk.keep(base, **run)
    assert desk.find(base) is None


def test_an_expired_artifact_is_not_there(desk: Desk) -> None:
    """So the next candidate counts."""
    base = desk.consumer.tip()
    desk.check_out(base)
    kept = desk.keep(base)
    newer = desk.repository.run(base)
    desk.repository.artifact(newer, NAME, ARCHIVE, expired=True)
    found = desk.find(base)
    assert found is not None
    assert found.source == f"artifact of run {kept}"


def test_the_run_itself_is_not_its_own_baseline(desk: Desk) -> None:
    """A job that is run again by a schedule."""
    base = desk.consumer.tip()
    desk.check_out(base)
    run = desk.keep(base)
    settings = replace(desk.settings(), run_id=str(run))
    commit = BaseCommit(base, desk.clone, desk.client)
    assert find_baseline(commit, "main", settings, desk.client, desk.clone) is None


@pytest.mark.parametrize(
    "fault",
    [
        faults.read_only(),
        faults.not_found(),
        faults.server_error(500),
        faults.bad_gateway(),
        faults.drop(),
    ],
    ids=["403", "404", "500", "502", "nothing"],
)
@pytest.mark.parametrize("operation", [RUNS, DOWNLOAD])
def test_a_look_up_that_fails_is_not_a_missing_baseline(
    desk: Desk, github: LoopbackGitHub, operation: str, fault: Fault
) -> None:
    """It is an error with the exit code for "no verdict"."""
    base = desk.consumer.tip()
    desk.check_out(base)
    desk.keep(base)
    github.inject(operation, fault, times=None)
    with pytest.raises(LookupFailedError) as caught:
        desk.find(base)
    assert caught.value.exit_code == 3


def test_a_damaged_artifact_is_not_a_missing_baseline(desk: Desk) -> None:
    """It says which run, and what to do."""
    base = desk.consumer.tip()
    desk.check_out(base)
    run = desk.keep(base, zipped({"ragguard-report.jsonl": b"{"}))
    with pytest.raises(LookupFailedError, match=f"of run {run}") as caught:
        desk.find(base)
    assert "run the workflow on the base branch again" in str(caught.value)


def test_a_damaged_committed_baseline_is_an_error_of_the_input(desk: Desk) -> None:
    """Named by commit and file."""
    base = desk.consumer.commit({"ragguard-baseline.jsonl": b"{}\n"})
    desk.check_out(base)
    with pytest.raises(InputError, match=rf"{base[:9]}:ragguard-baseline\.jsonl"):
        desk.find(base)


def lying(size: int) -> bytes:
    """An archive whose entry claims another size than it has."""
    archive = bytearray(ARCHIVE)
    central = archive.index(b"PK\x01\x02")
    archive[central + 24 : central + 28] = struct.pack("<I", size)
    return bytes(archive)


def encrypted() -> bytes:
    """An archive whose entry claims to be encrypted."""
    archive = bytearray(ARCHIVE)
    archive[archive.index(b"PK\x01\x02") + 8] |= 1
    archive[6] |= 1
    return bytes(archive)


@pytest.mark.parametrize(
    ("archive", "told"),
    [
        (b"", "not a sound zip file"),
        (b"PK\x03\x04 nonsense", "not a sound zip file"),
        (ARCHIVE[:-30], "not a sound zip file"),
        (encrypted(), "not a sound zip file"),
        (zipped({"../ragguard-report.jsonl": b"x"}), r"no ragguard-report\.jsonl"),
        (zipped({"ragguard-report.jsonl": b""}), "empty"),
        (zipped({"ragguard-report.jsonl": gzip.compress(report_bytes(REPORT))}), "compressed"),
        (zipped({"ragguard-report.jsonl": report_bytes(REPORT)[:-20]}), "not a line of JSON"),
        (lying(2 << 30), "too large"),
    ],
    ids=["empty", "nonsense", "cut", "encrypted", "climbing", "blank", "gzip", "half", "lying"],
)
def test_an_archive_from_an_untrusted_place_is_refused_with_its_reason(
    archive: bytes, told: str
) -> None:
    """Each with its own message, none with a traceback."""
    with pytest.raises(InputError, match=told):
        report_in_archive(archive, "artifact x")


def test_an_archive_that_unpacks_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit holds for what comes out, not only for what the archive says."""
    monkeypatch.setattr(module, "LARGEST_REPORT", 1_000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("ragguard-report.jsonl", b"\n" * 5_000_000)
    with pytest.raises(InputError, match="too large"):
        report_in_archive(buffer.getvalue(), "artifact x")


def test_a_sound_archive_gives_its_report() -> None:
    """Beside files that nobody asked for."""
    files: dict[str, bytes | str] = {
        "other.txt": "x",
        "ragguard-report.jsonl": report_bytes(REPORT),
    }
    assert report_in_archive(zipped(files), "artifact x") == REPORT
