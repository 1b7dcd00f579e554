"""A malicious service or proxy: what it sends costs little, ends in time and reveals nothing."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import socket
import threading
import traceback
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import httpcore
import httpx
import pytest

from platform_double import API_KEY, ROBOT, SESSION, Kind, close
from platform_robot_sdk import (
    AsyncClient,
    CallTimeoutError,
    Client,
    PlatformConnectionError,
    PlatformSDKError,
    RcwRuntimeError,
    _deadline,
    _senders,
)
from scripted_server import Script, ScriptedServer, answer

GOOD = answer(json.dumps(ROBOT).encode())
ESCAPED_KEY = "".join(f"\\u{ord(character):04x}" for character in API_KEY)


@pytest.fixture
def servers() -> Iterator[Callable[[Script], ScriptedServer]]:
    made: list[ScriptedServer] = []

    def make(script: Script) -> ScriptedServer:
        made.append(ScriptedServer())
        made[-1].script = script
        return made[-1]

    yield make
    for server in made:
        server.close()
    # A socket that was left open warns when it is collected, and a warning fails the test.
    gc.collect()


class Caller:
    """A client, blocking or not, and its request."""

    def __init__(self, kind: Kind, server: ScriptedServer, **settings: Any) -> None:
        self._client = kind(rcs_url=server.rcs_url, api_key=API_KEY, **{"max_retries": 0, **settings})

    async def __aenter__(self) -> Caller:
        return self

    async def __aexit__(self, *_: object) -> None:
        await close(self._client)

    async def ask(self, operation: str = "get", *args: Any, robot_id: str = "robot-1", **fields: Any) -> Any:
        call = getattr(self._client.robots, operation)
        if isinstance(self._client, AsyncClient):
            return await call(robot_id, *args, **fields)
        return await asyncio.to_thread(call, robot_id, *args, **fields)

    async def refusal(self, operation: str = "get", *args: Any) -> Exception:
        with pytest.raises(PlatformSDKError) as raised:
            await self.ask(operation, *args)
        return raised.value


def says(*parts: bytes) -> Script:
    return lambda connection, head: connection.sendall(b"".join(parts))


@cache
def packed(times: int) -> bytes:
    """64 MiB of blanks, compressed by gzip inside gzip."""
    return gzip.compress(b" " * 64 * 1024 * 1024 if times == 1 else packed(times - 1), 1)


async def test_a_compressed_answer_is_refused_before_it_is_unpacked(
    kind: Kind, servers: Callable[[Script], ScriptedServer]
) -> None:
    server = servers(says())
    async with Caller(kind, server) as caller:
        for encoding, status in (
            ("gzip", "200 OK"),
            ("gzip, gzip", "200 OK"),
            ("gzip", "500 Internal Server Error"),
            ("br", "200 OK"),
        ):
            content = packed(encoding.count(",") + 1)
            server.script = says(answer(content, status=status, headers=f"content-encoding: {encoding}\r\n"))
            tracemalloc.start()
            try:
                error = await caller.refusal()
                _, peak_bytes = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            assert f"(HTTP {status[:3]}) is compressed" in str(error)
            assert "PLATFORM_RCS_URL" in str(error)
            assert peak_bytes < 32 * 1024 * 1024
        assert b"\r\naccept-encoding: identity\r\n" in server.heads[0].lower()
        server.script = says(answer(json.dumps(ROBOT).encode(), headers="content-encoding: Identity\r\n"))
        assert (await caller.ask()).name == "Ada"


@pytest.mark.parametrize(
    ("first", "drop"),
    [(b"HTTP/1.1 200 OK\r\n", b"x: y\r\n"), (b"", b"HTTP/1.1 100 Continue\r\n\r\n"), (answer(b"", length=10_000), b" ")],
    ids=["header lines", "100 Continue", "a body"],
)
async def test_an_answer_that_trickles_ends_with_the_time_limit_of_the_whole(
    kind: Kind, servers: Callable[[Script], ScriptedServer], first: bytes, drop: bytes
) -> None:
    ended = threading.Event()

    def trickle(connection: socket.socket, head: bytes) -> None:
        connection.sendall(first)
        # The loop is limited, so that a client without a limit fails the test instead of blocking it.
        for _ in range(300):
            if ended.wait(0.05):
                return
            connection.sendall(drop)

    server = servers(trickle)
    async with Caller(kind, server, timeout=0.4) as caller:
        with pytest.raises(CallTimeoutError, match=r"within 0\.4 s"):
            await caller.ask()
    ended.set()


async def test_a_call_that_trickles_takes_no_time_from_the_calls_beside_and_behind_it(
    kind: Kind, servers: Callable[[Script], ScriptedServer]
) -> None:
    ended = threading.Event()

    def script(connection: socket.socket, head: bytes) -> None:
        if b"/slow" not in head:
            connection.sendall(GOOD)
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not ended.wait(0.05):
            connection.sendall(b"x: y\r\n")

    server = servers(script)
    async with Caller(kind, server) as caller:
        slow = asyncio.create_task(caller.ask(robot_id="slow", timeout_s=0.4))
        assert (await caller.ask()).name == "Ada"
        with pytest.raises(CallTimeoutError):
            await slow
        ended.set()
        # In the thread, or the loop, whose last call timed out.
        assert (await caller.ask()).name == "Ada"


class Clock:
    """A clock that advances only while the network is awaited."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s


