"""The emergency stop, over all paths in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, RCS_URL
from platform_robot_sdk import Client, EmergencyStopError, PlatformAPIError, PlatformConnectionError
from platform_robot_sdk.connection import PlatformSession
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime, ended, guard
from realtime.service_double import ServiceDouble

Open = Callable[..., Any]
METHOD = "runtime.emergency_stop"
LATCH = {"by": "ann", "since_ms": 1, "reason": "smoke"}


def stood(*, stands: bool = True) -> dict[str, Any]:
    said = {"emergency_stop": LATCH, "stands": stands, "after_ms": 300, "held_entity_ids": []}
    error = {"code": "NOT_AT_GOAL", "message": "It moves.", "details": said}
    return ended("a-1", said if stands else None, None if stands else error)


def over_http(*, stands: bool | None, problem: str | None = None) -> httpx.Response:
    runtime = {"identity": RUNTIME, "stands": stands, "after_ms": 300, "problem": problem}
    runtimes = [] if stands is None else [runtime]
    body = {"robot_id": "robot-1", "emergency_stop": LATCH, "stands": stands, "runtimes": runtimes}
    return httpx.Response(200, json=body)


def answer(service: ServiceDouble, response: httpx.Response) -> None:
    service.refusals["POST", "emergency-stop"] = response


async def test_it_presses_by_both_paths_and_the_first_that_says_so_answers(
    session: PlatformSession, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    room.methods[METHOD] = lambda _: stood()
    answer(service, over_http(stands=True))
    stopped = await session.emergency_stop(reason="smoke")
    assert "stands" in (stopped.paths.room.status, stopped.paths.http.status)
    await asyncio.sleep(1)
    assert [call.payload for call in room.calls if call.method == METHOD] == [{"reason": "smoke"}]
    assert service.asked("POST", "emergency-stop") == [{"reason": "smoke"}]


@pytest.mark.parametrize(
    "method",
    [
        lambda _: asyncio.Event().wait(),
        lambda _: guard("PERMISSION_DENIED"),
        lambda _: stood(stands=False),
        lambda _: {"nothing": "of the kind"},
        None,
    ],
)
async def test_http_alone_is_enough(
    session: PlatformSession, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble, method: Any
) -> None:
    if method is not None:
        room.methods[METHOD] = method
    answer(service, over_http(stands=True))
    stopped = await session.emergency_stop()
    assert stopped.by == "http"
    assert stopped.paths.http.status == "stands"


async def test_http_alone_is_enough_where_the_room_is_not_joined_or_was_left(
    open_session: Open, runtime: FakeRuntime, service: ServiceDouble
) -> None:
    answer(service, over_http(stands=True))
    async with open_session(join_livekit=False) as session:
        assert (await session.emergency_stop()).paths.room.status == "failed"
    left = await open_session()
    await left.disconnect(keep_session=True)
    assert (await left.emergency_stop()).by == "http"


async def test_the_room_alone_is_enough_and_a_lost_press_is_repeated(
    session: PlatformSession, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    room.methods[METHOD] = lambda _: stood()
    room.losses = [(METHOD, "lost"), (METHOD, "absent"), (METHOD, "lost")]
    answer(service, httpx.Response(503, json={"code": "database.unavailable", "message": "Later.", "details": {}}))
    stopped = await session.emergency_stop()
    assert stopped.by == "room"
    assert stopped.paths.room.after_s == stopped.after_s


async def test_it_raises_when_nobody_says_that_the_robot_stands(
    session: PlatformSession, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    room.methods[METHOD] = lambda _: stood(stands=False)
    answer(service, over_http(stands=False, problem="It still moves."))
    with pytest.raises(EmergencyStopError, match="No answer confirms that the robot stands") as raised:
        await session.emergency_stop()
    paths = raised.value.paths
    assert (paths.room.status, paths.http.status, paths.http.problem) == ("latched", "latched", "It still moves.")


async def test_it_raises_where_nobody_is_there_and_says_that_it_is_latched(open_session: Open, service: ServiceDouble) -> None:
    answer(service, over_http(stands=None))
    async with open_session() as session:
        with pytest.raises(EmergencyStopError) as raised:
            await session.emergency_stop(timeout_s=1)
    assert (raised.value.paths.room.status, raised.value.paths.http.status) == ("failed", "latched")


async def test_whoever_gives_up_waiting_has_pressed_all_the_same(
    session: PlatformSession, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    pressed = asyncio.Event()

    async def slowly(_: Any) -> dict[str, Any]:
        await asyncio.sleep(1)
        pressed.set()
        return stood()

    room.methods[METHOD] = slowly
    answer(service, over_http(stands=False))
    stopping = asyncio.create_task(session.emergency_stop())
    await asyncio.sleep(0.5)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    await asyncio.wait_for(pressed.wait(), 2)


def client_of(*answers: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    seen: list[httpx.Request] = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        given = answers[min(len(seen), len(answers)) - 1]
        if isinstance(given, Exception):
            raise given
        return given

    return Client(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(reply)), seen


def test_over_http_it_is_repeated_until_it_is_answered() -> None:
    busy = httpx.Response(503, json={"code": "database.unavailable", "message": "Later.", "details": {}})
    client, seen = client_of(httpx.ConnectError("no"), busy, over_http(stands=True))
    with client:
        result = client.robots.emergency_stop("robot-1", "smoke")
    assert result.stands is True
    assert repr(result).startswith("EmergencyStopResult(robot-1 stands")
    assert len(seen) == 3


def test_over_http_a_refusal_is_told_at_once_and_the_trouble_when_the_time_is_up() -> None:
    refusal = httpx.Response(404, json={"code": "robot.not_found", "message": "None.", "details": {}})
    client, seen = client_of(refusal)
    with client, pytest.raises(PlatformAPIError, match=r"robot\.not_found"):
        client.robots.emergency_stop("robot-1")
    assert len(seen) == 1
    client, seen = client_of(httpx.ConnectError("no"))
    with client, pytest.raises(PlatformConnectionError):
        client.robots.emergency_stop("robot-1", timeout_s=1)
    assert len(seen) > 2
