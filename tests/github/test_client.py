"""The client against a GitHub that misbehaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragguard.errors import UsageError
from ragguard.github.client import Api, Artifact, GitHub, GitHubError
from tests.loopback import faults
from tests.loopback.faults import Fault
from tests.loopback.repository import Repository
from tests.loopback.server import LoopbackGitHub

COMMENTS = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments"
CREATE = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
Connect = Callable[..., GitHub]


@pytest.fixture
def number(repository: Repository) -> int:
    """A pull request's number."""
    commit = repository.commit({"a": "b"}, branch="feature")
    return repository.open_pull(commit.sha).number


def test_all_pages_of_comments_are_read(
    connect: Connect, repository: Repository, number: int
) -> None:
    """The 231st comment is found like the first."""
    for index in range(231):
        repository.comment(number, f"comment {index}", "someone")
    found = connect().comments(number)
    assert [each.body for each in found] == [f"comment {index}" for index in range(231)]
    assert found[0].author == "someone"


@pytest.mark.parametrize(
    "fault",
    [faults.server_error(500), faults.bad_gateway(), faults.drop(), faults.broken_json()],
    ids=["500", "502", "nothing", "half an answer"],
)
def test_a_passing_fault_is_waited_out(
    connect: Connect, github: LoopbackGitHub, number: int, waits: list[float], fault: Fault
) -> None:
    """Two failures, one and two seconds of waiting, then the answer."""
    github.inject(COMMENTS, fault, times=2)
    assert connect().comments(number) == []
    assert waits == [1.0, 2.0]


@pytest.mark.parametrize(
    ("fault", "status"),
    [(faults.server_error(500), 500), (faults.bad_gateway(), 502), (faults.drop(), None)],
    ids=["500", "502", "nothing"],
)
def test_a_lasting_fault_is_an_error_of_the_project(
    connect: Connect,
    github: LoopbackGitHub,
    number: int,
    waits: list[float],
    *,
    fault: Fault,
    status: int | None,
) -> None:
    """Five attempts, fifteen seconds of waiting, then the status is said."""
    github.inject(COMMENTS, fault, times=None)
    with pytest.raises(GitHubError) as caught:
        connect().comments(number)
    assert caught.value.status == status
    assert waits == [1.0, 2.0, 4.0, 8.0]
    assert f"comments of #{number}" in str(caught.value)


@pytest.mark.parametrize(
    ("fault", "status"),
    [(faults.read_only(), 403), (faults.not_found(), 404)],
    ids=["403", "404"],
)
def test_a_refusal_is_not_repeated(
    connect: Connect,
    github: LoopbackGitHub,
    number: int,
    waits: list[float],
    *,
    fault: Fault,
    status: int,
) -> None:
    """What will not pass is said at once."""
    github.inject(COMMENTS, fault, times=None)
    with pytest.raises(GitHubError) as caught:
        connect().comments(number)
    assert caught.value.status == status
    assert not waits


def test_a_missing_permission_is_named(
    connect: Connect, github: LoopbackGitHub, number: int
) -> None:
    """A token that may only read is told what it would need."""
    client = connect(github.add_read_only_token("org/repo"))
    with pytest.raises(GitHubError, match="pull_requests=write") as caught:
        client.create_comment(number, "hello")
    assert caught.value.status == 403


def test_rate_limits_are_waited_out_as_they_ask(
    connect: Connect, github: LoopbackGitHub, number: int, waits: list[float]
) -> None:
    """Retry-After as said; a secondary limit without it takes a minute."""
    github.inject(COMMENTS, faults.secondary_rate_limit(7))
    github.inject(COMMENTS, faults.secondary_rate_limit())
    assert connect().comments(number) == []
    assert waits == [7.0, 60.0]


def test_the_primary_limit_is_waited_out_until_its_reset(
    connect: Connect, github: LoopbackGitHub, number: int, waits: list[float]
) -> None:
    """The reset is told in epoch seconds."""
    import time

    github.inject(COMMENTS, faults.primary_rate_limit(int(time.time()) + 30))
    assert connect().comments(number) == []
    assert 25 < waits[0] <= 31


