"""When the next request to a host may go out."""

from __future__ import annotations

import asyncio


class Pace:
    """Keeps to a rate, and to a pause that the host has asked for."""

    def __init__(self, rate: float | None) -> None:
        """Nothing has gone out yet.

        Args:
            rate: requests per second; None for no limit.
        """
        self._interval = 1 / rate if rate else 0.0
        self._next = 0.0
        self._paused_until = 0.0

    async def turn(self) -> None:
        """Return when it is the caller's turn."""
        loop = asyncio.get_running_loop()
        begin = max(loop.time(), self._next)
        self._next = begin + self._interval
        while (wait := max(begin, self._paused_until) - loop.time()) > 0:
            await asyncio.sleep(wait)

    def pause(self, seconds: float) -> None:
        """Let nothing go out for so long."""
        until = asyncio.get_running_loop().time() + seconds
        self._paused_until = max(self._paused_until, until)
