"""Specification 4.4, `invoke`: a skill runs once and its end is returned, also if messages get lost."""

from __future__ import annotations

import asyncio
import math
import traceback
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from platform_robot_sdk import CallTimeoutError, ConnectCallbacks, PlatformSDKError, RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.models import ActionResult, Pose
from platform_robot_sdk.realtime.transport import CallErrorReason
from realtime.fake_room import RUNTIME, WORKER, FakeRoom, FakeRuntime, Method, RawText, ended, guard

Open = Callable[..., Any]


def lasting(duration_s: float) -> Callable[[Any], Any]:
    async def skill(_: Any) -> dict[str, Any]:
        await asyncio.sleep(duration_s)
        return {"lasted": duration_s}

    return skill


async def test_4_4_invoke_calls_tools_call_and_gives_the_terminal_result(session: PlatformSession, room: FakeRoom) -> None:
    result = await session.invoke("walk", {"vx": 0.5}, timeout_s=15, action_id="mine", deadline_s=3)
    assert room.called("runtime.tools_call") == [
        {"name": "walk", "input": {"vx": 0.5}, "options": {"action_id": "mine", "deadline_s": 3}}
    ]
    assert isinstance(result, ActionResult)
    assert (result.status, result.phase, result.action_id, result.meta.action_id) == ("done", "done", "mine", "mine")
    assert result.result == {"walked": {"vx": 0.5}}
    assert result.error is None
    assert result.model_dump(mode="json", exclude_none=True) == {
        "status": "done",
        "result": {"walked": {"vx": 0.5}},
        "meta": {
            "action_id": "mine",
            "started_at_ms": 1767000000000,
            "finished_at_ms": 1767000001500,
            "duration_ms": 1500,
        },
    }


async def test_parameters_that_are_no_mapping_are_refused_in_words(session: PlatformSession, room: FakeRoom) -> None:
    for wrong in ([1], [], "pad_B", 3):
        with pytest.raises(RcwRuntimeError, match="INVALID_INPUT: walk takes its parameters by name"):
            await session.invoke("walk", wrong)  # type: ignore[arg-type]
    assert room.called("runtime.tools_call") == []


async def test_every_call_has_an_action_id_of_its_own(session: PlatformSession, room: FakeRoom) -> None:
    results = await asyncio.gather(*(session.invoke("walk") for _ in range(3)))
    ids = [call["options"]["action_id"] for call in room.called("runtime.tools_call")]
    assert len(set(ids)) == 3
    assert {result.action_id for result in results} == set(ids)


async def test_4_4_an_action_that_failed_is_returned(session: PlatformSession, runtime: FakeRuntime) -> None:
    error = {"code": "NAVIGATION_STUCK", "message": "A rack is in the way.", "details": {"stage": "execution"}}
    runtime.skills["walk"] = lambda _: ended("", error=error)
    result = await session.invoke("walk", action_id="a")
    assert (result.status, result.phase) == ("failed", "failed")
    assert result.error is not None
    assert (result.error.code, result.error.message) == ("NAVIGATION_STUCK", "A rack is in the way.")
    assert result.error.details == {"stage": "execution"}
    assert repr(result) == "ActionResult(failed after 1.5 s [a]: NAVIGATION_STUCK: A rack is in the way.)"