def test_a_run_waits_two_minutes_at_most(
    connect: Connect, github: LoopbackGitHub, number: int, waits: list[float]
) -> None:
    """The allowance is one for all calls; an hour is not waited for at all."""
    import time

    client = connect()
    github.inject(COMMENTS, faults.secondary_rate_limit(50), times=None)
    with pytest.raises(GitHubError, match="secondary rate limit"):
        client.comments(number)
    assert waits == [50.0, 50.0]
    github.heal()
    github.inject(COMMENTS, faults.primary_rate_limit(int(time.time()) + 3600))
    with pytest.raises(GitHubError, match="403"):
        client.comments(number)
    assert waits == [50.0, 50.0]


def test_a_silent_server_costs_a_time_limit(
    connect: Connect, github: LoopbackGitHub, number: int
) -> None:
    """A call that hangs ends, and is made again."""
    github.inject(COMMENTS, faults.hang(5.0))
    assert connect(seconds_per_call=0.3).comments(number) == []


@pytest.mark.parametrize("fault", [faults.server_error, faults.drop], ids=["500", "nothing"])
def test_creating_is_not_repeated_when_it_may_have_happened(
    connect: Connect,
    github: LoopbackGitHub,
    repository: Repository,
    number: int,
    fault: Callable[..., Fault],
) -> None:
    """The comment exists once though its answer was lost."""
    github.inject(CREATE, fault(after_handling=True))
    with pytest.raises(GitHubError):
        connect().create_comment(number, "hello")
    assert len(repository.comments_of(number)) == 1


def test_the_token_is_told_nowhere(connect: Connect, github: LoopbackGitHub, number: int) -> None:
    """Neither a client nor an error of it shows the token."""
    token = github.add_token("org/repo")
    client = connect(token)
    github.inject(COMMENTS, faults.server_error(), times=None)
    with pytest.raises(GitHubError) as caught:
        client.comments(number)
    told = f"{client!r} {caught.value!r} {caught.value}"
    assert token not in told
    assert "org/repo" in repr(client)


def test_the_token_does_not_follow_a_redirect(
    connect: Connect, github: LoopbackGitHub, repository: Repository
) -> None:
    """The storage host gets a signed address and no token (the loopback would object)."""
    run = repository.run(repository.branches["main"])
    repository.artifact(run, "report", {"a.txt": "hello"})
    (artifact,) = connect().artifacts(run.id, "report")
    content = connect().download(artifact, limit=10_000)
    assert content is not None
    assert content.startswith(b"PK")
    assert "authorization" not in github.storage.downloads[0].headers


def test_an_expired_artifact_is_none_and_a_large_one_refused(
    connect: Connect, repository: Repository
) -> None:
    """Neither is a defect; the second is an error with the limit."""
    run = repository.run(repository.branches["main"])
    gone = repository.artifact(run, "gone", {"a": "b"}, expired=True)
    large = repository.artifact(run, "large", b"x" * 5_000)
    assert connect().download(Artifact(gone.id, "gone", 1, is_expired=False), limit=100) is None
    with pytest.raises(GitHubError, match="larger than 100 bytes"):
        connect().download(Artifact(large.id, "large", 1, is_expired=False), limit=100)


def test_files_are_read_at_a_commit_as_bytes(connect: Connect, repository: Repository) -> None:
    """Binary stays binary; what the commit lacks is None."""
    commit = repository.commit({"x/y.gz": b"\x1f\x8b\x00\xff"})
    assert connect().file_at("x/y.gz", commit.sha) == b"\x1f\x8b\x00\xff"
    assert connect().file_at("x/z.gz", commit.sha) is None


def test_merge_base_and_ancestors_come_from_the_api(
    connect: Connect, repository: Repository
) -> None:
    """As a shallow clone needs them."""
    base = repository.commit({"a": "1"})
    head = repository.commit({"b": "1"}, branch="feature")
    repository.commit({"a": "2"})
    assert connect().merge_base("main", head.sha) == base.sha
    assert connect().ancestors(head.sha)[:2] == [head.sha, base.sha]


def test_the_viewer_is_whose_token_it_is(connect: Connect) -> None:
    """Asked through GraphQL, which workflow tokens may."""
    assert connect().viewer() == "github-actions[bot]"


@pytest.mark.parametrize("name", ["org", "org/repo/x", "org/../y", "org/re po", ""])
def test_a_repository_that_is_none_is_refused(name: str) -> None:
    """A slash too many would lead to another operation."""
    with pytest.raises(UsageError, match="OWNER/NAME"):
        GitHub(Api(name))
