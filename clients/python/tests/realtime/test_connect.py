"""Specification 4.4, `connect` and `disconnect`; 4.3 rule 9."""

from __future__ import annotations

import asyncio
import base64
import builtins
import json
import logging
import pickle
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, RCS_URL, SESSION
from platform_robot_sdk import (
    AsyncClient,
    CallTimeoutError,
    Client,
    PlatformAPIError,
    PlatformConnectionError,
    PlatformNotAvailableError,
    PlatformSDKError,
    WorkerConfig,
)
from platform_robot_sdk.connection import ConnectCallbacks, PlatformSession, connect
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime
from realtime.service_double import NAMED, ServiceDouble

Open = Callable[..., Any]
TOKEN = SESSION["participant_token"]


async def test_4_4_connect_creates_the_session_and_joins_its_room(
    open_session: Open, room: FakeRoom, service: ServiceDouble, runtime: FakeRuntime
) -> None:
    session = await open_session()
    assert service.requests == [("POST", "/robots/robot-1/session", {"worker_names": []})]
    assert room.joined_with == ("ws://sfu.test:7880", TOKEN)
    assert isinstance(session, PlatformSession)
    assert (session.robot_id, session.room_name, session.livekit_url) == ("robot-1", "room-1", "ws://sfu.test:7880")
    assert session.room_metadata.required_participants["simplesim:robot-1"].min_count == 1
    assert session.runtime_identity == RUNTIME


async def test_4_4_a_name_is_joined_under_with_a_token_of_its_own(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    await open_session(name="sorter")
    [asked] = service.asked("POST", "participant-token")
    assert asked["participant_name"] == "sorter"
    # The robot names its callers by their identities.
    assert re.fullmatch(r"client-sorter-[0-9a-f]{32}", asked["participant_identity"])
    assert room.joined_with == ("ws://sfu.test:7880", NAMED["participant_token"])


async def test_a_session_knows_its_own_identity_in_the_room(open_session: Open, service: ServiceDouble) -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"sub": "client-1"}).encode()).decode().rstrip("=")
    service.session = {**SESSION, "participant_token": f"header.{claims}.signature"}
    assert (await open_session()).identity == "client-1"
    assert (await open_session(join_livekit=False)).identity is None


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("Sorting agent (2)", r"client-sorting-agent-2-[0-9a-f]{32}"),
        ("分拣机", r"client-[0-9a-f]{32}"),
        ("x" * 256, r"client-x{40}-[0-9a-f]{32}"),
    ],
)
async def test_the_identity_of_a_named_program_shows_its_name(
    open_session: Open, service: ServiceDouble, name: str, identity: str
) -> None:
    await open_session(name=name)
    [asked] = service.asked("POST", "participant-token")
    assert re.fullmatch(identity, asked["participant_identity"])


async def test_4_4_a_name_that_is_refused_rolls_the_session_back(open_session: Open, service: ServiceDouble) -> None:
    refusal = {"code": "request.invalid", "message": "participant_name is too long.", "details": {"request_id": "r"}}
    service.refusals["POST", "participant-token"] = httpx.Response(400, json=refusal)
    with pytest.raises(PlatformAPIError, match="participant_name is too long"):
        await open_session(name="x" * 257)
    assert [asked[:2] for asked in service.requests][-1] == ("DELETE", "/robots/robot-1/session")