@pytest.mark.parametrize("code", ["INVALID_INPUT", "BUSY", "NOT_READY", "PERMISSION_DENIED", "UNKNOWN_SKILL"])
async def test_7_3_a_call_that_became_no_action_raises_rcw_runtime_error(
    session: PlatformSession, room: FakeRoom, code: str
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard(code, "Because.", hint="so")
    with pytest.raises(RcwRuntimeError) as raised:
        await session.invoke("walk")
    assert (raised.value.code, raised.value.runtime_message, raised.value.details) == (code, "Because.", {"hint": "so"})
    assert str(raised.value) == f"{code}: Because."
    assert len(room.called("runtime.tools_call")) == 1


@pytest.mark.parametrize(
    "reply",
    [
        RawText("no json"),
        [],
        None,
        {"status": "done"},
        {"status": "running", "meta": {"action_id": "a"}},
        {"status": "done", "meta": {"action_id": 3}},
        {"status": "done", "meta": {"action_id": "a", "duration_ms": "long"}},
    ],
)
async def test_a_reply_that_is_no_result_is_an_error_of_the_runtime(
    session: PlatformSession, room: FakeRoom, reply: object
) -> None:
    room.methods["runtime.tools_call"] = lambda _: reply
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply"):
        await session.invoke("walk")


async def test_a_failed_action_without_a_reason_still_has_one(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.tools_call"] = lambda _: {"status": "failed", "meta": {"action_id": "a"}}
    result = await session.invoke("walk", action_id="a")
    assert result.error is not None
    assert (result.error.code, result.error.message) == ("INTERNAL", "The runtime gave no reason.")


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"vx": math.nan}, "input.vx is nan"),
        ({"target": {"position": [0.0, math.inf, 0.0]}}, r"input.target.position\[1\] is inf"),
        ({"names": {"a", "b"}}, "input.names is of type set"),
        ({"raw": b"x"}, "input.raw is of type bytes"),
        ({"half": "\ud800"}, "half of a character"),
    ],
)
async def test_7_2_what_json_cannot_hold_is_refused_before_it_is_sent(
    session: PlatformSession, room: FakeRoom, params: dict[str, Any], says: str
) -> None:
    with pytest.raises(RcwRuntimeError, match=f"INVALID_INPUT: .*{says}"):
        await session.invoke("walk", params)
    assert room.calls == []


async def test_8_a_payload_beyond_15_kib_is_refused_before_it_is_sent(session: PlatformSession, room: FakeRoom) -> None:
    with pytest.raises(RcwRuntimeError, match=r"PAYLOAD_TOO_LARGE: The payload has \d+ bytes; one call carries 15360"):
        await session.invoke("walk", {"text": "ü" * 8_000})
    assert room.calls == []
    assert (await session.invoke("walk", {"text": "x" * 15_000})).status == "done"


async def test_models_and_arrays_may_be_parameters(session: PlatformSession, room: FakeRoom) -> None:
    class Array:
        def tolist(self) -> list[float]:
            return [1.0, 2.0, 0.0]

    class Target(BaseModel):
        kind: str = "pose"
        pose: Pose

    pose = Pose(frame_id="world", position=(1, 2, 0), yaw_deg=90)
    await session.invoke("walk", {"target": Target(pose=pose), "at": Array(), "pair": (1, 2)})
    assert room.called("runtime.tools_call")[0]["input"] == {
        "target": {"kind": "pose", "pose": {"frame_id": "world", "position": [1.0, 2.0, 0.0], "yaw_deg": 90.0}},
        "at": [1.0, 2.0, 0.0],
        "pair": [1, 2],
    }


@pytest.mark.parametrize(
    ("reason", "code"), [("unsupported", "METHOD_NOT_FOUND"), ("too_large", "PAYLOAD_TOO_LARGE"), ("fault", "INTERNAL")]
)
async def test_a_refusal_of_livekit_itself_reads_as_the_runtimes_codes(
    session: PlatformSession, room: FakeRoom, reason: CallErrorReason, code: str
) -> None:
    room.losses.append(("runtime.tools_call", reason))
    with pytest.raises(RcwRuntimeError) as raised:
        await session.invoke("walk")
    assert raised.value.code == code
    assert len(room.called("runtime.tools_call")) == 1


@pytest.mark.parametrize("reason", ["lost", "absent"])
async def test_a_call_that_did_not_arrive_is_put_again_by_the_same_id(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime, reason: CallErrorReason
) -> None:
    room.losses += [("runtime.tools_call", reason), ("runtime.tools_call", reason)]
    result = await session.invoke("walk", {"a": 1})
    assert result.status == "done"
    assert runtime.runs == [("walk", {"a": 1})]
    sent = room.called("runtime.tools_call")
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]


