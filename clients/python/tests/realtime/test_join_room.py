"""Sessions that are joined by a room key alone."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest

from platform_robot_sdk import CallTimeoutError, ConnectCallbacks, PlatformConnectionError, PlatformSDKError, join_room
from realtime.fake_room import FakeRoom, FakeRuntime, guard

SIGNATURE = "a" * 43
SFU_URL = "ws://127.0.0.1:7880"
METADATA = json.dumps({"robot_id": "r1", "required_participants": {"rcw": {"min_count": 1}}})


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def key_of(sub: object, *, sfu_url: str = SFU_URL, version: str = "k1", body: str | None = None, **claims: Any) -> str:
    video = {"room": "robot-r1", "roomJoin": True}
    payload = json.dumps({"sub": sub, "exp": time.time() + 3600, "video": video, **claims}) if body is None else body
    return f"{version}~{encoded(sfu_url)}~{encoded('{}')}.{encoded(payload)}.{SIGNATURE}"


async def test_a_program_joins_by_a_link_knows_where_it_is_and_calls_skills(room: FakeRoom, runtime: FakeRuntime) -> None:
    room.room_metadata = METADATA
    key = key_of("agent")
    async with join_room(f"Drive it: http://localhost:8080/?key={key}", transport=lambda: room) as session:
        assert room.joined_with == (SFU_URL, key.split("~")[2])
        assert (session.robot_id, session.room_name, session.livekit_url) == ("r1", "robot-r1", SFU_URL)
        assert (session.identity, session.runtime_identity) == ("agent", "simplesim:robot-1")
        assert session.room_metadata.required_participants["rcw"].min_count == 1
        assert (await session.invoke("walk", {"to": 1})).status == "done"
        assert SIGNATURE not in repr(session)
    assert room.has_left


@pytest.mark.parametrize("metadata", ["", "[]", "{}", '{"robot_id": 1}', '{"robot_id": "r1", "dispatches": 1}', "[" * 100_000])
async def test_without_the_metadata_of_the_service_the_robots_id_is_that_in_its_name(
    room: FakeRoom, runtime: FakeRuntime, metadata: str
) -> None:
    room.room_metadata = metadata
    async with join_room(key_of("agent"), transport=lambda: room) as session:
        assert session.robot_id == "robot-1"


async def test_in_an_empty_room_of_another_service_the_robots_id_is_unknown(room: FakeRoom) -> None:
    async with join_room(key_of("agent"), transport=lambda: room) as session:
        assert (session.robot_id, session.runtime_identity) == ("", None)


STOOD: dict[str, Any] = {
    "meta": {},
    "result": {"emergency_stop": None, "stands": True, "after_ms": 300, "held_entity_ids": []},
}


async def test_nothing_is_done_over_http(room: FakeRoom, runtime: FakeRuntime) -> None:
    room.methods["runtime.control"] = lambda _: guard("NOT_CONTROLLER")
    room.methods["runtime.emergency_stop"] = lambda _: STOOD
    session = await join_room(key_of("agent"), transport=lambda: room)
    with pytest.raises(PlatformSDKError, match="a room key and no API key"):
        await session.take_control(over=True)
    stopped = await session.emergency_stop()
    assert (stopped.by, stopped.paths.http.status) == ("room", "failed")
    assert "only over the room" in str(stopped.paths.http.problem)
    with pytest.raises(PlatformSDKError, match="It cannot delete the session"):
        await session.disconnect(keep_session=False)
    assert room.has_left
    await session.disconnect()


WATCHES = "only lets you watch"
REFUSED = {
    "of the robot": (key_of("simplesim:r1"), "would displace the robot"),
    "of a physical robot": (key_of("rcw-r1"), "would displace the robot"),
    "of a viewer": (key_of("watcher-1", attributes={"simplesim.access": "watch"}), WATCHES),
    "without data": (key_of("a", video={"room": "r", "roomJoin": True, "canPublishData": False}), WATCHES),
    "of an earlier time": (key_of("agent", exp=1), "expired"),
    "of a later time": (key_of("agent", nbf=time.time() + 9_000), "becomes valid"),
    "without an end": (key_of("agent", exp=None), "no expiry"),
    "with an end beyond all dates": (key_of("agent", exp=10**400), "no expiry"),
    "without a room": (key_of("agent", video={}), "does not open a room"),
    "without an identity": (key_of(None), "names no participant"),
    "of another version": (key_of("agent", version="k2"), "another version"),
    "of another protocol": (key_of("agent", sfu_url="http://127.0.0.1"), "ws: or wss:"),
    "with unreadable claims": (key_of("agent", body="no JSON"), "cannot be read"),
    "with deep claims": (key_of("agent", body="[" * 100_000), "cannot be read"),
    "with a damaged address": (key_of("agent").replace(encoded(SFU_URL), "_"), "damaged"),
    "in no text": ("hello", "no complete room key"),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.values(), ids=REFUSED)
async def test_a_key_is_refused_before_the_join_and_not_repeated(room: FakeRoom, text: str, sentence: str) -> None:
    with pytest.raises(PlatformSDKError, match=sentence) as raised:
        await join_room(text, transport=lambda: room)
    assert SIGNATURE not in str(raised.value)
    assert room.joined_with is None


async def test_a_room_that_cannot_be_joined_is_left_and_tells_no_token(room: FakeRoom) -> None:
    room.join_fails = ConnectionError(f"{SFU_URL}?access_token={SIGNATURE}")
    with pytest.raises(PlatformConnectionError, match=f"The room at {SFU_URL} could not be joined") as raised:
        await join_room(key_of("agent"), transport=lambda: room)
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)
    assert room.has_left


async def test_a_join_that_never_ends_is_a_timeout(room: FakeRoom) -> None:
    room.join_hangs = True
    with pytest.raises(CallTimeoutError, match="not joined within 30 s"):
        await join_room(key_of("agent"), transport=lambda: room)
    assert room.has_left


async def test_events_of_the_room_reach_the_program(room: FakeRoom) -> None:
    joined: list[str] = []
    callbacks = ConnectCallbacks(on_runtime_joined=joined.append)
    async with join_room(key_of("agent"), callbacks=callbacks, return_refusals=True, transport=lambda: room) as session:
        assert (await session.invoke("walk")).status == "failed"
        room.join("simplesim:r1")
    assert joined == ["simplesim:r1"]
