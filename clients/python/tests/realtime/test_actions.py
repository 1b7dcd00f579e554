"""Specification 6.1: the events of actions; `start`, `get_action`, `cancel_action`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from platform_robot_sdk import CallTimeoutError, RcwRuntimeError
from platform_robot_sdk.connection import Action, ConnectCallbacks, PlatformSession
from platform_robot_sdk.models import ActionEvent, ActionResult
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime, guard

Open = Callable[..., Any]


@pytest.fixture
def walking(runtime: FakeRuntime) -> FakeRuntime:
    """`walk` takes 4 s, and advances one metre per second."""

    async def walk(_: Any) -> dict[str, Any]:
        action_id = next(iter(runtime.active))
        for metre in range(4):
            runtime.doing[action_id] = {
                "phase": "walking" if metre < 3 else "settling",
                "progress": {"current": metre, "total": 4, "unit": "m"},
            }
            await asyncio.sleep(1)
        return {"path_m": 4}

    runtime.skills["walk"] = walk
    return runtime


async def test_6_1_on_action_result_is_called_with_the_very_object_that_invoke_returns(
    open_session: Open, walking: FakeRuntime
) -> None:
    reported: list[ActionResult] = []
    async with open_session(callbacks=ConnectCallbacks(on_action_result=reported.append)) as session:
        result = await session.invoke("walk", action_id="a")
        assert len(reported) == 1
        assert reported[0] is result
        assert (reported[0].phase, reported[0].action_id) == ("done", "a")


async def test_6_1_the_phases_of_an_action_that_is_cancelled_and_of_a_call_that_became_none(
    open_session: Open, room: FakeRoom, walking: FakeRuntime
) -> None:
    reported: list[ActionResult] = []
    async with open_session(callbacks=ConnectCallbacks(on_action_result=reported.append)) as session:
        invoking = asyncio.create_task(session.invoke("walk", action_id="a"))
        await asyncio.sleep(1)
        cancelled = await session.cancel_action("cancel-active")
        assert (cancelled.status, cancelled.phase) == ("failed", "cancelled")
        assert await invoking == cancelled
        assert [result.phase for result in reported] == ["cancelled"]
        with pytest.raises(RcwRuntimeError):
            await session.invoke("fly")
        assert len(reported) == 1


async def test_events_come_while_it_runs_at_most_five_times_a_second(
    open_session: Open, walking: FakeRuntime, room: FakeRoom
) -> None:
    events: list[ActionEvent] = []
    async with open_session(callbacks=ConnectCallbacks(on_action_event=events.append)) as session:
        result = await session.invoke("walk", action_id="a")
    assert [event.phase for event in events] == ["accepted", *["running"] * 4, "done"]
    assert [event.activity for event in events[1:-1]] == ["walking", "walking", "walking", "settling"]
    assert [event.progress.current for event in events if event.progress] == [0, 1, 2, 3]
    assert {event.action_id for event in events} == {"a"}
    assert events[-1].result is result
    assert len(room.called("runtime.action")) <= 4 * 5


async def test_nobody_asks_for_events_that_nobody_listens_to(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    await session.invoke("walk")
    assert room.called("runtime.action") == []
    assert room.called("runtime.state") == []


async def test_events_of_a_runtime_without_a_record_come_from_its_state(open_session: Open, room: FakeRoom) -> None:
    room.join(RUNTIME)
    runtime = FakeRuntime(room, keeps_record=False)

    async def walk(_: Any) -> dict[str, Any]:
        await asyncio.sleep(2)
        return {}

    runtime.skills["walk"] = walk
    events: list[ActionEvent] = []
    async with open_session() as session:
        await session.invoke("walk", on_event=events.append)
    assert [event.phase for event in events] == ["accepted", "running", "done"]
    assert 5 <= len(room.called("runtime.state")) <= 10


async def test_callbacks_may_be_async_and_one_that_raises_breaks_no_call(
    open_session: Open, walking: FakeRuntime, caplog: pytest.LogCaptureFixture
) -> None:
    reported: list[str] = []

    async def on_result(result: ActionResult) -> None:
        await asyncio.sleep(0.1)
        reported.append(result.phase)
        raise ValueError("a secret")

    def on_event(event: ActionEvent) -> None:
        raise KeyError("a secret")

    callbacks = ConnectCallbacks(on_action_result=on_result, on_action_event=on_event)
    with caplog.at_level(logging.WARNING):
        async with open_session(callbacks=callbacks) as session:
            assert (await session.invoke("walk")).status == "done"
    # Leaving lets async callbacks end.
    assert reported == ["done"]
    assert "the callback on_action_result raised ValueError" in caplog.text
    assert "the callback on_action_event raised KeyError" in caplog.text
    assert "a secret" not in caplog.text


async def test_disconnecting_from_within_a_callback_does_not_wait_for_itself(open_session: Open, walking: FakeRuntime) -> None:
    sessions: list[PlatformSession] = []
    left = asyncio.Event()

    async def on_result(_: ActionResult) -> None:
        await sessions[0].disconnect()
        left.set()

    sessions.append(await open_session(callbacks=ConnectCallbacks(on_action_result=on_result)))
    await sessions[0].invoke("walk")
    before = asyncio.get_running_loop().time()
    await left.wait()
    assert asyncio.get_running_loop().time() - before < 0.1


async def test_start_gives_an_action_to_be_iterated_and_awaited(session: PlatformSession, walking: FakeRuntime) -> None:
    action = session.start("walk")
    assert isinstance(action, Action)
    assert not action.done()
    phases = [event.phase async for event in action]
    assert phases == ["accepted", *["running"] * 4, "done"]
    result = await action
    assert result is await action.result()
    assert [event.phase async for event in action] == ["done"]
    assert action.action_id in repr(action)


async def test_an_action_that_is_left_runs_on_and_is_cancelled_once(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    action = session.start("walk")
    async for event in action:
        if event.progress is not None and event.progress.current == 2:
            break
    assert not action.done()
    first, second = await asyncio.gather(action.cancel(), action.cancel())
    assert first is second
    assert first.phase == "cancelled"
    assert await action == first
    assert len(room.called("runtime.cancel")) == 1


async def test_waiting_for_an_action_that_is_cancelled_leaves_the_action_alone(
    session: PlatformSession, walking: FakeRuntime
) -> None:
    action = session.start("walk")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await action
    assert (await action).status == "done"


async def test_cancelling_an_action_that_has_ended_gives_its_end(session: PlatformSession, walking: FakeRuntime) -> None:
    action = session.start("walk")
    result = await action
    assert await action.cancel() == result


async def test_iterating_an_action_raises_what_its_result_raises(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("BUSY")
    action = session.start("walk")
    with pytest.raises(RcwRuntimeError, match=r"BUSY"):
        async for _ in action:
            pass
    with pytest.raises(RcwRuntimeError, match=r"BUSY"):
        await action
    # A failed action that no caller awaits is not reported; a warning would fail this test.
    session.start("walk")
    await asyncio.sleep(1)


async def test_4_4_a_cancel_that_gets_lost_is_asked_again(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    action = session.start("walk", action_id="a")
    await asyncio.sleep(1)
    room.losses += [("runtime.cancel", "lost")]
    assert (await session.cancel_action("a")).phase == "cancelled"
    assert room.called("runtime.cancel") == [{"options": {"action_id": "a"}}] * 2
    await action
    action = session.start("walk", action_id="b")
    await asyncio.sleep(1)
    room.losses += [("runtime.cancel", "lost")]
    assert (await session.cancel_action()).phase == "cancelled"
    assert room.called("runtime.cancel")[2:] == [{"options": {"action_id": "cancel-active"}}] * 2
    await action


NOW_MS = 50_000


def listed(action_id: str, ago_ms: int, *, kind: str = "tool", **details: object) -> dict[str, Any]:
    """The end of a cancelled action, as the runtime's record lists it."""
    meta = {"action_id": action_id, "started_at_ms": 1, "finished_at_ms": NOW_MS - ago_ms, "duration_ms": 1}
    error = {"code": "CANCELLED", "message": "It was cancelled.", "details": details}
    return {"status": "failed", "kind": kind, "name": "walk", "error": error, "meta": meta}


