"""A server on a real socket that handles each connection as the test specifies."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

Script = Callable[[socket.socket, bytes], None]
"""Receives the connection and the head of a request. It decides whether and how to answer."""


class ScriptedServer:
    """Keeps connections open between requests, as servers do, unless the script closes them."""

    def __init__(self) -> None:
        self.script: Script = lambda connection, head: None
        self.heads: list[bytes] = []
        """The heads of the requests, in their order."""
        self.connection_count = 0
        self.asked = threading.Event()
        """Set when a request has arrived."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def rcs_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/rcs"

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connection_count += 1
            self._open.add(connection)
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            for head in requests_of(connection):
                self.heads.append(head)
                self.asked.set()
                self.script(connection, head)
        self._open.discard(connection)


def requests_of(connection: socket.socket) -> Iterator[bytes]:
    """Yields the heads of the requests on a connection; bodies are read and ignored."""
    buffer = b""
    while True:
        while b"\r\n\r\n" not in buffer:
            received = connection.recv(65_536)
            if not received:
                return
            buffer += received
        head, _, buffer = buffer.partition(b"\r\n\r\n")
        length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
        while len(buffer) < length:
            buffer += connection.recv(65_536)
        buffer = buffer[length:]
        yield head


def answer(body: bytes, *, status: str = "200 OK", length: int | None = None, headers: str = "") -> bytes:
    """Returns an answer as bytes; `length` may be wrong."""
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {size}\r\n{headers}\r\n".encode() + body
