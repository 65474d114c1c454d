"""The second host, to which artifact downloads are redirected: signed addresses, no token."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.loopback.contract import Answer
from tests.loopback.faults import Fault
from tests.loopback.repository import Repository
from tests.loopback.sockets import HttpHost
from tests.loopback.state import Received

BLOB = "GET /blob"


class Storage:
    """Hands out archives by signed address; ``downloads`` records each request, its headers too."""

    def __init__(
        self,
        repositories: Mapping[str, Repository],
        misbehave: Callable[[], tuple[bool, Answer | None]],
        violate: Callable[[Received, str], None],
    ) -> None:
        self.host = HttpHost(self._serve)
        self.downloads: list[Received] = []
        self._repositories, self._misbehave, self._violate = repositories, misbehave, violate
        self._signed: dict[str, int] = {}

    def sign(self, artifact_id: int) -> str:
        """A fresh address for an artifact."""
        signature = secrets.token_hex(16)
        self._signed[signature] = artifact_id
        return f"{self.host.url}/artifacts/{artifact_id}.zip?sig={signature}"

    def _serve(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> Answer | None:
        split = urlsplit(target)
        query = dict(parse_qsl(split.query))
        received = Received(method, unquote(split.path), query, headers, body, BLOB)
        self.downloads.append(received)
        if "authorization" in received.headers:
            self._violate(received, "request: the token was sent to the storage host")
            return _refusal(400, "InvalidAuthenticationInfo")
        replaced, answer = self._misbehave()
        return answer if replaced else self._archive(received)

    def _archive(self, received: Received) -> Answer:
        artifact_id = self._signed.get(received.query.get("sig", ""))
        for repository in self._repositories.values():
            if artifact_id in repository.artifacts:
                return Answer(200, repository.artifacts[artifact_id].content, "application/zip")
        return _refusal(404, "BlobNotFound")


def misbehaved(fault: Fault) -> Answer | None:
    """What a fault puts in the place of an archive; None drops the connection."""
    if fault.status is None:
        return None
    return Answer(fault.status, fault.raw or b"<Error/>", "application/xml", fault.headers)


def _refusal(status: int, code: str) -> Answer:
    return Answer(status, f"<Error><Code>{code}</Code></Error>".encode(), "application/xml")
