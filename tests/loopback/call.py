"""One call of an operation: what was asked, by whom, of which repository; and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.loopback.contract import Answer, Match
from tests.loopback.repository import Repository
from tests.loopback.shapes import Place
from tests.loopback.state import Received, Token

LARGEST_PAGE = 100
USUAL_PAGE = 30


class Refusal(Exception):  # noqa: N818 -- it is an answer, not a failure
    """An error answer of GitHub."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        errors: object = None,
    ) -> None:
        super().__init__(f"{status} {message}")
        self.status, self.message, self.headers, self.errors = (
            status,
            message,
            dict(headers or {}),
            errors,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was understood; ``repositories`` are all of the server's, by full name."""

    received: Received
    match: Match
    token: Token | None
    api: str
    repositories: Mapping[str, Repository]
    blob_url: Callable[[int], str] = field(repr=False)

    @property
    def place(self) -> Place:
        """Where the repository stands."""
        return Place(self.api, self.repository)

    @property
    def repository(self) -> Repository:
        """The repository in the path, whatever the case of its letters; 404 when there is none."""
        wanted = f"{self.match.parameters['owner']}/{self.match.parameters['repo']}".lower()
        for name, repository in self.repositories.items():
            if name.lower() == wanted:
                return repository
        raise Refusal(404, "Not Found")

    def text(self, name: str) -> str:
        """A parameter of the path."""
        return self.match.parameters[name]

    def number(self, name: str) -> int:
        """A parameter of the path that is a number."""
        return int(self.match.parameters[name])

    def query(self, name: str, default: str | None = None) -> str | None:
        """A query parameter."""
        return self.received.query.get(name, default)

    def network(self) -> list[Repository]:
        """The repository and its forks, or its parent and siblings: they share commits."""
        root = self.repository.fork_of or self.repository.full_name
        return [each for name, each in self.repositories.items() if root in (name, each.fork_of)]

    def page(self, items: Sequence[Any]) -> tuple[list[Any], dict[str, str]]:
        """The asked page of ``items``, and the Link header that leads to the others."""
        size = min(LARGEST_PAGE, max(1, int(self.received.query.get("per_page", USUAL_PAGE))))
        page = max(1, int(self.received.query.get("page", 1)))
        last = max(1, -(-len(items) // size))
        targets = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        shown = [rel for rel in targets if (page > 1 if rel in ("prev", "first") else page < last)]
        links = ", ".join(
            f'<{self._page_url(min(targets[rel], last))}>; rel="{rel}"' for rel in shown
        )
        return list(items[(page - 1) * size : page * size]), {"Link": links} if links else {}

    def _page_url(self, page: int) -> str:
        """GitHub's links name the repository by number, whatever the request named it by."""
        rest = self.received.path.split("/", 4)[4]
        query = urlencode({**self.received.query, "page": page})
        return f"{self.api}/repositories/{self.repository.id}/{rest}?{query}"


def answer(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """A JSON answer."""
    return Answer(status, json.dumps(body).encode(), headers=dict(headers or {}))


def error(refusal: Refusal, documentation_url: str, *, described: bool = True) -> Answer:
    """An error answer in GitHub's shape."""
    body: dict[str, object] = {"message": refusal.message}
    if refusal.errors is not None:
        body["errors"] = refusal.errors
    body["documentation_url"] = documentation_url
    if refusal.status != 422:  # the description of a validation error has no status
        body["status"] = str(refusal.status)
    return Answer(
        refusal.status, json.dumps(body).encode(), headers=refusal.headers, described=described
    )
