"""GitHub's API, as far as ragguard asks it; the one file that knows ghapi.

Every call has a time limit. Faults that pass (5xx, dropped connections, rate limits) are waited
out and the call is repeated, within one allowance of waiting for the whole run. What remains is a
`GitHubError`. The token goes to the API's own host and nowhere else.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from ragguard.errors import LookupFailedError, UsageError
from ragguard.github.patience import Fault, Patience

T = TypeVar("T")
Json = Mapping[str, Any]

SECONDS_PER_CALL = 20.0
_PAGE = 100
_REPOSITORY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/(?!\.{1,2}$)[A-Za-z0-9._-]+")
_RAW = "application/vnd.github.raw+json"
_FOUND, _NOT_FOUND, _GONE = 302, 404, 410


class GitHubError(LookupFailedError):
    """GitHub refused a call, or did not answer it.

    Attributes:
        status: HTTP status of the last answer, None when there was none.
    """

    def __init__(self, message: str, *, status: int | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a pull request; `author` is a login."""

    id: int
    author: str
    body: str
    url: str


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """A workflow run; `head_repository` is OWNER/NAME, empty when it was deleted."""

    id: int
    event: str
    head_sha: str
    head_branch: str
    head_repository: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact of a run; `size` is that of the archive in bytes."""

    id: int
    name: str
    size: int
    is_expired: bool


@dataclass(frozen=True, slots=True)
class Api:
    """Where the API is, and the token for it, which is never shown.

    Attributes:
        repository: OWNER/NAME.
    """

    repository: str
    token: str = field(default="", repr=False)
    url: str = "https://api.github.com"
    graphql_url: str = "https://api.github.com/graphql"


class GitHub:
    """One repository of one GitHub, asked with one token."""

    def __init__(
        self,
        api: Api,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
        seconds_per_call: float = SECONDS_PER_CALL,
    ) -> None:
        """Nothing is asked yet.

        Args:
            api: the repository and the token.
            sleep: how to wait.
            now: the time in epoch seconds.
            seconds_per_call: time limit of a call.

        Raises:
            UsageError: the repository is not OWNER/NAME.
        """
        if not _REPOSITORY.fullmatch(api.repository):
            raise UsageError(f"GITHUB_REPOSITORY {api.repository!r} is not OWNER/NAME")
        self._where = api
        self._seconds = seconds_per_call
        self._patience = Patience(sleep, now)
        self._connected: Any = None

    def __repr__(self) -> str:
        return f"GitHub({self._where!r})"

    def viewer(self) -> str:
        """Login of the token's own account, as comments by it are signed."""
        question = {"query": "{ viewer { login } }"}

        def ask() -> str:
            answer = self._api(self._where.graphql_url, "POST", data=question)
            return str(answer["data"]["viewer"]["login"])

        return self._call("who the token belongs to", ask)

    def pull_head(self, number: int) -> str:
        """Commit id of a pull request's present head."""
        what = f"pull request #{number}"
        pull = self._call(what, lambda: self._api.pulls.get(pull_number=number))
        return str(pull["head"]["sha"])

    def labels(self, number: int) -> frozenset[str]:
        """Names of the labels of a pull request, as they are now."""
        found = self._pages(
            f"labels of #{number}", self._api.issues.list_labels_on_issue, issue_number=number
        )
        return frozenset(str(each["name"]) for each in found)

    def comments(self, number: int) -> list[Comment]:
        """All comments of a pull request, every page, in ascending order of id."""
        found = self._pages(
            f"comments of #{number}", self._api.issues.list_comments, issue_number=number
        )
        return sorted((_comment(each) for each in found), key=lambda each: each.id)

    def create_comment(self, number: int, body: str) -> Comment:
        """A new comment; an answer that gets lost is not repeated, for the comment may exist."""
        made = self._call(
            f"comment on #{number}",
            lambda: self._api.issues.create_comment(issue_number=number, body=body),
            repeatable=False,
        )
        return _comment(made)

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """The comment with another body."""
        made = self._call(
            f"edit comment {comment_id}",
            lambda: self._api.issues.update_comment(comment_id=comment_id, body=body),
        )
        return _comment(made)

    def delete_comment(self, comment_id: int) -> None:
        """The comment is gone; it may have been before."""
        try:
            self._call(
                f"delete comment {comment_id}",
                lambda: self._api.issues.delete_comment(comment_id=comment_id),
            )
        except GitHubError as error:
            if error.status != _NOT_FOUND:
                raise

    def merge_base(self, base: str, head: str) -> str:
        """Commit id of the merge base of two commits or branches."""
        found = self._call(
            f"merge base of {base} and {head}",
            lambda: self._api.repos.compare_commits(basehead=f"{base}...{head}", per_page=1),
        )
        return str(found["merge_base_commit"]["sha"])

    def ancestors(self, commit: str) -> list[str]:
        """The commit and up to 99 of its ancestors, the newest first."""
        found = self._call(
            f"ancestors of {commit}",
            lambda: self._api.repos.list_commits(sha=commit, per_page=_PAGE),
        )
        return [str(each["sha"]) for each in found]

    def file_at(self, path: str, commit: str) -> bytes | None:
        """A file at a commit, None when the commit lacks it."""
        try:
            answer = self._call(
                f"{path} at {commit}",
                lambda: self._api.repos.get_content(
                    path=path, ref=commit, headers_={"Accept": _RAW}, raw_=True
                ),
            )
        except GitHubError as error:
            if error.status == _NOT_FOUND:
                return None
            raise
        return bytes(answer.content)

    def runs_of_commit(self, commit: str) -> Iterator[WorkflowRun]:
        """The workflow runs of a commit, newest first."""
        listed = self._api.actions.list_workflow_runs_for_repo
        found = self._pages(f"runs of {commit}", listed, key="workflow_runs", head_sha=commit)
        return map(_run, found)

    def runs_of_branch(self, branch: str) -> Iterator[WorkflowRun]:
        """The latest workflow runs of a branch, newest first, at most 1,000 as GitHub lists."""
        listed = self._api.actions.list_workflow_runs_for_repo
        found = self._pages(f"runs of {branch}", listed, key="workflow_runs", branch=branch)
        return map(_run, found)

    def artifacts(self, run_id: int, name: str) -> list[Artifact]:
        """The artifacts of that name of a run."""
        listed = self._api.actions.list_workflow_run_artifacts
        found = self._pages(f"artifacts of run {run_id}", listed, key="artifacts", run_id=run_id)
        return [artifact for artifact in map(_artifact, found) if artifact.name == name]

    def download(self, artifact: Artifact, limit: int) -> bytes | None:
        """The archive of an artifact; None when it has expired.

        The API redirects to a storage host, which is asked without the token.

        Raises:
            GitHubError: also when the archive is larger than `limit` bytes.
        """
        what = f"artifact {artifact.name} ({artifact.id})"
        try:
            location = self._call(what, lambda: self._redirect(artifact.id))
        except GitHubError as error:
            if error.status == _GONE:
                return None
            raise
        return self._call(f"{what} from its storage", lambda: self._fetched(location, limit))

    def _redirect(self, artifact_id: int) -> str:
        from ghapi.core import APIError

        try:
            self._api.actions.download_artifact(artifact_id=artifact_id, archive_format="zip")
        except APIError as error:
            if error.status_code == _FOUND:
                return str(error.response.headers["location"])
            raise
        raise GitHubError(f"GitHub did not say where artifact {artifact_id} is")

    def _fetched(self, location: str, limit: int) -> bytes:
        import httpx2

        content = bytearray()
        with httpx2.stream("GET", location, timeout=self._seconds) as answer:
            if not answer.is_success:
                answer.read()
                answer.raise_for_status()
            for part in answer.iter_bytes():
                content += part
                if len(content) > limit:
                    raise GitHubError(f"the artifact is larger than {limit:,} bytes")
        return bytes(content)

    @property
    def _api(self) -> Any:
        """The object of ghapi, made when it is first needed: to import it takes half a second."""
        if self._connected is None:
            from ghapi.core import GhApi

            for noisy in ("httpx2", "httpcore2"):  # they would log signed addresses
                logging.getLogger(noisy).setLevel(logging.WARNING)
            owner, name = self._where.repository.split("/")
            connect: Any = GhApi  # it bears no types
            self._connected = connect(
                owner=owner,
                repo=name,
                token=self._where.token,
                authenticate=bool(self._where.token),
                gh_host=self._where.url,
                timeout=self._seconds,
                sync=True,
                debug=lambda *_: None,  # else GHAPI_DEBUG would print every request
            )
            self._connected.transport.retries = 0
            self._connected.transport.follow_redirects = False
        return self._connected

    def _pages(
        self, what: str, operation: Callable[..., Any], key: str | None = None, **parameters: Any
    ) -> Iterator[Json]:
        page = 1
        while True:

            def ask(page: int = page) -> list[Json]:
                answer = operation(per_page=_PAGE, page=page, **parameters)
                return list(answer[key] if key else answer)

            found = self._call(what, ask)
            yield from found
            if len(found) < _PAGE:
                return
            page += 1

    def _call(self, what: str, operation: Callable[[], T], *, repeatable: bool = True) -> T:
        from ghapi.core import APIError
        from httpx2 import HTTPStatusError, RequestError

        attempt = 0
        while True:
            try:
                return operation()
            except (APIError, HTTPStatusError, RequestError) as error:
                raised: Any = error
                fault = _fault(raised if isinstance(error, APIError) else raised.api_error())
            except (ValueError, KeyError, TypeError) as error:
                fault = Fault(None, f"an answer that is not understood ({type(error).__name__})")
            attempt += 1
            if not self._patience.waited(fault, attempt, repeatable=repeatable):
                raise _refused(what, fault)


