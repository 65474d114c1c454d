"""Which function answers which operation, and which permission it needs (any of its scopes)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.loopback.call import Call
from tests.loopback.contract import Answer
from tests.loopback.routes import account, actions, comments, commits, pulls

REPOSITORY = "/repos/{owner}/{repo}"
TALK = ("issues", "pull_requests")


@dataclass(frozen=True, slots=True)
class Route:
    """A handler with the scopes and the level it needs; without scopes even no token will do."""

    handle: Callable[[Call], Answer]
    scopes: tuple[str, ...] = ()
    level: str = "read"


ROUTES: dict[str, Route] = {
    "GET /user": Route(account.get_user),
    f"GET {REPOSITORY}": Route(account.get_repository, ("metadata",)),
    f"GET {REPOSITORY}/actions/artifacts": Route(actions.list_artifacts, ("actions",)),
    f"GET {REPOSITORY}/actions/artifacts/{{artifact_id}}": Route(
        actions.get_artifact, ("actions",)
    ),
    f"GET {REPOSITORY}/actions/artifacts/{{artifact_id}}/{{archive_format}}": Route(
        actions.download_artifact, ("actions",)
    ),
    f"GET {REPOSITORY}/actions/runs": Route(actions.list_runs, ("actions",)),
    f"GET {REPOSITORY}/actions/runs/{{run_id}}": Route(actions.get_run, ("actions",)),
    f"GET {REPOSITORY}/actions/runs/{{run_id}}/artifacts": Route(
        actions.list_artifacts_of_run, ("actions",)
    ),
    f"GET {REPOSITORY}/actions/workflows/{{workflow_id}}/runs": Route(
        actions.list_runs_of_workflow, ("actions",)
    ),
    f"GET {REPOSITORY}/commits": Route(commits.list_commits, ("contents",)),
    f"GET {REPOSITORY}/commits/{{commit_sha}}/pulls": Route(
        pulls.pulls_of_commit, ("pull_requests",)
    ),
    f"GET {REPOSITORY}/commits/{{ref}}": Route(commits.get_commit, ("contents",)),
    f"GET {REPOSITORY}/compare/{{basehead}}": Route(commits.compare, ("contents",)),
    f"GET {REPOSITORY}/contents/{{path}}": Route(commits.get_contents, ("contents",)),
    f"GET {REPOSITORY}/issues/comments/{{comment_id}}": Route(comments.get_comment, TALK),
    f"PATCH {REPOSITORY}/issues/comments/{{comment_id}}": Route(
        comments.update_comment, TALK, "write"
    ),
    f"DELETE {REPOSITORY}/issues/comments/{{comment_id}}": Route(
        comments.delete_comment, TALK, "write"
    ),
    f"GET {REPOSITORY}/issues/{{issue_number}}": Route(comments.get_issue, TALK),
    f"GET {REPOSITORY}/issues/{{issue_number}}/comments": Route(comments.list_comments, TALK),
    f"POST {REPOSITORY}/issues/{{issue_number}}/comments": Route(
        comments.create_comment, TALK, "write"
    ),
    f"GET {REPOSITORY}/issues/{{issue_number}}/labels": Route(comments.list_labels, TALK),
    f"GET {REPOSITORY}/pulls": Route(pulls.list_pulls, ("pull_requests",)),
    f"GET {REPOSITORY}/pulls/{{pull_number}}": Route(pulls.get_pull, ("pull_requests",)),
}