async def test_a_lost_reply_is_found_by_the_id_and_the_skill_runs_once(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    room.lost_replies.append("runtime.tools_call")
    result = await session.invoke("walk")
    assert result.status == "done"
    assert len(runtime.runs) == 1
    assert len(room.called("runtime.tools_call")) == 1


async def test_a_lost_reply_of_an_action_that_runs_is_joined(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(20)
    room.lost_replies.append("runtime.tools_call")
    result = await session.invoke("walk", timeout_s=60)
    assert result.result == {"lasted": 20}
    assert len(runtime.runs) == 1
    assert asyncio.get_running_loop().time() == pytest.approx(20, abs=0.5)


async def test_a_reply_that_never_comes_is_found_by_asking(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    real = runtime.tools_call

    async def silent(request: Any) -> Any:
        await real(request)
        await asyncio.Event().wait()

    room.methods["runtime.tools_call"] = silent
    result = await session.invoke("walk", timeout_s=60)
    assert result.status == "done"
    # The library asks every 5 s.
    assert asyncio.get_running_loop().time() == pytest.approx(5, abs=0.1)


async def test_a_call_that_is_swallowed_without_a_word_is_put_again_once_the_runtime_says_that_it_never_heard_of_it(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    real = room.call
    swallowed: list[str] = []

    async def call(*, to: str, method: str, payload: str, timeout_s: float) -> str:
        if method == "runtime.tools_call" and not swallowed:
            swallowed.append(payload)
            await asyncio.Event().wait()
        return await real(to=to, method=method, payload=payload, timeout_s=timeout_s)

    room.call = call  # type: ignore[method-assign]
    assert (await session.invoke("walk", timeout_s=60)).status == "done"
    assert len(runtime.runs) == 1
    assert asyncio.get_running_loop().time() == pytest.approx(5, abs=0.1)


async def test_a_runtime_without_a_record_is_never_asked_twice(open_session: Open, room: FakeRoom) -> None:
    room.join(RUNTIME)
    runtime = FakeRuntime(room, keeps_record=False)
    runtime.skills["walk"] = lambda _: {}
    async with open_session() as session:
        room.lost_replies.append("runtime.tools_call")
        with pytest.raises(TimeoutError) as raised:
            await session.invoke("walk", action_id="a", timeout_s=60)
        assert isinstance(raised.value, CallTimeoutError)
        assert raised.value.action_id == "a"
        assert len(runtime.runs) == 1
        assert len(room.called("runtime.tools_call")) == 1


async def test_a_runtime_that_leaves_and_comes_back_gives_what_it_stored(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    loop = asyncio.get_running_loop()
    room.losses.append(("runtime.tools_call", "lost"))
    runtime.ended["a"] = ended("a", {"stored": True})
    invoking = asyncio.create_task(session.invoke("walk", action_id="a", timeout_s=60))
    await asyncio.sleep(0)
    room.leave(RUNTIME)
    loop.call_later(10, room.join, RUNTIME)
    assert (await invoking).result == {"stored": True}
    assert runtime.runs == []
    assert loop.time() >= 10


@pytest.mark.parametrize("loading", [("runtime.tools_call", "runtime.action"), ("runtime.tools_call",)])
async def test_a_runtime_that_comes_back_and_loads_says_nothing_about_the_earlier_call(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime, loading: tuple[str, ...]
) -> None:
    loop = asyncio.get_running_loop()
    room.losses.append(("runtime.tools_call", "lost"))

    def loads_until_8_s(real: Method) -> Method:
        return lambda request: guard("NOT_READY") if loop.time() < 8 else real(request)

    for name in loading:
        room.methods[name] = loads_until_8_s(room.methods[name])
    result = await session.invoke("walk", timeout_s=60)
    assert result.status == "done"
    assert len(runtime.runs) == 1


async def test_4_4_rule_3_a_timeout_is_the_standard_one_and_the_action_may_run_on(
    session: PlatformSession, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(30)
    with pytest.raises(TimeoutError, match=r"walk .*has not ended after 2 s. It may still run on the robot") as raised:
        await session.invoke("walk", action_id="a", timeout_s=2)
    assert not isinstance(raised.value, PlatformSDKError)
    assert asyncio.get_running_loop().time() == pytest.approx(2, abs=0.01)
    assert await session.get_action("a") is None
    await asyncio.sleep(30)
    stored = await session.get_action("a")
    assert stored is not None
    assert stored.result == {"lasted": 30}


async def test_4_4_rule_3_the_default_of_the_session_holds_where_no_timeout_is_given(
    open_session: Open, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(30)
    async with open_session(runtime_call_timeout_s=4) as session:
        with pytest.raises(TimeoutError, match=r"after 4 s"):
            await session.invoke("walk")


async def test_a_waiting_that_is_cancelled_ends_and_the_action_runs_on(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(30)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await session.invoke("walk", action_id="a")
    assert room.called("runtime.cancel") == []
    assert "a" in runtime.active


async def test_cancel_on_abandon_cancels_the_action_too(session: PlatformSession, room: FakeRoom, runtime: FakeRuntime) -> None:
    runtime.skills["walk"] = lasting(30)
    invoking = asyncio.create_task(session.invoke("walk", action_id="a", cancel_on_abandon=True))
    await asyncio.sleep(1)
    invoking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await invoking
    assert room.called("runtime.cancel") == [{"options": {"action_id": "a"}}]
    assert runtime.ended["a"]["error"]["code"] == "CANCELLED"


async def test_cancel_on_abandon_holds_for_a_timeout_as_well_and_its_note_says_what_came_of_it(
    session: PlatformSession, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(30)
    with pytest.raises(TimeoutError) as raised:
        await session.invoke("walk", action_id="a", timeout_s=1, cancel_on_abandon=True)
    assert raised.value.__notes__ == ["The action a was cancelled on the robot."]
    assert runtime.active == {}


async def test_cancel_on_abandon_is_bounded_and_goes_on_when_it_is_cancelled_itself(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(60)

    async def silent(_: object) -> None:
        await asyncio.Event().wait()

    real, room.methods["runtime.cancel"] = room.methods["runtime.cancel"], silent
    with pytest.raises(TimeoutError) as raised:
        await session.invoke("walk", action_id="a", timeout_s=1, cancel_on_abandon=True)
    assert "asked to stop, and has not confirmed it" in raised.value.__notes__[0]
    assert asyncio.get_running_loop().time() == pytest.approx(6, abs=0.1)
    room.methods["runtime.cancel"] = real
    invoking = asyncio.create_task(session.invoke("walk", action_id="b", cancel_on_abandon=True))
    await asyncio.sleep(1)
    invoking.cancel()
    await asyncio.sleep(0.01)
    invoking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await invoking
    await asyncio.sleep(1)
    assert runtime.ended["b"]["error"]["code"] == "CANCELLED"


async def test_a_velocity_that_holds_is_not_sent_again_behind_a_later_command(open_session: Open, room: FakeRoom) -> None:
    room.join(WORKER)
    runtime = FakeRuntime(room, WORKER)
    runtime.skills |= {"set_velocity": lambda _: {}, "stop": lambda _: {}}
    async with open_session(rcw_identity_prefix="rcw", sign_control=False) as session:
        room.losses.append(("runtime.tools_call", "lost"))
        driving = asyncio.create_task(session.invoke("set_velocity", {"vx": 0.3}))
        await asyncio.sleep(0.0005)
        stopped = await session.invoke("stop")
        with pytest.raises(RcwRuntimeError, match=r"CANCELLED.*was not sent again") as raised:
            await driving
    assert stopped.status == "done"
    assert raised.value.details["reason"] == "overtaken"
    assert runtime.runs == [("stop", {})]


async def test_a_velocity_that_holds_is_sent_again_while_nothing_came_after_it_but_reads(
    open_session: Open, room: FakeRoom
) -> None:
    room.join(WORKER)
    runtime = FakeRuntime(room, WORKER)
    runtime.skills |= {"set_velocity": lambda _: {}, "get_state": lambda _: {}}
    async with open_session(rcw_identity_prefix="rcw", sign_control=False) as session:
        room.losses.append(("runtime.tools_call", "lost"))
        driving = asyncio.create_task(session.invoke("set_velocity", {"vx": 0.3}))
        await asyncio.sleep(0.0005)
        await session.invoke("get_state")
        assert (await driving).status == "done"
    assert runtime.runs == [("get_state", {}), ("set_velocity", {"vx": 0.3})]


@pytest.mark.parametrize("way", ["try_invoke of any session", "invoke of a session with return_refusals"])
async def test_a_refusal_is_returned_as_a_failed_result_by(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime, way: str
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("UNKNOWN_ENTITY", "There is no cube_99.", hint="cube_9")
    reported: list[ActionResult] = []
    phases: list[str] = []
    callbacks = ConnectCallbacks(on_action_result=reported.append, on_action_event=lambda event: phases.append(event.phase))
    async with open_session(callbacks=callbacks, return_refusals=way.startswith("invoke")) as session:
        run = session.invoke if way.startswith("invoke") else session.try_invoke
        result = await run("walk", {"target": "cube_99"}, action_id="mine")
    assert (result.status, result.phase, result.action_id) == ("failed", "failed", "mine")
    assert (result.error.code, result.error.message) == ("UNKNOWN_ENTITY", "There is no cube_99.")
    assert result.error.details == {"hint": "cube_9"}
    assert repr(result) == "ActionResult(failed [mine]: UNKNOWN_ENTITY: There is no cube_99.)"
    assert reported == [result]
    assert reported[0] is result
    # The robot never accepted the action.
    assert phases == ["failed"]


async def test_try_invoke_returns_what_is_refused_before_it_is_sent_and_what_meets_no_runtime(
    open_session: Open, room: FakeRoom
) -> None:
    async with open_session() as session:
        alone = await session.try_invoke("walk")
        assert alone.error is not None
        assert alone.error.code == "NOT_READY"
        room.join(RUNTIME)
        wrong = await session.try_invoke("walk", {"vx": math.nan})
        assert wrong.error is not None
        assert wrong.error.code == "INVALID_INPUT"


class Unready:
    def tolist(self) -> list[float]:
        raise RuntimeError("the array is not computed yet")


WRONG_CALLS: dict[str, tuple[object, object, dict[str, Any], str]] = {
    "an action id that is a number": ("walk", {}, {"action_id": 5}, "action_id is of type int and must be a string"),
    "an action id that is not a number": ("walk", {}, {"action_id": math.nan}, "action_id is of type float"),
    "an action id of bytes": ("walk", {}, {"action_id": b"mine"}, "action_id is of type bytes"),
    "an action id that is an object": ("walk", {}, {"action_id": object()}, "action_id is of type object"),
    "an empty action id": ("walk", {}, {"action_id": ""}, "action_id is empty"),
    "an action id with half a character": ("walk", {}, {"action_id": "\ud800"}, "half of a character"),
    "a skill that is a number": (5, {}, {}, "The name of the skill is of type int and must be a string"),
    "a skill that is missing": (None, {}, {}, "The name of the skill is of type NoneType"),
    "parameters in a list": ("walk", [1], {}, "walk takes its parameters by name"),
    "a number as parameters": ("walk", 3, {}, "walk takes its parameters by name"),
    "a text as parameters": ("walk", "pad_B", {}, "walk takes its parameters by name"),
    "a JSON text as parameters": ("walk", '{"vx": 1}', {}, "is a JSON text"),
    "a number that is not one": ("walk", {"vx": math.nan}, {}, "input.vx is nan"),
    "a number that is not one under a name with half a character": ("walk", {"\ud800": math.nan}, {}, "is nan"),
    "a number too long to be written": ("walk", {"vx": 10**5_000}, {}, "cannot be turned into JSON"),
    "a set": ("walk", {"vx": {1}}, {}, "input.vx is of type set"),
    "an array that cannot be read": ("walk", {"vx": Unready()}, {}, "the array is not computed yet"),
    "a deadline that is not a number": ("walk", {}, {"deadline_s": math.nan}, "options.deadline_s is nan"),
    "a timeout that is not a number": ("walk", {}, {"timeout_s": math.nan}, "timeout_s is nan; pass seconds above 0"),
    "a timeout of 0 s": ("walk", {}, {"timeout_s": 0}, "timeout_s is 0; pass seconds above 0"),
    "a timeout that is a text": ("walk", {}, {"timeout_s": "5"}, "timeout_s is of type str; pass seconds above 0"),
}


@pytest.mark.parametrize("wrong", WRONG_CALLS)
async def test_try_invoke_returns_invalid_input_and_sends_nothing_for(
    session: PlatformSession, room: FakeRoom, wrong: str
) -> None:
    skill, params, options, says = WRONG_CALLS[wrong]
    run: Any = session.try_invoke
    result = await run(skill, params, **options)
    assert (result.status, result.error.code) == ("failed", "INVALID_INPUT")
    assert says in result.error.message
    assert result.error.details["attempted"] is False
    assert isinstance(result.action_id, str)
    assert result.action_id
    assert room.calls == []


async def test_the_refusal_of_a_wrong_action_id_is_told_under_an_id_of_its_own(
    open_session: Open, runtime: FakeRuntime
) -> None:
    reported: list[Any] = []
    callbacks = ConnectCallbacks(on_action_result=reported.append, on_action_event=reported.append)
    async with open_session(callbacks=callbacks, return_refusals=True) as session:
        result = await session.invoke("walk", action_id=5)
        action = session.start("walk", action_id=5)
        assert [event.phase async for event in action] == ["failed"]
    assert {type(each.action_id) for each in reported} == {str}
    assert reported[1] is result
    assert result.action_id.startswith("act-")


async def test_invoke_raises_for_a_wrong_action_id_what_the_runtime_would_say(session: PlatformSession, room: FakeRoom) -> None:
    with pytest.raises(RcwRuntimeError, match=r"INVALID_INPUT: action_id is of type int"):
        await session.invoke("walk", action_id=5)  # type: ignore[arg-type]
    assert room.calls == []


async def test_an_action_of_a_session_that_returns_refusals_ends_with_the_refusal(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("BUSY", "The base is taken.")
    async with open_session(return_refusals=True) as session:
        action = session.start("walk")
        assert [event.phase async for event in action] == ["failed"]
        assert (await action).error.code == "BUSY"


async def test_try_invoke_still_raises_a_timeout_because_the_action_may_run_on(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.skills["walk"] = lasting(100)
    with pytest.raises(CallTimeoutError):
        await session.try_invoke("walk", timeout_s=5)


REFUSED_METHODS = [
    "runtime.tools_call",
    "runtime.cancel",
    "runtime.action",
    "runtime.manifest",
    "runtime.scene_state",
    "runtime.scene_layout",
    "runtime.state",
    "runtime.capabilities",
    "runtime.cameras_capture",
    "runtime.control",
]
REFUSED_CALLS: dict[str, Callable[[PlatformSession], Any]] = {
    "invoke": lambda session: session.invoke("walk"),
    "start": lambda session: session.start("walk").result(),
    "cancel_action": lambda session: session.cancel_action("an-action"),
    "get_action": lambda session: session.get_action("an-action"),
    "call": lambda session: session.call("runtime.manifest"),
    "scene": lambda session: session.scene(),
    "layout": lambda session: session.layout(),
    "state.get": lambda session: session.state.get("robot_status"),
    "get_capabilities": lambda session: session.get_capabilities(),
    "get_vision": lambda session: session.get_vision(),
    "driver": lambda session: session.driver(),
    "take_control": lambda session: session.take_control(),
    "ask_for_control": lambda session: session.ask_for_control(),
}


@pytest.mark.parametrize("name", REFUSED_CALLS)
async def test_the_traceback_of_a_refusal_has_one_frame_of_the_library_in(
    session: PlatformSession, room: FakeRoom, name: str
) -> None:
    def refuse(_: Any) -> Any:
        return guard("BUSY", "The base is taken.", hint="Wait.")

    for method in REFUSED_METHODS:
        room.methods[method] = refuse
    with pytest.raises(RcwRuntimeError) as refused:
        await REFUSED_CALLS[name](session)
    frames = [frame.filename for frame in traceback.extract_tb(refused.value.__traceback__)]
    assert frames[0] == __file__
    assert len(frames) == 2, frames
    assert refused.value.__cause__ is None
    assert refused.value.__notes__ == ["Wait."]


async def test_the_traceback_of_a_timeout_has_one_frame_of_the_library_in(session: PlatformSession, room: FakeRoom) -> None:
    async def silence(_: Any) -> Any:
        await asyncio.Event().wait()

    room.methods["runtime.tools_call"] = silence
    for call in (session.invoke("walk", timeout_s=0.05), session.start("walk", timeout_s=0.05).result()):
        with pytest.raises(TimeoutError) as late:
            await call
        frames = [frame.filename for frame in traceback.extract_tb(late.value.__traceback__)]
        assert frames[0] == __file__
        assert len(frames) == 2, frames
