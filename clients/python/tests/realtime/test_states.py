"""Specification 4.4: `state.get`, `state.list`; reads are repeated if their replies get lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from platform_robot_sdk import RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.models import RuntimeState, SceneLayout, SceneState
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime, RawText, guard

SCENE: dict[str, Any] = {
    "timestamp": {"step": 1, "sim_time_s": 0.0, "wall_time_ms": 1},
    "entities": {
        "cube_0": {
            "entity_id": "cube_0",
            "kind": "cube",
            "pose": {"frame_id": "world", "position": [1.4, -1.8, 0.575], "yaw_deg": 0},
            "visible": True,
            "attached_to": None,
            "state": {"color": "blue", "parent_pad_id": "pad_A"},
        },
        "cube_1": {
            "entity_id": "cube_1",
            "kind": "cube",
            "visible": False,
            "attached_to": "robot",
            "state": {"color": "<red>"},
        },
        "thing": {"entity_id": "thing"},
    },
}
LAYOUT: dict[str, Any] = {
    "scene_id": "warehouse",
    "bounds": {"min": [-5, -8, 0], "max": [5, 8, 4]},
    "obstacles": [{"kind": "box", "pose": {"position": [1, 2, 0.5]}, "size": [1, 1, 1]}],
    "pads": [
        {"pad_id": "pad_B", "position": [-1.4, -5.5, 0.1], "size": [0.8, 0.8, 0.1], "color": "red", "role": "destination"}
    ],
    "slots": [{"pad_id": "pad_B", "index": 0, "position": [-1.4, -5.5, 0.2]}],
    "regions": [{"region_id": "aisle", "title": "Aisle", "polygon": [[0, 0], [1, 0], [1, 2.5]]}],
    "spawn": {"frame_id": "world", "position": [0.4, -1.5, 0.62], "yaw_deg": 0},
}


async def test_4_4_state_get_robot_status_is_a_typed_state(session: PlatformSession, room: FakeRoom) -> None:
    state = await session.state.get("robot_status")
    assert room.called("runtime.state") == [{}]
    assert isinstance(state, RuntimeState)
    assert state.robot.pose is not None
    assert state.robot.pose.position == (0.405, -1.497, 0.62)
    assert state.robot.held_entity_ids == []
    assert state.robot.extra["sort_benchmark"]["correct_count"] == 1
    assert state.runtime.status == "ready"
    dumped = state.model_dump(mode="json", exclude_none=True)
    assert dumped["robot"]["pose"]["position"] == [0.405, -1.497, 0.62]
    assert repr(state) == (
        "RuntimeState(step 12, 0.1 s; robot ready at (0.405, -1.497, 0.620) facing 0°, holds nothing; runtime ready)"
    )


async def test_the_state_names_what_runs(session: PlatformSession, runtime: FakeRuntime) -> None:
    async def walk(_: object) -> dict[str, Any]:
        await asyncio.sleep(5)
        return {}

    runtime.skills["walk"] = walk
    action = session.start("walk", action_id="a")
    await asyncio.sleep(1)
    runtime.doing["a"] = {"phase": "walking", "progress": {"current": 1.5, "total": 4, "unit": "m"}}
    state = await session.state.get("robot_status")
    assert state.runtime.active_action is not None
    assert "runs walk a (walking, 1.5 of 4 m)" in repr(state)
    await action


async def test_4_4_state_get_scene_state_takes_filters(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.scene_state"] = lambda _: SCENE
    scene = await session.state.get("scene_state")
    assert isinstance(scene, SceneState)
    cube = scene.entities["cube_0"]
    assert cube.pose is not None
    assert cube.pose.position[0] == 1.4
    assert cube.state["parent_pad_id"] == "pad_A"
    await session.state.get("scene_state", entity_ids=["cube_0"])
    await session.scene(kinds=["cube"], visible=True)
    await session.scene()
    assert room.called("runtime.scene_state") == [
        {},
        {"entity_ids": ["cube_0"]},
        {"visible": True, "kinds": ["cube"]},
        {},
    ]
    assert "cube_0 blue (1.400, -1.800, 0.575) facing 0° on pad_A" in repr(scene)
    assert "cube_1 <red> held by robot not visible" in repr(scene)
    assert "&lt;red&gt;" in scene._repr_html_()


async def test_4_4_layout_and_the_reads_without_a_model(session: PlatformSession, room: FakeRoom) -> None:
    room.methods |= {
        "runtime.scene_layout": lambda _: LAYOUT,
        "runtime.manifest": lambda _: {"product": "x"},
        "runtime.capabilities": lambda _: {"cameras": []},
        "runtime.other": lambda payload: payload,
    }
    layout = await session.layout()
    assert isinstance(layout, SceneLayout)
    assert layout.pads[0].pad_id == "pad_B"
    assert layout.obstacles[0].size == (1.0, 1.0, 1.0)
    assert layout.regions is not None
    assert (layout.regions[0].title, layout.regions[0].polygon[2]) == ("Aisle", (1.0, 2.5))
    assert repr(layout) == "SceneLayout(warehouse: 1 obstacles, 1 slots, pads pad_B red)"
    assert await session.state.get("manifest") == {"product": "x"}
    assert await session.get_capabilities() == {"cameras": []}
    assert await session.state.get("other", a=1) == {"a": 1}
    assert await session.call("runtime.other", {"b": 2}) == {"b": 2}


def test_4_4_state_list_names_the_keys(session: PlatformSession) -> None:
    assert session.state.list() == ["robot_status", "scene_state", "scene_layout", "manifest", "capabilities"]


@pytest.mark.parametrize("reply", [{}, [], None, {**SCENE, "entities": []}, {**SCENE, "entities": {"a": {"pose": {}}}}])
async def test_a_state_that_is_none_names_the_fields_that_are_wrong(
    session: PlatformSession, room: FakeRoom, reply: object
) -> None:
    room.methods["runtime.scene_state"] = lambda _: reply
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply of the runtime is not a scene"):
        await session.scene()


async def test_7_3_a_guard_in_answer_to_a_read_raises(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.scene_state"] = lambda _: guard("PAYLOAD_TOO_LARGE", "Ask for less.")
    with pytest.raises(RcwRuntimeError, match=r"PAYLOAD_TOO_LARGE: Ask for less."):
        await session.scene()


async def test_a_read_whose_reply_got_lost_is_put_again(session: PlatformSession, room: FakeRoom) -> None:
    room.losses += [("runtime.state", "lost"), ("runtime.state", "absent")]
    assert (await session.state.get("robot_status")).runtime.status == "ready"
    assert len(room.called("runtime.state")) == 3


async def test_a_read_that_stays_without_an_answer_is_put_every_five_seconds_until_its_time_is_up(
    session: PlatformSession, room: FakeRoom
) -> None:
    async def silent(_: object) -> None:
        await asyncio.Event().wait()

    room.methods["runtime.state"] = silent
    with pytest.raises(TimeoutError, match=r"runtime.state had no reply within 12 s"):
        await session.state.get("robot_status", timeout_s=12)
    assert asyncio.get_running_loop().time() == pytest.approx(12, abs=0.5)
    assert len(room.called("runtime.state")) == 3


async def test_a_read_waits_for_a_runtime_that_has_just_left(session: PlatformSession, room: FakeRoom) -> None:
    room.losses.append(("runtime.state", "lost"))
    reading = asyncio.create_task(session.state.get("robot_status"))
    await asyncio.sleep(0)
    room.leave(RUNTIME)
    asyncio.get_running_loop().call_later(3, room.join, RUNTIME)
    assert (await reading).runtime.status == "ready"


async def test_a_call_of_any_method_is_put_once(session: PlatformSession, room: FakeRoom) -> None:
    room.losses.append(("runtime.state", "lost"))
    with pytest.raises(TimeoutError):
        await session.call("runtime.state")
    assert len(room.called("runtime.state")) == 1
    with pytest.raises(RcwRuntimeError, match=r"METHOD_NOT_FOUND.*runtime.nothing"):
        await session.call("runtime.nothing")
    room.methods["runtime.state"] = lambda _: RawText("{'a': 1}")
    with pytest.raises(RcwRuntimeError, match=r"not JSON"):
        await session.call("runtime.state")
    room.methods["runtime.state"] = lambda _: RawText("[" * 2_000_000)
    with pytest.raises(RcwRuntimeError, match=r"PAYLOAD_TOO_LARGE: The reply to runtime.state has 2000000 characters"):
        await session.call("runtime.state")


async def test_an_unknown_key_is_told_with_the_keys_there_are(session: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError, match=r"no method runtime\.nope.*robot_status, scene_state, scene_layout") as refused:
        await session.state.get("nope")
    assert refused.value.code == "METHOD_NOT_FOUND"
