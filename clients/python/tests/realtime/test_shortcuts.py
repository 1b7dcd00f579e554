"""The methods of a session that are named after skills: `session.go_to("pad_B")`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from platform_robot_sdk import PlatformSDKError
from platform_robot_sdk.connection import PlatformSession
from realtime.fake_room import WORKER, FakeRoom, FakeRuntime, guard

Open = Callable[..., Any]


def entity(entity_id: str) -> dict[str, Any]:
    return {"target": {"kind": "entity", "entity_id": entity_id}}


def pose(*position: float, **rest: float) -> dict[str, Any]:
    return {"target": {"kind": "pose", "pose": {"position": list(position), **rest}}}


# Each call, and the skill and input that go to the robot.
CALLS: dict[str, tuple[Callable[[PlatformSession], Any], str, dict[str, Any]]] = {
    "go_to of an id": (lambda session: session.go_to("pad_B"), "go_to", entity("pad_B")),
    "go_to with a tolerance": (
        lambda session: session.go_to("pad_B", tolerance_m=0.1),
        "go_to",
        {**entity("pad_B"), "tolerance_m": 0.1},
    ),
    "go_to of a place": (lambda session: session.go_to({"x": 1, "y": -2, "yaw_deg": 90}), "go_to", pose(1, -2, 0, yaw_deg=90)),
    "pick": (lambda session: session.pick("cube_0"), "pick_entity", entity("cube_0")),
    "place on a pad": (lambda session: session.place(on="pad_B"), "place_entity", entity("pad_B")),
    "place in a slot": (
        lambda session: session.place(on="pad_B", slot=0),
        "place_entity",
        {"target": {"kind": "slot", "pad_id": "pad_B", "index": 0}},
    ),
    "place at a place": (
        lambda session: session.place(at={"x": 1, "y": 0, "z": 0.075}),
        "place_entity",
        pose(1, 0, 0.075),
    ),
    "place without a target": (lambda session: session.place(), "place_entity", {}),
    "drive": (lambda session: session.drive(vx=0.3, wz=0, duration_s=2), "set_velocity", {"vx": 0.3, "wz": 0, "duration_s": 2}),
    "set_head": (lambda session: session.set_head(pitch=0.4), "set_head", {"pitch": 0.4}),
    "look_at of a place": (lambda session: session.look_at({"x": 1, "y": 2, "z": 0.5}), "look_at", pose(1, 2, 0.5)),
}


@pytest.mark.parametrize("name", CALLS)
async def test_a_shortcut_sends_the_skill_with_its_input(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime, name: str
) -> None:
    call, skill, sent = CALLS[name]
    runtime.skills[skill] = lambda params: {"done with": params}
    result = await call(session)
    (payload,) = room.called("runtime.tools_call")
    assert (payload["name"], payload["input"]) == (skill, sent)
    assert result.result == {"done with": sent}


async def test_a_shortcut_takes_the_options_of_invoke_and_returns_refusals_where_the_session_does(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("UNKNOWN_ENTITY", "There is no pad_Z.")
    async with open_session(return_refusals=True) as session:
        refused = await session.go_to("pad_Z", action_id="mine", deadline_s=9)
    assert (refused.status, refused.action_id, refused.error.code) == ("failed", "mine", "UNKNOWN_ENTITY")
    assert room.called("runtime.tools_call")[0]["options"] == {"action_id": "mine", "deadline_s": 9}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda session: session.place(on="pad_B", at={"x": 0, "y": 0}), "Pass one of them"),
        (lambda session: session.place(slot=1), "Pass the id of the pad as `on`"),
        (lambda session: session.go_to({"x": 1}), "this one has x"),
        (lambda session: session.look_at({"x": 1, "y": 2, "yaw": 0.3}), "this one has x, y, yaw"),
    ],
)
async def test_a_shortcut_refuses_a_target_that_is_none_unsent(
    session: PlatformSession, room: FakeRoom, call: Callable[[PlatformSession], Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        await call(session)
    assert room.called("runtime.tools_call") == []


async def test_drive_sends_nothing_to_a_robot_of_the_physical_contract_which_would_drive_on_for_ever(
    open_session: Open, room: FakeRoom
) -> None:
    room.join(WORKER)
    async with open_session(rcw_identity_prefix="rcw") as session:
        with pytest.raises(PlatformSDKError, match="This robot keeps the physical robot's contract"):
            await session.drive(vx=0.2, duration_s=1)
    assert room.called("runtime.tools_call") == []


async def types_of_shortcuts(session: PlatformSession) -> None:
    """Never run: mypy fails where one of these is not refused."""
    await session.drive(vx="0.3")  # type: ignore[arg-type]
    await session.drive(vyaw=1)  # type: ignore[call-arg]
    await session.go_to({"x": 1})  # type: ignore[arg-type]
    await session.pick({"x": 1, "y": 2})  # type: ignore[arg-type]
    await session.place("pad_B")  # type: ignore[call-arg]