def _fault(error: Any) -> Fault:
    """What went wrong, without addresses: they may be signed."""
    headers = error.response.headers if error.response is not None else {}
    status = error.status_code
    message = error.message if status else str(error.error_type)
    was_sent = error.error_type not in {"ConnectError", "ConnectTimeout"}
    return Fault(status, _short(str(message)), dict(headers), was_sent=was_sent)


def _short(message: str) -> str:
    """One line of a message; a page of a load balancer or a storage host says nothing."""
    if "<" in message:
        return "no JSON"
    return " ".join(message.split())[:200]


def _refused(what: str, fault: Fault) -> GitHubError:
    if fault.status is None:
        return GitHubError(
            f"GitHub gave no answer: {what}: {fault.message}", hint="run the job again"
        )
    hint = "run the job again"
    if fault.status in {401, 403} and not fault.is_rate_limit:
        accepted = fault.headers.get("x-accepted-github-permissions", "")
        hint = f"the token may not do this; it needs {accepted or 'more permissions'}"
    return GitHubError(
        f"GitHub answered {fault.status}: {what}: {fault.message}", status=fault.status, hint=hint
    )


def _comment(raw: Json) -> Comment:
    author = raw.get("user") or {}
    return Comment(
        int(raw["id"]), str(author.get("login", "")), str(raw["body"] or ""), str(raw["html_url"])
    )


def _run(raw: Json) -> WorkflowRun:
    head = raw.get("head_repository") or {}
    return WorkflowRun(
        id=int(raw["id"]),
        event=str(raw["event"]),
        head_sha=str(raw["head_sha"]),
        head_branch=str(raw.get("head_branch") or ""),
        head_repository=str(head.get("full_name", "")),
        created=datetime.fromisoformat(str(raw["created_at"])),
    )


def _artifact(raw: Json) -> Artifact:
    return Artifact(
        int(raw["id"]), str(raw["name"]), int(raw["size_in_bytes"]), bool(raw["expired"])
    )
