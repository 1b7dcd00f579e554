"""A deadline for a whole blocking request.

httpx limits each wait for the network, but not their sum. A server that sends a few bytes now and then could keep its
caller waiting forever. Here each wait gets only the rest of the whole time.
"""

from __future__ import annotations

import math
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx

# Bytes handed to the network at a time. Each piece gets the rest of the time.
_WRITE_BYTES = 16 * 1024


class Deadline(threading.local):
    """The deadline of the request that this thread carries out, on the monotonic clock."""

    ends_s: float = math.inf

    def left_s(self, limit_s: float | None, late: type[httpcore.TimeoutException]) -> float:
        """Returns the rest of the time, at most `limit_s`. Raises `late` when the time is up."""
        left_s = min(self.ends_s - time.monotonic(), math.inf if limit_s is None else limit_s)
        if left_s <= 0:
            raise late("the time for the whole request is up")
        return left_s


def hold_to(deadline: Deadline, http: httpx.Client) -> None:
    """Applies the deadline to all connections of the client, including those through proxies of the environment."""
    # httpx passes no network backend to its connection pools. The names used here are private, so its version is bounded.
    for transport in (http._transport, *http._mounts.values()):
        if isinstance(transport, httpx.HTTPTransport):
            pool = transport._pool
            pool._network_backend = DeadlineBackend(pool._network_backend, deadline)


class DeadlineBackend(httpcore.NetworkBackend):
    """Connections whose waits all end at the deadline. Only the system's name resolution takes its own time."""

    def __init__(self, inner: httpcore.NetworkBackend, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Tries the addresses of the host in turn, each for its share of the remaining time."""
        addresses = _addresses(host, port)
        options = None if socket_options is None else list(socket_options)
        for count_left in range(len(addresses), 0, -1):
            part_s = self._deadline.left_s(timeout, httpcore.ConnectTimeout) / count_left
            try:
                stream = self._inner.connect_tcp(addresses[-count_left], port, part_s, local_address, options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if count_left == 1:
                    raise
            else:
                return _DeadlineStream(stream, self._deadline)
        raise httpcore.ConnectError("the name has no address")

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Connects a transport that the program made."""
        left_s = self._deadline.left_s(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._inner.connect_unix_socket(path, left_s, socket_options), self._deadline)

    def sleep(self, seconds: float) -> None:
        """Waits before another attempt to connect, for a transport that the program made."""
        self._inner.sleep(min(seconds, self._deadline.left_s(None, httpcore.ConnectTimeout)))


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left_s(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITE_BYTES):
            self._inner.write(buffer[start : start + _WRITE_BYTES], self._deadline.left_s(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left_s = self._deadline.left_s(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._inner.start_tls(ssl_context, server_hostname, left_s), self._deadline)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401
        return self._inner.get_extra_info(info)


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        numeric = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
        return list(dict.fromkeys(socket.getnameinfo(address, numeric)[0] for *_, address in found))
    except OSError as cause:
        raise httpcore.ConnectError(str(cause)) from cause
