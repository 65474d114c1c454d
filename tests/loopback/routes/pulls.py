"""Pull requests, and the pull requests of a commit."""

from __future__ import annotations

from collections.abc import Iterator

from tests.loopback import history
from tests.loopback.call import Call, Refusal, answer
from tests.loopback.contract import Answer
from tests.loopback.routes.commits import resolve
from tests.loopback.shapes import talk
from tests.loopback.state import PullRequest


def get_pull(call: Call) -> Answer:
    """One pull request."""
    pull = call.repository.pulls.get(call.number("pull_number"))
    if pull is None:
        raise Refusal(404, "Not Found")
    return answer(_shape(call, pull, full=True))


def list_pulls(call: Call) -> Answer:
    """Pull requests by state, base and head, newest first; a head without owner filters nothing."""
    pulls = [each for each in call.repository.pulls.values() if _is_asked_for(call, each)]
    pulls.sort(key=lambda each: each.number, reverse=call.query("direction", "desc") == "desc")
    shown, links = call.page(pulls)
    return answer([_shape(call, each, full=False) for each in shown], headers=links)


def pulls_of_commit(call: Call) -> Answer:
    """The pull requests that brought a commit, or would; GitHub does not tell those of forks."""
    commit = resolve(call, call.text("commit_sha"))
    shown, links = call.page(list(_with_commit(call, commit.sha)))
    return answer([_shape(call, each, full=False) for each in shown], headers=links)


def _is_asked_for(call: Call, pull: PullRequest) -> bool:
    state, base, head = call.query("state", "open"), call.query("base"), call.query("head") or ""
    label = f"{pull.head_repository.split('/')[0]}:{pull.head_ref}"
    return (
        state in ("all", pull.state)
        and base in (None, pull.base_ref)
        and (":" not in head or head.lower() == label.lower())
    )


def _with_commit(call: Call, sha: str) -> Iterator[PullRequest]:
    repository = call.repository
    for pull in repository.pulls.values():
        if pull.head_repository == repository.full_name:
            own = history.ancestors(repository.commits, pull.head_sha).keys()
            old = history.ancestors(repository.commits, pull.base_sha).keys()
            if sha in own - old or (pull.merged and sha == pull.merge_commit_sha):
                yield pull


def _shape(call: Call, pull: PullRequest, *, full: bool) -> dict[str, object]:
    head = call.repositories.get(pull.head_repository)
    return talk.pull(call.place, pull, head, full=full)
