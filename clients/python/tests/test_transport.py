"""Real sockets: exchanges that break off, stall or are given up."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, ROBOT, Kind, close, outcome_of
from platform_robot_sdk import AsyncClient, CallTimeoutError, Client, PlatformAPIError, PlatformConnectionError, connect
from scripted_server import ScriptedServer, answer

GOOD = answer(json.dumps(ROBOT).encode())


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    server = ScriptedServer()
    server.script = lambda connection, head: connection.sendall(GOOD)
    yield server
    server.close()


async def get(kind: Kind, server: ScriptedServer, **settings: Any) -> Any:
    """Asks for a robot, once, with a new client."""
    client = kind(rcs_url=server.rcs_url, api_key=API_KEY, **{"max_retries": 0, **settings})
    if isinstance(client, AsyncClient):
        async with client:
            return await client.robots.get("robot-1")
    with client:
        return await asyncio.to_thread(client.robots.get, "robot-1")


async def test_an_answer_over_a_real_socket(kind: Kind, server: ScriptedServer) -> None:
    assert (await get(kind, server)).name == "Ada"


async def test_an_answer_that_breaks_off_is_a_transport_failure(kind: Kind, server: ScriptedServer) -> None:
    def break_off(connection: socket.socket, head: bytes) -> None:
        connection.sendall(answer(b'{"id": "robo', length=500))
        connection.shutdown(socket.SHUT_RDWR)

    server.script = break_off
    with pytest.raises(PlatformConnectionError, match="cannot be reached"):
        await get(kind, server)


async def test_a_get_whose_connection_breaks_is_tried_again(kind: Kind, server: ScriptedServer, waits_s: list[float]) -> None:
    def break_once(connection: socket.socket, head: bytes) -> None:
        if len(server.heads) == 1:
            connection.shutdown(socket.SHUT_RDWR)
        else:
            connection.sendall(GOOD)

    server.script = break_once
    assert (await get(kind, server, max_retries=1)).name == "Ada"
    assert len(waits_s) == 1


async def test_a_server_that_says_nothing_is_a_timeout(kind: Kind, server: ScriptedServer) -> None:
    server.script = lambda connection, head: None
    started_s = time.monotonic()
    with pytest.raises(CallTimeoutError, match=r"within 0\.3 s"):
        await get(kind, server, timeout=0.3)
    assert time.monotonic() - started_s < 5


async def test_an_answer_that_is_not_http_is_a_transport_failure(kind: Kind, server: ScriptedServer) -> None:
    server.script = lambda connection, head: connection.sendall(b"SSH-2.0-OpenSSH_9.0\r\n\r\n")
    with pytest.raises(PlatformConnectionError):
        await get(kind, server)


async def test_nobody_listens(kind: Kind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    client = kind(rcs_url=f"http://127.0.0.1:{port}/rcs", api_key=API_KEY, max_retries=0)
    with pytest.raises(PlatformConnectionError, match=f"127.0.0.1:{port}") as raised:
        await outcome_of(client.robots.get("robot-1"))
    assert API_KEY not in f"{raised.value!r} {raised.value.__cause__!r}"


async def test_a_proxy_of_the_environment_is_used_but_not_for_this_machine(
    kind: Kind, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = ScriptedServer()
    proxy.script = lambda connection, head: connection.sendall(GOOD)
    for name in ("NO_PROXY", "no_proxy", "http_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
    await get(kind, server)
    assert proxy.heads == []
    client = kind(rcs_url="http://platform.test/rcs", api_key=API_KEY)
    robot = await outcome_of(client.robots.get("robot-1"))
    assert robot.name == "Ada"
    assert proxy.heads[0].startswith(b"GET http://platform.test/rcs/v1/robots/robot-1 ")
    await close(client)
    proxy.close()


async def test_a_cancelled_task_ends_at_once_and_leaves_the_client_usable(server: ScriptedServer) -> None:
    server.script = lambda connection, head: None
    async with AsyncClient(rcs_url=server.rcs_url, api_key=API_KEY) as client:
        task = asyncio.create_task(client.robots.get("robot-1"))
        await asyncio.to_thread(server.asked.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(server.heads) == 1
        server.script = lambda connection, head: connection.sendall(GOOD)
        assert (await client.robots.get("robot-1")).name == "Ada"


async def test_a_time_limit_of_the_program_is_not_taken_for_that_of_the_call(server: ScriptedServer) -> None:
    server.script = lambda connection, head: None
    async with AsyncClient(rcs_url=server.rcs_url, api_key=API_KEY) as client:
        with pytest.raises(TimeoutError) as raised:
            async with asyncio.timeout(0.2):
                await client.robots.get("robot-1")
    assert not isinstance(raised.value, CallTimeoutError)
    assert len(server.heads) == 1


# Connections of a closed loop cannot be closed: the collector drops them, and warns.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_one_async_client_serves_one_event_loop_after_the_other(server: ScriptedServer) -> None:
    client = AsyncClient(rcs_url=server.rcs_url, api_key=API_KEY)

    async def name() -> str:
        return (await client.robots.get("robot-1")).name

    assert [asyncio.run(name()) for _ in range(3)] == ["Ada"] * 3
    asyncio.run(client.aclose())
    gc.collect()


def test_threads_share_a_client(server: ScriptedServer) -> None:
    with Client(rcs_url=server.rcs_url, api_key=API_KEY) as client, ThreadPoolExecutor(8) as threads:
        names = list(threads.map(lambda _: client.robots.get("robot-1").name, range(100)))
    assert names == ["Ada"] * 100
    assert server.connection_count <= 8


def test_a_forked_child_has_connections_of_its_own(server: ScriptedServer) -> None:
    program = """
