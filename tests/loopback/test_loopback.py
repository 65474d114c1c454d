"""The loopback GitHub itself: it behaves as GitHub does, and says so when either side does not."""

from __future__ import annotations

import io
import json
import re
import threading
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from http.client import HTTPConnection, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.loopback import contract, faults
from tests.loopback.call import answer
from tests.loopback.contract import Answer
from tests.loopback.operations import SERVED
from tests.loopback.repository import Repository
from tests.loopback.routes import ROUTES, Route
from tests.loopback.server import LoopbackGitHub

COMMENTS = "/repos/org/repo/issues/1/comments"
CREATE = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def ask(
    github: LoopbackGitHub,
    target: str,
    token: str | None = None,
    *,
    method: str = "GET",
    send: object = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """One request; ``target`` is a path of the API or a full address; redirects stay unfollowed."""
    split = urlsplit(target if target.startswith("http") else github.url + target)
    connection = HTTPConnection(split.netloc, timeout=10)
    sent = {"User-Agent": "test", **(headers or {})}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    body = None if send is None else json.dumps(send)
    if body is not None:
        sent["Content-Type"] = "application/json"
    try:
        path = f"{split.path}?{split.query}" if split.query else split.path
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        received = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, received, response.read())
    finally:
        connection.close()


@pytest.fixture
def repository(github: LoopbackGitHub) -> Repository:
    """``org/repo`` with a base, a feature branch and pull request 1."""
    made = github.add_repository("org/repo")
    made.commit({"a.txt": "one\n", "docs/b.txt": "two\n"}, message="first")
    base = made.commit({"a.txt": "one\nmore\n"}, message="second")
    head = made.commit({"c.txt": "three\n"}, branch="feature", parents=[base.sha], message="third")
    made.open_pull(head.sha, labels=["documentation", "ragguard-accepted"])
    return made


def test_every_served_operation_has_a_route() -> None:
    """The list of operations, the routes and the cut description agree."""
    assert set(ROUTES) | {"GET /rate_limit"} == set(SERVED)
    described = {
        f"{method.upper()} {path}"
        for path, methods in contract.description()["paths"].items()
        for method in methods
    }
    assert described == set(SERVED)


def test_the_cut_description_holds_no_prose_and_says_its_version() -> None:
    """Only structure is kept of GitHub's description."""
    text = contract.SLICE.read_text("utf-8")
    assert re.fullmatch(r"\d+\.\d+\.\d+", contract.description()["info"]["version"])
    assert '"example"' not in text
    assert '"summary"' not in text
    assert not re.search(r'"description":"[^"]', text)
    assert len(text) < 600_000


def test_every_get_fits_the_description(github: LoopbackGitHub, repository: Repository) -> None:
    """Each answer of a filled repository passes the judge (the fixture asserts no violation)."""
    token = github.add_token("org/repo")
    comment = repository.comment(1, "hello")
    run = repository.run(repository.branches["main"])
    artifact = repository.artifact(run, "report", {"r.txt": "x"})
    sha = repository.branches["feature"]
    paths = [
        "/rate_limit", "/repos/org/repo", "/repos/org/repo/actions/artifacts",
        f"/repos/org/repo/actions/artifacts/{artifact.id}", "/repos/org/repo/actions/runs",
        f"/repos/org/repo/actions/runs/{run.id}",
        f"/repos/org/repo/actions/runs/{run.id}/artifacts",
        "/repos/org/repo/actions/workflows/ci.yml/runs", "/repos/org/repo/actions/workflows/1/runs",
        "/repos/org/repo/commits", f"/repos/org/repo/commits/{sha}/pulls",
        f"/repos/org/repo/commits/{sha}", "/repos/org/repo/compare/main...feature",
        "/repos/org/repo/contents/a.txt", "/repos/org/repo/contents/docs",
        f"/repos/org/repo/issues/comments/{comment.id}", "/repos/org/repo/issues/1", COMMENTS,
        "/repos/org/repo/issues/1/labels", "/repos/org/repo/pulls", "/repos/org/repo/pulls/1",
    ]  # fmt: skip
    assert [ask(github, path, token).status for path in paths] == [200] * len(paths)
    user = github.add_token(login="octocat", kind="user")
    assert ask(github, "/user", user).json["login"] == "octocat"


