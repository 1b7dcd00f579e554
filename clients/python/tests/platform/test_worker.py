"""The physical robot's contract: a worker that accepts only signed commands of the body (specification 4.4 and 5.7)."""

from __future__ import annotations

import asyncio
import base64
import json
import math
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from platform_fixtures import Connection, Open

from platform_robot_sdk import STANDING_POSE, ArmPose, PlatformSession, RcwRuntimeError
from platform_robot_sdk.models import RobotState
from platform_robot_sdk.realtime.transport import CallError


@pytest_asyncio.fixture
async def worker(open_session: Open) -> AsyncIterator[PlatformSession]:
    session = await open_session(rcw_identity_prefix="rcw", control_holder="pytest")
    yield session
    await session.invoke("stop")


async def robot_of(session: PlatformSession) -> RobotState:
    return (await session.state.get("robot_status")).robot


async def place_of(session: PlatformSession) -> tuple[float, float, float]:
    pose = (await robot_of(session)).pose
    assert pose is not None
    return pose.position


async def control_of(session: PlatformSession) -> Any:
    return (await robot_of(session)).extra["control"]


async def test_4_4_the_worker_is_found_by_its_prefix_and_lists_its_skills(
    worker: PlatformSession, connection: Connection
) -> None:
    assert worker.runtime_identity == f"rcw-{connection.robot_id}"
    skills = {skill.name: skill for skill in await worker.discover_skills()}
    assert set(skills) == {"set_velocity", "stop", "get_state", "set_upper_body"}
    assert "additionalProperties" not in skills["set_velocity"].input_schema


async def test_5_7_unsigned_commands_are_refused_and_signed_ones_are_taken(open_session: Open) -> None:
    unsigned = await open_session(rcw_identity_prefix="rcw", sign_control=False)
    for skill, params in (("set_velocity", {"vx": 0.1}), ("stop", {}), ("set_upper_body", STANDING_POSE)):
        with pytest.raises(RcwRuntimeError) as raised:
            await unsigned.invoke(skill, params)
        assert raised.value.code == "PERMISSION_DENIED"
    assert (await unsigned.invoke("get_state")).status == "done"
    signed = await open_session(rcw_identity_prefix="rcw", sign_control=True)
    assert (await signed.invoke("stop")).status == "done"


async def test_4_4_rule_1_a_velocity_holds_until_it_is_stopped_and_unknown_parameters_are_dropped(
    worker: PlatformSession,
) -> None:
    before = await place_of(worker)
    driven = await worker.invoke("set_velocity", {"vx": -0.2, "duration_s": 0.1})
    assert driven.status == "done", driven
    await asyncio.sleep(1)
    assert (await control_of(worker))["velocity_holds"] is True
    assert (await worker.invoke("stop")).status == "done"
    stopped = await place_of(worker)
    assert math.dist(before, stopped) > 0.1
    await asyncio.sleep(0.5)
    assert math.dist(stopped, await place_of(worker)) < 0.05


async def test_4_4_set_upper_body_is_streamed_and_the_arms_do_not_go_limp(worker: PlatformSession) -> None:
    before = (await control_of(worker))["upper_body"]["timeouts"]

    def poses() -> list[ArmPose]:
        return [
            {"r_arm": [-0.9, 0.2 + 0.3 * math.sin(i / 5), 0.0, -1.2, 0.0], "l_arm": STANDING_POSE["l_arm"]} for i in range(40)
        ]

    # The arms may go limp only if the machine suspended this process for half of the robot's timeout, and for no other
    # reason.
    longest_gap_s = 0.1
    stalls: list[float] = []

    async def watch_the_clock() -> None:
        clock = asyncio.get_running_loop().time
        seen = clock()
        while True:
            await asyncio.sleep(0.01)
            now = clock()
            if now - seen > longest_gap_s:
                stalls.append(now - seen)
            seen = now

    watching = asyncio.create_task(watch_the_clock())
    stream = await worker.stream_upper_body(poses(), rate_hz=20)
    watching.cancel()
    assert stream.packets == 41
    upper_body = (await control_of(worker))["upper_body"]
    assert upper_body["mode"] == "policy"
    # The worker may have paused now and then too, on a busy machine. If the library had no timer of its
    # own, there would be ten times as many.
    assert upper_body["timeouts"] - before <= len(stalls) + 3


