"""A worker process: started, spoken to in lines, and ended with everything it started."""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ragguard.errors import RetrieverError
from ragguard.retrievers.parsing import without_control
from ragguard.retrievers.secret_values import NO_SECRETS, Secrets

Message = dict[str, Any]

_CHUNK = 1 << 16
_LOG_READ, _LOG_TAIL = 1 << 16, 2_000
_LONGEST_LINE = 64 << 20
_LOOK_EVERY = 0.5
"""Seconds between two looks at whether a silent process still lives."""


class WorkerLostError(Exception):
    """The worker has died, or said something that is no answer."""


class WorkerSilentError(Exception):
    """The worker did not say anything in time."""


class WorkerProcess:
    """A process that answers JSON lines on stdin with JSON lines on stdout.

    Its stderr is its log, kept in a temporary file. It leads a process group of its own, so that
    ending it ends whatever it started.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        secrets: Secrets = NO_SECRETS,
    ) -> None:
        """Start the process.

        Args:
            command: the program and its arguments.
            folder: its working directory.
            environment: its whole environment; None for ragguard's own.
            secrets: what no message may hold.

        Raises:
            RetrieverError: the command cannot be run.
        """
        self._secrets = secrets
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own retriever
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._log.close()
            raise RetrieverError(
                f"cannot start the retriever with {command[0]!r}: {error.strerror or error}"
            ) from error
        self._stdin = self._descriptor(self._process.stdin)
        self._stdout = self._descriptor(self._process.stdout)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._messages: deque[bytes] = deque()

    @staticmethod
    def _descriptor(stream: Any) -> int:
        descriptor: int = stream.fileno()
        os.set_blocking(descriptor, False)
        return descriptor

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message; it is written while waiting for answers."""
        if not self._outgoing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outgoing += json.dumps(message, ensure_ascii=True).encode("ascii") + b"\n"

    def receive(self, deadline: float) -> Message:
        """The next message.

        Args:
            deadline: until when to wait, on the clock of `time.monotonic`.

        Raises:
            WorkerSilentError: nothing came in time.
            WorkerLostError: the process has ended, or printed something that is no message.
        """
        while not self._messages:
            left = deadline - time.monotonic()
            if left <= 0:
                raise WorkerSilentError
            # Looked at before reading: what it said before it ended is then there to be read. Its
            # end does not show on stdout while something it started holds that open.
            has_ended = self._process.poll() is not None
            ready = self._selector.select(0 if has_ended else min(left, _LOOK_EVERY))
            if has_ended and not ready:
                raise WorkerLostError(self._ending())
            for key, _ in ready:
                if key.fd == self._stdout:
                    self._read()
                else:
                    self._write()
        return self._decoded(self._messages.popleft())

    def _read(self) -> None:
        data = os.read(self._stdout, _CHUNK)
        if not data:
            raise WorkerLostError(self._ending())
        self._incoming += data
        if b"\n" in data:
            *lines, rest = bytes(self._incoming).split(b"\n")
            self._incoming = bytearray(rest)
            self._messages.extend(lines)
        elif len(self._incoming) > _LONGEST_LINE:
            raise WorkerLostError(
                "it wrote more than 64 MiB without a line end; leave large texts out of its results"
            )

    def _write(self) -> None:
        try:
            written = os.write(self._stdin, self._outgoing[:_CHUNK])
        except BrokenPipeError:
            # What it said last may still be waiting on stdout, so the end is noticed there.
            written = len(self._outgoing)
        del self._outgoing[:written]
        if not self._outgoing:
            self._selector.unregister(self._stdin)

    def _decoded(self, line: bytes) -> Message:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            text = self._secrets.hidden(line[:_LOG_READ].decode("utf-8", "replace"))[:200]
            raise WorkerLostError(
                f"it printed {text!r} to stdout, where only answers belong (stderr is its log)"
            )
        return message

    def _ending(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its stdout"
        if code < 0:
            return f"it was killed by {_signal_name(-code)}{self.log_tail()}"
        return f"it ended with exit code {code}{self.log_tail()}"

    def log_tail(self) -> str:
        """The end of its log, introduced; empty when it logged nothing."""
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - _LOG_READ))
        # Hidden before it is cut: half a secret would not be found.
        text = self._secrets.hidden(self._log.read().decode("utf-8", "replace"))
        text = text.strip()[-_LOG_TAIL:]
        # A progress bar ends its states with a lone carriage return: each is a line of its own.
        lines = without_control(re.sub("\r\n?", "\n", text)).split("\n")[-8:] if text else []
        return "; its log ends:\n    " + "\n    ".join(lines) if lines else ""

    def close(self) -> None:
        """End the process and everything it started, at once."""
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        self._log.close()


def _signal_name(number: int) -> str:
    """Its name, or its number: the real-time signals have no names."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
