"""Specification 4.4: finding the runtime by its name, and waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from platform_robot_sdk import RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.realtime import progress
from realtime.fake_room import RUNTIME, WORKER, FakeRoom, FakeRuntime, RawText, guard

Open = Callable[..., Any]

REMEDY = "Open the robot's link in Chrome (the platform's command “link” prints one), or start its worker."


def loading(percent: int) -> dict[str, Any]:
    return guard(
        "NOT_READY",
        f"The robot is still loading: physics, {percent}% done.",
        progress={"part": "physics", "current": percent, "total": 100, "unit": "%"},
    )


async def test_4_4_discover_skills_lists_names_and_input_schemas(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.tools_list"] = lambda _: [
        {
            "name": "go_to",
            "description": "Walks.",
            "input_schema": {"type": "object", "properties": {"target": {}, "tolerance_m": {}}, "required": ["target"]},
            "annotations": {"mutating": True, "uses": {"cameras": ["pov"]}, "unknown": 1},
            "cost": {"estimated_ms": 4000},
            "unknown": 1,
        }
    ]
    [skill] = await session.discover_skills()
    assert {each.name for each in await session.discover_skills()} == {"go_to"}
    assert skill.input_schema["required"] == ["target"]
    assert skill.annotations is not None
    assert skill.annotations.uses is not None
    assert skill.annotations.uses.cameras == ["pov"]
    assert repr(skill) == "go_to(target, tolerance_m?): Walks."


async def test_4_4_discover_skills_waits_for_a_runtime_to_come_and_to_have_loaded(open_session: Open, room: FakeRoom) -> None:
    loop = asyncio.get_running_loop()
    FakeRuntime(room).skills["walk"] = lambda _: {}
    ready = room.methods["runtime.tools_list"]
    room.methods["runtime.tools_list"] = lambda payload: loading(40) if loop.time() < 25 else ready(payload)
    async with open_session() as session:
        loop.call_later(20, room.join, RUNTIME)
        assert [skill.name for skill in await session.discover_skills()] == ["walk"]
        assert 25 <= loop.time() < 26


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (
            (),
            f"no participant named simplesim is in the room (the room is empty). {REMEDY}",
        ),
        ((RUNTIME,), "simplesim:robot-1 is in the room and reports: The robot is still loading: physics, 40% done."),
    ],
)
@pytest.mark.parametrize(("asked_s", "waits_s"), [(None, 7), (2, 2)])
async def test_4_4_discover_skills_that_ends_by_its_timeout_says_what_it_waited_for(
    open_session: Open, room: FakeRoom, here: tuple[str, ...], says: str, asked_s: float | None, waits_s: float
) -> None:
    FakeRuntime(room)
    room.methods["runtime.tools_list"] = lambda _: loading(40)
    for identity in here:
        room.join(identity)
    async with open_session(runtime_call_timeout_s=7) as session:
        with pytest.raises(TimeoutError, match=f"not ready after {waits_s} s") as raised:
            await session.discover_skills(asked_s)
        assert says in str(raised.value)
        assert asyncio.get_running_loop().time() == pytest.approx(waits_s, abs=0.1)


async def test_discover_skills_of_what_are_no_skills_says_so(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.tools_list"] = lambda _: [{"name": "walk"}]
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply of the runtime is not"):
        await session.discover_skills()


@pytest.mark.parametrize("reply", [{"skills": []}, "walk", None])
async def test_a_runtime_that_lists_no_skills_is_waited_for_as_one_that_loads(
    session: PlatformSession, room: FakeRoom, reply: object
) -> None:
    room.methods["runtime.tools_list"] = lambda _: reply
    with pytest.raises(TimeoutError, match=r"is in the room and answers with something else than its skills\."):
        await session.discover_skills(3)


@pytest.mark.parametrize(
    ("identity", "prefix", "is_runtime"),
    [
        ("simplesim", "simplesim", True),
        ("simplesim:robot-1", "simplesim", True),
        ("simplesim-2", "simplesim", True),
        ("simplesimulator", "simplesim", False),
        ("my-simplesim", "simplesim", False),
        ("rcw-robot-1", "simplesim", False),
        ("rcw-robot-1", "rcw", True),
        ("rcw", "rcw", True),
    ],
)
async def test_4_4_the_prefix_locates_the_runtime(
    open_session: Open, room: FakeRoom, identity: str, prefix: str, is_runtime: bool
) -> None:
    room.join(identity)
    async with open_session(rcw_identity_prefix=prefix) as session:
        assert session.runtime_identity == (identity if is_runtime else None)


async def test_wait_until_ready_ends_when_the_runtime_takes_calls(open_session: Open, room: FakeRoom) -> None:
    loop = asyncio.get_running_loop()
    FakeRuntime(room)
    ready = room.methods["runtime.tools_list"]
    room.methods["runtime.tools_list"] = lambda payload: loading(10) if loop.time() < 5 else ready(payload)
    async with open_session() as session:
        loop.call_later(3, room.join, RUNTIME)
        await session.wait_until_ready(60)
        assert 5 <= loop.time() < 6


@pytest.mark.parametrize(
    ("here", "says"),
    [
        (
            (),
            f"(the room is empty). {REMEDY} The session needs simplesim:robot-1.",
        ),
        (
            ("an-agent",),
            f"(there are an-agent). {REMEDY} The session needs simplesim:robot-1.",
        ),
        ((RUNTIME,), "simplesim:robot-1 is in the room and reports: The robot is still loading: physics, 10% done."),
    ],
)
async def test_7_3_wait_until_ready_that_ends_by_its_timeout_says_what_it_waited_for(
    open_session: Open, room: FakeRoom, here: tuple[str, ...], says: str
) -> None:
    FakeRuntime(room)
    room.methods["runtime.tools_list"] = lambda _: loading(10)
    for identity in here:
        room.join(identity)
    async with open_session() as session:
        with pytest.raises(TimeoutError, match=r"not ready after 7 s") as raised:
            await session.wait_until_ready(timeout_s=7)
        assert says in str(raised.value)
        assert asyncio.get_running_loop().time() == pytest.approx(7, abs=0.1)


async def test_a_participant_counts_by_the_name_of_its_agent(open_session: Open, room: FakeRoom) -> None:
    room.join("AG_123", **{"lk.agent.name": "simplesim:robot-1"})
    async with open_session() as session:
        with pytest.raises(TimeoutError) as raised:
            await session.wait_until_ready(1)
        assert "The session needs" not in str(raised.value)


async def test_of_two_runtimes_the_one_that_answers_is_taken(open_session: Open, room: FakeRoom) -> None:
    room.join("simplesim:a")
    runtime = FakeRuntime(room, "simplesim:b")
    room.join("simplesim:b")
    runtime.skills["walk"] = lambda _: {}
    real_call = room.call

    async def call(*, to: str, method: str, payload: str, timeout_s: float) -> str:
        if to == "simplesim:a":
            await asyncio.Event().wait()
        return await real_call(to=to, method=method, payload=payload, timeout_s=timeout_s)

    room.call = call  # type: ignore[method-assign]
    async with open_session() as session:
        await session.wait_until_ready(30)
        assert session.runtime_identity == "simplesim:b"
        assert (await session.invoke("walk")).status == "done"


async def test_a_runtime_that_left_is_waited_for_again(session: PlatformSession, room: FakeRoom) -> None:
    await session.wait_until_ready()
    room.leave(RUNTIME)
    assert session.runtime_identity is None
    with pytest.raises(RcwRuntimeError, match=r"NOT_READY"):
        await session.invoke("walk")
    asyncio.get_running_loop().call_later(4, room.join, RUNTIME)
    await session.wait_until_ready(10)
    assert (await session.invoke("walk")).status == "done"


async def test_a_reply_that_is_no_json_names_the_sender(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.tools_list"] = lambda _: RawText("<html>")
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply to runtime.tools_list is not JSON.*simplesim:robot-1"):
        await session.discover_skills()


async def test_a_worker_is_found_by_its_own_prefix(open_session: Open, room: FakeRoom) -> None:
    FakeRuntime(room, WORKER)
    room.join(RUNTIME)
    room.join(WORKER)
    async with open_session(rcw_identity_prefix="rcw") as session:
        await session.wait_until_ready(5)
        assert session.runtime_identity == WORKER


async def test_a_long_wait_shows_what_it_waits_for(open_session: Open, room: FakeRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, int]] = []

    class Bar:
        n = 0
        closed = 0

        def __init__(self, **_: object) -> None:
            self.text = ""

        def set_description_str(self, text: str, *, refresh: bool) -> None:
            self.text = text

        def refresh(self) -> None:
            shown.append((self.text, self.n))

        def close(self) -> None:
            Bar.closed += 1

    monkeypatch.setattr(progress, "_find_tqdm", lambda: Bar)
    monkeypatch.setattr(progress, "_is_watched", lambda: True)
    loop = asyncio.get_running_loop()
    FakeRuntime(room)
    ready = room.methods["runtime.tools_list"]
    room.methods["runtime.tools_list"] = lambda payload: loading(40) if loop.time() < 5 else ready(payload)
    async with open_session() as session:
        loop.call_later(1, room.join, RUNTIME)
        await session.wait_until_ready()
    assert shown[0] == (
        f"Waiting: no participant named simplesim is in the room (the room is empty). {REMEDY}",
        0,
    )
    assert shown[-1] == (
        "Waiting: simplesim:robot-1 is in the room and reports: The robot is still loading: physics, 40% done.",
        40,
    )
    assert Bar.closed == 1


async def test_progress_is_shown_by_tqdm_where_it_is_installed_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with progress.WaitProgress(is_shown=True) as bar:
        bar.show("Waiting: no one is there", 0.5)
        await asyncio.sleep(3.5)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("Waiting: no one is there") >= 4
    assert shown.err.split("\r")[-1].strip() == ""
    async with progress.WaitProgress(is_shown=False) as bar:
        bar.show("Waiting: no one is there", 0.5)
    assert capsys.readouterr().err == ""


async def test_a_long_wait_is_told_once(
    open_session: Open, room: FakeRoom, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_find_tqdm", lambda: None)
    FakeRuntime(room)
    loop = asyncio.get_running_loop()
    async with open_session() as session:
        loop.call_later(1, room.join, WORKER)
        loop.call_later(60, room.join, RUNTIME)
        await session.wait_until_ready()
        reported = [record.getMessage() for record in caplog.records if record.name == "platform_robot_sdk"]
        assert reported == [
            f"waiting for the robot: no participant named simplesim is in the room (there are {WORKER}). "
            'The robot there keeps the other contract: connect with rcw_identity_prefix="rcw", or open another link.'
        ]
        await session.wait_until_ready()
        assert len([record for record in caplog.records if record.name == "platform_robot_sdk"]) == 1
