"""Commits, comparisons and files in GitHub's shapes."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from tests.loopback import history
from tests.loopback.contract import skeleton
from tests.loopback.shapes import Json, Place, account, time
from tests.loopback.state import Commit


def commit(at: Place, commit: Commit) -> Json:
    """A commit without its files."""
    url = f"{at.api_url}/commits/{commit.sha}"
    signed = {
        "name": commit.author,
        "email": f"{commit.author}@example.com",
        "date": time(commit.date),
    }
    tree = history.blob_sha("".join(sorted(commit.files)).encode())
    return skeleton(
        "commit",
        sha=commit.sha,
        node_id=f"C_{commit.sha}",
        url=url,
        html_url=f"{at.page_url}/commit/{commit.sha}",
        comments_url=f"{url}/comments",
        commit={
            "message": commit.message,
            "author": signed,
            "committer": signed,
            "comment_count": 0,
            "tree": {"sha": tree, "url": f"{at.api_url}/git/trees/{tree}"},
            "url": f"{at.api_url}/git/commits/{commit.sha}",
        },
        author=account(commit.author),
        committer=account(commit.author),
        parents=[{"sha": sha, "url": f"{at.api_url}/commits/{sha}"} for sha in commit.parents],
    )


def comparison(at: Place, base: Commit, head: Commit, found: history.Comparison) -> Json:
    """What the compare API tells, first page."""
    span = f"{base.sha}...{head.sha}"
    page = f"{at.page_url}/compare/{span}"
    return {
        "url": f"{at.api_url}/compare/{span}",
        "html_url": page,
        "permalink_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "base_commit": commit(at, base),
        "merge_base_commit": commit(at, found.merge_base),
        "status": found.status,
        "ahead_by": len(found.ahead),
        "behind_by": len(found.behind),
        "total_commits": len(found.ahead),
        "commits": [commit(at, each) for each in found.ahead],
        "files": files(at, head.sha, history.changes(found.merge_base.files, head.files)),
    }


def files(at: Place, sha: str, changes: Iterable[history.FileChange]) -> list[Json]:
    """The changed files of a commit or a comparison."""
    page = f"{at.page_url}"
    return [
        {
            "sha": change.sha,
            "filename": change.path,
            "status": change.status,
            "additions": change.additions,
            "deletions": change.deletions,
            "changes": change.additions + change.deletions,
            "blob_url": f"{page}/blob/{sha}/{change.path}",
            "raw_url": f"{page}/raw/{sha}/{change.path}",
            "contents_url": f"{at.api_url}/contents/{change.path}?ref={sha}",
            "patch": change.patch,
        }
        for change in changes
    ]


def file(at: Place, ref: str, path: str, content: bytes) -> Json:
    """A file with its content, as the contents API tells it."""
    encoded = base64.encodebytes(content).decode()
    return entry(at, ref, path, content) | {
        "encoding": "base64",
        "content": encoded,
    }


def entry(at: Place, ref: str, path: str, content: bytes | None) -> Json:
    """A line of a directory: a file, or with ``content`` None a directory."""
    kind, tree = ("dir", "tree") if content is None else ("file", "blob")
    sha = history.blob_sha(path.encode() if content is None else content)
    url = f"{at.api_url}/contents/{path}?ref={ref}"
    git_url = f"{at.api_url}/git/{tree}s/{sha}"
    page = f"{at.page_url}/{tree}/{ref}/{path}"
    raw = f"https://raw.githubusercontent.com/{at.repository.full_name}/{ref}/{path}"
    return {
        "type": kind,
        "size": len(content or b""),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": sha,
        "url": url,
        "git_url": git_url,
        "html_url": page,
        "download_url": None if content is None else raw,
        "_links": {"self": url, "git": git_url, "html": page},
    }
