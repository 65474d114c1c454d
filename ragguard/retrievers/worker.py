"""Asking a retriever that runs in a process of its own (the worker protocol, client side)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.errors import RetrieverError
from ragguard.retrievers.answer import Failure, Reply
from ragguard.retrievers.discretion import discreet
from ragguard.retrievers.filling import expanded
from ragguard.retrievers.parsing import (
    parse_latency,
    recordable,
    shortened,
    shown_error,
)
from ragguard.retrievers.process import WorkerLostError, WorkerProcess, WorkerSilentError
from ragguard.retrievers.secret_values import Secrets

PROTOCOL = 1
START_SECONDS = 120.0
"""How long a worker may take to be ready: importing an embedding model takes its time."""

IN_FLIGHT = 64
"""Questions written ahead, so that neither side waits for the other between two queries. The
worker takes them one after the other; a question's time begins when the one before is answered."""

_TO_START = {
    "python": "name a Python that exists with `interpreter:`",
    "command": "a program is looked for on PATH, or with a slash in its name from the folder of "
    "the configuration; a script needs to be executable, and `#!` in its first line",
}
_TO_BE_READY = {
    "python": "try it by hand: {program} -c 'import {module}'",
    "command": 'try it by hand: to a line on its stdin it answers {{"ready": true}} on stdout, '
    "and flushes that",
}
"""The way out by kind of retriever: when its process cannot start, and when it is never ready."""

FAILURES_IN_A_ROW = 3
RESTARTS = 25


class WorkerRetriever:
    """A retriever behind the worker protocol, restarted within bounds when it fails."""

    def __init__(
        self,
        suite: str,
        settings: RetrieverSettings,
        command: Sequence[str],
        folder: Path,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Prepare; the process starts with the first question.

        Args:
            suite: name of the suite, told to the worker.
            settings: time limit and what the report says of the retriever.
            command: the program and its arguments.
            folder: its working directory.
            variables: values of the environment variables that the settings name.
        """
        self._suite = suite
        self._settings = settings
        self._command = command
        self._folder = folder
        self._secrets = Secrets(variables or {})
        self._environment = process_environment(settings, variables or {})
        self._process: WorkerProcess | None = None
        self._restarts = 0
        self._in_a_row = 0
        self._depth = 0
        self._introduction: Mapping[str, Any] = {}
        self.warnings: list[str] = []

    @property
    def description(self) -> dict[str, Any]:
        """Kind and target as configured, name as the worker gives it."""
        told = {"kind": self._settings.kind, "target": self._settings.target}
        name = self._introduction.get("name")
        return {**told, "name": name} if name and isinstance(name, str) else told

    @property
    def environment(self) -> dict[str, Any]:
        """Python, platform and `system` as the worker tells them."""
        told = self._introduction.get("environment")
        system = self._introduction.get("system")
        return {
            **(told if isinstance(told, dict) else {}),
            **({"system": system} if system else {}),
        }

    def ask(self, queries: Sequence[Query], depth: int) -> Iterator[Reply]:
        """One reply per query, in order.

        Raises:
            RetrieverError: the worker cannot be started at all, or is never ready.
        """
        self._depth = depth
        done = 0
        try:
            while done < len(queries):
                process = self._running(is_first=not done)
                if isinstance(process, Failure):
                    yield from (Reply(process) for _ in queries[done:])
                    return
                for reply in self._ask_one_process(process, queries[done:]):
                    done += 1
                    yield reply
        finally:
            self._stop()

    def _running(self, *, is_first: bool) -> WorkerProcess | Failure:
        """A process to ask, or why the queries that are left are not asked.

        Raises:
            RetrieverError: the first one cannot be started, so that no query has an answer.
        """
        if self._in_a_row >= FAILURES_IN_A_ROW:
            why = f"{self._in_a_row} queries in a row ended it"
        elif self._restarts > RESTARTS:
            why = f"it had been restarted {RESTARTS} times"
        else:
            try:
                return self._process or self._start()
            except RetrieverError as error:
                if is_first:
                    raise
                return Failure("error", f"not asked: it did not start again: {error.message}")
        return Failure("error", f"not asked: the retriever was given up after {why}")

    def _ask_one_process(self, process: WorkerProcess, queries: Sequence[Query]) -> Iterator[Reply]:
        """Replies until all are answered or the process fails; the failure is the last reply."""
        sent, began = 0, time.monotonic()
        for index in range(len(queries)):
            while sent < min(len(queries), index + IN_FLIGHT):
                process.send(self._question(sent, queries[sent]))
                sent += 1
            try:
                message = process.receive(began + self._settings.timeout)
                if message.get("id") != str(index):
                    told = shortened(self._secrets.hidden_in(message.get("id")))
                    raise WorkerLostError(f"it answered id {told}, but {str(index)!r} was asked")
            except WorkerSilentError:
                yield self._failed(
                    Failure("timeout", f"no answer within {self._settings.timeout:g} s"), began
                )
                return
            except WorkerLostError as error:
                yield self._failed(Failure("error", f"the retriever was lost: {error}"), began)
                return
            self._in_a_row = 0
            yield self._reply(message, began)
            began = time.monotonic()

    def _question(self, index: int, query: Query) -> dict[str, Any]:
        question = {"id": str(index), "query": query.text, "limit": self._depth}
        return {**question, "context": query.context} if query.context else question

    def _reply(self, message: dict[str, Any], began: float) -> Reply:
        latency = parse_latency(message.get("latency_ms"))
        if latency is None:
            latency = (time.monotonic() - began) * 1000
        return Reply(discreet(message, self._depth, self._secrets), latency)

    def _failed(self, failure: Failure, began: float) -> Reply:
        self._stop()
        self._restarts += 1
        self._in_a_row += 1
        return Reply(failure, (time.monotonic() - began) * 1000)

    def _start(self) -> WorkerProcess:
        try:
            process = WorkerProcess(self._command, self._folder, self._environment, self._secrets)
        except RetrieverError as error:
            raise RetrieverError(error.message, hint=self._hint(_TO_START)) from error
        self._process = process
        process.send({"ragguard": PROTOCOL, "depth": self._depth, "suite": self._suite})
        try:
            message = process.receive(time.monotonic() + START_SECONDS)
        except WorkerSilentError:
            raise self._never_ready(f"was not ready within {START_SECONDS:g} s") from None
        except WorkerLostError as error:
            raise self._never_ready(f"could not start: {error}") from None
        message = self._secrets.hidden_in(message)
        if message.get("ready") is not True:
            first = f'it answered {shortened(message)}, where {{"ready": true}} belongs'
            told = shown_error(message["error"]) if message.get("error") is not None else first
            raise self._never_ready(f"could not start: {told}")
        self._introduction = recordable(message)
        return process

    def _never_ready(self, what: str) -> RetrieverError:
        return RetrieverError(
            f"suite {self._suite!r}: the retriever {self._settings.target} {what}",
            hint=self._hint(_TO_BE_READY),
        )

    def _hint(self, hints: Mapping[str, str]) -> str:
        module = str(self._settings.target).partition(":")[0]
        return hints.get(self._settings.kind, "").format(program=self._command[0], module=module)

    def _stop(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def process_environment(
    settings: RetrieverSettings, variables: Mapping[str, str]
) -> dict[str, str] | None:
    """Our own environment and what `env` adds to it; None when it adds nothing."""
    added = settings.options.get("env")
    if not added:
        return None
    return {**os.environ, **{name: expanded(each, variables) for name, each in added.items()}}
