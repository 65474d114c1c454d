"""HTTP on 127.0.0.1 at a port of the system's choice, in a thread, with persistent connections."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.loopback.contract import Answer

Serve = Callable[[str, str, dict[str, str], bytes], Answer | None]


class HttpHost:
    """One host; ``serve`` gets method, target, headers (lower-case names) and body.

    An answer of None drops the connection.
    """

    def __init__(self, serve: Serve) -> None:
        handler = type("Handler", (_Handler,), {"serve": staticmethod(serve)})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        """The address, without a final slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """End, and free the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "loopback", ""
    timeout = 60
    serve: Serve

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.serve(self.command, self.path, headers, body)
        if answer is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if answer.body:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer  # noqa: N815 -- the names it looks up

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 -- its signature
        """Silent: the server records its exchanges itself."""
