"""Calls that are given up half way, made twice, or answered with invalid replies: no task is left behind, and each caller
gets a readable error.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, RCS_URL, SESSION
from platform_robot_sdk import AsyncClient, Client, PlatformSDKError, RcwRuntimeError
from platform_robot_sdk import connection as connection_module
from platform_robot_sdk.connection import ConnectCallbacks, PlatformSession, connect
from realtime.fake_room import RUNTIME, WORKER, FakeRoom, FakeRuntime, RawText, ended
from realtime.service_double import ServiceDouble
from realtime.virtual_time import VirtualTimeLoop

Open = Callable[..., Any]


class SlowService(httpx.AsyncBaseTransport):
    """Accepts a request immediately, and answers it after the given time."""

    def __init__(self, service: ServiceDouble, delay_s: float) -> None:
        self._service = service
        self._delay_s = delay_s
        self.is_closed = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = self._service.reply(request)
        await asyncio.sleep(self._delay_s)
        if self.is_closed:
            raise httpx.ReadError("closed under way")
        return answer

    async def aclose(self) -> None:
        self.is_closed = True


def slow_client(service: ServiceDouble, delay_s: float) -> AsyncClient:
    return AsyncClient(rcs_url=RCS_URL, api_key=API_KEY, transport=SlowService(service, delay_s))


@pytest.mark.parametrize(("is_new", "deleted"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("joins", [True, False])
async def test_connecting_cancelled_while_the_service_opens_the_session_leaves_none_behind(
    room: FakeRoom, is_new: bool, deleted: int, joins: bool
) -> None:
    service = ServiceDouble({**SESSION, "is_new": is_new})
    async with slow_client(service, 0.5) as client:
        options: Any = {"worker_names": [], "transport": lambda: room, "join_livekit": joins}
        opening = asyncio.ensure_future(connect(client, "robot-1", **options))
        await asyncio.sleep(0.1)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
    assert len(service.asked("DELETE", "session")) == deleted
    assert room.joined_with is None


async def test_an_opening_that_is_given_up_is_not_waited_for_without_end(room: FakeRoom, service: ServiceDouble) -> None:
    async with slow_client(service, 25) as client:
        opening = asyncio.ensure_future(connect(client, "robot-1", transport=lambda: room))
        await asyncio.sleep(0.1)
        opening.cancel()
        started = asyncio.get_running_loop().time()
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert asyncio.get_running_loop().time() - started < 6


async def test_two_who_disconnect_at_the_same_time_wait_for_the_same_end(
    room: FakeRoom, service: ServiceDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For a blocking client an async twin is created. It is closed with the session and not earlier.
    monkeypatch.setattr(connection_module, "async_twin", lambda _: slow_client(service, 0.2))
    with Client(rcs_url=RCS_URL, api_key=API_KEY) as client:
        session = await connect(client, "robot-1", transport=lambda: room)
        await asyncio.gather(session.disconnect(), session.disconnect(), session.disconnect())
    assert len(service.asked("DELETE", "session")) == 1


@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.3])
async def test_disconnecting_that_is_cancelled_goes_on_and_can_be_waited_for_again(
    room: FakeRoom, service: ServiceDouble, after_s: float
) -> None:
    async def leave() -> None:
        await asyncio.sleep(0.2)
        room.has_left = True

    room.disconnect = leave  # type: ignore[method-assign]
    async with slow_client(service, 0.2) as client:
        session = await connect(client, "robot-1", transport=lambda: room)
        leaving = asyncio.ensure_future(session.disconnect())
        await asyncio.sleep(after_s)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        await session.disconnect()
    assert room.has_left
    assert len(service.asked("DELETE", "session")) == 1


async def test_a_call_that_waits_for_a_grant_hears_that_the_session_was_left(room: FakeRoom, service: ServiceDouble) -> None:
    room.join(WORKER)
    FakeRuntime(room, WORKER)
    async with slow_client(service, 10) as client:
        session = await connect(client, "robot-1", transport=lambda: room, rcw_identity_prefix="rcw", keep_session=True)
        call = asyncio.ensure_future(session.invoke("walk"))
        await asyncio.sleep(1)
        await session.disconnect()
        # Not CancelledError, because no one has cancelled this call.
        with pytest.raises(PlatformSDKError, match=r"This session was left"):
            await call


async def test_a_callback_that_raises_what_a_cancelled_task_raises_breaks_no_call(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime, caplog: pytest.LogCaptureFixture
) -> None:
    def reported(*_: object) -> None:
        raise asyncio.CancelledError

    callbacks = ConnectCallbacks(
        on_action_result=reported, on_action_event=reported, on_runtime_left=reported, on_disconnected=reported
    )
    async with open_session(callbacks=callbacks) as session:
        assert (await session.invoke("walk")).status == "done"
        room.leave(RUNTIME)
    assert "the callback on_action_result raised CancelledError" in caplog.messages


@pytest.mark.parametrize(
    "text",
    ["[" * 15_000, "[" * 7_000 + "]" * 7_000, '{"x": NaN}', '{"x": -Infinity}', "<html>", ""],
    ids=["open brackets", "deep", "nan", "infinity", "html", "nothing"],
)
async def test_a_reply_that_is_no_json_is_told_as_that(session: PlatformSession, room: FakeRoom, text: str) -> None:
    room.methods["runtime.capabilities"] = lambda _: RawText(text)
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply to runtime\.capabilities is not JSON"):
        await session.get_capabilities()


async def test_no_number_as_a_time_limit_is_refused(session: PlatformSession) -> None:
    for timeout_s in (math.nan, -1.0, 0.0):
        with pytest.raises(RcwRuntimeError, match=f"INVALID_INPUT: timeout_s is {timeout_s:g}; pass seconds above 0"):
            await session.invoke("walk", timeout_s=timeout_s)


async def test_a_wrong_time_limit_does_not_keep_an_emergency_stop_from_its_robot(
    session: PlatformSession, room: FakeRoom
) -> None:
    stood: dict[str, Any] = {"emergency_stop": None, "stands": True, "after_ms": 300, "held_entity_ids": []}
    room.methods["runtime.emergency_stop"] = lambda _: ended("press", stood)
    wrong: list[Any] = [math.nan, -1.0, 0, "5"]
    for timeout_s in wrong:
        await session.call("runtime.emergency_stop", timeout_s=timeout_s)
        assert (await session.emergency_stop(timeout_s=timeout_s)).by == "room"
    assert len(room.called("runtime.emergency_stop")) == 2 * len(wrong)


def test_a_session_used_in_another_event_loop_says_so(room: FakeRoom, service: ServiceDouble) -> None:
    room.join(RUNTIME)
    FakeRuntime(room)
    client = AsyncClient(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(service.reply))
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as first:
        session = first.run(connect(client, "robot-1", transport=lambda: room))
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as second:
            for call in (session.discover_skills, session.wait_until_ready, session.get_vision, session.cancel_action):
                with pytest.raises(PlatformSDKError, match=r"another event loop.*one asyncio\.run"):
                    second.run(call())
        first.run(session.disconnect())