def test_comment_lives_from_creation_to_deletion(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """A comment is made by the token's account, read, changed and removed."""
    token = github.add_token("org/repo")
    made = ask(github, COMMENTS, token, method="POST", send={"body": "first"})
    assert made.status == 201
    assert made.json["user"]["login"] == "github-actions[bot]"
    own = f"/repos/org/repo/issues/comments/{made.json['id']}"
    assert ask(github, own, token, method="PATCH", send={"body": "second"}).status == 200
    assert [each.body for each in repository.comments_of(1)] == ["second"]
    assert ask(github, own, token).json["body"] == "second"
    assert ask(github, own, token, method="DELETE").status == 204
    assert ask(github, own, token).status == 404
    assert repository.comments_of(1) == []
    assert [json.loads(each.body) for each in github.calls(CREATE)] == [{"body": "first"}]


def test_link_headers_lead_through_all_pages(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """Following rel=next from the first page meets every comment once, in order."""
    for number in range(65):
        repository.comment(1, f"comment {number}", author="octocat")
    seen, target = [], f"{COMMENTS}?per_page=30"
    first = ask(github, target)
    assert (
        f"/repositories/{repository.id}/issues/1/comments?per_page=30&page=3"
        in first.headers["link"]
    )
    while target:
        reply = ask(github, target)
        seen += [each["body"] for each in reply.json]
        after = re.search(r'<([^>]+)>; rel="next"', reply.headers.get("link", ""))
        target = after[1] if after else ""
    assert seen == [f"comment {number}" for number in range(65)]
    assert len(ask(github, COMMENTS).json) == 30
    assert len(ask(github, f"{COMMENTS}?per_page=500").json) == 65
    assert 'rel="next"' not in ask(github, f"{COMMENTS}?per_page=30&page=3").headers["link"]


@pytest.mark.parametrize("body", ["x" * 65_537, "   "])
def test_comment_of_forbidden_length_is_refused(
    github: LoopbackGitHub, repository: Repository, body: str
) -> None:
    """A body that is blank or longer than 65,536 characters is 422; one of 65,536 is taken."""
    token = github.add_token("org/repo")
    assert ask(github, COMMENTS, token, method="POST", send={"body": body}).status == 422
    assert ask(github, COMMENTS, token, method="POST", send={"body": "é" * 65_536}).status == 201
    assert len(repository.comments) == 1


def test_token_decides_what_may_be_done(github: LoopbackGitHub, repository: Repository) -> None:
    """Unknown token 401, read-only 403 in GitHub's words, none 401 to write; reading is public."""
    send = {"body": "hello"}
    wrong = ask(github, COMMENTS, "no-such-token", method="POST", send=send)
    assert (wrong.status, wrong.json["message"]) == (401, "Bad credentials")
    refused = ask(
        github, COMMENTS, github.add_read_only_token("org/repo"), method="POST", send=send
    )
    assert refused.status == 403
    assert refused.json == {
        "message": "Resource not accessible by integration",
        "documentation_url": "https://docs.github.com/rest/issues/comments#create-an-issue-comment",
        "status": "403",
    }
    assert refused.headers["x-accepted-github-permissions"] == "issues=write; pull_requests=write"
    assert ask(github, COMMENTS, method="POST", send=send).status == 401
    assert ask(github, COMMENTS).status == 200
    elsewhere = github.add_token("org/other")
    assert ask(github, COMMENTS, elsewhere, method="POST", send=send).status == 403
    assert repository.comments == {}


def test_private_repository_shows_itself_only_to_its_tokens(github: LoopbackGitHub) -> None:
    """Without a token 404; with one that lacks the scope 403; with it 200."""
    github.add_repository("org/secret", private=True)
    path = "/repos/org/secret/pulls"
    assert ask(github, path).status == 404
    assert ask(github, path, github.add_token("org/secret", {"contents": "read"})).status == 403
    assert (
        ask(github, path, github.add_token("org/secret", {"pull_requests": "read"})).status == 200
    )


def test_workflow_token_has_no_user_but_a_viewer(github: LoopbackGitHub) -> None:
    """REST /user refuses the workflow token; GraphQL names its account."""
    token = github.add_token("org/repo")
    refused = ask(github, "/user", token)
    assert (refused.status, refused.json["message"]) == (403, faults.READ_ONLY)
    question = {"query": "query { viewer { login } }"}
    viewer = ask(github, github.graphql_url, token, method="POST", send=question)
    assert viewer.json == {"data": {"viewer": {"login": "github-actions[bot]"}}}


def test_enterprise_server_answers_below_its_base_path() -> None:
    """With a base path REST stands at /api/v3 and GraphQL at /api/graphql."""
    with LoopbackGitHub("/api/v3") as server:
        server.add_repository("org/repo")
        token = server.add_token("org/repo")
        assert urlsplit(server.url).path == "/api/v3"
        assert ask(server, "/repos/org/repo", token).json["full_name"] == "org/repo"
        question = {"query": "{viewer{login}}"}
        assert ask(server, server.graphql_url, token, method="POST", send=question).status == 200
        assert server.violations == []


def test_pulls_are_found_by_head_and_state(github: LoopbackGitHub, repository: Repository) -> None:
    """The head filter needs an owner: without one GitHub ignores it."""
    fork = github.add_repository("guest/repo", fork_of="org/repo")
    head = fork.commit({"d.txt": "4"}, branch="feature", parents=[repository.branches["main"]])
    repository.open_pull(head.sha, head_repository="guest/repo")
    repository.open_pull(head.sha, head_ref="other").state = "closed"

    def numbers(query: str) -> list[int]:
        return [each["number"] for each in ask(github, f"/repos/org/repo/pulls{query}").json]

    assert numbers("") == [2, 1]
    assert numbers("?head=guest:feature") == [2]
    assert numbers("?head=org:feature") == [1]
    assert numbers("?head=feature") == [2, 1]
    assert numbers("?state=all&direction=asc") == [1, 2, 3]
    got = ask(github, "/repos/org/repo/pulls/2").json
    assert got["head"]["repo"]["full_name"] == "guest/repo"
    assert got["base"]["repo"]["full_name"] == "org/repo"
    of_commit = ask(github, f"/repos/org/repo/commits/{repository.branches['feature']}/pulls").json
    assert [each["number"] for each in of_commit] == [1]
    assert ask(github, f"/repos/org/repo/commits/{head.sha}/pulls").json == []


def test_compare_tells_where_two_commits_parted(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """Merge base, distances and files, worked out by hand."""
    fork_point = repository.branches["main"]
    repository.commit({"a.txt": "moved on\n"}, message="main goes on")
    found = ask(github, "/repos/org/repo/compare/main...feature").json
    assert found["merge_base_commit"]["sha"] == fork_point
    assert (found["status"], found["ahead_by"], found["behind_by"]) == ("diverged", 1, 1)
    assert [each["commit"]["message"] for each in found["commits"]] == ["third"]
    changed = [(each["filename"], each["status"], each["additions"]) for each in found["files"]]
    assert changed == [("c.txt", "added", 1)]
    same = ask(github, f"/repos/org/repo/compare/{fork_point}...{fork_point}").json
    assert (same["status"], same["total_commits"]) == ("identical", 0)
    assert ask(github, "/repos/org/repo/compare/main...nowhere").status == 404
    repository.commit({"z.txt": "z"}, branch="unrelated", parents=())
    unrelated = ask(github, "/repos/org/repo/compare/main...unrelated")
    assert unrelated.json["message"] == "No common ancestor between main and unrelated."


def test_compare_reaches_into_a_fork(github: LoopbackGitHub, repository: Repository) -> None:
    """OWNER:BRANCH names a branch of a fork; a new branch starts where the parent stood."""
    fork = github.add_repository("guest/repo", fork_of="org/repo")
    fork.commit({"g.txt": "g"}, branch="patch")
    found = ask(github, "/repos/org/repo/compare/main...guest:patch").json
    assert (found["status"], found["ahead_by"]) == ("ahead", 1)
    assert [each["filename"] for each in found["files"]] == ["g.txt"]


def test_branch_names_with_slashes_are_one_parameter(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """A slash in a branch or path arrives whole, encoded or not."""
    repository.commit({"e.txt": "5"}, branch="feature/x", parents=[repository.branches["main"]])
    for name in ("feature/x", "feature%2Fx"):
        assert ask(github, f"/repos/org/repo/compare/main...{name}").json["ahead_by"] == 1
        assert (
            ask(github, f"/repos/org/repo/commits/{name}").json["files"][0]["filename"] == "e.txt"
        )


def test_contents_are_files_folders_or_raw_bytes(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """The contents API at a ref, in its three forms; a missing path is 404."""
    first = repository.commits[repository.branches["main"]].parents[0]
    old = ask(github, f"/repos/org/repo/contents/a.txt?ref={first}").json
    assert (old["encoding"], old["content"]) == ("base64", "b25lCg==\n")
    raw = {"Accept": "application/vnd.github.raw+json"}
    assert ask(github, "/repos/org/repo/contents/a.txt", headers=raw).body == b"one\nmore\n"
    names = [each["path"] for each in ask(github, "/repos/org/repo/contents/docs").json]
    assert names == ["docs/b.txt"]
    assert ask(github, "/repos/org/repo/contents/absent.txt").status == 404


def test_runs_are_filtered(github: LoopbackGitHub, repository: Repository) -> None:
    """By head, event, branch and by status or conclusion; newest first."""
    sha = repository.branches["main"]
    push = repository.run(sha)
    pull = repository.run(sha, event="pull_request", head_branch="feature", conclusion="failure")

    def ids(query: str) -> list[int]:
        reply = ask(github, f"/repos/org/repo/actions/runs{query}").json
        assert reply["total_count"] == len(reply["workflow_runs"])
        return [each["id"] for each in reply["workflow_runs"]]

    assert ids("") == [pull.id, push.id]
    assert ids(f"?head_sha={sha}&event=push") == [push.id]
    assert ids("?branch=feature") == [pull.id]
    assert ids("?status=failure") == [pull.id]
    assert ids("?status=completed") == [pull.id, push.id]


def test_run_of_a_fork_names_no_pull_request(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """GitHub leaves the list empty for heads in forks (actions/runner#3444)."""
    own = repository.run(repository.branches["feature"], event="pull_request")
    foreign = repository.run("0" * 40, event="pull_request", head_repository="guest/repo")
    own.pull_requests, foreign.pull_requests = [1], [1]
    shown = {
        run.id: ask(github, f"/repos/org/repo/actions/runs/{run.id}").json["pull_requests"]
        for run in (own, foreign)
    }
    assert [each["number"] for each in shown[own.id]] == [1]
    assert shown[foreign.id] == []


def test_artifact_is_downloaded_from_a_second_host_without_the_token(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """The API redirects to another origin; there no Authorization header may arrive."""
    token = github.add_token("org/repo")
    run = repository.run(repository.branches["main"])
    kept = repository.artifact(run, "ragguard-report-default", {"report.jsonl": "{}\n"})
    repository.artifact(run, "other", {"x": "y"})
    listed = ask(
        github, "/repos/org/repo/actions/artifacts?name=ragguard-report-default", token
    ).json
    assert [each["id"] for each in listed["artifacts"]] == [kept.id]
    redirect = ask(github, f"/repos/org/repo/actions/artifacts/{kept.id}/zip", token)
    assert redirect.status == 302
    location = redirect.headers["location"]
    assert urlsplit(location).netloc != urlsplit(github.url).netloc
    archive = zipfile.ZipFile(io.BytesIO(ask(github, location).body))
    assert archive.read("report.jsonl") == b"{}\n"
    assert "authorization" not in github.storage.downloads[0].headers


def test_expired_artifact_is_gone(github: LoopbackGitHub, repository: Repository) -> None:
    """410 for an expired artifact, 401 for a download without a token."""
    run = repository.run(repository.branches["main"])
    old = repository.artifact(run, "report", {"r": "x"}, expired=True)
    path = f"/repos/org/repo/actions/artifacts/{old.id}/zip"
    assert ask(github, path, github.add_token("org/repo")).status == 410
    assert ask(github, path).status == 401


def test_token_at_the_storage_host_is_a_violation(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """A token that follows the redirect is refused there and reported."""
    token = github.add_token("org/repo")
    artifact = repository.artifact(repository.run("0" * 40), "report", {"r": "x"})
    target = ask(github, f"/repos/org/repo/actions/artifacts/{artifact.id}/zip", token).headers[
        "location"
    ]
    assert ask(github, target, token).status == 400
    assert github.violations == [
        f"GET /artifacts/{artifact.id}.zip: request: the token was sent to the storage host"
    ]
    github.violations.clear()


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ((f"{COMMENTS}?per_pge=1", "GET", None), "unknown query parameter 'per_pge'"),
        ((f"{COMMENTS}?per_page=all", "GET", None), "per_page"),
        (("/repos/org/repo/issues/one/comments", "GET", None), "issue_number"),
        (
            ("/repos/org/repo/pulls?state=merged", "GET", None),
            "not one of ['open', 'closed', 'all']",
        ),
        ((COMMENTS, "POST", {"text": "x"}), "'body' is a required property"),
        ((COMMENTS, "POST", {"body": 1}), "at body: 1 is not of type 'string'"),
        ((COMMENTS, "POST", {"body": "x", "pinned": True}), "'pinned' was unexpected"),
        ((COMMENTS, "GET", {"body": "x"}), "a body where the description has none"),
        ((COMMENTS, "PUT", {"body": "x"}), "not among the operations served"),
        (("/repos/org/repo/nonsense", "GET", None), "not among the operations served"),
    ],
)
def test_wrong_request_is_caught(
    github: LoopbackGitHub, repository: Repository, asked: tuple[str, str, object], problem: str
) -> None:
    """A request that GitHub's description does not know is refused and reported with the reason."""
    target, method, send = asked
    reply = ask(github, target, github.add_token("org/repo"), method=method, send=send)
    assert reply.status >= 400
    assert len(github.violations) == 1
    assert "request: " in github.violations[0]
    assert problem in github.violations[0]
    assert repository.comments == {}
    github.violations.clear()


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (answer([{"id": 1}]), "'html_url' is a required property"),
        (answer({}), "is not of type 'array'"),
        (answer([contract.skeleton("issue-comment", id="1")]), "'1' is not of type 'integer'"),
        (answer([contract.skeleton("issue-comment", owner="x")]), "'owner' was unexpected"),
        (Answer(200, b"<p>", "text/html"), "text/html"),
        (answer([], 202), "status 202 is not described"),
        (Answer(404, b"gone"), "not JSON"),
        (answer({"error": "x"}, 404), "without a message"),
        (answer({"message": "x", "hint": "y"}, 403), "unknown fields ['hint']"),
    ],
)
def test_wrong_answer_is_caught(
    github: LoopbackGitHub,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    wrong: Answer,
    problem: str,
) -> None:
    """An answer of the fake itself that GitHub would not give is reported."""
    operation = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments"
    monkeypatch.setitem(ROUTES, operation, Route(lambda _: wrong))
    ask(github, COMMENTS)
    assert len(github.violations) == 1
    assert "answer: " in github.violations[0]
    assert problem in github.violations[0]
    github.violations.clear()


def test_request_without_user_agent_is_refused(github: LoopbackGitHub) -> None:
    """GitHub wants a User-Agent; so does the loopback."""
    connection = HTTPConnection(urlsplit(github.url).netloc, timeout=10)
    connection.request("GET", "/rate_limit", headers={"Accept": "*/*"})
    assert connection.getresponse().status == 403
    connection.close()
    assert github.violations == ["GET /rate_limit: request: no User-Agent header"]
    github.violations.clear()


def test_unknown_graphql_question_is_a_violation(github: LoopbackGitHub) -> None:
    """Only the viewer's login is known; anything else must not be guessed."""
    send = {"query": "{ viewer { email } }"}
    token = github.add_token("org/repo")
    assert ask(github, github.graphql_url, token, method="POST", send=send).status == 500
    assert "does not know the question" in github.violations[0]
    github.violations.clear()


def test_unserved_filter_is_a_violation(github: LoopbackGitHub, repository: Repository) -> None:
    """A filter that GitHub has and the loopback lacks is not passed over in silence."""
    ask(github, "/repos/org/repo/actions/runs?created=2026-01-01T00:00:00Z")
    assert "does not filter runs by 'created'" in github.violations[0]
    github.violations.clear()


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        (faults.read_only(), (403, "Resource not accessible by integration", None)),
        (faults.not_found(), (404, "Not Found", None)),
        (faults.server_error(), (500, "Server Error", None)),
        (faults.too_many_requests(7), (429, "API rate limit exceeded", "7")),
        (faults.secondary_rate_limit(), (403, "You have exceeded a secondary rate limit", None)),
        (
            faults.secondary_rate_limit(9, 429),
            (429, "You have exceeded a secondary rate limit", "9"),
        ),
    ],
)
def test_fault_is_shown_so_many_times(
    github: LoopbackGitHub,
    repository: Repository,
    fault: faults.Fault,
    shown: tuple[int, str, str | None],
) -> None:
    """Twice the fault, then the ordinary answer; the refused requests have changed nothing."""
    status, message, header = shown
    token = github.add_token("org/repo")
    github.inject(CREATE, fault, times=2)
    replies = [ask(github, COMMENTS, token, method="POST", send={"body": "x"}) for _ in range(3)]
    assert [each.status for each in replies] == [status, status, 201]
    assert replies[0].json["message"].startswith(message)
    assert replies[0].json["status"] == str(status)
    assert replies[0].headers.get("retry-after") == header
    assert len(repository.comments) == 1
    assert [each.status for each in github.exchanges] == [status, status, 201]


def test_primary_rate_limit_counts_down(github: LoopbackGitHub, repository: Repository) -> None:
    """The headers count; at zero every answer is 403 until the reset; /rate_limit is free."""
    github.rate_limit.limit = 2
    left = [ask(github, COMMENTS).headers["x-ratelimit-remaining"] for _ in range(2)]
    assert left == ["1", "0"]
    refused = ask(github, COMMENTS)
    assert refused.status == 403
    assert refused.json["message"].startswith("API rate limit exceeded")
    assert refused.headers["x-ratelimit-reset"] == str(github.rate_limit.reset_at)
    assert ask(github, "/rate_limit").json["rate"]["remaining"] == 0


def test_bad_gateway_is_html(github: LoopbackGitHub, repository: Repository) -> None:
    """The load balancer's 502 is no JSON."""
    github.inject("*", faults.bad_gateway())
    reply = ask(github, COMMENTS)
    assert (reply.status, reply.headers["content-type"]) == (502, "text/html")
    assert ask(github, COMMENTS).status == 200


@pytest.mark.parametrize("after_handling", [False, True])
def test_dropped_connection_may_have_done_the_work(
    github: LoopbackGitHub, repository: Repository, after_handling: bool
) -> None:
    """The client sees the same broken connection whether the comment was made or not."""
    token = github.add_token("org/repo")
    github.inject(CREATE, faults.drop(after_handling=after_handling))
    with pytest.raises((RemoteDisconnected, ConnectionResetError)):
        ask(github, COMMENTS, token, method="POST", send={"body": "x"})
    assert len(repository.comments) == after_handling
    assert github.exchanges[0].status is None


def test_hanging_server_can_be_closed() -> None:
    """A client gives up on its own time limit, and closing does not wait for the fault's end."""
    with LoopbackGitHub() as server:
        server.add_repository("org/repo")
        server.inject("*", faults.hang(3600), times=None)
        request = urllib.request.Request(
            f"{server.url}/repos/org/repo", headers={"User-Agent": "t"}
        )
        with pytest.raises((TimeoutError, urllib.error.URLError)):
            urllib.request.urlopen(request, timeout=0.2)
        began = time.monotonic()
    assert time.monotonic() - began < 5


def test_something_else_may_happen_meanwhile(
    github: LoopbackGitHub, repository: Repository
) -> None:
    """A race is staged: another job's comment arrives between this job's request and its answer."""
    github.inject(
        "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
        faults.meanwhile(lambda: repository.comment(1, "from another job")),
    )
    assert [each["body"] for each in ask(github, COMMENTS).json] == ["from another job"]


def test_storage_host_fails_on_demand(github: LoopbackGitHub, repository: Repository) -> None:
    """Faults reach the storage host too."""
    token = github.add_token("org/repo")
    artifact = repository.artifact(repository.run("0" * 40), "report", {"r": "x"})
    target = ask(github, f"/repos/org/repo/actions/artifacts/{artifact.id}/zip", token).headers[
        "location"
    ]
    github.inject("GET /blob", faults.server_error(503))
    assert [ask(github, target).status for _ in range(2)] == [503, 200]
    github.inject("GET /blob", faults.drop())
    with pytest.raises((RemoteDisconnected, ConnectionResetError)):
        ask(github, target)


def test_fault_on_an_unknown_operation_is_an_error(github: LoopbackGitHub) -> None:
    """A misspelt operation must not make a test pass without its fault."""
    with pytest.raises(ValueError, match="is not served"):
        github.inject("GET /repos/{owner}/{repo}/isues", faults.not_found())


def test_heal_forgets_faults(github: LoopbackGitHub, repository: Repository) -> None:
    """A lasting fault lasts until healed."""
    github.inject("*", faults.server_error(), times=None)
    assert [ask(github, COMMENTS).status for _ in range(3)] == [500] * 3
    github.heal()
    assert ask(github, COMMENTS).status == 200


def test_requests_at_once_lose_nothing(github: LoopbackGitHub, repository: Repository) -> None:
    """Twenty writers at once leave twenty comments with twenty ids."""
    token = github.add_token("org/repo")

    def write(number: int) -> None:
        ask(github, COMMENTS, token, method="POST", send={"body": str(number)})

    writers = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    bodies = {each.body for each in repository.comments_of(1)}
    assert bodies == {str(number) for number in range(20)}
    assert len(github.exchanges) == 20
