"""Comments, labels, issues and pull requests in GitHub's shapes."""

from __future__ import annotations

import zlib

from tests.loopback import shapes
from tests.loopback.contract import skeleton
from tests.loopback.repository import Repository
from tests.loopback.shapes import Json, Place, account, time
from tests.loopback.state import Comment, PullRequest


def comment(at: Place, comment: Comment) -> Json:
    """An issue comment."""
    issue = f"{at.api_url}/issues/{comment.issue_number}"
    return skeleton(
        "issue-comment",
        id=comment.id,
        node_id=f"IC_{comment.id}",
        url=f"{at.api_url}/issues/comments/{comment.id}",
        html_url=f"{at.page_url}/pull/{comment.issue_number}#issuecomment-{comment.id}",
        issue_url=issue,
        body=comment.body,
        user=account(comment.author),
        created_at=time(comment.created_at),
        updated_at=time(comment.updated_at),
        author_association="NONE",
    )


def label(at: Place, name: str) -> Json:
    """A label; its id follows from its name."""
    url = f"{at.api_url}/labels/{name}"
    number = zlib.crc32(name.encode())
    return {
        "id": number,
        "node_id": f"LA_{number}",
        "url": url,
        "name": name,
        "description": "",
        "color": "ededed",
        "default": False,
    }


def issue(at: Place, pull: PullRequest, comments: int) -> Json:
    """The issue behind a pull request."""
    url = f"{at.api_url}/issues/{pull.number}"
    pull_url = f"{at.api_url}/pulls/{pull.number}"
    page = f"{at.page_url}/pull/{pull.number}"
    return skeleton(
        "issue",
        id=pull.id,
        number=pull.number,
        title=pull.title,
        state=pull.state,
        user=account(pull.author),
        labels=[label(at, name) for name in pull.labels],
        comments=comments,
        url=url,
        comments_url=f"{url}/comments",
        html_url=page,
        pull_request={
            "url": pull_url,
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": None,
        },
        created_at=time(pull.created_at),
        updated_at=time(pull.created_at),
    )


def pull(at: Place, pull: PullRequest, head: Repository | None, *, full: bool) -> Json:
    """A pull request, as it is got or listed; ``head`` None: the fork was deleted."""
    page = f"{at.page_url}/pull/{pull.number}"
    merged = {"merged": pull.merged, "mergeable": True, "mergeable_state": "clean"} if full else {}
    return skeleton(
        "pull-request" if full else "pull-request-simple",
        id=pull.id,
        number=pull.number,
        title=pull.title,
        state=pull.state,
        draft=pull.draft,
        user=account(pull.author),
        labels=[label(at, name) for name in pull.labels],
        merge_commit_sha=pull.merge_commit_sha,
        merged_at=time(pull.created_at) if pull.merged else None,
        url=f"{at.api_url}/pulls/{pull.number}",
        issue_url=f"{at.api_url}/issues/{pull.number}",
        html_url=page,
        created_at=time(pull.created_at),
        updated_at=time(pull.created_at),
        base=side(at, at.repository, at.repository.owner, pull.base_ref, pull.base_sha),
        head=side(at, head, pull.head_repository.split("/")[0], pull.head_ref, pull.head_sha),
        **merged,
    )


def side(at: Place, home: Repository | None, owner: str, ref: str, sha: str) -> Json:
    """The ``base`` or ``head`` of a pull request."""
    return {
        "label": f"{owner}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": account(owner, organization=bool(home and home.owner_is_organization)),
        "repo": home and shapes.repository(Place(at.api, home), "repository"),
    }
