"""A runtime that sends replies that no robot sends: each call ends with an error of the library, and little memory is kept."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from platform_robot_sdk import RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.models.actions import ActionEvent, ActionResult, SkillDescriptor
from platform_robot_sdk.realtime.action import EventFeed
from realtime.fake_room import WORKER, FakeRoom, FakeRuntime, RawText, ended, guard
from realtime.test_given_up import Open

# Valid JSON, but with numbers or lists that a program cannot work with.
BEYOND = {
    "infinite": "1e999",
    "minus infinite": "-1e999",
    "beyond a double": "1" * 400,
    "beyond any whole number": "1" * 15_000,
    "nested": "[" * 65 + "]" * 65,
    "nested objects": '{"a":' * 65 + "1" + "}" * 65,
}


@pytest.mark.parametrize("value", BEYOND.values(), ids=BEYOND.keys())
async def test_a_value_that_no_program_can_hold_is_told_as_that(session: PlatformSession, room: FakeRoom, value: str) -> None:
    room.methods["runtime.capabilities"] = lambda _: RawText(f'{{"x": {value}}}')
    with pytest.raises(
        RcwRuntimeError, match=r"INTERNAL: The reply to runtime\.capabilities (is nested deeper|holds a number beyond)"
    ) as reported:
        await session.get_capabilities()
    assert len(str(reported.value)) < 500


@pytest.mark.parametrize("number", ["1e999", "9" * 400])
async def test_no_number_of_a_refusal_breaks_the_call(open_session: Open, room: FakeRoom, number: str) -> None:
    room.join(WORKER)
    FakeRuntime(room, WORKER)
    async with open_session(rcw_identity_prefix="rcw") as session:
        stale = json.dumps(guard("ENVELOPE_STALE", now_ms="?")).replace('"?"', number)
        room.methods["runtime.forward_envelope"] = lambda _: RawText(stale)
        with pytest.raises(RcwRuntimeError, match="INTERNAL"):
            await session.invoke("stop")
        loading = json.dumps(guard("NOT_READY", progress={"current": "?", "total": 1})).replace('"?"', number)
        room.methods["runtime.tools_list"] = lambda _: RawText(loading)
        with pytest.raises(RcwRuntimeError, match="INTERNAL"):
            await session.discover_skills(timeout_s=2)
        # The next valid answer is accepted as usual.
        room.methods["runtime.forward_envelope"] = lambda _: ended("a", {})
        assert (await session.invoke("stop", action_id="a")).status == "done"


async def test_half_a_character_is_told_as_a_character_that_is_missing(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.capabilities"] = lambda _: RawText('{"a\\udc00": ["\\ud800", "\\ud83e\\udd16", "\\\\ud800"]}')
    assert await session.get_capabilities() == {"a\ufffd": ["\ufffd", "\U0001f916", "\\ud800"]}
    room.methods["runtime.capabilities"] = lambda _: RawText(json.dumps(guard("BUSY", "It is \ud800.")))
    with pytest.raises(RcwRuntimeError) as reported:
        await session.get_capabilities()
    assert str(reported.value).encode() == "BUSY: It is \ufffd.".encode()


async def test_an_error_names_the_wrong_field_and_not_all_that_was_sent(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.scene_state"] = lambda _: {"timestamp": {"wall_time_ms": 1}, "entities": {"k" * 100_000: 7}}
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: .*entities\.kkk") as reported:
        await session.scene()
    assert len(str(reported.value)) < 1_000


async def test_a_picture_of_an_odd_length_is_not_told_at_that_length(session: PlatformSession, runtime: FakeRuntime) -> None:
    runtime.takes_pictures(attributes={"byte_length": "9" * 100_000})
    with pytest.raises(RcwRuntimeError, match="CAPTURE_FAILED") as reported:
        await session.get_vision()
    assert len(str(reported.value)) < 1_000


@pytest.mark.parametrize(
    "schema", [{"required": 5, "properties": 7}, {"required": None, "properties": ["a"]}, {"required": [{}]}]
)
def test_a_skill_with_an_odd_schema_can_be_shown(schema: dict[str, Any]) -> None:
    shown = repr(SkillDescriptor(name="walk", description="Walks.", input_schema=schema))
    assert shown == "walk(): Walks."


def running(number: int) -> ActionEvent:
    return ActionEvent(action_id="a", phase="running", at_ms=number)


async def test_a_reader_that_is_slow_skips_what_is_old_and_misses_no_end() -> None:
    feed = EventFeed()
    feed.push(ActionEvent(action_id="a", phase="accepted", at_ms=0))
    reading = feed.follow()
    assert (await anext(reading)).phase == "accepted"
    for number in range(10_000):
        feed.push(running(number))
    feed.push(ActionEvent(action_id="a", phase="done", at_ms=0, result=ActionResult.model_validate(ended("a", {}))))
    feed.close(None)
    seen = [event async for event in reading]
    assert len(seen) < 1_000
    assert (seen[0].at_ms, seen[-2].at_ms, seen[-1].phase) == (0, 9_999, "done")


async def test_an_action_whose_progress_is_nonsense_ends_as_ever(session: PlatformSession, runtime: FakeRuntime) -> None:
    async def walk(_: object) -> dict[str, Any]:
        await asyncio.sleep(3)
        return {}

    runtime.skills["walk"] = walk
    odd: list[object] = [None, 7, "x", [], {"current": "x"}, {"current": [1], "total": {}, "unit": 5}]
    events: list[ActionEvent] = []
    for progress in odd:
        runtime.doing["a"] = {"progress": progress, "phase": progress}
        assert (await session.invoke("walk", action_id=f"a{len(events)}", on_event=events.append)).status == "done"
    assert [event.phase for event in events if event.phase != "running"] == ["accepted", "done"] * len(odd)


@pytest.mark.parametrize("status", ["done", "failed"])
async def test_an_end_of_another_action_is_no_end_of_this_one(session: PlatformSession, room: FakeRoom, status: str) -> None:
    room.methods["runtime.tools_call"] = lambda _: {"status": status, "meta": {"action_id": "another"}}
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: .*of action mine is the end of another \(another\)"):
        await session.invoke("walk", action_id="mine")
