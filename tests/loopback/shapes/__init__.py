"""What the shapes of all answers share: times, accounts, and the repository itself.

A shape is state as GitHub tells it: what carries meaning is filled in, the rest is the emptiest
value that fits the description.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.loopback.contract import skeleton
from tests.loopback.repository import Repository

Json = dict[str, Any]
SITE = "https://github.com"


@dataclass(frozen=True, slots=True)
class Place:
    """A repository on a server whose API is at ``api`` (no final slash)."""

    api: str
    repository: Repository

    @property
    def api_url(self) -> str:
        """The repository's address in the API."""
        return f"{self.api}/repos/{self.repository.full_name}"

    @property
    def page_url(self) -> str:
        """The repository's page."""
        return f"{SITE}/{self.repository.full_name}"


def time(moment: datetime) -> str:
    """As GitHub writes times."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def account(login: str, *, organization: bool = False) -> Json:
    """A user, bot or organization; its id follows from its login."""
    kind = "Organization" if organization else "Bot" if login.endswith("[bot]") else "User"
    page = f"{SITE}/apps/{login.removesuffix('[bot]')}" if kind == "Bot" else f"{SITE}/{login}"
    number = 41898282 if login == "github-actions[bot]" else zlib.crc32(login.encode())
    return skeleton("simple-user", login=login, id=number, type=kind, html_url=page)


def repository(at: Place, schema: str = "full-repository") -> Json:
    """A repository, in full or as it stands inside other answers."""
    return skeleton(
        schema,
        id=at.repository.id,
        name=at.repository.full_name.split("/")[1],
        full_name=at.repository.full_name,
        owner=account(at.repository.owner, organization=at.repository.owner_is_organization),
        private=at.repository.private,
        fork=at.repository.fork_of is not None,
        default_branch=at.repository.default_branch,
        url=at.api_url,
        html_url=f"{at.page_url}",
        clone_url=f"{at.page_url}.git",
    )