def unheard(room: FakeRoom, record: list[Any], active: dict[str, Any] | None = None) -> None:
    """The first cancel is carried out and its reply gets lost. Afterwards no action is active, unless the test sets one."""
    runtime = {"status": "ready"} if active is None else {"status": "busy", "active_action": active}
    room.methods |= {
        "runtime.state": lambda _: {"timestamp": {"wall_time_ms": NOW_MS}, "runtime": runtime, "robot": {}},
        "runtime.action": lambda _: record,
        "runtime.cancel": lambda _: guard("ACTION_NOT_FOUND") if active is None else listed(active["action_id"], 0),
    }
    room.lost_replies += ["runtime.cancel"]


async def test_4_4_a_cancel_of_whatever_is_active_that_was_carried_out_unheard_gives_the_end_of_that(
    session: PlatformSession, room: FakeRoom
) -> None:
    # A picture that has ended since is not an action that a cancel ends.
    unheard(room, [listed("picture", 10, kind="capture"), listed("a", 1900), listed("older", 9000)])
    cancelled = await session.cancel_action()
    assert (cancelled.action_id, cancelled.phase) == ("a", "cancelled")
    assert len(room.called("runtime.cancel")) == 1


@pytest.mark.parametrize(
    "record",
    [
        [listed("a", 60_000)],
        [listed("a", 1900, superseded_by="b")],
        [listed("a", 1900, kind="capture")],
        [None, 7, "x", {}],
        {},
    ],
)
async def test_4_4_a_cancel_takes_nothing_for_its_own_that_it_has_not_done(
    session: PlatformSession, room: FakeRoom, record: Any
) -> None:
    unheard(room, record)
    with pytest.raises(RcwRuntimeError, match=r"ACTION_NOT_FOUND"):
        await session.cancel_action()
    assert len(room.called("runtime.cancel")) == 2


