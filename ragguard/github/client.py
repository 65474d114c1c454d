"""GitHub's API: the one file that knows ghapi.

ghapi is imported when the first request is made. Its own retries are switched off: every call
goes through `_call`, which knows what may be tried again and how long a run may wait in all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ragguard.errors import LookupFailedError, RagguardError
from ragguard.github.settings import Api

SECONDS_PER_CALL = 30.0
WAIT_BUDGET = 120.0
"""Seconds a run may spend waiting between tries, over all its calls."""

_PER_PAGE = 100
_MOST_PAGES = 100
_TRIES = 6
_LARGEST_DOWNLOAD = 200 << 20


class ApiRefusedError(RagguardError):
    """An answer that a further try would not change.

    Attributes:
        status: HTTP status, such as 403 or 404.
    """

    def __init__(self, status: int, message: str) -> None:
        """Keep the status; the message is GitHub's own."""
        super().__init__(f"GitHub answered {status}: {message}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of an issue or pull request."""

    id: int
    body: str
    author: str
    url: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact of a workflow run.

    Attributes:
        created: ISO 8601, UTC.
        is_own: whether the run's head was in this repository, not in a fork.
    """

    id: int
    run_id: int
    head_sha: str
    head_branch: str
    created: str
    is_own: bool


class GitHub:
    """The API of one repository, seen through one token."""

    def __init__(
        self,
        api: Api,
        *,
        sleep: Callable[[float], None] = time.sleep,
        timeout: float = SECONDS_PER_CALL,
    ) -> None:
        """Remember how to reach it; nothing is asked yet.

        Args:
            api: addresses, repository and token.
            sleep: waits a number of seconds.
            timeout: seconds one call may take.
        """
        self._api = api
        self._sleep = sleep
        self._timeout = timeout
        self._waited = 0.0

    @cached_property
    def _client(self) -> Any:
        # httpx2 logs whole addresses at INFO, and those of artifacts carry a signature.
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        from ghapi.core import GhApi

        owner, _, name = self._api.repository.partition("/")
        client = GhApi(
            owner=owner,
            repo=name,
            token=self._api.token or None,
            authenticate=bool(self._api.token),
            gh_host=self._api.url,
            timeout=self._timeout,
            sync=True,
        )
        client.transport.retries = 0
        client.transport.follow_redirects = True
        return client

    def viewer(self) -> str:
        """The login the token acts as."""
        answer = self._call(
            lambda client: client.transport.request(
                "POST", self._api.graphql_url, json={"query": "query { viewer { login } }"}
            )
        )
        login = ((answer.get("data") or {}).get("viewer") or {}).get("login")
        if not isinstance(login, str):
            raise ApiRefusedError(200, f"no viewer: {answer.get('errors')}")
        return login

    def comments(self, number: int) -> list[Comment]:
        """All comments of a pull request, oldest first."""
        found = self._pages(
            lambda client, page: client.issues.list_comments(number, per_page=_PER_PAGE, page=page)
        )
        return [_comment(each) for each in found]

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a new comment."""
        return _comment(self._call(lambda client: client.issues.create_comment(number, body=body)))

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Replace the body of a comment."""
        return _comment(
            self._call(lambda client: client.issues.update_comment(comment_id, body=body))
        )

    def delete_comment(self, comment_id: int) -> None:
        """Remove a comment."""
        self._call(lambda client: client.issues.delete_comment(comment_id))

    def labels(self, number: int) -> frozenset[str]:
        """Names of the labels of a pull request, as they are now."""
        found = self._pages(
            lambda client, page: client.issues.list_labels_on_issue(
                number, per_page=_PER_PAGE, page=page
            )
        )
        return frozenset(each["name"] for each in found)

    def head_of(self, number: int) -> str:
        """The head commit of a pull request, as it is now."""
        pull = self._call(lambda client: client.pulls.get(number))
        return str(pull["head"]["sha"])

    def parents(self, sha: str) -> list[str]:
        """The parents of a commit."""
        commit = self._call(lambda client: client.repos.get_commit(sha))
        return [str(parent["sha"]) for parent in commit["parents"]]

    def merge_base(self, base: str, head: str) -> str:
        """The commit where two histories part."""
        compared = self._call(lambda client: client.repos.compare_commits(f"{base}...{head}"))
        return str(compared["merge_base_commit"]["sha"])

    def ancestors(self, sha: str) -> list[str]:
        """A commit and up to 99 of those before it, newest first."""
        commits = self._call(lambda client: client.repos.list_commits(sha=sha, per_page=_PER_PAGE))
        return [str(commit["sha"]) for commit in commits]

    def artifacts(self, name: str) -> list[Artifact]:
        """The artifacts of that name that have not expired, newest first."""
        found = self._pages(
            lambda client, page: (
                client.actions.list_artifacts_for_repo(name=name, per_page=_PER_PAGE, page=page)
            )["artifacts"]
        )
        listed = [_artifact(each) for each in found if not each["expired"] and each["workflow_run"]]
        return sorted(listed, key=lambda artifact: artifact.created, reverse=True)

    def event_of_run(self, run_id: int) -> str:
        """The name of the event that started a run."""
        return str(self._call(lambda client: client.actions.get_workflow_run(run_id))["event"])

    def download(self, artifact_id: int) -> bytes:
        """The zip file of an artifact.

        Raises:
            ApiRefusedError: it is larger than 200 MiB.
        """
        content = self._call(
            lambda client: client.actions.download_artifact(artifact_id, archive_format="zip")
        )
        data = bytes(content) if isinstance(content, bytes | bytearray) else str(content).encode()
        if len(data) > _LARGEST_DOWNLOAD:
            raise ApiRefusedError(200, f"artifact {artifact_id} has {len(data)} bytes")
        return data

    def _pages(self, ask: Callable[[Any, int], Any]) -> Iterator[Any]:
        for page in range(1, _MOST_PAGES + 1):
            listed = self._call(lambda client, page=page: ask(client, page))
            yield from listed
            if len(listed) < _PER_PAGE:
                return

    def _call(self, ask: Callable[[Any], Any]) -> Any:
        """The answer to a request, tried again while that makes sense.

        Raises:
            ApiRefusedError: GitHub will not answer otherwise.
            LookupFailedError: GitHub cannot be reached, or asks to wait for too long.
        """
        from fasttransport.errors import APIError

        for attempt in range(_TRIES):
            try:
                return ask(self._client)
            except APIError as error:
                delay = _delay(error, attempt)
                if delay is None:
                    status = getattr(error, "status_code", None)
                    raise ApiRefusedError(int(status or 0), _message(error)) from None
                if attempt + 1 == _TRIES or self._waited + delay > WAIT_BUDGET:
                    raise LookupFailedError(
                        f"GitHub did not answer: {_message(error)}", hint="run the job again"
                    ) from None
            self._waited += delay
            self._sleep(delay)
        raise LookupFailedError("GitHub did not answer", hint="run the job again")


def _message(error: Any) -> str:
    return str(getattr(error, "message", "") or error)[:300]


def _delay(error: Any, attempt: int) -> float | None:
    """Seconds to wait before the next try; None when there is no use in one."""
    status = getattr(error, "status_code", None)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    backoff = float(2**attempt)
    if status is None or status >= 500:
        return backoff
    if status not in {403, 429}:
        return None
    told = headers.get("retry-after")
    if told is not None and str(told).isdecimal():
        return float(told)
    if headers.get("x-ratelimit-remaining") == "0":
        reset = str(headers.get("x-ratelimit-reset", ""))
        return max(1.0, float(reset) - time.time()) if reset.isdecimal() else backoff
    # A secondary limit often comes without Retry-After; GitHub asks for a minute then.
    if status == 429 or "rate limit" in _message(error).lower():
        return max(backoff, 15.0)
    return None


def _comment(raw: Any) -> Comment:
    author = raw["user"]["login"] if raw["user"] else ""
    return Comment(int(raw["id"]), str(raw["body"] or ""), str(author), str(raw["html_url"]))


def _artifact(raw: Any) -> Artifact:
    run = raw["workflow_run"]
    return Artifact(
        id=int(raw["id"]),
        run_id=int(run["id"]),
        head_sha=str(run["head_sha"]),
        head_branch=str(run["head_branch"]),
        created=str(raw["created_at"]),
        is_own=run["head_repository_id"] == run["repository_id"],
    )
