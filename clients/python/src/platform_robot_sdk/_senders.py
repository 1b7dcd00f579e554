"""The senders of requests: one blocks its thread, the other awaits. The decisions are in `_http.py`."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from typing import TypeVar
from weakref import WeakKeyDictionary

import httpx

from ._deadline import Deadline, hold_to
from ._http import ANSWER_MAX_BYTES, Answer, Call, Exchange, Finished, HttpRequest, Unanswered
from ._network import Network, read_network
from ._settings import Settings
from ._short_errors import EXPLAINED
from .errors import PlatformSDKError

T = TypeVar("T")

# Shorter than the 5 s after which servers close an idle connection, so that no request meets a closing one.
_LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=3.0)


class SyncSender:
    """Sends from any thread. After a fork the child makes its own connections."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None) -> None:
        self.settings = settings
        self.transport = transport
        self._network = network_of(settings, transport)
        self._closed = False
        self._deadline = Deadline()
        self._made_in = os.getpid()
        self._http = self._make()

    def send(self, call: Call[T]) -> T:
        try:
            exchange = Exchange(self.settings, call)
            while True:
                decision = exchange.decide(self._attempt(exchange.request))
                if isinstance(decision, Finished):
                    return decision.value
                time.sleep(decision.wait_s)
        except EXPLAINED as error:
            error.__traceback__ = None
            raise error

    def close(self) -> None:
        self._closed = True
        if self._made_in == os.getpid():
            self._http.close()

    def _attempt(self, request: HttpRequest) -> Answer | Unanswered:
        refuse_closed(self._closed)
        if self._made_in != os.getpid():
            # The inherited connections belong to the parent.
            self._made_in, self._http = os.getpid(), self._make()
        self._deadline.ends_s = ends_s = time.monotonic() + request.timeout_s
        try:
            with self._http.stream(
                request.method, request.url, headers=request.headers, content=request.content, timeout=request.timeout_s
            ) as response:
                refuse_compressed(response)
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    refuse_huge(len(content))
                    if time.monotonic() > ends_s:
                        return Unanswered(is_timeout=True)
                return Answer(response.status_code, response.headers, bytes(content))
        except httpx.TimeoutException as cause:
            return Unanswered(is_timeout=True, cause=cause)
        except httpx.RequestError as cause:
            return Unanswered(is_timeout=False, cause=cause, hint=self._network.hint(cause))

    def _make(self) -> httpx.Client:
        http = httpx.Client(
            transport=self.transport,
            proxy=self._network.proxy,
            verify=self._network.tls,
            trust_env=False,
            follow_redirects=False,
            limits=_LIMITS,
        )
        hold_to(self._deadline, http)
        return http


class AsyncSender:
    """Sends from any event loop. Connections belong to the loop that made them."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self.settings = settings
        self.transport = transport
        self._network = network_of(settings, transport)
        self._closed = False
        self._lock = threading.Lock()
        self._made_in = os.getpid()
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()
        # For the first loop.
        self._spare: httpx.AsyncClient | None = self._make()

    async def send(self, call: Call[T]) -> T:
        try:
            exchange = Exchange(self.settings, call)
            while True:
                decision = exchange.decide(await self._attempt(exchange.request))
                if isinstance(decision, Finished):
                    return decision.value
                await asyncio.sleep(decision.wait_s)
        except EXPLAINED as error:
            error.__traceback__ = None
            raise error

    async def aclose(self) -> None:
        self._closed = True
        with self._lock:
            http = self._by_loop.pop(asyncio.get_running_loop(), None)
            # Connections of other loops end with their loops: they cannot be awaited from here.
            self._by_loop.clear()
            self._spare = None
        if http is not None and self._made_in == os.getpid():
            await http.aclose()

    async def _attempt(self, request: HttpRequest) -> Answer | Unanswered:
        refuse_closed(self._closed)
        http = self._of_this_loop()
        limit = asyncio.timeout(request.timeout_s)
        try:
            async with (
                limit,
                http.stream(
                    request.method, request.url, headers=request.headers, content=request.content, timeout=request.timeout_s
                ) as response,
            ):
                refuse_compressed(response)
                content = bytearray()
                async for chunk in response.aiter_bytes():
                    content += chunk
                    refuse_huge(len(content))
                return Answer(response.status_code, response.headers, bytes(content))
        except httpx.TimeoutException as cause:
            return Unanswered(is_timeout=True, cause=cause)
        except httpx.RequestError as cause:
            return Unanswered(is_timeout=False, cause=cause, hint=self._network.hint(cause))
        except TimeoutError:
            if not limit.expired():
                raise
            return Unanswered(is_timeout=True)

    def _of_this_loop(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        # Loops may run in different threads.
        with self._lock:
            if self._made_in != os.getpid():
                self._made_in, self._by_loop, self._spare = os.getpid(), WeakKeyDictionary(), None
            http = self._by_loop.get(loop)
            if http is None:
                http, self._spare = self._spare or self._make(), None
                self._by_loop[loop] = http
            return http

    def _make(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=self.transport,
            proxy=self._network.proxy,
            verify=self._network.tls,
            trust_env=False,
            follow_redirects=False,
            limits=_LIMITS,
        )


def refuse_closed(is_closed: bool) -> None:
    if is_closed:
        raise PlatformSDKError("The client is closed. Make a new one.")


def refuse_compressed(response: httpx.Response) -> None:
    """Raises PlatformSDKError for a compressed answer: a few bytes of it can fill the memory."""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise PlatformSDKError(
            f"The answer (HTTP {response.status_code}) is compressed, although the request did not allow it. "
            "Check that PLATFORM_RCS_URL (rcs_url) names the control service, and check any proxy in front of it."
        )


def refuse_huge(byte_count: int) -> None:
    if byte_count > ANSWER_MAX_BYTES:
        raise PlatformSDKError(
            f"The answer is larger than {ANSWER_MAX_BYTES // 1024**2} MiB, which no answer of the control service is. "
            "Check that PLATFORM_RCS_URL (rcs_url) names it."
        )


def network_of(settings: Settings, transport: object | None) -> Network:
    """Returns the network of the environment; a transport of the program does not use it."""
    return read_network(httpx.URL(settings.rcs_url if transport is None else "http://localhost"))