async def test_4_4_disconnect_closes_the_room_and_deletes_the_session_once(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    session = await open_session()
    await session.disconnect()
    await session.disconnect()
    assert room.has_left
    assert [asked[:2] for asked in service.requests[1:]] == [("DELETE", "/robots/robot-1/session")]
    with pytest.raises(PlatformSDKError, match=r"This session was left"):
        await session.invoke("walk")


@pytest.mark.parametrize(
    ("connected", "disconnected", "deletes"),
    [
        ({}, {}, True),
        ({}, {"delete_session": True}, True),
        ({}, {"delete_session": False}, False),
        ({}, {"keep_session": True}, False),
        ({"keep_session": True}, {}, False),
        ({"keep_session": True}, {"delete_session": True}, True),
        ({"keep_session": True}, {"keep_session": False}, True),
        ({}, {"delete_session": True, "keep_session": False}, True),
    ],
)
async def test_disconnect_keeps_the_session_where_told_so(
    open_session: Open,
    service: ServiceDouble,
    connected: dict[str, bool],
    disconnected: dict[str, bool],
    deletes: bool,
) -> None:
    session = await open_session(**connected)
    await session.disconnect(**disconnected)
    assert len(service.asked("DELETE", "session")) == deletes


@pytest.mark.parametrize(
    ("connected", "disconnected", "deletes"),
    [({}, {}, False), ({"keep_session": False}, {}, True), ({}, {"delete_session": True}, True)],
)
async def test_disconnect_leaves_a_session_that_was_open_before_to_those_who_are_in_it(
    open_session: Open,
    service: ServiceDouble,
    connected: dict[str, bool],
    disconnected: dict[str, bool],
    deletes: bool,
) -> None:
    service.session = {**SESSION, "is_new": False}
    session = await open_session(**connected)
    await session.disconnect(**disconnected)
    assert len(service.asked("DELETE", "session")) == deletes


async def test_disconnect_that_is_told_both_says_so_and_does_nothing(open_session: Open, room: FakeRoom) -> None:
    session = await open_session()
    with pytest.raises(ValueError, match=r"contradict"):
        await session.disconnect(delete_session=True, keep_session=True)
    assert not room.has_left
    await session.disconnect()


async def test_disconnect_of_a_session_that_is_gone_is_fine(open_session: Open, service: ServiceDouble) -> None:
    service.refusals["DELETE", "session"] = httpx.Response(404, json={"code": "session.not_found", "message": "gone"})
    await (await open_session()).disconnect()


async def test_disconnect_that_could_not_delete_says_so_and_may_be_called_again(
    open_session: Open, service: ServiceDouble
) -> None:
    session = await open_session()
    service.refusals["DELETE", "session"] = httpx.Response(503, json={"code": "http.503", "message": "later"})
    with pytest.raises(PlatformAPIError):
        await session.disconnect()
    del service.refusals["DELETE", "session"]
    await session.disconnect()
    assert len(service.asked("DELETE", "session")) == 2


async def test_4_4_without_join_livekit_only_the_session_is_opened(open_session: Open, service: ServiceDouble) -> None:
    def no_room() -> FakeRoom:
        raise AssertionError("a room was made")

    async with open_session(join_livekit=False, transport=no_room) as session:
        assert session.runtime_identity is None
        for call in (session.discover_skills(), session.invoke("walk"), session.get_vision("pov"), session.scene()):
            with pytest.raises(PlatformSDKError, match=r"join_livekit=True"):
                await call
    assert len(service.asked("DELETE", "session")) == 1


async def test_4_4_without_the_extra_the_error_says_what_to_install_before_a_session_is_opened(
    client: AsyncClient, service: ServiceDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = builtins.__import__

    def no_livekit(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == "livekit":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_livekit)
    with pytest.raises(PlatformSDKError, match=r'pip install "\./clients/python\[realtime\]"'):
        await connect(client, "robot-1")
    assert service.requests == []


async def test_4_4_a_blocked_feature_raises_before_anything_is_sent(client: AsyncClient, service: ServiceDouble) -> None:
    with pytest.raises(PlatformNotAvailableError) as raised:
        await connect(client, "robot-1", environment_id="x")
    assert raised.value.feature == "environment_id"
    assert service.requests == []


async def test_connect_opens_the_session_for_a_scene(open_session: Open, service: ServiceDouble) -> None:
    session = await open_session(scene_id="kitchen")
    assert service.asked("POST", "session") == [{"worker_names": [], "scene_id": "kitchen"}]
    await session.disconnect()


async def test_4_3_rule_5_workers_emits_a_deprecation_warning_and_has_no_effect(
    open_session: Open, service: ServiceDouble
) -> None:
    with pytest.warns(DeprecationWarning, match=r"worker_names"):
        session = await open_session(workers=WorkerConfig())
    assert service.asked("POST", "session") == [{"worker_names": []}]
    await session.disconnect()


async def test_a_client_without_asyncio_serves_as_well(room: FakeRoom, service: ServiceDouble) -> None:
    with Client(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(service.reply)) as client:
        async with connect(client, "robot-1", transport=lambda: room):
            pass
    assert [asked[:2] for asked in service.requests] == [
        ("POST", "/robots/robot-1/session"),
        ("DELETE", "/robots/robot-1/session"),
    ]


async def test_connect_may_be_made_a_task_and_bounded(open_session: Open) -> None:
    session = await asyncio.create_task(open_session(transport=FakeRoom))
    await session.disconnect()
    session = await asyncio.wait_for(open_session(transport=FakeRoom), 10)
    await session.disconnect()


@pytest.mark.parametrize("is_new", [True, False])
async def test_4_3_rule_9_a_room_that_cannot_be_joined_rolls_back_the_session_this_call_opened(
    open_session: Open, room: FakeRoom, service: ServiceDouble, is_new: bool
) -> None:
    service.session = {**SESSION, "is_new": is_new}
    room.join_fails = OSError(f"ws://sfu.test:7880/rtc?access_token={TOKEN} refused")
    with pytest.raises(PlatformConnectionError, match=r"ws://sfu.test:7880 could not be joined") as raised:
        await open_session()
    assert len(service.asked("DELETE", "session")) == is_new
    assert room.has_left
    assert raised.value.__context__ is None
    assert raised.value.__cause__ is None
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize(("age_s", "deletes"), [(1.0, True), (60.0, False)])
async def test_of_a_service_that_does_not_say_the_age_of_the_session_tells(
    open_session: Open, room: FakeRoom, service: ServiceDouble, age_s: float, deletes: bool
) -> None:
    claims = base64.urlsafe_b64encode(json.dumps({"nbf": 1_767_323_045 + age_s}).encode()).decode().rstrip("=")
    metadata = {**SESSION["room_metadata"], "created_at": "2026-01-02T03:04:05Z"}
    service.session = {**SESSION, "participant_token": f"e30.{claims}.x", "room_metadata": metadata}
    del service.session["is_new"]
    room.join_fails = OSError("refused")
    with pytest.raises(PlatformConnectionError):
        await open_session()
    assert len(service.asked("DELETE", "session")) == deletes


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_room_that_is_not_joined_names_the_proxy_that_livekit_reads(
    open_session: Open, room: FakeRoom, hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:pa55word@proxy.test:3128")
    monkeypatch.delenv("http_proxy", raising=False)
    room.join_hangs = hangs
    room.join_fails = None if hangs else OSError("refused")
    with pytest.raises((PlatformConnectionError, TimeoutError), match=r"proxy of HTTP_PROXY.*without that variable") as raised:
        await open_session()
    assert "pa55" not in str(raised.value)


async def test_a_room_that_does_not_answer_ends_in_a_timeout_and_a_roll_back(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    room.join_hangs = True
    with pytest.raises(TimeoutError, match=r"not joined within 30 s"):
        await open_session()
    assert asyncio.get_running_loop().time() == pytest.approx(30, abs=1)
    assert len(service.asked("DELETE", "session")) == 1
    assert room.has_left


async def test_connecting_that_is_cancelled_rolls_back(open_session: Open, room: FakeRoom, service: ServiceDouble) -> None:
    room.join_hangs = True
    connecting = asyncio.create_task(open_session())
    await asyncio.sleep(1)
    connecting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connecting
    assert len(service.asked("DELETE", "session")) == 1
    assert room.has_left


async def test_a_roll_back_that_fails_is_logged_and_the_reason_told(
    open_session: Open, room: FakeRoom, service: ServiceDouble, caplog: pytest.LogCaptureFixture
) -> None:
    room.join_fails = OSError("refused")
    service.refusals["DELETE", "session"] = httpx.Response(503, json={"code": "http.503", "message": "later"})
    with caplog.at_level(logging.WARNING), pytest.raises(PlatformConnectionError):
        await open_session()
    assert "could not be deleted" in caplog.text


async def test_a_robot_that_is_not_there_is_told_and_no_room_is_joined(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    service.refusals["POST", "session"] = httpx.Response(404, json={"code": "robot.not_found", "message": "no such robot"})
    with pytest.raises(PlatformAPIError, match=r"robot.not_found"):
        await open_session()
    assert room.joined_with is None


async def test_the_block_of_a_session_disconnects_and_what_went_wrong_in_it_is_what_is_heard(
    open_session: Open, service: ServiceDouble, caplog: pytest.LogCaptureFixture
) -> None:
    service.refusals["DELETE", "session"] = httpx.Response(503, json={"code": "http.503", "message": "later"})
    with pytest.raises(ZeroDivisionError):
        async with open_session(transport=FakeRoom):
            _ = 1 / 0
    assert "disconnecting failed" in caplog.text
    with pytest.raises(PlatformAPIError):
        async with open_session():
            pass


async def test_6_1_what_happens_to_the_room_is_told_plain_or_async(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime
) -> None:
    reported: list[tuple[str, ...]] = []

    async def left(identity: str) -> None:
        await asyncio.sleep(0)
        reported.append(("left", identity))

    callbacks = ConnectCallbacks(
        on_runtime_joined=lambda identity: reported.append(("joined", identity)),
        on_runtime_left=left,
        on_reconnecting=lambda: reported.append(("reconnecting",)),
        on_reconnected=lambda: reported.append(("reconnected",)),
        on_disconnected=lambda reason: reported.append(("disconnected", reason)),
    )
    await open_session(callbacks=callbacks)
    room.leave(RUNTIME)
    room.join("an-agent")
    await asyncio.sleep(0.1)
    room.join(RUNTIME)
    assert room.listener is not None
    room.listener.reconnecting()
    room.listener.reconnected()
    room.end("room deleted")
    assert reported == [
        ("left", RUNTIME),
        ("joined", RUNTIME),
        ("reconnecting",),
        ("reconnected",),
        ("disconnected", "room deleted"),
    ]


async def test_the_end_of_the_room_ends_what_waits_and_names_the_reason(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    async def forever(_: object) -> dict[str, object]:
        await asyncio.Event().wait()
        return {}

    runtime.skills["walk"] = forever
    room.methods["runtime.cameras_capture"] = forever
    waits = [asyncio.create_task(session.invoke("walk")), asyncio.create_task(session.get_vision("pov"))]
    await asyncio.sleep(1)
    room.end("room deleted")
    for wait in waits:
        with pytest.raises(PlatformSDKError, match=r"ended \(room deleted\)"):
            await wait
    with pytest.raises(PlatformSDKError, match=r"ended \(room deleted\)"):
        await session.wait_until_ready()


async def test_no_token_stands_in_what_is_printed_and_nothing_is_pickled(session: PlatformSession) -> None:
    for text in (repr(session), str(session), repr(session.room_metadata), repr(session.state)):
        assert TOKEN not in text
        assert API_KEY not in text
    with pytest.raises((TypeError, AttributeError)):
        pickle.dumps(session)


async def test_4_4_get_logs_raises_the_not_available_error(session: PlatformSession) -> None:
    with pytest.raises(PlatformNotAvailableError) as raised:
        await session.get_logs()
    assert raised.value.feature == "get_logs"


def test_7_3_a_timeout_is_the_languages_own_and_outside_the_hierarchy() -> None:
    assert issubclass(CallTimeoutError, TimeoutError)
    assert not issubclass(CallTimeoutError, PlatformSDKError)
    assert asyncio.TimeoutError is TimeoutError
