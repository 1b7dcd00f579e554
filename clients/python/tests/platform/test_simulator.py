"""The simulator's robot, through the library. Test names begin with the section of the specification."""

from __future__ import annotations

import asyncio
import hashlib
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise

import pytest
from platform_fixtures import Connection, Open

from platform_robot_sdk import Action, AsyncClient, ConnectCallbacks, PlatformSession, RcwRuntimeError
from platform_robot_sdk.models import ActionEvent, ActionResult

SIMULATOR_SKILLS = {"set_velocity", "go_to", "pick_entity", "place_entity"}


def entity(entity_id: str) -> dict[str, object]:
    return {"target": {"kind": "entity", "entity_id": entity_id}}


async def position_of(session: PlatformSession) -> tuple[float, float, float]:
    state = await session.state.get("robot_status")
    assert state.robot.pose is not None
    return state.robot.pose.position


async def answered(ask: Callable[[], Awaitable[object]]) -> object:
    """Asks up to three times: `call` asks once, and the network may lose its reply."""
    for _ in range(2):
        with suppress(TimeoutError):
            return await ask()
    return await ask()


async def running(action: Action) -> None:
    """Waits until the robot is carrying out the action."""
    async for event in action:
        if event.phase == "running":
            return
    raise AssertionError("it ended before it ran")