async def test_4_4_a_lost_cancel_is_put_again_while_something_is_active(session: PlatformSession, room: FakeRoom) -> None:
    unheard(room, [listed("a", 1900)], active={"action_id": "b"})
    assert (await session.cancel_action()).action_id == "b"
    assert len(room.called("runtime.cancel")) == 2


async def test_4_4_a_cancel_takes_the_end_that_was_given_before_for_no_new_one(
    session: PlatformSession, room: FakeRoom
) -> None:
    unheard(room, [listed("a", 0)])
    assert (await session.cancel_action()).action_id == "a"
    room.lost_replies += ["runtime.cancel"]
    with pytest.raises(RcwRuntimeError, match=r"ACTION_NOT_FOUND"):
        await session.cancel_action()


async def test_4_4_a_cancel_is_not_put_again_when_something_was_commanded_while_it_was_looked_for(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    begun: list[Any] = []

    def state(_: Any) -> Any:
        begun.append(session.start("walk", action_id="mine"))
        return {"timestamp": {"wall_time_ms": NOW_MS}, "runtime": {}, "robot": {}}

    cancel = room.methods["runtime.cancel"]
    unheard(room, [])
    room.methods["runtime.state"] = state
    with pytest.raises(CallTimeoutError, match=r"this session has commanded the robot since"):
        await session.cancel_action()
    assert len(room.called("runtime.cancel")) == 1
    room.methods["runtime.cancel"] = cancel
    await session.cancel_action("mine")
    await begun[0]


async def test_4_4_cancel_active_is_not_asked_again_once_something_was_commanded(
    session: PlatformSession, room: FakeRoom, walking: FakeRuntime
) -> None:
    room.losses += [("runtime.cancel", "lost")]
    cancelling = asyncio.create_task(session.cancel_action())
    await asyncio.sleep(0)
    action = session.start("walk", action_id="a")
    with pytest.raises(CallTimeoutError):
        await cancelling
    assert len(room.called("runtime.cancel")) == 1
    await session.cancel_action("a")
    await action


async def test_cancelling_when_nothing_is_active_is_action_not_found(session: PlatformSession) -> None:
    with pytest.raises(RcwRuntimeError, match=r"ACTION_NOT_FOUND"):
        await session.cancel_action()


@pytest.mark.parametrize("reply", [None, True, 7, "x", []])
async def test_get_action_takes_no_other_answer_for_an_action_that_runs(
    session: PlatformSession, room: FakeRoom, reply: object
) -> None:
    room.methods["runtime.action"] = lambda _: reply
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: .* not what runtime\.action answers"):
        await session.get_action("a")


async def test_get_action_of_an_action_that_was_never_heard_of_raises(session: PlatformSession, runtime: FakeRuntime) -> None:
    with pytest.raises(RcwRuntimeError, match=r"ACTION_NOT_FOUND"):
        await session.get_action("never")


async def test_an_action_whose_time_is_up_is_cancelled_too_where_that_was_asked_for(
    session: PlatformSession, walking: FakeRuntime
) -> None:
    action = session.start("walk", action_id="a", timeout_s=1.5, cancel_on_abandon=True)
    with pytest.raises(CallTimeoutError) as raised:
        await action
    assert raised.value.action_id == "a"
    assert walking.ended["a"]["error"]["code"] == "CANCELLED"
