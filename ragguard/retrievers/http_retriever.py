"""A retriever behind HTTP, asked several queries at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.retrievers.answer import Failure, Reply
from ragguard.retrievers.discretion import discreet
from ragguard.retrievers.filling import FillingError, query_values
from ragguard.retrievers.http_answer import AnswerReader, UnreadableAnswerError
from ragguard.retrievers.http_exchange import Exchange, ExchangeError, Received
from ragguard.retrievers.http_request import RequestTemplate
from ragguard.retrievers.pace import Pace
from ragguard.retrievers.parsing import shown_error
from ragguard.retrievers.secret_values import Secrets

if TYPE_CHECKING:
    from httpx2 import AsyncClient

FAILURES_IN_A_ROW = 10
AHEAD = 4
"""Queries waiting for their turn, for each one in flight."""


class HttpRetriever:
    """Asks a service over HTTP; one host, `concurrency` requests in flight."""

    def __init__(self, settings: RetrieverSettings, variables: Mapping[str, str]) -> None:
        """Nothing is asked yet.

        Args:
            settings: those of the suite.
            variables: values of the environment variables that they name.

        Raises:
            ConfigError: with these values the settings make no request.
        """
        self._settings = settings
        self._template = RequestTemplate(settings, variables)
        self._secrets = Secrets(variables)
        self._reader = AnswerReader(settings.options, self._secrets)
        self._in_a_row = 0
        self.environment: Mapping[str, Any] = {}
        self.warnings: Sequence[str] = ()

    @property
    def description(self) -> dict[str, Any]:
        """Kind and address as configured."""
        return {"kind": "http", "target": self._settings.target}

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """One reply per query, in order; a service that cannot be reached is given up.

        Raises:
            RetrieverError: the proxy settings of the environment cannot be used.
        """
        self._in_a_row = 0
        most = self._settings.concurrency * (1 + AHEAD)
        with asyncio.Runner() as runner:
            client = runner.run(self._client())
            exchange = Exchange(
                client,
                Pace(self._settings.options.get("rate")),
                timeout=self._settings.timeout,
                retries=self._settings.options.get("retries", 3),
                secrets=self._secrets,
            )
            turns = asyncio.Semaphore(self._settings.concurrency)
            waiting, rest = deque[asyncio.Task[Reply]](), iter(queries)
            try:
                for _ in queries:
                    while len(waiting) < most and (query := next(rest, None)) is not None:
                        asked = self._asked(query, depth, exchange, turns)
                        waiting.append(runner.get_loop().create_task(asked))
                    yield runner.run(_finished(waiting.popleft()))
            finally:
                runner.run(_ended(waiting, client))

    async def _client(self) -> AsyncClient:
        import httpx2

        for noisy in ("httpx2", "httpcore2"):  # they would log addresses with what is filled in
            logging.getLogger(noisy).setLevel(logging.WARNING)
        most = self._settings.concurrency
        try:
            client = httpx2.AsyncClient(
                timeout=None,
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=most, max_keepalive_connections=most),
            )
        except (ValueError, ImportError, OSError, httpx2.InvalidURL) as error:
            raise RetrieverError(
                self._secrets.hidden(f"cannot ask {self._template.shown}: {error}"),
                hint="look at HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY and SSL_CERT_FILE",
            ) from None
        # A cookie of one query must not decide what the next one finds.
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        return client

    async def _asked(
        self, query: Query, depth: int, exchange: Exchange, turns: asyncio.Semaphore
    ) -> Reply:
        async with turns:
            if self._in_a_row >= FAILURES_IN_A_ROW:
                why = f"{self._in_a_row} queries in a row got no answer"
                return Reply(self._failure("error", f"not asked: given up after {why}"))
            try:
                request = self._template.request(query_values(query, depth))
                received = await exchange.carry_out(request)
            except FillingError as error:
                return Reply(self._failure("error", f"not asked: {error}"))
            except ExchangeError as error:
                self._in_a_row = self._in_a_row + 1 if error.concerns_all else 0
                return Reply(self._failure(error.kind, str(error)))
        self._in_a_row = 0
        return Reply(self._read(received, depth), received.latency_ms)

    def _read(self, received: Received, depth: int) -> Any:
        try:
            message = self._reader.message(received.content)
        except UnreadableAnswerError as error:
            kind = received.headers.get("content-type", "no content type")
            return self._failure("error", f"{received.told} ({kind}), but {error}")
        outcome = discreet(message, depth, self._secrets)
        if isinstance(outcome, Failure):
            return Failure(
                outcome.kind, f"{self._template.shown}: {received.told}: {outcome.message}"
            )
        return outcome

    def _failure(self, kind: Any, message: str) -> Failure:
        return Failure(
            kind, shown_error(self._secrets.hidden(f"{self._template.shown}: {message}"))
        )


async def _finished(task: asyncio.Task[Reply]) -> Reply:
    return await task


async def _ended(tasks: Sequence[asyncio.Task[Reply]], client: AsyncClient) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await client.aclose()
