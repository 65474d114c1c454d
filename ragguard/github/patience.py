"""How long to wait for GitHub, and what is worth waiting for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

ALLOWANCE = 120.0
"""Seconds that one run may spend waiting for GitHub, all calls together."""

MOST_ATTEMPTS = 5
_ATTEMPTS_ONCE_DOWN = 2
_WITHOUT_RETRY_AFTER = 60.0
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """A call that failed.

    Attributes:
        status: HTTP status, None when there was no answer or none that could be read.
        message: what GitHub, or the connection, says of it.
        headers: those of the answer.
        was_sent: whether the request may have been carried out.
    """

    status: int | None
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    was_sent: bool = True

    @property
    def is_rate_limit(self) -> bool:
        """Whether a primary or secondary limit refused the call; it then was not carried out."""
        if self.status == 429:
            return True
        exhausted = self.headers.get("x-ratelimit-remaining") == "0"
        told = "rate limit" in self.message.lower() or "retry-after" in self.headers
        return self.status == 403 and (exhausted or told)

    @property
    def is_passing(self) -> bool:
        """Whether the same call may go well a little later."""
        return self.status is None or self.status >= _SERVER_ERROR or self.status == 408


class Patience:
    """An allowance of waiting, shared by all calls of a run."""

    def __init__(
        self,
        sleep: Callable[[float], None],
        now: Callable[[], float],
        allowance: float = ALLOWANCE,
    ) -> None:
        """Full at first.

        Args:
            sleep: how to wait so many seconds.
            now: the time in epoch seconds, as rate limits tell theirs.
            allowance: seconds of waiting in all.
        """
        self._sleep, self._now, self._left = sleep, now, allowance
        self._attempts = MOST_ATTEMPTS

    def waited(self, fault: Fault, attempt: int, *, repeatable: bool) -> bool:
        """Wait as long as the fault asks; False when the call must not be made again.

        Args:
            fault: what went wrong.
            attempt: how many times the call was made.
            repeatable: whether doing it twice is the same as doing it once.
        """
        seconds = self._delay(fault, attempt, repeatable=repeatable)
        if seconds is None:
            return False
        if attempt >= self._attempts or seconds > self._left:
            # It is down: later calls make sure once, and do not wait for it all over again.
            self._attempts = _ATTEMPTS_ONCE_DOWN
            return False
        self._left -= seconds
        self._sleep(seconds)
        return True

    def _delay(self, fault: Fault, attempt: int, *, repeatable: bool) -> float | None:
        if fault.is_rate_limit:
            return self._limited(fault.headers)
        if fault.is_passing and (repeatable or not fault.was_sent):
            return float(2 ** (attempt - 1))
        return None

    def _limited(self, headers: Mapping[str, str]) -> float:
        """Seconds until a rate limit is over; a minute where it does not say."""
        asked = headers.get("retry-after", "")
        if asked.isdecimal():
            return float(asked)
        reset = headers.get("x-ratelimit-reset", "")
        if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
            return max(1.0, float(reset) - self._now())
        return _WITHOUT_RETRY_AFTER
