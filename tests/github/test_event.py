"""From GitHub's payloads to what has to be done."""

from __future__ import annotations

from typing import Any

import pytest

from ragguard.errors import UsageError
from ragguard.github.event import Event, EventName, event_from_payload

HEAD, BASE, MERGE = "a" * 40, "b" * 40, "c" * 40


def pull_request(
    home: str | None = "org/repo", sender: str = "octocat", actor: str = "octocat"
) -> Event:
    """A pull request from that repository."""
    payload = {
        "action": "synchronize",
        "pull_request": {
            "number": 7,
            "head": {"sha": HEAD, "ref": "x", "repo": home and {"full_name": home}},
            "base": {"sha": BASE, "ref": "main", "repo": {"full_name": "org/repo"}},
        },
        "sender": {"login": sender},
    }
    return event_from_payload(
        "pull_request", payload, sha=MERGE, ref="refs/pull/7/merge", actor=actor
    )


def on(name: str, payload: dict[str, Any]) -> Event:
    """An event on main."""
    return event_from_payload(name, payload, sha=HEAD, ref="refs/heads/main", actor="octocat")


def test_a_pull_request_is_gated_and_commented_on() -> None:
    """Its head is in question, and the base's stale commit is not believed."""
    event = pull_request()
    assert event == Event(EventName.PULL_REQUEST, HEAD, "main", base_sha=None, number=7)
    assert event.is_gated
    assert event.is_judged_by_base
    assert event.wants_comment


@pytest.mark.parametrize(
    "event",
    [
        pull_request(home="guest/repo"),
        pull_request(home=None),
        pull_request(sender="dependabot[bot]"),
        pull_request(actor="dependabot[bot]"),
    ],
    ids=["fork", "deleted fork", "sent by Dependabot", "run again for Dependabot"],
)
def test_tokens_of_forks_and_dependabot_are_read_only(event: Event) -> None:
    """Known from the event, not from an attempt to write."""
    assert event.is_read_only
    assert not event.wants_comment
    assert event.is_gated


def test_a_merge_group_is_gated_without_a_comment() -> None:
    """Its base is in the event, its pull request in the name of the branch."""
    group = {
        "head_sha": HEAD,
        "head_ref": f"refs/heads/gh-readonly-queue/release/1.0/pr-12-{BASE}",
        "base_sha": BASE,
        "base_ref": "refs/heads/release/1.0",
    }
    event = on("merge_group", {"merge_group": group})
    assert event == Event(EventName.MERGE_GROUP, HEAD, "release/1.0", base_sha=BASE, number=12)
    assert event.is_gated
    assert not event.wants_comment


def test_a_push_is_compared_with_what_was_before() -> None:
    """It gates nothing: it has happened."""
    event = on("push", {"before": BASE, "after": HEAD})
    assert event == Event(EventName.PUSH, HEAD, "main", base_sha=BASE)
    assert not event.is_gated
    assert not event.wants_comment


@pytest.mark.parametrize(
    ("name", "payload"),
    [("push", {"before": "0" * 40}), ("workflow_dispatch", {"inputs": {}}), ("schedule", {})],
)
def test_events_without_a_commit_before(name: str, payload: dict[str, Any]) -> None:
    """A new branch, a button, a clock: no base is known from the event."""
    event = on(name, payload)
    assert event.base_sha is None
    assert event.head_sha == HEAD
    assert not event.is_gated


@pytest.mark.parametrize("name", ["pull_request_target", "workflow_run", "issue_comment", ""])
def test_other_events_are_refused_with_the_known_ones(name: str) -> None:
    """pull_request_target above all."""
    with pytest.raises(UsageError, match="does not know") as caught:
        on(name, {})
    assert "merge_group" in str(caught.value)


def test_a_payload_that_lacks_something_is_an_error() -> None:
    """No traceback."""
    with pytest.raises(UsageError, match="pull_request event lacks 'pull_request'"):
        on("pull_request", {})
