"""An HTTP service on the loopback that answers what a test tells it to."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes
    moment: float

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.content)


@dataclass(frozen=True)
class Told:
    """What to answer."""

    content: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    raw: bytes | None = None
    """Sent as it is in place of everything else; the connection is closed after it."""


Respond = Callable[[Asked], Told]


@dataclass
class Service:
    """A running service and what it was asked."""

    url: str
    respond: Respond
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    at_once: int = 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news."""


@contextmanager
def serving(respond: Respond, tls: tuple[Path, Path] | None = None) -> Iterator[Service]:
    """A service for as long as the block runs; `tls` is its certificate and key."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize: ClassVar[int] = -1

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            asked = Asked(
                self.command,
                self.path,
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(length),
                time.monotonic(),
            )
            with lock:
                service.asked.append(asked)
                service.at_once += 1
                service.most_at_once = max(service.most_at_once, service.at_once)
            told = service.respond(asked)
            time.sleep(told.delay)
            with lock:
                service.at_once -= 1
            self.tell(told)

        do_GET = do_POST = do_PUT = answer  # noqa: N815 - the names that http.server calls

        def tell(self, told: Told) -> None:
            if told.raw is not None:
                self.wfile.write(told.raw)
                self.wfile.flush()
                self.close_connection = True
                return
            is_bytes = isinstance(told.content, bytes)
            content = told.content if is_bytes else json.dumps(told.content).encode()
            self.send_response(told.status)
            for name, value in {"content-type": "application/json", **told.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            self.wfile.flush()

        def log_message(self, *args: Any) -> None:
            """Nothing to the terminal."""

    server = _Server(("127.0.0.1", 0), Handler)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "https" if tls else "http"
    service = Service(f"{scheme}://127.0.0.1:{server.server_port}", respond)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
