"""From the event that started a run to what has to be done about it; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ragguard.errors import UsageError

DEPENDABOT = "dependabot[bot]"
_QUEUED = re.compile(r"gh-readonly-queue/.+/pr-(\d+)-[0-9a-f]+$")
_NO_COMMIT = "0" * 40


class EventName(StrEnum):
    """The events that ragguard knows what to do about."""

    PULL_REQUEST = "pull_request"
    MERGE_GROUP = "merge_group"
    PUSH = "push"
    WORKFLOW_DISPATCH = "workflow_dispatch"
    SCHEDULE = "schedule"


@dataclass(frozen=True, slots=True)
class Event:
    """What started the run.

    Attributes:
        head_sha: the commit in question: head of the pull request, not its test merge.
        base_ref: name of the branch that is compared with.
        base_sha: commit to compare with where the event says so truly; a pull request's goes
            stale, so it is None there and found from the commit that is tested.
        number: of the pull request, also of one in the merge queue.
        is_read_only: whether the token of such a run cannot write: a fork's or Dependabot's.
    """

    name: EventName
    head_sha: str
    base_ref: str
    base_sha: str | None = None
    number: int | None = None
    is_read_only: bool = False

    @property
    def is_gated(self) -> bool:
        """Whether a failed gate fails the run; a push has happened already."""
        return self.name in {EventName.PULL_REQUEST, EventName.MERGE_GROUP}

    @property
    def is_judged_by_base(self) -> bool:
        """Whether gates and policy are those of the base branch: a change cannot lower its bar."""
        return self.is_gated

    @property
    def wants_comment(self) -> bool:
        """Whether there is a pull request to comment on, and a token that may."""
        return self.name is EventName.PULL_REQUEST and not self.is_read_only


def event_from_payload(
    name: str, payload: Mapping[str, Any], *, sha: str, ref: str, actor: str
) -> Event:
    """The event that GitHub describes.

    Args:
        name: GITHUB_EVENT_NAME.
        payload: the event's JSON object.
        sha: GITHUB_SHA.
        ref: GITHUB_REF.
        actor: GITHUB_ACTOR.

    Raises:
        UsageError: an event that ragguard does not handle, or a payload that lacks what it needs.
    """
    if name not in set(EventName):
        raise UsageError(
            f"ragguard does not know what to do on {name}",
            hint=f"run the workflow on {', '.join(EventName)}; pull_request covers forks too",
        )
    try:
        match EventName(name):
            case EventName.PULL_REQUEST:
                return _pull_request(payload, actor)
            case EventName.MERGE_GROUP:
                return _merge_group(payload)
            case other:
                return _on_branch(other, payload, sha, ref)
    except (KeyError, TypeError) as error:
        raise UsageError(f"the {name} event lacks {error}") from error


def _pull_request(payload: Mapping[str, Any], actor: str) -> Event:
    pull = payload["pull_request"]
    head, base = pull["head"], pull["base"]
    # A deleted fork is null; whose it was no longer matters.
    home = (head["repo"] or {}).get("full_name")
    is_fork = home != base["repo"]["full_name"]
    sender = (payload.get("sender") or {}).get("login")
    return Event(
        EventName.PULL_REQUEST,
        head_sha=head["sha"],
        base_ref=base["ref"],
        number=int(pull["number"]),
        is_read_only=is_fork or DEPENDABOT in {actor, sender},
    )


def _merge_group(payload: Mapping[str, Any]) -> Event:
    group = payload["merge_group"]
    queued = _QUEUED.search(group["head_ref"])
    return Event(
        EventName.MERGE_GROUP,
        head_sha=group["head_sha"],
        base_ref=group["base_ref"].removeprefix("refs/heads/"),
        base_sha=group["base_sha"],
        number=int(queued[1]) if queued else None,
    )


def _on_branch(name: EventName, payload: Mapping[str, Any], sha: str, ref: str) -> Event:
    before = payload.get("before")
    return Event(
        name,
        head_sha=sha,
        base_ref=ref.removeprefix("refs/heads/"),
        base_sha=before if before and before != _NO_COMMIT else None,
    )
