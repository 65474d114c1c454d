"""Faults that a route can be told to show, in the shapes in which GitHub shows them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

EVERY = "*"
READ_ONLY = "Resource not accessible by integration"
RATE_LIMIT_PAGE = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens instead of, or around, the ordinary answer.

    ``status`` None lets the ordinary answer through, after ``meanwhile`` has run. With
    ``after_handling`` the request is carried out first: the comment exists, and the client never
    learns of it.
    """

    status: int | None = None
    message: str = ""
    documentation_url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = "application/json; charset=utf-8"
    drop: bool = False
    hang_seconds: float = 0.0
    after_handling: bool = False
    meanwhile: Callable[[], object] | None = None

    def wait(self, closing: threading.Event) -> None:
        """Let ``meanwhile`` happen and the time pass, at most until the server closes."""
        if self.meanwhile is not None:
            self.meanwhile()
        if self.hang_seconds:
            closing.wait(self.hang_seconds)


@dataclass(slots=True)
class _Planned:
    fault: Fault
    times: int | None


class FaultPlan:
    """Which calls of which of the ``known`` operations meet a fault; first planned, first shown."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = frozenset(known)
        self._planned: dict[str, list[_Planned]] = {}
        self._lock = threading.Lock()

    def add(self, operation: str, fault: Fault, times: int | None) -> None:
        """Plan a fault for so many calls (None: all); ValueError for an unknown operation."""
        if operation not in self._known:
            raise ValueError(f"{operation!r} is not served; see tests/loopback/operations.py")
        with self._lock:
            self._planned.setdefault(operation, []).append(_Planned(fault, times))

    def clear(self) -> None:
        """Forget every fault."""
        with self._lock:
            self._planned.clear()

    def next(self, operation: str | None) -> Fault | None:
        """The fault that this call of an operation meets, which is used up by it."""
        with self._lock:
            for name in (operation, EVERY):
                for planned in self._planned.get(name or "", ()):
                    if planned.times is None:
                        return planned.fault
                    if planned.times > 0:
                        planned.times -= 1
                        return planned.fault
        return None


def read_only() -> Fault:
    """The 403 that a workflow token meets where its permissions do not reach."""
    return Fault(403, READ_ONLY)


def not_found() -> Fault:
    """The 404 for what does not exist or must not be seen."""
    return Fault(404, "Not Found")


def server_error(status: int = 500, *, after_handling: bool = False) -> Fault:
    """A 5xx with GitHub's JSON body."""
    return Fault(status, "Server Error", after_handling=after_handling)


def bad_gateway(*, after_handling: bool = False) -> Fault:
    """A 502 from the load balancer, whose body is an HTML page."""
    page = b"<html><head><title>502 Bad Gateway</title></head><body>502</body></html>"
    return Fault(502, raw=page, content_type="text/html", after_handling=after_handling)


def too_many_requests(retry_after: int | None = None) -> Fault:
    """A 429, with or without Retry-After in seconds."""
    return Fault(429, "API rate limit exceeded", RATE_LIMIT_PAGE, _retry_after(retry_after))


def primary_rate_limit(reset_at: int) -> Fault:
    """The 403 of the used-up hourly limit; ``reset_at`` is in epoch seconds."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset_at)}
    return Fault(403, "API rate limit exceeded for installation ID 1.", RATE_LIMIT_PAGE, headers)


def secondary_rate_limit(retry_after: int | None = None, status: int = 403) -> Fault:
    """The limit against bursts: 403 or 429, often without Retry-After, the primary not spent."""
    message = (
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    )
    page = RATE_LIMIT_PAGE + "#about-secondary-rate-limits"
    return Fault(status, message, page, _retry_after(retry_after))


def drop(*, after_handling: bool = False) -> Fault:
    """The connection ends without an answer."""
    return Fault(drop=True, after_handling=after_handling)


def hang(seconds: float) -> Fault:
    """Nothing is sent for so long, or until the server closes; then the connection ends."""
    return Fault(drop=True, hang_seconds=seconds)


def slow(seconds: float) -> Fault:
    """The ordinary answer, so much later."""
    return Fault(hang_seconds=seconds)


def broken_json() -> Fault:
    """A 200 whose body ends half-way."""
    return Fault(200, raw=b'{"id": 1, "bo')


def meanwhile(action: Callable[[], object]) -> Fault:
    """Run ``action`` (another job comments, a push arrives), then answer in the ordinary way."""
    return Fault(meanwhile=action)


def _retry_after(seconds: int | None) -> dict[str, str]:
    return {} if seconds is None else {"Retry-After": str(seconds)}
