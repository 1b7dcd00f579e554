"""The methods of a session that are named after skills: `session.go_to("pad_B")`."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

from platform_robot_sdk import PlatformSDKError, RcwRuntimeError
from platform_robot_sdk.connection import ConnectCallbacks, PlatformSession
from realtime.fake_room import WORKER, FakeRoom, FakeRuntime, guard

Open = Callable[..., Any]


def entity(entity_id: str) -> dict[str, Any]:
    return {"target": {"kind": "entity", "entity_id": entity_id}}


def pose(*position: float, **rest: float) -> dict[str, Any]:
    return {"target": {"kind": "pose", "pose": {"position": list(position), **rest}}}


# Each call, and the skill and input that the robot receives.
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


# Calls from a program without type checks, and the text of their refusals.
WRONG_CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a place on two targets": (lambda session: session.place(on="pad_B", at={"x": 0, "y": 0}), "Pass one of them."),
    "a slot without a pad": (lambda session: session.place(slot=0), "Pass the id of the pad as `on`."),
    "a place without y": (lambda session: session.go_to({"x": 1}), "this one has x. Pass the id of a thing"),
    "a place with an unknown field": (lambda session: session.look_at({"x": 1, "y": 2, "yaw": 0.3}), "this one has x, y, yaw."),
    "a target that is a number": (lambda session: session.go_to(5), "target is of type int. Pass the id of a thing, such as"),
    "a target that is an object": (lambda session: session.go_to(object()), "target is of type object."),
    "a target that is a tuple": (lambda session: session.look_at((1, 2)), "or a place, such as {'x': 0.4, 'y': -1.5}."),
    "a target that is a set": (lambda session: session.go_to({"x", "yy"}), "target is of type set."),
    "a target that is None": (lambda session: session.go_to(None), "target is of type NoneType."),
    "a place as a target to pick": (lambda session: session.pick({"x": 1, "y": 2}), "target is of type dict. Pass the id"),
    "a pad that is a number": (lambda session: session.place(on=5), "on is of type int. Pass the id of a thing"),
    "a place to place at that is a tuple": (lambda session: session.place(at=(1, 2)), "at is of type tuple. Pass a place"),
    "a pad without its name": (lambda session: session.place("pad_D"), "takes on, slot, at by name. Write place(on='pad_D')."),
    "a tolerance without its name": (lambda session: session.go_to("pad_A", 0.1), "Write go_to('pad_A', tolerance_m=0.1)."),
    "velocities without their names": (lambda session: session.drive(0.2, 0, wz=1), "Write drive(vx=0.2, vy=0)."),
    "two targets": (lambda session: session.pick("cube_0", "cube_1"), "Write pick(target)."),
    "an unknown argument": (
        lambda session: session.drive(vyaw=1),
        "drive has no argument vyaw. Write drive(vx=…, vy=…, wz=…, duration_s=…).",
    ),
    "a missing target": (lambda session: session.go_to(), "missing a required argument: 'target'. Write go_to(target"),
    "a timeout of nothing": (lambda session: session.pick("cube_0", timeout_s=0), "timeout_s is 0; pass seconds above 0."),
    "a timeout that is a text": (lambda session: session.pick("cube_0", timeout_s="5"), "timeout_s is of type str;"),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
async def test_a_shortcut_refuses_a_wrong_argument_unsent_with_what_to_write(
    session: PlatformSession, room: FakeRoom, name: str
) -> None:
    call, said = WRONG_CALLS[name]
    with pytest.raises(RcwRuntimeError) as refused:
        await call(session)
    assert refused.value.code == "INVALID_INPUT"
    assert said in refused.value.runtime_message
    assert refused.value.details["attempted"] is False
    frames = [frame.filename for frame in traceback.extract_tb(refused.value.__traceback__)]
    assert frames[:-1] == [__file__], frames
    assert room.called("runtime.tools_call") == []


@pytest.mark.parametrize("name", WRONG_CALLS)
async def test_a_shortcut_returns_the_refusal_of_a_wrong_argument_where_the_session_does(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime, name: str
) -> None:
    call, said = WRONG_CALLS[name]
    reported: list[Any] = []
    async with open_session(return_refusals=True, callbacks=ConnectCallbacks(on_action_result=reported.append)) as session:
        refused = await call(session)
    assert (refused.status, refused.error.code) == ("failed", "INVALID_INPUT")
    assert said in refused.error.message
    assert reported == [refused]
    assert room.called("runtime.tools_call") == []


async def test_the_refusal_of_a_call_that_does_not_fit_has_the_given_action_id(
    open_session: Open, runtime: FakeRuntime
) -> None:
    async with open_session(return_refusals=True) as session:
        refused = await session.place("pad_D", action_id="mine")
    assert refused.action_id == "mine"


async def test_drive_sends_nothing_to_a_robot_of_the_physical_contract_which_would_drive_on_for_ever(
    open_session: Open, room: FakeRoom
) -> None:
    room.join(WORKER)
    async with open_session(rcw_identity_prefix="rcw") as session:
        with pytest.raises(PlatformSDKError, match="This robot keeps the physical robot's contract"):
            await session.drive(vx=0.2, duration_s=1)
    assert room.called("runtime.tools_call") == []


async def types_of_shortcuts(session: PlatformSession) -> None:
    """Never run: mypy fails if it accepts one of these calls."""
    await session.drive(vx="0.3")  # type: ignore[arg-type]
    await session.drive(vyaw=1)  # type: ignore[call-arg]
    await session.go_to({"x": 1})  # type: ignore[arg-type]
    await session.pick({"x": 1, "y": 2})  # type: ignore[arg-type]
    await session.place("pad_B")  # type: ignore[call-arg]
