"""Specification 4.4, `set_upper_body`: poses are streamed by the clock, and the arms come to rest at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from platform_robot_sdk import STANDING_POSE, ArmPose, CallTimeoutError, RcwRuntimeError
from platform_robot_sdk.realtime.transport import CallError
from realtime.fake_room import WORKER, FakeRoom, FakeRuntime, guard

Open = Callable[..., Any]
ZERO = {"vx": 0, "vy": 0, "vyaw": 0}


def raised(roll: float) -> ArmPose:
    return {"r_arm": [-0.9, roll, 0.0, -1.2, 0.0], "l_arm": STANDING_POSE["l_arm"]}


@pytest.fixture
def worker(room: FakeRoom) -> FakeRuntime:
    room.join(WORKER)
    worker = FakeRuntime(room, WORKER)
    worker.times = []  # type: ignore[attr-defined]

    def set_upper_body(_: Any) -> dict[str, Any]:
        worker.times.append(asyncio.get_running_loop().time())  # type: ignore[attr-defined]
        return {}

    worker.skills |= {"set_upper_body": set_upper_body, "stop": lambda _: {}, "set_velocity": lambda _: {}}
    return worker


@pytest.fixture
def open_worker(open_session: Open) -> Open:
    return lambda **options: open_session(rcw_identity_prefix="rcw", sign_control=False, **options)


def rolls(worker: FakeRuntime) -> list[float]:
    return [run[1]["r_arm"][1] for run in worker.runs if run[0] == "set_upper_body"]


async def test_it_stops_first_and_ends_with_the_standing_pose_and_a_zero_velocity(
    open_worker: Open, worker: FakeRuntime
) -> None:
    async with open_worker() as session:
        stream = await session.stream_upper_body([raised(0.1), raised(0.2), raised(0.3)], rate_hz=10)
    assert [run[0] for run in worker.runs] == ["stop", *["set_upper_body"] * 4, "set_velocity"]
    assert rolls(worker) == [0.1, 0.2, 0.3, 0.18]
    assert worker.runs[-2][1] == {"r_arm": [0.35, 0.18, 0.0, -0.87, 0.0], "l_arm": [-0.35, -0.18, 0.0, 0.87, 0.0]}
    assert worker.runs[-1][1] == ZERO
    assert stream.packets == 4


@pytest.mark.parametrize("rate_hz", [10, 50, 120])
async def test_packets_go_by_the_clock_and_wait_for_no_reply(open_worker: Open, worker: FakeRuntime, rate_hz: float) -> None:
    real = worker.tools_call

    async def slow(request: Any) -> Any:
        reply = await real(request)
        await asyncio.sleep(0.5)
        return reply

    worker.room.methods["runtime.tools_call"] = slow
    async with open_worker() as session:
        await session.stream_upper_body((raised(0.1) for _ in range(40)), rate_hz=rate_hz)
    times: list[float] = worker.times  # type: ignore[attr-defined]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == pytest.approx([1 / rate_hz] * 40, abs=0.003)


async def test_a_pose_is_sent_again_until_the_next_one_comes(open_worker: Open, worker: FakeRuntime) -> None:
    async def poses() -> AsyncIterator[ArmPose]:
        yield raised(0.1)
        await asyncio.sleep(1)
        yield raised(0.2)

    async with open_worker() as session:
        await session.stream_upper_body(poses(), rate_hz=10)
    sent = rolls(worker)
    assert sent[0] == 0.1
    assert 9 <= sent.count(0.1) <= 12
    assert sent[-2:] == [0.2, 0.18]


@pytest.mark.parametrize("rate_hz", [0, 9.9, 121, float("nan")])
async def test_a_rate_that_lets_the_arms_go_limp_is_refused_before_anything_moves(
    open_worker: Open, worker: FakeRuntime, rate_hz: float
) -> None:
    async with open_worker() as session:
        with pytest.raises(ValueError, match="take 10 to 120"):
            await session.stream_upper_body([raised(0.1)], rate_hz=rate_hz)
    assert worker.runs == []


async def test_a_pose_that_the_robot_refuses_ends_the_stream_and_the_arms_come_to_rest(
    open_worker: Open, worker: FakeRuntime, room: FakeRoom
) -> None:
    real = worker.tools_call

    def call(request: Any) -> Any:
        if request["name"] == "set_upper_body" and request["input"]["r_arm"][1] == 0.2:
            return guard("INVALID_INPUT", "Five numbers, please.")
        return real(request)

    room.methods["runtime.tools_call"] = call
    async with open_worker() as session:
        with pytest.raises(RcwRuntimeError, match="INVALID_INPUT"):
            await session.stream_upper_body([raised(0.1), raised(0.2), *[raised(0.3)] * 20], rate_hz=10)
    assert [run[0] for run in worker.runs][-2:] == ["set_upper_body", "set_velocity"]
    assert rolls(worker)[-1] == 0.18
    assert len(rolls(worker)) < 5


async def test_a_drive_that_cannot_be_stopped_streams_nothing(open_worker: Open, worker: FakeRuntime, room: FakeRoom) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("NOT_READY", "The body cannot be reached.")
    async with open_worker() as session:
        with pytest.raises(RcwRuntimeError, match="NOT_READY"):
            await session.stream_upper_body([raised(0.1)])
    assert len(room.called("runtime.tools_call")) == 1


async def test_an_error_of_the_poses_is_raised_and_the_arms_come_to_rest(open_worker: Open, worker: FakeRuntime) -> None:
    closed: list[bool] = []

    def poses() -> Iterator[ArmPose]:
        yield raised(0.1)
        raise ZeroDivisionError

    async def endless() -> AsyncIterator[ArmPose]:
        try:
            while True:
                yield raised(0.1)
                await asyncio.sleep(0.05)
        finally:
            closed.append(True)

    async with open_worker() as session:
        with pytest.raises(ZeroDivisionError):
            await session.stream_upper_body(poses(), rate_hz=10)
        assert [run[0] for run in worker.runs][-1] == "set_velocity"
        streaming = asyncio.create_task(session.stream_upper_body(endless(), rate_hz=10))
        await asyncio.sleep(1)
        streaming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await streaming
        assert [run[0] for run in worker.runs][-2:] == ["set_upper_body", "set_velocity"]
        assert rolls(worker)[-1] == 0.18
        assert closed == [True]


async def test_a_robot_that_has_not_answered_for_two_seconds_is_given_up(
    open_worker: Open, worker: FakeRuntime, room: FakeRoom
) -> None:
    real = worker.tools_call

    async def deaf(request: Any) -> Any:
        if request["name"] == "set_upper_body":
            await asyncio.Event().wait()
        return await real(request)

    room.methods["runtime.tools_call"] = deaf
    async with open_worker() as session:
        started = asyncio.get_running_loop().time()
        with pytest.raises(CallTimeoutError, match="has not answered a pose for 2 s"):
            await session.stream_upper_body((raised(0.1) for _ in range(1000)), rate_hz=10)
        assert asyncio.get_running_loop().time() - started == pytest.approx(2.2, abs=0.2)
    assert worker.runs[-1] == ("set_velocity", ZERO)


async def test_a_packet_that_got_lost_or_was_overtaken_is_made_good_by_the_next(
    open_worker: Open, worker: FakeRuntime, room: FakeRoom
) -> None:
    real = worker.tools_call
    overtaken: list[Any] = []

    def call(request: Any) -> Any:
        if request["name"] == "set_upper_body" and request["input"]["r_arm"][1] == 0.2:
            overtaken.append(request)
            return guard("ENVELOPE_OUT_OF_ORDER")
        return real(request)

    room.methods["runtime.tools_call"] = call
    async with open_worker() as session:
        asyncio.get_running_loop().call_later(0.15, room.losses.append, ("runtime.tools_call", "lost"))
        stream = await session.stream_upper_body([raised(0.1), raised(0.2), raised(0.3), raised(0.4)], rate_hz=10)
    assert stream.packets == 5
    assert len(overtaken) == 1
    assert rolls(worker) == [0.1, 0.4, 0.18]


@pytest.mark.parametrize("skill", ["stop", "set_velocity"])
async def test_a_stop_and_a_standstill_that_got_lost_are_put_again_with_the_same_action_id(
    open_worker: Open, worker: FakeRuntime, room: FakeRoom, skill: str
) -> None:
    real = worker.tools_call
    ids: list[str] = []

    async def call(request: Any) -> Any:
        if request["name"] == skill:
            ids.append(request["options"]["action_id"])
            if len(ids) <= 2:
                raise CallError("lost")
        return await real(request)

    room.methods["runtime.tools_call"] = call
    async with open_worker() as session:
        stream = await session.stream_upper_body([raised(0.1)], rate_hz=10)
    assert stream.packets == 2
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert [run[0] for run in worker.runs] == ["stop", "set_upper_body", "set_upper_body", "set_velocity"]
