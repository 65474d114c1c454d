"""One query's exchange with an HTTP service: attempts, waits and redirects within one time limit.

httpx2 is used and not http.client, whose time limit is one of each read: a server that sends a
byte now and then would hold a query for hours, and a thread that waits for it cannot be ended.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Literal

from ragguard.retrievers.http_faults import explained, may_pass
from ragguard.retrievers.http_request import HttpRequest, RedirectError
from ragguard.retrievers.pace import Pace
from ragguard.retrievers.secret_values import Secrets

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

LARGEST = 64 << 20
"""Bytes of the largest answer that is read."""

_LARGEST_COMPLAINT = 1 << 16
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FIRST_WAIT = 0.5
_TOO_MANY, _SERVER_ERROR = 429, 500
_NOT_AT_ALL = frozenset({401, 403, 407})
_WORTH_NO_RETRY = frozenset({501, 505, 511})


class ExchangeError(Exception):
    """Why there is no answer.

    Attributes:
        kind: `timeout` when time ran out, else `error`.
        concerns_all: whether other queries are likely to fare no better.
    """

    def __init__(
        self, message: str, kind: Literal["error", "timeout"] = "error", *, concerns_all: bool
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.concerns_all = concerns_all


class _TooLargeError(Exception):
    """An answer that is not read to its end."""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer; `latency_ms` is that of the attempt that brought it."""

    status: int
    told: str
    headers: Mapping[str, str]
    content: bytes
    latency_ms: float = 0.0

    @property
    def is_answer(self) -> bool:
        """Whether the service did what it was asked."""
        return 200 <= self.status < 300

    @property
    def is_passing(self) -> bool:
        """Whether the same request may go well a little later."""
        return self.status == _TOO_MANY or (
            self.status >= _SERVER_ERROR and self.status not in _WORTH_NO_RETRY
        )


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What an attempt without an answer came to."""

    message: str
    is_passing: bool
    concerns_all: bool
    wait: float | None = None


class Exchange:
    """Sends requests to one service."""

    def __init__(
        self, client: AsyncClient, pace: Pace, *, timeout: float, retries: int, secrets: Secrets
    ) -> None:
        """Nothing is sent yet.

        Args:
            client: holds the connections.
            pace: when requests may go out.
            timeout: seconds for a query, all its attempts together.
            retries: attempts after the first one.
            secrets: what no message may hold.
        """
        self._client, self._pace = client, pace
        self._timeout, self._retries, self._secrets = timeout, retries, secrets

    async def carry_out(self, request: HttpRequest) -> Received:
        """The answer to a request, after as many attempts as are allowed.

        Raises:
            ExchangeError: there is none.
        """
        loop = asyncio.get_running_loop()
        await self._pace.turn()
        deadline = loop.time() + self._timeout
        failed: list[str] = []
        try:
            async with asyncio.timeout_at(deadline):
                while True:
                    outcome = await self._attempted(request)
                    if isinstance(outcome, Received):
                        return outcome
                    failed.append(outcome.message)
                    wait = self._wait(outcome, deadline - loop.time(), failed)
                    await asyncio.sleep(wait)
                    await self._pace.turn()
        except TimeoutError:
            raise ExchangeError(
                f"no answer within {self._timeout:g} s{_told(failed)}",
                "timeout",
                concerns_all=True,
            ) from None

    def _wait(self, attempt: _Attempt, left: float, failed: list[str]) -> float:
        """Seconds until the next attempt.

        Raises:
            ExchangeError: there is none.
        """
        if not attempt.is_passing or len(failed) > self._retries:
            raise ExchangeError(
                f"{attempt.message}{_told(failed[:-1])}", concerns_all=attempt.concerns_all
            )
        # Not all come back at the same moment.
        wait = attempt.wait
        if wait is None:
            wait = _FIRST_WAIT * 2 ** (len(failed) - 1) * random.uniform(0.75, 1.0)  # noqa: S311
        if wait >= left:
            raise ExchangeError(
                f"{attempt.message}; the next attempt would be in {wait:.3g} s, after the time "
                f"limit of {self._timeout:g} s{_told(failed[:-1])}",
                concerns_all=attempt.concerns_all,
            )
        if attempt.wait is not None:
            self._pace.pause(wait)
        return wait

    async def _attempted(self, request: HttpRequest) -> Received | _Attempt:
        import httpx2

        started = asyncio.get_running_loop().time()
        try:
            received = await self._sent(request)
        except RedirectError as error:
            return _Attempt(str(error), is_passing=False, concerns_all=True)
        except _TooLargeError as error:
            return _Attempt(str(error), is_passing=False, concerns_all=False)
        except (
            httpx2.HTTPError,
            httpx2.InvalidURL,
            httpx2.StreamError,
            OSError,
            ValueError,
        ) as error:
            return _Attempt(explained(error), is_passing=may_pass(error), concerns_all=True)
        if received.is_answer:
            took = asyncio.get_running_loop().time() - started
            return Received(
                received.status, received.told, received.headers, received.content, took * 1000
            )
        # Hidden before it is cut: half a secret would not be found.
        complaint = self._secrets.hidden(received.content.decode("utf-8", "replace"))
        complaint = " ".join(complaint[:2_000].split())[:500]
        return _Attempt(
            received.told + (f": {complaint}" if complaint else ""),
            is_passing=received.is_passing,
            concerns_all=received.is_passing or received.status in _NOT_AT_ALL,
            wait=_asked_wait(received.headers) if received.is_passing else None,
        )

    async def _sent(self, request: HttpRequest) -> Received:
        for _ in range(_MOST_REDIRECTS + 1):
            async with self._client.stream(
                request.method, request.url, headers=request.headers, content=request.content
            ) as answer:
                location = answer.headers.get("location")
                if answer.status_code not in _REDIRECTS or not location:
                    return await _read(answer)
                status = answer.status_code
            request = request.redirected(status, location)
        raise RedirectError(f"it redirects more than {_MOST_REDIRECTS} times")


async def _read(answer: Response) -> Received:
    told = f"HTTP {answer.status_code} {answer.reason_phrase}".strip()
    is_answer = answer.is_success
    limit = LARGEST if is_answer else _LARGEST_COMPLAINT
    content = bytearray()
    async for part in answer.aiter_bytes():
        content += part
        if len(content) > limit:
            break
    if is_answer and len(content) > limit:
        raise _TooLargeError(f"{told}, but the answer is larger than {limit >> 20} MiB")
    return Received(answer.status_code, told, dict(answer.headers), bytes(content))


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, in seconds or as a date; None where it says nothing."""
    asked = headers.get("retry-after", "").strip()
    if asked.isascii() and asked.isdecimal():
        return float(asked[:9])
    try:
        until = parsedate_to_datetime(asked)
    except (ValueError, TypeError):
        return None
    moment = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _told(failed: list[str]) -> str:
    """What came of earlier attempts."""
    if not failed:
        return ""
    times = f"{len(failed)} attempts" if len(failed) > 1 else "one attempt"
    return f" (before that {times}, the last: {failed[-1]})"
