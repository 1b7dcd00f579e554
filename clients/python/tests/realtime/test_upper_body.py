"""Specification 4.4, `set_upper_body`: poses are streamed on a timer, and the arms come to rest at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from platform_robot_sdk import (
    STANDING_POSE,
    ArmPose,
    CallTimeoutError,
    NotControllerError,
    PlatformSDKError,
    RcwRuntimeError,
)
from platform_robot_sdk.realtime.transport import CallError
from realtime.fake_room import RUNTIME, WORKER, FakeRoom, FakeRuntime, guard
from realtime.pose_receiver import TOPIC, PoseReceiver
from realtime.service_double import ServiceDouble
from realtime.signed_runtime import SignedRuntime

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


async def test_a_robot_that_has_not_answered_for_five_seconds_is_given_up(
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
        with pytest.raises(CallTimeoutError, match="has not answered a pose for 5 s"):
            await session.stream_upper_body((raised(0.1) for _ in range(1000)), rate_hz=10)
        assert asyncio.get_running_loop().time() - started == pytest.approx(5.2, abs=0.3)
    assert worker.runs[-1] == ("set_velocity", ZERO)


@pytest.mark.parametrize("late", ["ENVELOPE_OUT_OF_ORDER", "ENVELOPE_STALE"])
async def test_a_packet_that_got_lost_or_was_overtaken_or_late_is_made_good_by_the_next(
    open_worker: Open, worker: FakeRuntime, room: FakeRoom, late: str
) -> None:
    real = worker.tools_call
    overtaken: list[Any] = []

    def call(request: Any) -> Any:
        if request["name"] == "set_upper_body" and request["input"]["r_arm"][1] == 0.2:
            overtaken.append(request)
            return guard(late)
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


async def test_angles_are_sent_to_a_ten_thousandth_of_a_radian_and_what_is_no_number_is_refused(
    open_worker: Open, worker: FakeRuntime
) -> None:
    fine: Any = {"r_arm": [-0.90004999, 0.1 + 0.2, 1, Fraction(1, 3), 0.00001], "l_arm": STANDING_POSE["l_arm"]}
    async with open_worker() as session:
        await session.stream_upper_body([fine], rate_hz=10)
        assert worker.runs[1][1]["r_arm"] == [-0.9, 0.3, 1, 0.3333, 0.0]
        for bad in (float("nan"), float("inf"), b"1"):
            with pytest.raises(RcwRuntimeError, match="INVALID_INPUT"):
                await session.stream_upper_body([{**fine, "r_arm": [bad] * 5}, *[fine] * 20], rate_hz=10)


@pytest.fixture
def signed(room: FakeRoom, service: ServiceDouble) -> SignedRuntime:
    room.join(WORKER)
    signed = SignedRuntime(room, service)
    signed.skills |= {"set_upper_body": lambda _: {}, "stop": lambda _: {}, "set_velocity": lambda _: {}}
    return signed


@pytest.fixture
def receiver(room: FakeRoom, signed: SignedRuntime) -> PoseReceiver:
    return PoseReceiver(room, signed)


@pytest.fixture
def open_signed(open_session: Open) -> Open:
    return lambda **options: open_session(rcw_identity_prefix="rcw", **options)


def calls_of(room: FakeRoom) -> int:
    return len(room.called("runtime.forward_envelope"))


def poses_in(room: FakeRoom) -> list[bytes]:
    return [packet.data for packet in room.packets if not packet.data.startswith(b"0 ")]


async def test_poses_go_as_packets_once_one_was_answered_and_the_second_without_the_grant(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    receiver.opens_at_s = 1.0
    async with open_signed() as session:
        before = asyncio.all_tasks()
        stream = await session.stream_upper_body([raised(0.1)] * 30, rate_hz=20)
        # Stop and velocity, and the poses of little more than the first second.
        calls = calls_of(room) - 2
        assert 20 <= calls <= 26
        assert len(poses_in(room)) == len(receiver.poses) == stream.packets - calls
        assert " " not in receiver.poses[0]
        assert all(" " in text for text in receiver.poses[1:])
        # The probes have ended.
        await asyncio.sleep(1)
        assert asyncio.all_tasks() <= before
        # Another stream uses what the first one found out.
        await session.stream_upper_body([raised(0.2)] * 3, rate_hz=20)
        assert calls_of(room) - 2 == calls + 2
        assert all(" " in text for text in receiver.poses[1:])
    assert len(rolls(signed)) == 31 + 4
    assert rolls(signed)[-1] == 0.18
    assert signed.runs[-1] == ("set_velocity", ZERO)
    assert len([packet for packet in room.packets if packet.data == b"0 ?"]) <= 7


@pytest.mark.parametrize("says", [False, None, "true", 1])
async def test_poses_go_as_calls_to_a_robot_that_does_not_say_it_takes_packets(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver, says: object
) -> None:
    receiver.says_so = says
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
    assert room.packets == []
    assert len(rolls(signed)) == 11


async def test_poses_that_nobody_signs_go_as_calls(open_session: Open, room: FakeRoom) -> None:
    room.join(RUNTIME)
    runtime = FakeRuntime(room)
    runtime.skills |= {"set_upper_body": lambda _: {}, "stop": lambda _: {}, "set_velocity": lambda _: {}}
    PoseReceiver(room, runtime)
    async with open_session() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
    assert room.packets == []
    assert len(rolls(runtime)) == 11


@pytest.mark.parametrize("state", [guard("METHOD_NOT_FOUND"), {"robot": "another make"}, "nothing"])
async def test_poses_go_as_calls_to_a_robot_whose_state_cannot_be_read(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver, state: object
) -> None:
    room.methods["runtime.state"] = lambda _: state
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
    assert room.packets == []
    assert len(rolls(signed)) == 11


async def test_poses_go_as_calls_in_a_room_that_sends_no_packets(
    open_session: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    class Older:
        """A room of another implementation, older than packets."""

        def __getattr__(self, name: str) -> Any:
            if name in ("send_lossy", "on_data"):
                raise AttributeError(name)
            return getattr(room, name)

    async with open_session(rcw_identity_prefix="rcw", transport=Older) as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
    assert room.packets == []
    assert len(rolls(signed)) == 11


async def test_packets_that_get_lost_or_overtake_each_other_end_nothing(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    receiver.loses = lambda number: number % 3 == 2
    receiver.loses_answer = lambda number: number % 4 == 2
    receiver.delay_s = lambda number: 0.15 if number % 5 == 0 else 0.02
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 100, rate_hz=50)
        stream = await session.stream_upper_body([raised(0.2)] * 100, rate_hz=50)
    assert stream.packets == 101
    assert len(poses_in(room)) > 101
    assert len(rolls(signed)) > 100
    assert signed.runs[-1] == ("set_velocity", ZERO)


async def test_a_robot_that_forgot_the_grant_hears_it_again(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    async def poses() -> AsyncIterator[ArmPose]:
        for number in range(40):
            if number == 20:
                receiver.grants.clear()
            yield raised(0.1)

    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
        receiver.poses.clear()
        await session.stream_upper_body(poses(), rate_hz=20)
    assert " " in receiver.poses[0]
    assert [text for text in receiver.poses if " " not in text]
    assert " " in receiver.poses[-1]


async def test_late_envelopes_end_nothing(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
        # Longer than an envelope is valid, plus the allowed difference of clocks; the other envelopes arrive in time.
        signed.ahead_s = 30
        stream = await session.stream_upper_body([raised(0.1)] * 40, rate_hz=20)
    assert stream.packets >= 41
    assert rolls(signed)[-1] == 0.18


async def test_packets_that_nobody_answers_end_the_stream_after_five_seconds_with_few_under_way(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=50)
        receiver.loses = lambda number: number > 60
        started = asyncio.get_running_loop().time()
        with pytest.raises(CallTimeoutError, match="has not answered a pose for 5 s"):
            await session.stream_upper_body([raised(0.1)] * 1_000, rate_hz=50)
        assert 5 < asyncio.get_running_loop().time() - started < 7
        assert 60 < len(poses_in(room)) < 90
    # By call, as usual.
    assert signed.runs[-1] == ("set_velocity", ZERO)


async def test_a_refusal_in_a_packet_ends_the_stream_as_that_of_a_call(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
        signed.skills["set_upper_body"] = lambda _: guard("NOT_CONTROLLER", "Ada drives.")
        with pytest.raises(NotControllerError, match="Ada drives"):
            await session.stream_upper_body([raised(0.1)] * 100, rate_hz=20)


async def test_answers_count_from_the_robot_alone(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    receiver.opens_at_s = float("inf")
    async with open_signed() as session:
        streaming = asyncio.create_task(session.stream_upper_body([raised(0.1)] * 40, rate_hz=20))
        await asyncio.sleep(1)
        room.data[TOPIC]("eve", b"0 {}")
        await streaming
    assert poses_in(room) == []
    assert len(rolls(signed)) == 41


async def test_a_room_that_ends_meanwhile_ends_the_stream_and_leaves_nothing_that_waits(
    open_signed: Open, room: FakeRoom, signed: SignedRuntime, receiver: PoseReceiver
) -> None:
    async with open_signed() as session:
        await session.stream_upper_body([raised(0.1)] * 10, rate_hz=20)
        before = asyncio.all_tasks()
        receiver.loses = lambda _: True
        streaming = asyncio.create_task(session.stream_upper_body([raised(0.1)] * 1_000, rate_hz=20))
        await asyncio.sleep(1)
        room.end("room deleted")
        with pytest.raises(PlatformSDKError, match="room deleted"):
            await streaming
        await asyncio.sleep(1)
        assert asyncio.all_tasks() <= before
