"""The one comment a job keeps, whatever happens at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ragguard.github.client import GitHub, GitHubError
from ragguard.github.comment import Draft, Marker, Posted, marker_of, post_comment
from ragguard.github.settings import CommentMode
from tests.loopback import faults
from tests.loopback.faults import Fault
from tests.loopback.repository import Repository
from tests.loopback.server import LoopbackGitHub
from tests.loopback.state import PullRequest

CREATE = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
UPDATE = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}"
LIST = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments"
Connect = Callable[..., GitHub]


@pytest.fixture
def pull(repository: Repository) -> PullRequest:
    """An open pull request."""
    commit = repository.commit({"a": "b"}, branch="feature")
    return repository.open_pull(commit.sha)


def draft(
    pull: PullRequest,
    run: int = 1,
    text: str = "",
    *,
    identity: str = "default",
    mode: CommentMode = "update",
    is_wanted: bool = True,
) -> Draft:
    """What run number `run` wants to write."""
    marker = Marker(identity, pull.head_sha, (run, 1))
    return Draft(marker, text or f"text of run {run}", mode, is_wanted)


def texts(repository: Repository, pull: PullRequest) -> list[str]:
    """The bodies of all comments without their first line."""
    return [each.body.partition("\n")[2] for each in repository.comments_of(pull.number)]


def test_the_first_run_writes_and_later_ones_edit(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """One comment, whose first line says whose it is and who wrote it."""
    first = post_comment(connect(), pull.number, draft(pull, 1))
    (comment,) = repository.comments_of(pull.number)
    assert comment.body == (
        f"<!-- ragguard id=default head={pull.head_sha} run=1.1 -->\ntext of run 1"
    )
    second = post_comment(connect(), pull.number, draft(pull, 2))
    assert texts(repository, pull) == ["text of run 2"]
    assert first.url == second.url
    assert first.note is None


def test_a_comment_is_found_behind_two_hundred_others(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """All pages are read."""
    for index in range(200):
        repository.comment(pull.number, f"talk {index}", "someone")
    post_comment(connect(), pull.number, draft(pull, 1))
    post_comment(connect(), pull.number, draft(pull, 2))
    assert texts(repository, pull)[200:] == ["text of run 2"]


def test_ids_are_told_apart_whole(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """`a` is not the beginning of `a-b`."""
    post_comment(connect(), pull.number, draft(pull, 1, "one", identity="a-b"))
    post_comment(connect(), pull.number, draft(pull, 1, "two", identity="a"))
    post_comment(connect(), pull.number, draft(pull, 2, "three", identity="a"))
    assert texts(repository, pull) == ["one", "three"]


def test_other_peoples_comments_are_left_alone(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """Somebody quotes our marker, or puts it in the middle of a text."""
    marker = f"{Marker('default', pull.head_sha, (1, 1))}\n"
    repository.comment(pull.number, f"{marker}by a person", "someone")
    repository.comment(pull.number, f"see {marker}in the middle")
    post_comment(connect(), pull.number, draft(pull, 2))
    assert texts(repository, pull) == ["by a person", "in the middle", "text of run 2"]


def test_an_older_run_never_overwrites_a_newer_one(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """It says so instead; the tenth run is later than the ninth."""
    post_comment(connect(), pull.number, draft(pull, 10))
    posted = post_comment(connect(), pull.number, draft(pull, 9))
    assert texts(repository, pull) == ["text of run 10"]
    assert posted.note == "a later run has commented already"


def test_a_run_whose_head_is_gone_leaves_the_comment_alone(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """Another push came meanwhile."""
    late = draft(pull, 1)
    pull.head_sha = repository.commit({"a": "c"}, branch="feature").sha
    posted = post_comment(connect(), pull.number, late)
    assert posted.url is None
    assert "moved on" in str(posted.note)
    assert texts(repository, pull) == []


def test_two_jobs_with_one_id_are_told(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """The second says what to do."""
    post_comment(connect(), pull.number, draft(pull, 1, "one"))
    posted = post_comment(connect(), pull.number, draft(pull, 1, "two"))
    assert texts(repository, pull) == ["one"]
    assert "give each its own `id`" in str(posted.note)


@pytest.mark.parametrize(("other", "kept"), [(1, "text of run 2"), (3, "text of run 3")])
def test_two_runs_at_once_end_in_one_comment(
    connect: Connect,
    github: LoopbackGitHub,
    repository: Repository,
    pull: PullRequest,
    *,
    other: int,
    kept: str,
) -> None:
    """While run 2 writes its first comment another run has written one; the latest words stay."""
    theirs = draft(pull, other)

    def race() -> None:
        repository.comment(pull.number, f"{theirs.marker}\n{theirs.text}")

    github.inject(CREATE, faults.meanwhile(race))
    post_comment(connect(), pull.number, draft(pull, 2))
    if other > 2:
        # The later run reads back too, and clears up what is left.
        post_comment(connect(), pull.number, draft(pull, 4, "text of run 3"))
    assert texts(repository, pull) == [kept]


def test_two_jobs_at_once_with_one_id_end_in_one_comment(
    connect: Connect, github: LoopbackGitHub, repository: Repository, pull: PullRequest
) -> None:
    """The lowest id wins, and the loser says why."""
    theirs = draft(pull, 1, "theirs")
    github.inject(
        CREATE,
        faults.meanwhile(
            lambda: repository.comment(pull.number, f"{theirs.marker}\n{theirs.text}")
        ),
    )
    posted = post_comment(connect(), pull.number, draft(pull, 1, "ours"))
    assert texts(repository, pull) == ["theirs"]
    assert "its own `id`" in str(posted.note)


@pytest.mark.parametrize(
    "fault",
    [
        faults.drop(after_handling=True),
        faults.server_error(500, after_handling=True),
        faults.bad_gateway(after_handling=True),
        faults.drop(),
        faults.bad_gateway(),
    ],
    ids=["lost answer", "500 after all", "502 after all", "nothing", "502"],
)
def test_a_lost_answer_makes_no_second_comment(
    connect: Connect,
    github: LoopbackGitHub,
    repository: Repository,
    pull: PullRequest,
    *,
    fault: Fault,
) -> None:
    """The comment is looked for before it is made again."""
    github.inject(CREATE, fault)
    posted = post_comment(connect(), pull.number, draft(pull, 1))
    assert texts(repository, pull) == ["text of run 1"]
    assert posted.url


@pytest.mark.parametrize("fault", [faults.read_only(), faults.not_found()], ids=["403", "404"])
def test_a_comment_that_cannot_be_edited_is_followed_by_a_new_one(
    connect: Connect,
    github: LoopbackGitHub,
    repository: Repository,
    pull: PullRequest,
    *,
    fault: Fault,
) -> None:
    """Locked, or deleted between reading and writing."""
    post_comment(connect(), pull.number, draft(pull, 1))
    github.inject(UPDATE, fault)
    post_comment(connect(), pull.number, draft(pull, 2))
    assert "text of run 2" in texts(repository, pull)


@pytest.mark.parametrize("mode", ["changes", "failures"])
def test_an_unwanted_comment_is_not_begun_but_kept_up_to_date(
    connect: Connect, repository: Repository, pull: PullRequest, mode: CommentMode
) -> None:
    """A comment that says "failed" must not outlive the failure."""
    nothing = post_comment(connect(), pull.number, draft(pull, 1, mode=mode, is_wanted=False))
    assert nothing == Posted(None)
    assert texts(repository, pull) == []
    post_comment(connect(), pull.number, draft(pull, 2, mode=mode))
    post_comment(connect(), pull.number, draft(pull, 3, mode=mode, is_wanted=False))
    assert texts(repository, pull) == ["text of run 3"]


def test_mode_new_writes_another_comment_every_time(
    connect: Connect, repository: Repository, pull: PullRequest
) -> None:
    """And no later run takes one of them for its own."""
    post_comment(connect(), pull.number, draft(pull, 1, mode="new"))
    post_comment(connect(), pull.number, draft(pull, 2, mode="new"))
    post_comment(connect(), pull.number, draft(pull, 3))
    assert texts(repository, pull) == ["text of run 1", "text of run 2", "text of run 3"]


def test_a_token_that_may_not_write_is_an_error_of_the_project(
    connect: Connect, github: LoopbackGitHub, pull: PullRequest
) -> None:
    """The caller says it, and fails nothing because of it."""
    client = connect(github.add_read_only_token("org/repo"))
    with pytest.raises(GitHubError, match="403"):
        post_comment(client, pull.number, draft(pull))


@pytest.mark.parametrize(
    "body", ["", "hello", "<!-- ragguard id=a -->", "x <!-- ragguard id=a head=0 run=1.1 -->"]
)
def test_a_body_without_marker_is_nobodys(body: str) -> None:
    """Only the whole marker at the very beginning counts."""
    assert marker_of(body) is None


def test_a_marker_is_read_as_written() -> None:
    """There and back."""
    marker = Marker("a-b.c", "0" * 40, (12, 3))
    assert marker_of(f"{marker}\nrest") == marker