def size_of_jpeg(jpeg: bytes) -> tuple[int, int] | None:
    """Reads (width, height) from the first frame header (ITU T.81, B.2.2)."""
    at = 2
    while at + 9 < len(jpeg) and jpeg[at] == 0xFF:
        if 0xC0 <= jpeg[at + 1] <= 0xCF and jpeg[at + 1] not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(jpeg[at + 7 : at + 9], "big"), int.from_bytes(jpeg[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return None


# 4.4 the methods of a session


async def test_4_4_discover_skills_names_them_with_their_input_schemas(session: PlatformSession) -> None:
    skills = {skill.name: skill for skill in await session.discover_skills()}
    assert skills.keys() >= SIMULATOR_SKILLS
    assert not skills.keys() & {"stop", "get_state", "set_upper_body"}
    for skill in skills.values():
        assert skill.input_schema["type"] == "object"
        assert skill.description
    velocity = skills["set_velocity"].input_schema
    assert set(velocity["properties"]) == {"vx", "vy", "wz", "duration_s"}
    assert not velocity.get("required")


async def test_4_4_rule_2_get_vision_is_no_skill(session: PlatformSession) -> None:
    assert "get_vision" not in {skill.name for skill in await session.discover_skills()}
    with pytest.raises(RcwRuntimeError) as raised:
        await session.invoke("get_vision", {})
    assert raised.value.code == "UNKNOWN_SKILL"


async def test_4_4_rcw_identity_prefix_locates_the_runtime(session: PlatformSession, connection: Connection) -> None:
    assert session.runtime_identity == f"simplesim:{connection.robot_id}"
    assert session.robot_id == connection.robot_id
    assert session.room_metadata.robot_id == connection.robot_id


async def test_4_4_invoke_go_to_a_pose_returns_the_terminal_result(robot: PlatformSession) -> None:
    x, y, z = await position_of(robot)
    # Back from the belt, which is in front of the robot at its start.
    pose = {"frame_id": "world", "position": [x - 0.4, y, z], "yaw_deg": 90}
    result = await robot.invoke("go_to", {"target": {"kind": "pose", "pose": pose}}, timeout_s=60)
    assert isinstance(result, ActionResult)
    assert (result.status, result.phase, result.error) == ("done", "done", None)
    assert result.result["position_error_m"] <= 0.05
    assert abs(result.result["yaw_error_deg"]) <= 2
    assert math.dist(await position_of(robot), (x - 0.4, y, z)) < 0.1
    assert result.meta.finished_at_ms is not None
    assert result.meta.started_at_ms is not None
    assert result.meta.duration_ms == result.meta.finished_at_ms - result.meta.started_at_ms


async def test_4_4_set_velocity_runs_for_its_duration_then_stops(robot: PlatformSession) -> None:
    before = await position_of(robot)
    result = await robot.invoke("set_velocity", {"vx": -0.3, "duration_s": 1.0}, timeout_s=30)
    assert result.status == "done", result
    moved = math.dist(before, await position_of(robot))
    assert 0.15 < moved < 0.45
    assert (await robot.state.get("robot_status")).robot.extra["command"] == {"vx": 0, "vy": 0, "wz": 0}
    turned = await robot.invoke("set_velocity", {"wz": 0.8, "duration_s": 1.0})
    assert turned.result["moved"]["dyaw"] > 0.4


async def test_4_4_set_velocity_defaults_are_no_velocity_and_half_a_second(robot: PlatformSession) -> None:
    before = await position_of(robot)
    result = await robot.invoke("set_velocity")
    assert result.status == "done", result
    assert math.dist(before, await position_of(robot)) < 0.05


async def test_4_4_pick_and_place_a_cube_where_its_colour_belongs(robot: PlatformSession) -> None:
    color = (await robot.scene(entity_ids=["cube_0"])).entities["cube_0"].state["color"]
    pad = next(pad for pad in (await robot.layout()).pads if pad.color == color and pad.role == "destination")
    picked = await robot.invoke("pick_entity", entity("cube_0"), timeout_s=60)
    assert picked.status == "done", picked
    assert picked.result["held"] == "cube_0"
    state = await robot.state.get("robot_status")
    assert state.robot.held_entity_ids == ["cube_0"]
    assert (await robot.scene(entity_ids=["cube_0"])).entities["cube_0"].attached_to == "robot"
    assert (await robot.invoke("go_to", entity(pad.pad_id), timeout_s=120)).status == "done"
    placed = await robot.invoke("place_entity", entity(pad.pad_id), timeout_s=60)
    assert placed.status == "done", placed
    assert (placed.result["placed"], placed.result["placed_on"]) == ("cube_0", pad.pad_id)
    state = await robot.state.get("robot_status")
    assert state.robot.held_entity_ids == []
    assert state.robot.extra["sort_benchmark"]["correct_count"] == 1
    assert (await robot.scene(entity_ids=["cube_0"])).entities["cube_0"].state["parent_pad_id"] == pad.pad_id


async def test_2_6_an_action_that_failed_is_returned_with_its_reason(robot: PlatformSession) -> None:
    result = await robot.invoke("pick_entity", entity("cube_6"))
    assert (result.status, result.phase) == ("failed", "failed")
    assert result.error is not None
    assert result.error.code == "OUT_OF_REACH"
    assert "too far from cube (" in result.error.message
    assert "m > 1.20m)" in result.error.message
    assert result.error.details["stage"] == "planning"
    assert result.action_id in repr(result)
    dumped = result.model_dump(mode="json", exclude_none=True)
    assert dumped["error"]["code"] == "OUT_OF_REACH"
    assert "result" not in dumped


async def test_4_4_state_get_and_list(robot: PlatformSession) -> None:
    assert robot.state.list() == ["robot_status", "scene_state", "scene_layout", "manifest", "capabilities"]
    state = await robot.state.get("robot_status")
    assert (state.robot.entity_id, state.robot.held_entity_ids) == ("robot", [])
    assert state.runtime.accepts_tool_calls
    scene = await robot.state.get("scene_state")
    assert {"robot", "cube_0", "pad_A"} <= scene.entities.keys()
    assert set((await robot.scene(entity_ids=["cube_0"])).entities) == {"cube_0"}
    assert {each.kind for each in (await robot.scene(kinds=["pad"])).entities.values()} == {"pad"}
    layout = await robot.state.get("scene_layout")
    assert {obstacle.kind for obstacle in layout.obstacles} == {"box"}
    assert {pad.role for pad in layout.pads} == {"source", "destination"}
    assert (await robot.state.get("manifest"))["product"]
    assert {camera["camera_id"] for camera in (await robot.get_capabilities())["cameras"]} == {"pov", "topdown"}


# 4.4 get_vision


@pytest.mark.parametrize("camera", ["pov", "topdown"])
async def test_4_4_get_vision_gives_jpeg_bytes(robot: PlatformSession, camera: str) -> None:
    vision = await robot.get_vision(camera, width=640, height=360, quality=0.7)
    assert isinstance(vision, bytes)
    assert vision[:3] == bytes.fromhex("FFD8FF")
    assert size_of_jpeg(vision) == (640, 360)
    assert (vision.frame.width, vision.frame.height) == (640, 360)
    assert vision.frame.intrinsics.cx == 320
    assert vision.verified == "sha256"


async def test_4_4_get_vision_defaults_to_1280_by_720(robot: PlatformSession) -> None:
    vision = await robot.get_vision("pov")
    assert size_of_jpeg(vision) == (1280, 720)
    x, y, z = await position_of(robot)
    assert vision.frame.camera_pose.position == pytest.approx((x, y, z + 0.53), abs=0.02)


async def test_4_4_several_pictures_at_once_each_are_their_own(robot: PlatformSession) -> None:
    sizes = [(320, 180), (160, 90), (64, 36)]
    visions = await asyncio.gather(*(robot.get_vision("topdown", width=width, height=height) for width, height in sizes))
    assert [size_of_jpeg(vision) for vision in visions] == sizes
    assert len({hashlib.sha256(vision).digest() for vision in visions}) == 3


async def test_4_4_boxes_name_what_is_seen(robot: PlatformSession) -> None:
    vision = await robot.get_vision("topdown", width=640, height=360, annotations=["boxes"])
    assert vision.entities is not None
    seen = {each.entity_id: each for each in vision.entities}
    assert "cube_0" in seen
    x, y, width, height = seen["cube_0"].box
    assert 0 <= x <= x + width <= 640
    assert 0 <= y <= y + height <= 360
    assert seen["cube_0"].depth_m > 0


async def test_4_4_visions_come_one_after_another(robot: PlatformSession) -> None:
    steps: list[int] = []
    async for vision in robot.visions("pov", interval_s=0.2, width=160, height=90):
        steps.append(vision.frame.step)
        if len(steps) == 3:
            break
    assert all(later > earlier for earlier, later in pairwise(steps))


async def test_4_4_an_unknown_camera_is_refused_with_those_there_are(robot: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError, match=r"pov.*topdown") as raised:
        await robot.get_vision("back")
    assert raised.value.code == "UNKNOWN_CAMERA"


# 4.4 rule 3, timeouts; cancelling


async def test_4_4_rule_3_a_timeout_is_the_standard_one_and_the_action_may_run_on(robot: PlatformSession) -> None:
    with pytest.raises(TimeoutError) as raised:
        await robot.invoke("go_to", entity("pad_B"), timeout_s=1.0, action_id=f"late-{time.time_ns()}")
    action_id = getattr(raised.value, "action_id", "")
    assert await robot.get_action(action_id) is None
    cancelled = await robot.cancel_action(action_id)
    assert (cancelled.action_id, cancelled.phase) == (action_id, "cancelled")
    assert await robot.get_action(action_id) == cancelled


async def test_4_4_rule_3_the_default_is_runtime_call_timeout_s(open_session: Open) -> None:
    session = await open_session(runtime_call_timeout_s=1.0)
    with pytest.raises(TimeoutError, match="after 1 s"):
        await session.invoke("go_to", entity("pad_B"), cancel_on_abandon=True)
    assert (await session.state.get("robot_status")).runtime.active_action is None


async def test_3_cancel_active_ends_the_active_action_with_cancelled(robot: PlatformSession) -> None:
    walk = robot.start("go_to", entity("pad_B"), timeout_s=120)
    await running(walk)
    cancelled = await robot.cancel_action("cancel-active")
    assert (cancelled.status, cancelled.phase) == ("failed", "cancelled")
    assert cancelled.error is not None
    assert cancelled.error.code == "CANCELLED"
    assert await walk == cancelled


async def test_3_cancelling_with_nothing_active_is_action_not_found(robot: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await robot.cancel_action("cancel-active")
    assert raised.value.code == "ACTION_NOT_FOUND"


async def test_a_task_that_is_cancelled_cancels_the_action_where_asked_to(robot: PlatformSession) -> None:
    action_id = f"abandoned-{time.time_ns()}"
    runs = asyncio.Event()
    walk = asyncio.create_task(
        robot.invoke(
            "go_to",
            entity("pad_B"),
            action_id=action_id,
            timeout_s=120,
            cancel_on_abandon=True,
            on_event=lambda event: runs.set() if event.phase == "running" else None,
        )
    )
    await runs.wait()
    walk.cancel()
    with pytest.raises(asyncio.CancelledError):
        await walk
    ended = await robot.get_action(action_id)
    assert ended is not None
    assert ended.phase == "cancelled"


async def test_a_deadline_is_kept_by_the_runtime_itself(robot: PlatformSession) -> None:
    result = await robot.invoke("go_to", entity("pad_B"), deadline_s=1.0, timeout_s=60)
    assert result.error is not None
    assert result.error.code == "DEADLINE_EXCEEDED"


async def test_the_same_action_id_runs_once(robot: PlatformSession) -> None:
    action_id = f"once-{time.time_ns()}"
    first, second = await asyncio.gather(
        *(robot.invoke("set_velocity", {"vx": -0.2, "duration_s": 0.5}, action_id=action_id) for _ in range(2))
    )
    assert first == second
    assert await robot.invoke("set_velocity", {"vx": -0.2, "duration_s": 0.5}, action_id=action_id) == first
    with pytest.raises(RcwRuntimeError, match="DUPLICATE_ACTION"):
        await robot.invoke("set_velocity", {"vx": 0.1}, action_id=action_id)


# 6 events


async def test_6_1_on_action_result_is_called_with_what_invoke_returns(open_session: Open) -> None:
    reported: list[ActionResult] = []
    session = await open_session(callbacks=ConnectCallbacks(on_action_result=reported.append))
    result = await session.invoke("set_head", {"yaw": 0.2})
    assert len(reported) == 1
    assert reported[0] is result
    assert (reported[0].phase, reported[0].action_id) == ("done", result.meta.action_id)


async def test_6_1_events_come_while_it_runs(open_session: Open) -> None:
    reported: list[ActionEvent] = []
    session = await open_session(callbacks=ConnectCallbacks(on_action_event=reported.append))
    await session.invoke("reset", {"seed": 1})
    reported.clear()
    action = session.start("go_to", entity("pad_C"), timeout_s=120)
    seen: list[ActionEvent] = []
    async for event in action:
        seen.append(event)
        if event.progress is not None and (event.progress.current or 0) > 0.5:
            await action.cancel()
    assert (seen[0].phase, seen[-1].phase) == ("accepted", "cancelled")
    assert any(event.activity for event in seen)
    assert seen[-1].result is await action
    assert [event.phase for event in reported] == [event.phase for event in seen]


async def test_6_1_who_comes_and_goes_is_told(open_session: Open, connection: Connection) -> None:
    reported: list[str] = []

    async def disconnected(reason: str) -> None:
        reported.append(reason)

    session = await open_session(callbacks=ConnectCallbacks(on_disconnected=disconnected))
    await session.disconnect()
    assert reported == ["left"]


# 7 errors


@pytest.mark.parametrize(
    ("skill", "params", "code"),
    [
        ("fly", {}, "UNKNOWN_SKILL"),
        ("set_head", {"yaw": "left"}, "INVALID_INPUT"),
        ("set_head", {"yaw": 0, "roll": 1}, "INVALID_INPUT"),
        ("go_to", {}, "INVALID_INPUT"),
        ("set_velocity", {"vx": math.nan}, "INVALID_INPUT"),
        ("go_to", {"target": {"kind": "entity", "entity_id": "no_such"}}, "UNKNOWN_ENTITY"),
        ("set_velocity", {"vx": 0.1, "note": "x" * 16_000}, "PAYLOAD_TOO_LARGE"),
    ],
)
async def test_7_3_a_call_that_became_no_action_raises(
    session: PlatformSession, skill: str, params: dict[str, object], code: str
) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await session.invoke(skill, params)
    assert raised.value.code == code
    assert raised.value.runtime_message
    assert raised.value.details["attempted"] is False


async def test_7_3_a_second_walk_is_busy(robot: PlatformSession) -> None:
    walk = robot.start("go_to", entity("pad_B"), timeout_s=120)
    await running(walk)
    with pytest.raises(RcwRuntimeError) as raised:
        await robot.invoke("go_to", entity("pad_C"))
    assert raised.value.code == "BUSY"
    await walk.cancel()


async def test_7_3_a_method_that_is_not_there_reads_as_a_code(session: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await answered(lambda: session.call("runtime.no_such_method"))
    assert raised.value.code == "METHOD_NOT_FOUND"


async def test_4_4_forward_envelope_is_refused_by_a_simulator(session: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError) as raised:
        await answered(lambda: session.call("runtime.forward_envelope", {"envelope": "AA=="}))
    assert raised.value.code == "PERMISSION_DENIED"


# 4.1 commands without joining


async def test_4_1_a_semantic_command_moves_the_robot(
    robot: PlatformSession, client: AsyncClient, connection: Connection
) -> None:
    before = await robot.state.get("robot_status")
    await client.robots.send_semantic_command(connection.robot_id, "turn-left")
    after = await robot.state.get("robot_status")
    assert before.robot.pose is not None
    assert after.robot.pose is not None
    assert (after.robot.pose.yaw_deg or 0) - (before.robot.pose.yaw_deg or 0) > 5


async def test_4_1_a_session_command_runs_a_skill(
    session: PlatformSession, client: AsyncClient, connection: Connection
) -> None:
    action_id = f"over-http-{time.time_ns()}"
    result = await client.robots.send_session_command(
        connection.robot_id, "set_head", {"yaw": 0.3}, action_id=action_id, deadline_s=10
    )
    assert (result.status, result.action_id) == ("done", action_id)
    assert abs(result.result["measured"]["yaw"] - 0.3) < math.radians(1.1)
    # The room knows the same action.
    assert await session.get_action(action_id) == result
