"""A session belongs to the event loop that connected it: its calls in another loop, and after its own loop has ended."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, RCS_URL, SESSION
from platform_robot_sdk import AsyncClient, PlatformSDKError
from platform_robot_sdk.connection import STANDING_POSE, PlatformSession, connect
from platform_robot_sdk.control_lease import ControlLease
from platform_robot_sdk.realtime.action import Action
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime
from realtime.service_double import ServiceDouble
from realtime.test_emergency_stop import answer, over_http

OTHER_LOOP = r"another event loop.*one asyncio\.run.*run_coroutine_threadsafe"


class Scene:
    """A session with a lease and a running action, created in its own loop."""

    def __init__(self) -> None:
        self.service = ServiceDouble(SESSION)
        self.room = FakeRoom()
        self.room.join(RUNTIME)
        self.runtime = FakeRuntime(self.room)
        self.runtime.skills["walk"] = lambda params: {"walked": params}
        self.runtime.skills["dance"] = lambda params: asyncio.Event().wait()
        self.room.methods["runtime.control"] = lambda _: {
            "result": {"you_drive": True, "driver": {"identity": "me", "name": "me", "kind": "program", "since_ms": 1}}
        }
        self.client = AsyncClient(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(self.service.reply))
        self.session: PlatformSession
        self.lease: ControlLease
        self.action: Action

    async def open(self) -> None:
        self.session = await connect(self.client, "robot-1", worker_names=[], transport=lambda: self.room)
        self.lease = await self.session.take_control("Ann")
        self.action = self.session.start("dance")
        await asyncio.sleep(0)


async def all_of(events: Any) -> list[Any]:
    return [event async for event in events]


async def enter(session: PlatformSession) -> None:
    async with session:
        pass


async def started(session: PlatformSession) -> Any:
    return await session.start("walk").result()


CALLS: dict[str, Callable[[Scene], Awaitable[Any]]] = {
    "disconnect": lambda scene: scene.session.disconnect(),
    "async with": lambda scene: enter(scene.session),
    "wait_until_ready": lambda scene: scene.session.wait_until_ready(),
    "wait_until_ready with a limit": lambda scene: scene.session.wait_until_ready(5),
    "discover_skills": lambda scene: scene.session.discover_skills(),
    "invoke": lambda scene: scene.session.invoke("walk"),
    "invoke with cancel_on_abandon": lambda scene: scene.session.invoke("walk", cancel_on_abandon=True),
    "start": lambda scene: started(scene.session),
    "get_action": lambda scene: scene.session.get_action("act-1"),
    "cancel_action": lambda scene: scene.session.cancel_action(),
    "cancel_action by id": lambda scene: scene.session.cancel_action("act-1"),
    "stream_upper_body": lambda scene: scene.session.stream_upper_body([STANDING_POSE]),
    "state.get": lambda scene: scene.session.state.get("robot_status"),
    "scene": lambda scene: scene.session.scene(),
    "layout": lambda scene: scene.session.layout(),
    "get_capabilities": lambda scene: scene.session.get_capabilities(),
    "get_vision": lambda scene: scene.session.get_vision(),
    "visions": lambda scene: all_of(scene.session.visions()),
    "call": lambda scene: scene.session.call("runtime.manifest"),
    "driver": lambda scene: scene.session.driver(),
    "take_control": lambda scene: scene.session.take_control(),
    "ask_for_control": lambda scene: scene.session.ask_for_control(timeout_s=1),
    "lease.release": lambda scene: scene.lease.release(),
    "lease.give": lambda scene: scene.lease.give(),
    "lease.ended": lambda scene: scene.lease.ended(),
    "action.result": lambda scene: scene.action.result(),
    "action.cancel": lambda scene: scene.action.cancel(),
    "action's events": lambda scene: all_of(scene.action),
}


@pytest.fixture(autouse=True)
def _without_noise(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("name", CALLS)
def test_a_call_in_another_loop_while_its_own_runs_says_what_to_do(name: str) -> None:
    scene = Scene()

    async def main() -> None:
        await scene.open()
        with ThreadPoolExecutor(1) as threads:
            elsewhere = asyncio.get_running_loop().run_in_executor(threads, lambda: asyncio.run(limited(name, scene)))
            with pytest.raises(PlatformSDKError, match=OTHER_LOOP):
                await elsewhere
        assert (await scene.session.invoke("walk")).status == "done"
        await scene.session.disconnect()

    asyncio.run(main())
    assert len(scene.service.asked("DELETE", "session")) == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_call_after_the_loop_of_its_session_has_ended_says_what_to_do(name: str) -> None:
    scene = Scene()
    asyncio.run(scene.open())
    with pytest.raises(PlatformSDKError, match=OTHER_LOOP):
        asyncio.run(limited(name, scene))
    assert scene.service.asked("DELETE", "session") == []


async def limited(name: str, scene: Scene) -> Any:
    async with asyncio.timeout(10):
        return await CALLS[name](scene)


def test_a_skill_that_is_started_in_a_thread_without_a_loop_says_what_to_do() -> None:
    scene = Scene()
    asyncio.run(scene.open())
    with pytest.raises(PlatformSDKError, match=OTHER_LOOP):
        scene.session.start("walk")


def test_a_session_that_was_disconnected_may_be_disconnected_again_in_any_loop() -> None:
    scene = Scene()

    async def main() -> None:
        await scene.open()
        await scene.session.disconnect()

    asyncio.run(main())
    asyncio.run(scene.session.disconnect())
    assert len(scene.service.asked("DELETE", "session")) == 1


def test_a_session_without_a_room_is_disconnected_from_any_loop() -> None:
    scene = Scene()

    async def open_alone() -> PlatformSession:
        return await connect(scene.client, "robot-1", worker_names=[], join_livekit=False)

    session = asyncio.run(open_alone())
    asyncio.run(session.disconnect())
    assert len(scene.service.asked("DELETE", "session")) == 1


def test_the_emergency_stop_is_pressed_over_http_from_any_loop() -> None:
    scene = Scene()
    answer(scene.service, over_http(stands=True))
    asyncio.run(scene.open())
    stopped = asyncio.run(scene.session.emergency_stop())
    assert (stopped.by, stopped.paths.http.status) == ("http", "stands")


def test_a_loop_that_ends_with_an_open_session_leaves_no_noise() -> None:
    scene = Scene()
    asyncio.run(scene.open())
    del scene
    gc.collect()