class Trickle(httpcore.NetworkBackend, httpcore.NetworkStream):
    """A network that delivers a piece of an answer each second, and notes the timeout of each wait."""

    def __init__(self, clock: Clock, pieces: list[bytes]) -> None:
        self._clock = clock
        self._pieces = pieces
        self.limits_s: list[float | None] = []

    def connect_tcp(self, *_: Any, **__: Any) -> httpcore.NetworkStream:
        return self

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        pass

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self.limits_s.append(timeout)
        self._clock.now_s += 1
        return self._pieces.pop(0)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("drop", [b"x: y\r\n", b"\r\nHTTP/1.1 100 Continue\r\n"], ids=["header lines", "100 Continue"])
def test_each_wait_of_a_blocking_call_has_what_is_left_of_the_whole(monkeypatch: pytest.MonkeyPatch, drop: bytes) -> None:
    clock = Clock()
    network = Trickle(clock, [b"HTTP/1.1 100 Continue\r\n", *[drop] * 20, b"\r\n" + GOOD])
    transport = httpx.HTTPTransport()
    transport._pool._network_backend = network
    monkeypatch.setattr(_senders, "time", clock)
    monkeypatch.setattr(_deadline, "time", clock)
    with (
        Client(rcs_url="http://127.0.0.1/rcs", api_key=API_KEY, timeout=3, max_retries=0, transport=transport) as client,
        pytest.raises(CallTimeoutError, match="within 3 s"),
    ):
        client.robots.get("robot-1")
    assert network.limits_s == [3, 2, 1]


async def test_a_redirect_brings_the_key_to_no_other_host(kind: Kind, servers: Callable[[Script], ScriptedServer]) -> None:
    other, server = servers(says(GOOD)), servers(says())
    async with Caller(kind, server) as caller:
        for status in (301, 302, 303, 307, 308):
            location = f"location: {other.rcs_url}/v1/robots/robot-1\r\n"
            server.script = says(answer(b"", status=f"{status} Moved", headers=location))
            error = await caller.refusal()
            assert isinstance(error, PlatformConnectionError)
            assert f"redirect (HTTP {status}), which is not followed" in str(error)
    assert len(server.heads) == 5
    assert other.connection_count == 0


def reported(error: BaseException) -> str:
    """Returns all that a log, a traceback or a debugger shows of an error and its causes."""
    shown = ["".join(traceback.format_exception(error)), repr(error), repr(vars(error)), repr(error.args)]
    for source in (error.__cause__, error.__context__):
        if source is not None:
            shown.append(reported(source))
    return "\n".join(shown)


REFUSALS = {
    "message": f'{{"code": "x", "message": "bad {ESCAPED_KEY}"}}',
    "code": f'{{"code": "{ESCAPED_KEY}", "message": "m"}}',
    "error": f'{{"error": {{"message": "bad {ESCAPED_KEY}"}}}}',
    "validation": f'{{"detail": [{{"loc": ["{ESCAPED_KEY}"], "msg": "{ESCAPED_KEY}"}}]}}',
    "details": f'{{"message": "m", "details": {{"hint": "{ESCAPED_KEY}", "deep": [[{{"x": "{ESCAPED_KEY}"}}]]}}}}',
    "name of a detail": f'{{"message": "m", "details": {{"{ESCAPED_KEY}": 1}}}}',
    "request id": f'{{"message": "m", "details": {{"request_id": "{ESCAPED_KEY}"}}}}',
    "text": f"bad {API_KEY}",
    "too deep": f'{{"message": "{API_KEY}", "details": {"[" * 900}"{ESCAPED_KEY}"{"]" * 900}}}',
}


async def test_an_error_holds_no_key_however_the_answer_writes_it(
    kind: Kind, servers: Callable[[Script], ScriptedServer]
) -> None:
    server = servers(says())
    async with Caller(kind, server) as caller:
        for name, body in REFUSALS.items():
            for status in ("400 Bad Request", "401 Unauthorized"):
                server.script = says(answer(body.encode(), status=status))
                assert API_KEY not in reported(await caller.refusal()), name
        headers = f"x-request-id: {API_KEY}\r\nretry-after: {API_KEY}\r\n"
        server.script = says(answer(b'{"message": "m"}', status=f"400 {API_KEY}", headers=headers))
        error = await caller.refusal()
        assert API_KEY not in reported(error)
        assert "Request id: [redacted]" in reported(error)
        server.script = says(answer(b"", headers=f"content-encoding: {API_KEY}\r\n"))
        assert API_KEY not in reported(await caller.refusal())
        server.script = says(f"SSH-2.0 {API_KEY}\r\n\r\n".encode())
        error = await caller.refusal()
        assert isinstance(error, PlatformConnectionError)
        assert API_KEY not in reported(error)


async def test_errors_of_what_came_as_a_good_answer_hold_no_key(
    kind: Kind, servers: Callable[[Script], ScriptedServer]
) -> None:
    metadata = {**SESSION["room_metadata"], "required_participants": {API_KEY: 5}}
    deep = f'{"[" * 300}"{ESCAPED_KEY}"{"]" * 300}'
    details = f'{{"hint": "{ESCAPED_KEY}", "deep": {deep}}}'
    problem = f'{{"code": "BUSY", "message": "{ESCAPED_KEY}", "details": {details}}}'
    server = servers(says(answer(json.dumps({**SESSION, "room_metadata": metadata}).encode())))
    async with Caller(kind, server) as caller:
        error = await caller.refusal("create_session")
        assert API_KEY not in reported(error)
        assert "[redacted]" in str(error)
        server.script = says(answer(f'{{"status": "failed", "error": {problem}}}'.encode()))
        error = await caller.refusal("send_session_command", "cancel")
    assert isinstance(error, RcwRuntimeError)
    assert (error.code, error.runtime_message) == ("BUSY", "[redacted]")
    assert API_KEY not in reported(error)