def skill_in(request: str) -> str:
    """Returns the skill of a sealed call."""
    claims = base64.b64decode(json.loads(request)["envelope"]).split(b".")[1]
    return str(json.loads(base64.urlsafe_b64decode(claims + b"=" * (-len(claims) % 4)))["call"]["payload"]["name"])


async def test_poses_go_as_packets_once_one_was_answered_and_soon_without_the_grant(
    worker: PlatformSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await control_of(worker))["pose_packets"] is True
    assert worker._parts.link is not None
    room = worker._parts.link._transport
    sent: list[bytes] = []
    answers: list[bytes] = []
    called: list[str] = []
    is_answered = asyncio.Event()
    send, call = room.send_lossy, room.call

    def sending(*, to: str, topic: str, data: bytes) -> None:
        sent.append(data)
        send(to=to, topic=topic, data=data)

    async def calling(*, to: str, method: str, payload: str, timeout_s: float) -> str:
        if method == "runtime.forward_envelope":
            called.append(skill_in(payload))
        return await call(to=to, method=method, payload=payload, timeout_s=timeout_s)

    def answered(sender: str, packet: bytes) -> None:
        assert sender == worker.runtime_identity
        answers.append(packet)
        is_answered.set()

    monkeypatch.setattr(room, "send_lossy", sending)
    monkeypatch.setattr(room, "call", calling)
    room.on_data("simplesim.poses", answered)
    await worker.stream_upper_body([STANDING_POSE], rate_hz=20)
    await asyncio.wait_for(is_answered.wait(), 30)
    for log in (sent, answers, called):
        log.clear()

    async def poses() -> AsyncIterator[ArmPose]:
        for number in range(40):
            yield {"r_arm": [-0.9, 0.2 + number / 1_000, 0.0, -1.2, 0.0], "l_arm": STANDING_POSE["l_arm"]}
        # The last pose is held until the robot reports that it follows it.
        async with asyncio.timeout(30):
            # On a busy machine a pose may arrive too late; then none is commanded until the next.
            commanded = None
            while commanded is None or commanded[1] != 0.239:
                arms = (await control_of(worker))["upper_body"]["commanded"]
                commanded = arms and arms["r_arm"]

    stream = await worker.stream_upper_body(poses(), rate_hz=20)
    assert stream.packets > 40
    # A pose that the robot rejects as late is sealed again.
    assert len(sent) >= stream.packets
    assert "set_upper_body" not in called
    assert {"stop", "set_velocity"} == set(called)
    assert len(answers) > len(sent) / 2
    # An envelope with only a number contains one blank, behind the number.
    shorts = [packet for packet in sent if packet.count(b" ") > 1]
    assert len(shorts) > len(sent) / 2
    assert max(len(packet) for packet in shorts) < 1_000


@pytest.mark.parametrize("r_arm", [[0, 0, 0, 0], [0, 0, 0, 0, "x"], [0, 0, 0, 0, None]])
async def test_4_4_set_upper_body_rule_1_a_malformed_pose_is_invalid_input(worker: PlatformSession, r_arm: list[Any]) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await worker.invoke("set_upper_body", {"r_arm": r_arm, "l_arm": [0, 0, 0, 0, 0]})
    assert raised.value.code == "INVALID_INPUT"


async def test_5_7_an_envelope_is_taken_once(worker: PlatformSession, monkeypatch: pytest.MonkeyPatch) -> None:
    link = worker._parts.link
    assert link is not None
    sent: list[str] = []
    real = link.call_once

    async def listen(to: str, method: str, payload: str, timeout_s: float) -> Any:
        if method == "runtime.forward_envelope":
            sent.append(payload)
        return await real(to, method, payload, timeout_s)

    monkeypatch.setattr(link, "call_once", listen)
    assert (await worker.invoke("stop")).status == "done"
    monkeypatch.undo()
    assert worker.runtime_identity is not None
    identity = worker.runtime_identity

    async def repeat() -> Any:
        while True:
            try:
                return await real(identity, "runtime.forward_envelope", sent[0], 10)
            except CallError as failure:
                # The SDK gives up a call whose delivery takes over 2 s, as on a busy machine. A call that arrives later is
                # a repetition too.
                if failure.reason != "lost":
                    raise

    again = await asyncio.wait_for(repeat(), 60)
    assert again["error"]["code"] == "ENVELOPE_REPLAYED"


async def test_4_4_a_worker_without_cameras_says_so(worker: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await worker.get_vision("pov", timeout_s=10)
    assert raised.value.code in ("UNKNOWN_CAMERA", "CAPTURE_FAILED")
    assert raised.value.runtime_message
