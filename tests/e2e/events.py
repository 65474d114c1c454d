"""What starts a run: GitHub's payload, and what the run then sees of the repository.

The payloads are built from the shapes of the loopback's API, which the published description has
judged; GitHub sends the same objects in its events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.e2e.consumer import Consumer
from tests.loopback import shapes
from tests.loopback.shapes import Json, Place, account, actions, talk, time
from tests.loopback.state import Commit, PullRequest, WorkflowRun


@dataclass(frozen=True, slots=True)
class Event:
    """``sha`` is GITHUB_SHA; ``branch`` the one the run is on, None for a pull request's merge.

    ``head_*`` are what the workflow run says of itself in the API.
    """

    name: str
    payload: Mapping[str, Any]
    sha: str
    branch: str | None
    head_sha: str
    head_branch: str
    head_repository: str
    actor: str = "octocat"
    pull_number: int | None = None

    @property
    def ref(self) -> str:
        """What GITHUB_REF says."""
        if self.branch is None:
            return f"refs/pull/{self.pull_number}/merge"
        return f"refs/heads/{self.branch}"


def pull_request(
    consumer: Consumer,
    pull: PullRequest,
    action: str = "synchronize",
    *,
    actor: str | None = None,
    stale_base_sha: str | None = None,
) -> Event:
    """A pull request was opened, pushed to, labelled, and so on.

    ``stale_base_sha`` stands in the payload in place of the true base, as it may on GitHub.
    """
    head = consumer.github.repositories.get(pull.head_repository)
    shape = talk.pull(_place(consumer), pull, head, full=True)
    shape |= {"assignees": [], "requested_reviewers": [], "requested_teams": [], "rebaseable": True}
    if stale_base_sha is not None:
        shape["base"]["sha"] = stale_base_sha
    if pull.merge_commit_sha is None:
        raise ValueError(f"pull request {pull.number} has no test merge")
    payload = {"action": action, "number": pull.number, "pull_request": shape}
    return Event(
        "pull_request",
        payload | _common(consumer, actor or pull.author),
        sha=pull.merge_commit_sha,
        branch=None,
        head_sha=pull.head_sha,
        head_branch=pull.head_ref,
        head_repository=pull.head_repository,
        actor=actor or pull.author,
        pull_number=pull.number,
    )


def push(consumer: Consumer, branch: str = "main", actor: str = "octocat") -> Event:
    """The tip of a branch was pushed."""
    commit = consumer.repository.commits[consumer.tip(branch)]
    before = commit.parents[0] if commit.parents else "0" * 40
    told = _commit_in_event(consumer, commit)
    payload = {
        "ref": f"refs/heads/{branch}",
        "before": before,
        "after": commit.sha,
        "created": not commit.parents,
        "deleted": False,
        "forced": False,
        "base_ref": None,
        "compare": f"{_place(consumer).page_url}/compare/{before[:12]}...{commit.sha[:12]}",
        "commits": [told],
        "head_commit": told,
        "pusher": {"name": actor, "email": f"{actor}@example.com"},
    }
    return _on_branch(consumer, "push", payload, branch, actor)


def merge_group(consumer: Consumer, branch: str) -> Event:
    """A group of the merge queue wants its checks; ``branch`` comes from ``Consumer.queue``."""
    commit = consumer.repository.commits[consumer.tip(branch)]
    base_ref = branch.removeprefix("gh-readonly-queue/").rsplit("/", 1)[0]
    group = {
        "head_sha": commit.sha,
        "head_ref": f"refs/heads/{branch}",
        "base_sha": commit.parents[0],
        "base_ref": f"refs/heads/{base_ref}",
        "head_commit": _commit_in_group(commit),
    }
    payload = {"action": "checks_requested", "merge_group": group}
    return _on_branch(consumer, "merge_group", payload, branch, "github-merge-queue[bot]")


def workflow_run(consumer: Consumer, run: WorkflowRun, action: str = "completed") -> Event:
    """Another workflow's run has ended; this one starts on the default branch."""
    head = consumer.github.repositories.get(run.head_repository)
    shape = actions.run(_place(consumer), run, head)
    workflow = {
        "id": run.workflow_id,
        "node_id": f"W_{run.workflow_id}",
        "name": shape["name"],
        "path": run.workflow,
        "state": "active",
        "created_at": shape["created_at"],
        "updated_at": shape["updated_at"],
        "url": f"{_place(consumer).api_url}/actions/workflows/{run.workflow_id}",
        "html_url": f"{_place(consumer).page_url}/blob/main/{run.workflow}",
        "badge_url": f"{_place(consumer).page_url}/workflows/{shape['name']}/badge.svg",
    }
    payload = {"action": action, "workflow_run": shape, "workflow": workflow}
    return _on_branch(consumer, "workflow_run", payload, "main", run.actor)


def workflow_dispatch(consumer: Consumer, inputs: Mapping[str, str] | None = None) -> Event:
    """Someone pressed the button."""
    payload = {"inputs": dict(inputs or {}), "ref": "refs/heads/main", "workflow": ""}
    return _on_branch(consumer, "workflow_dispatch", payload, "main", "octocat")


def schedule(consumer: Consumer, cron: str = "0 4 * * *") -> Event:
    """The time has come."""
    return _on_branch(consumer, "schedule", {"schedule": cron}, "main", "octocat")


def _on_branch(consumer: Consumer, name: str, payload: Json, branch: str, actor: str) -> Event:
    sha = consumer.tip(branch)
    return Event(
        name,
        payload | _common(consumer, actor),
        sha=sha,
        branch=branch,
        head_sha=sha,
        head_branch=branch,
        head_repository=consumer.repository.full_name,
        actor=actor,
    )


def _place(consumer: Consumer) -> Place:
    return Place(consumer.github.url, consumer.repository)


def _common(consumer: Consumer, actor: str) -> Json:
    repository = shapes.repository(_place(consumer))
    organization = {"login": consumer.repository.owner, "id": repository["owner"]["id"]}
    return {"repository": repository, "organization": organization, "sender": account(actor)}


def _commit_in_group(commit: Commit) -> Json:
    author = {"name": commit.author, "email": f"{commit.author}@example.com"}
    return {
        "id": commit.sha,
        "tree_id": commit.sha,
        "message": commit.message,
        "timestamp": time(commit.date),
        "author": author,
        "committer": author,
    }


def _commit_in_event(consumer: Consumer, commit: Commit) -> Json:
    author = {
        "name": commit.author,
        "email": f"{commit.author}@example.com",
        "username": commit.author,
    }
    parents = [consumer.repository.commits[sha].files for sha in commit.parents[:1]]
    before = parents[0] if parents else {}
    return {
        "id": commit.sha,
        "tree_id": commit.sha,
        "distinct": True,
        "message": commit.message,
        "timestamp": time(commit.date),
        "url": f"{_place(consumer).page_url}/commit/{commit.sha}",
        "author": author,
        "committer": author,
        "added": sorted(commit.files.keys() - before.keys()),
        "removed": sorted(before.keys() - commit.files.keys()),
        "modified": sorted(
            path
            for path in commit.files.keys() & before.keys()
            if commit.files[path] != before[path]
        ),
    }
