"""A GitHub on 127.0.0.1: what it knows, what it was asked, and where either side left the rules."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from tests.loopback import contract, runner_service
from tests.loopback.access import check_permission
from tests.loopback.call import Call, Refusal, error
from tests.loopback.contract import Answer, Match
from tests.loopback.faults import EVERY, Fault, FaultPlan, primary_rate_limit
from tests.loopback.operations import SERVED
from tests.loopback.repository import Repository, rising_ids
from tests.loopback.routes import ROUTES, account
from tests.loopback.sockets import HttpHost
from tests.loopback.state import WORKFLOW_LOGIN, RateLimit, Received, Token
from tests.loopback.storage import BLOB, Storage, misbehaved

GRAPHQL = "POST /graphql"
SCOPES = ("actions", "contents", "issues", "pull_requests")
FRONT_PAGE = "https://docs.github.com/rest"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with the status that it got; None when the connection was dropped."""

    received: Received
    status: int | None


class LoopbackGitHub:
    """The server; a context manager.

    ``base_path`` is ``/api/v3`` for a GitHub Enterprise Server, else empty. ``exchanges`` holds
    every request. ``violations`` collects every request and every answer that does not fit GitHub's
    description, and every token that reached the storage host; the ``github`` fixture asserts that
    it is empty.
    """

    def __init__(self, base_path: str = "") -> None:
        self.repositories: dict[str, Repository] = {}
        self.tokens: dict[str, Token] = {}
        self.rate_limit = RateLimit()
        self.exchanges: list[Exchange] = []
        self.violations: list[str] = []
        self.closing = threading.Event()
        self._ids = rising_ids()
        self._faults = FaultPlan((*SERVED, GRAPHQL, BLOB, EVERY))
        self._lock = threading.RLock()
        self._base_path = base_path
        self._host = HttpHost(self._serve)
        self.storage = Storage(self.repositories, self._storage_fault, self._violate)

    def __enter__(self) -> Self:
        self._host.start()
        self.storage.host.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._host.stop()
        self.storage.host.stop()

    @property
    def url(self) -> str:
        """What GITHUB_API_URL says."""
        return self._host.url + self._base_path

    @property
    def graphql_url(self) -> str:
        """What GITHUB_GRAPHQL_URL says."""
        return f"{self._host.url}/{'api/graphql' if self._base_path else 'graphql'}"

    @property
    def runner_url(self) -> str:
        """Where the stand-ins keep the artifacts of a running job."""
        return self._host.url + runner_service.PREFIX

    def add_repository(
        self, full_name: str, *, private: bool = False, fork_of: str | None = None
    ) -> Repository:
        """A new repository: without commits, or a fork with those of its parent."""
        made = Repository(full_name, next(self._ids), self._ids, private=private, fork_of=fork_of)
        if fork_of is not None:
            made.commits.update(self.repositories[fork_of].commits)
            made.branches.update(self.repositories[fork_of].branches)
        self.repositories[full_name] = made
        return made

    def add_token(
        self,
        repository: str | None = None,
        permissions: Mapping[str, str] | None = None,
        *,
        login: str = WORKFLOW_LOGIN,
        kind: str = "workflow",
    ) -> str:
        """A token that the server knows; all may be written unless ``permissions`` says less.

        Returns its value.
        """
        value = f"loopback-{secrets.token_hex(8)}"
        granted = dict.fromkeys(SCOPES, "write") if permissions is None else dict(permissions)
        self.tokens[value] = Token(value, login, kind, granted, repository)
        return value

    def add_read_only_token(self, repository: str) -> str:
        """The token of a run from a fork or by Dependabot: all may be read, nothing written."""
        return self.add_token(repository, dict.fromkeys(SCOPES, "read"))

    def inject(self, operation: str, fault: Fault, times: int | None = 1) -> None:
        """Show ``fault`` at the next ``times`` calls of ``operation``; None: until ``heal``.

        An operation is one of those served, ``POST /graphql``, ``GET /blob`` (the storage host), or
        ``*``; ValueError for any other.
        """
        self._faults.add(operation, fault, times)

    def heal(self) -> None:
        """Forget every fault."""
        self._faults.clear()

    def calls(self, operation: str) -> list[Received]:
        """The requests of one operation so far, in order of arrival."""
        return [each.received for each in self.exchanges if each.received.operation == operation]

    def _serve(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> Answer | None:
        received, found = self._understood(method, target, headers, body)
        if received.path == runner_service.PREFIX:
            with self._lock:
                return runner_service.serve(received, self.repositories)
        fault = self._faults.next(received.operation)
        answer = self._faulty(received, found, fault) if fault else self._ordinary(received, found)
        with self._lock:
            self.exchanges.append(Exchange(received, answer.status if answer else None))
        return answer and replace(answer, headers={**self._usual_headers(), **answer.headers})

    def _understood(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[Received, Match | None]:
        split = urlsplit(target)
        path = re.sub("^/api/graphql$", "/graphql", split.path)
        if f"{method} {path}" != GRAPHQL:
            path = self._by_name(path.removeprefix(self._base_path))
        found = contract.match(method, path)
        operation = GRAPHQL if f"{method} {path}" == GRAPHQL else None
        query = dict(parse_qsl(split.query, keep_blank_values=True))
        known = found.operation if found else operation
        return Received(method, path, query, headers, body, known), found

    def _by_name(self, path: str) -> str:
        """``/repositories/ID/…``, where GitHub's own links lead, as ``/repos/OWNER/NAME/…``."""
        for each in self.repositories.values():
            path = re.sub(f"^/repositories/{each.id}(?=/|$)", f"/repos/{each.full_name}", path)
        return path

    def _faulty(self, received: Received, found: Match | None, fault: Fault) -> Answer | None:
        fault.wait(self.closing)
        goes_on = fault.after_handling or not (fault.status or fault.drop)
        ordinary = self._ordinary(received, found) if goes_on else None
        if fault.drop:
            return None
        if fault.status is None:
            return ordinary
        if fault.raw is not None:
            return Answer(
                fault.status, fault.raw, fault.content_type, fault.headers, described=False
            )
        page = fault.documentation_url or _manual_page(found)
        refusal = Refusal(fault.status, fault.message, headers=fault.headers)
        return error(refusal, page, described=False)

    def _storage_fault(self) -> tuple[bool, Answer | None]:
        fault = self._faults.next(BLOB)
        if fault is None:
            return False, None
        fault.wait(self.closing)
        return bool(fault.drop or fault.status), misbehaved(fault)

    def _ordinary(self, received: Received, found: Match | None) -> Answer:
        with self._lock:
            try:
                answer = self._routed(received, found)
            except Refusal as refusal:
                answer = error(refusal, _manual_page(found))
            except NotImplementedError as gap:
                self._violate(received, f"request: {gap}")
                answer = error(Refusal(500, str(gap)), _manual_page(found), described=False)
            if found and answer.described:
                for problem in contract.answer_problems(received, found, answer):
                    self._violate(received, f"answer: {problem}")
            return answer

    def _routed(self, received: Received, found: Match | None) -> Answer:
        token = self._admitted(received)
        if received.operation == GRAPHQL:
            return account.graphql(received, token)
        if found is None:
            raise NotImplementedError("not among the operations served (operations.py)")
        problems = contract.request_problems(received, found)
        for problem in problems:
            self._violate(received, f"request: {problem}")
        if problems:
            refusal = Refusal(422, "Invalid request.", errors=problems)
            return error(refusal, _manual_page(found), described=False)
        if found.operation == "GET /rate_limit":
            return account.rate_limit(self.rate_limit)
        route = ROUTES[found.operation]
        call = Call(received, found, token, self.url, self.repositories, self.storage.sign)
        if route.scopes:
            check_permission(call, route)
        return route.handle(call)

    def _admitted(self, received: Received) -> Token | None:
        """The token of a request; all but the question for the rate limit count against it."""
        if "user-agent" not in received.headers:
            self._violate(received, "request: no User-Agent header")
            raise Refusal(403, "Request forbidden by administrative rules.")
        if received.token is not None and received.token not in self.tokens:
            raise Refusal(401, "Bad credentials")
        if received.path != "/rate_limit":
            if not self.rate_limit.remaining:
                limit = primary_rate_limit(self.rate_limit.reset_at)
                raise Refusal(403, limit.message, headers=limit.headers)
            self.rate_limit.used += 1
        return self.tokens[received.token] if received.token else None

    def _violate(self, received: Received, problem: str) -> None:
        with self._lock:
            self.violations.append(f"{received.method} {received.path}: {problem}")

    def _usual_headers(self) -> dict[str, str]:
        limit = self.rate_limit
        return {
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": secrets.token_hex(8).upper(),
            "X-RateLimit-Limit": str(limit.limit),
            "X-RateLimit-Remaining": str(limit.remaining),
            "X-RateLimit-Used": str(limit.used),
            "X-RateLimit-Reset": str(limit.reset_at),
            "X-RateLimit-Resource": "core",
        }


def _manual_page(found: Match | None) -> str:
    return contract.documentation(found.operation) if found else FRONT_PAGE