import os, sys
from platform_robot_sdk import Client
client = Client()
assert client.robots.get("robot-1").name == "Ada"
child = os.fork()
assert client.robots.get("robot-1").name == "Ada"
if child == 0:
    client.close()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert client.robots.get("robot-1").name == "Ada"
client.close()
"""
    run = subprocess.run([sys.executable, "-c", program], env=environment(server), capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    assert (len(server.heads), server.connection_count) == (4, 2)


@pytest.mark.parametrize(
    "program",
    [
        "from platform_robot_sdk import Client\nwith Client(timeout=60) as client: client.robots.get('robot-1')",
        "import asyncio\nfrom platform_robot_sdk import AsyncClient\n"
        "async def main():\n async with AsyncClient(timeout=60) as client: await client.robots.get('robot-1')\n"
        "asyncio.run(main())",
    ],
    ids=["Client", "AsyncClient"],
)
def test_ctrl_c_ends_a_call_that_waits_at_once(server: ScriptedServer, program: str) -> None:
    server.script = lambda connection, head: None
    # A shell starts background processes with Ctrl-C ignored, and their children would inherit that.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    run = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", program],
        env=environment(server),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heard,
    )
    assert server.asked.wait(30)
    wait_until_asleep(run.pid)
    run.send_signal(signal.SIGINT)
    try:
        _, said = run.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        # If the process hangs, this signal makes it print where.
        run.send_signal(signal.SIGABRT)
        pytest.fail(run.communicate()[1])
    assert "KeyboardInterrupt" in said
    assert API_KEY not in said
    assert len(server.heads) == 1


def wait_until_asleep(pid: int) -> None:
    """Waits until the process waits. Python notices a signal in the moment before its wait only after the wait."""
    stat = Path(f"/proc/{pid}/stat")
    while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "S":
        time.sleep(0.001)


def environment(server: ScriptedServer) -> dict[str, str]:
    source = Path(__file__).resolve().parents[1] / "src"
    return {**os.environ, "PYTHONPATH": str(source), "PLATFORM_RCS_URL": server.rcs_url, "PLATFORM_API_KEY": API_KEY}


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    # A socket that was left open warns when it is collected, and a warning fails the test.
    gc.collect()


def test_the_traceback_of_an_unreachable_platform_has_the_reason_and_no_frames_of_its_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    client = Client(rcs_url=f"http://127.0.0.1:{port}/rcs", api_key=API_KEY, max_retries=0)
    with client, pytest.raises(PlatformConnectionError) as raised:
        client.robots.list()
    shown = traceback.format_exception(raised.value)
    assert "httpx.ConnectError" in shown[0]
    assert "refused" in shown[0]
    frames = [frame.filename for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert frames[0] == __file__
    assert len(frames) == 3, frames
    assert len("".join(shown).splitlines()) <= 15


async def test_the_traceback_of_a_refused_key_is_as_short() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(401))
    async with AsyncClient(rcs_url="http://platform.test/rcs", api_key=API_KEY, transport=transport) as client:
        with pytest.raises(PlatformAPIError) as refused:
            await client.robots.list()
        assert len(traceback.extract_tb(refused.value.__traceback__)) == 3
        with pytest.raises(PlatformAPIError) as unopened:
            await connect(client, "robot-1", join_livekit=False)
    assert len(traceback.extract_tb(unopened.value.__traceback__)) <= 3
