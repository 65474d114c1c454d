"""What happened: the event that started the run, as far as ragguard cares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ragguard.errors import InputError, UsageError
from ragguard.location import Location

_NO_COMMIT = "0" * 40
_DEPENDABOT = "dependabot[bot]"


class Kind(StrEnum):
    """The kinds of run, by what is expected of them."""

    PULL_REQUEST = "pull_request"
    """Compare with the base, comment, gate."""
    MERGE_GROUP = "merge_group"
    """Compare with the base and gate, without a comment."""
    BASELINE = "baseline"
    """A push to a branch, a schedule or a dispatch: keep the report; a verdict is told only."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event that ragguard acts on.

    Attributes:
        number: of the pull request.
        head_sha: head of the pull request or of the merge group; the pushed commit.
        base_sha: the commit to compare with as far as the event knows it; for a pull request only
            a fallback, for it goes stale.
        base_ref: branch that the change is to go to, without `refs/heads/`.
        is_read_only: whether the token may not write: a fork's or Dependabot's pull request.
    """

    kind: Kind
    head_sha: str
    base_sha: str | None
    base_ref: str
    number: int | None = None
    is_read_only: bool = False


def read_event(name: str, path: Path, sha: str, actor: str = "") -> Event:
    """The event of a run from its name and payload file.

    Raises:
        InputError: the payload cannot be read.
        UsageError: the event is none that ragguard acts on.
    """
    try:
        payload = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot read the event: {error}", location=Location(path.as_posix())
        ) from error
    try:
        return event_of(name, payload, sha, actor)
    except (KeyError, TypeError) as error:
        raise InputError(
            f"the payload of {name!r} lacks {error}", location=Location(path.as_posix())
        ) from error


def event_of(name: str, payload: Mapping[str, Any], sha: str, actor: str = "") -> Event:
    """The event that a name and its payload describe.

    Raises:
        KeyError, TypeError: the payload lacks what GitHub puts there.
        UsageError: the event is none that ragguard acts on.
    """
    match name:
        case "pull_request":
            return _pull_request(payload, actor)
        case "merge_group":
            group = payload["merge_group"]
            return Event(
                Kind.MERGE_GROUP, group["head_sha"], group["base_sha"], _branch(group["base_ref"])
            )
        case "push":
            before = payload.get("before")
            base = before if before and before != _NO_COMMIT else None
            return Event(Kind.BASELINE, sha, base, _branch(payload["ref"]))
        case "schedule" | "workflow_dispatch":
            default = payload.get("repository", {}).get("default_branch", "main")
            return Event(Kind.BASELINE, sha, None, _branch(payload.get("ref") or default))
    raise UsageError(
        f"the event {name!r} is none that ragguard acts on",
        hint="use pull_request, push, merge_group, schedule or workflow_dispatch; never "
        "pull_request_target, which would run a stranger's code with your secrets",
    )


def _pull_request(payload: Mapping[str, Any], actor: str) -> Event:
    pull = payload["pull_request"]
    head, base = pull["head"], pull["base"]
    head_repository = (head.get("repo") or {}).get("full_name")
    is_fork = head_repository != base["repo"]["full_name"]
    author = (pull.get("user") or {}).get("login", "")
    return Event(
        Kind.PULL_REQUEST,
        head_sha=head["sha"],
        base_sha=base["sha"],
        base_ref=base["ref"],
        number=pull["number"],
        is_read_only=is_fork or _DEPENDABOT in {author, actor},
    )


def _branch(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
