"""The lease of a driver."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import pickle
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from platform_double import SESSION
from platform_robot_sdk import CallTimeoutError, NotControllerError, PlatformAPIError, PlatformSDKError, RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.realtime.driver_lease import EVENTS_TOPIC, RENEW_S
from realtime.fake_room import RUNTIME, STARTED_MS, FakeRoom, FakeRuntime, RawText, ended, guard
from realtime.service_double import ServiceDouble

Open = Callable[..., Any]
METHOD = "runtime.control"
ME = "me"


class FakeLease:
    """The robot's side of the lease, as in the protocol. The callers are this session or `others`."""

    def __init__(self, room: FakeRoom) -> None:
        self.room = room
        self.holder: str | None = None
        self.askers: list[str] = []
        self.renewals = 0
        room.methods[METHOD] = lambda payload: self.called(payload, ME)

    def facts(self, who: str) -> dict[str, Any]:
        return {"identity": who, "name": who.title(), "kind": "program", "since_ms": STARTED_MS}

    def driver(self) -> dict[str, Any] | None:
        return None if self.holder is None else {**self.facts(self.holder), "asked_by": [self.facts(a) for a in self.askers]}

    def refused(self, **lost: str) -> dict[str, Any]:
        driver = None if self.holder is None else self.facts(self.holder)
        return guard("NOT_CONTROLLER", "Another drives.", driver=driver, **lost)

    def called(self, payload: dict[str, Any], who: str) -> Any:
        action = payload["action"]
        drives = self.holder == who
        if action in ("take", "ask") and self.holder is None:
            self.change(who, "taken")
        elif action == "take" and not drives:
            return self.refused()
        elif action == "ask" and not drives and who not in self.askers:
            self.askers.append(who)
            self.notify({"type": "control_asked", "at_ms": 1, "asker": self.facts(who), "driver": self.driver()})
        elif action == "renew":
            self.renewals += drives
            if not drives:
                return self.refused()
        elif action == "release":
            self.askers = [asker for asker in self.askers if asker != who]
            if drives:
                self.change(None, "released")
        elif action == "give":
            to = payload.get("to", self.askers[0] if self.askers else None)
            if not drives:
                return self.refused()
            if to not in self.askers:
                return guard("INVALID_INPUT", "No participant of that name asks.")
            self.change(to, "given")
        answer = {"driver": self.driver(), "you_drive": self.holder == who, "renew_within_ms": 10_000}
        return ended("act-1", answer)

    def change(self, to: str | None, why: str, **more: str) -> None:
        before, self.holder = self.holder, to
        self.askers = [asker for asker in self.askers if asker != to]
        previous = None if before is None else self.facts(before)
        event = {"type": "driver_changed", "at_ms": 1, "driver": self.driver(), "previous": previous, "why": why, **more}
        self.notify(event)

    def notify(self, event: object, sender: str = RUNTIME) -> None:
        text = event if isinstance(event, str) else json.dumps(event)
        self.room.data[EVENTS_TOPIC](sender, text.encode())


@pytest.fixture
def lease(session: PlatformSession, room: FakeRoom) -> FakeLease:
    return FakeLease(room)


async def test_it_is_taken_held_for_as_long_as_one_likes_and_released_once(
    session: PlatformSession, room: FakeRoom, lease: FakeLease
) -> None:
    async with await session.take_control("Ann", kind="person") as mine:
        assert room.called(METHOD) == [{"action": "take", "name": "Ann", "kind": "person"}]
        assert mine.is_held
        await asyncio.sleep(60)
        assert lease.renewals >= 60 / RENEW_S - 2
    assert lease.holder is None
    end = await mine.ended()
    assert (end.driver, end.why) == (None, "released")
    calls = len(room.calls)
    await mine.release()
    await asyncio.sleep(10)
    assert len(room.calls) == calls


async def test_another_that_drives_is_an_error_of_its_own(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime, lease: FakeLease
) -> None:
    lease.holder = "ben"
    room.methods["runtime.tools_call"] = lambda _: lease.refused()
    for call in (session.take_control(), session.invoke("walk")):
        with pytest.raises(NotControllerError) as refused:
            await call
        assert isinstance(refused.value, RcwRuntimeError)
        assert refused.value.code == "NOT_CONTROLLER"
        assert refused.value.driver is not None
        assert refused.value.driver.identity == "ben"
        again = pickle.loads(pickle.dumps(refused.value))
        assert again.driver == refused.value.driver


async def test_the_driver_hears_who_asks_and_gives(session: PlatformSession, lease: FakeLease) -> None:
    mine = await session.take_control()
    reported: list[Any] = []
    stop = session.on_driver_changed(reported.append)

    async def give(event: Any) -> None:
        await mine.give(event.asker.identity)

    session.on_control_asked(give)
    lease.called({"action": "ask"}, "ben")
    end = await mine.ended()
    assert end.why == "given"
    assert end.driver is not None
    assert end.driver.identity == "ben"
    assert [event.why for event in reported] == ["given"]
    stop()
    stop()
    lease.change(None, "left")
    assert len(reported) == 1
    with pytest.raises(NotControllerError):
        await mine.give()


async def test_who_stops_what_others_run_again_and_again_is_told(session: PlatformSession, lease: FakeLease) -> None:
    reported: list[Any] = []
    session.on_cancels_repeated(reported.append)
    last = {"action_id": "act-8", "name": "go_to", "caller": "ann"}
    by = {"identity": "eve", "name": "eve"}
    lease.notify({"type": "cancels_repeated", "at_ms": 1, "by": by, "cancelled": 8, "within_ms": 10_000, "last": last})
    assert [(event.by.identity, event.cancelled, event.last.caller) for event in reported] == [("eve", 8, "ann")]


async def test_what_is_asked_for_comes_when_it_is_given(session: PlatformSession, lease: FakeLease) -> None:
    lease.holder = "ben"
    asking = asyncio.ensure_future(session.ask_for_control("Ann"))
    await asyncio.sleep(5)
    assert lease.askers == [ME]
    started_s = asyncio.get_running_loop().time()
    lease.change(ME, "given")
    mine = await asking
    assert mine.is_held
    assert asyncio.get_running_loop().time() - started_s < RENEW_S / 2


async def test_what_is_asked_for_comes_when_the_driver_is_gone_without_a_word(
    session: PlatformSession, room: FakeRoom, lease: FakeLease
) -> None:
    lease.holder = "ben"
    asking = asyncio.ensure_future(session.ask_for_control())
    await asyncio.sleep(5)
    room.data.clear()
    lease.holder = None
    room.data[EVENTS_TOPIC] = lambda _sender, _data: None
    assert (await asking).is_held


async def test_what_is_asked_is_taken_back_when_the_waiting_ends(session: PlatformSession, lease: FakeLease) -> None:
    lease.holder = "ben"
    with pytest.raises(CallTimeoutError, match="No one handed over the robot within 4 s"):
        await session.ask_for_control(timeout_s=4)
    assert lease.askers == []
    asking = asyncio.ensure_future(session.ask_for_control())
    await asyncio.sleep(1)
    assert lease.askers == [ME]
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert lease.askers == []


async def test_the_loser_is_told_by_the_event_or_by_its_next_renewal(session: PlatformSession, lease: FakeLease) -> None:
    mine = await session.take_control()
    lease.change("ben", "taken_over")
    end = await mine.ended()
    assert end.why == "taken_over"
    lease.holder = None
    mine = await session.take_control()
    # Without a report, as after a restart of the robot.
    lease.holder = None
    end = await mine.ended()
    assert (end.driver, end.why) == (None, None)
    assert not mine.is_held


def claims(**said: object) -> str:
    body = base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")
    return f"e30.{body}.signature"


async def test_the_owner_takes_it_over_by_an_order_over_http_and_holds_it(
    open_session: Open, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    service.session = {**SESSION, "participant_token": claims(sub="mé")}
    session = await open_session()
    lease = FakeLease(room)
    lease.holder = "ben"
    service.on_control = lambda body: lease.change(ME, "taken_over", by="owner")
    with pytest.raises(NotControllerError):
        await session.take_control()
    assert service.asked("POST", "control") == []
    mine = await session.take_control("Olga", kind="person", over=True)
    assert service.asked("POST", "control") == [{"to": "mé", "name": "Olga", "kind": "person"}]
    await asyncio.sleep(10)
    assert mine.is_held
    assert lease.renewals > 3
    # If the session itself or no one drives, no order is sent.
    await session.take_control(over=True)
    assert len(service.asked("POST", "control")) == 1
    lease.change("eve", "taken_over", by="owner")
    end = await mine.ended()
    assert (end.why, end.by) == ("taken_over", "owner")
    await session.disconnect()


async def test_a_take_over_that_is_refused_or_does_not_reach_the_robot_is_told(
    open_session: Open, runtime: FakeRuntime, room: FakeRoom, service: ServiceDouble
) -> None:
    session = await open_session()
    FakeLease(room).holder = "ben"
    with pytest.raises(PlatformSDKError, match="names no identity"):
        await session.take_control(over=True)
    await session.disconnect()
    service.session = {**SESSION, "participant_token": claims(sub=ME)}
    session = await open_session()
    FakeLease(room).holder = "ben"
    # The order was obeyed, and another participant took the robot in between.
    with pytest.raises(NotControllerError):
        await session.take_control(over=True)
    refusal = {"code": "control.unanswered", "message": "Late.", "details": {"request_id": "r", "ordered": True}}
    service.refusals["POST", "control"] = httpx.Response(504, json=refusal)
    with pytest.raises(PlatformAPIError) as refused:
        await session.take_control(over=True)
    assert refused.value.code == "control.unanswered"
    await session.disconnect()


@pytest.mark.parametrize(
    ("lost", "why", "by"),
    [
        ({"lost_by": "taken_over", "by": "owner"}, "taken_over", "owner"),
        ({"lost_by": "silent"}, "silent", None),
        ({"lost_by": "unheard_of", "by": "owner"}, None, None),
        ({"lost_by": 7, "by": 7}, None, None),
    ],
)
async def test_a_renewal_says_how_it_was_lost_where_no_event_came(
    session: PlatformSession, room: FakeRoom, lease: FakeLease, lost: dict[str, Any], why: str | None, by: str | None
) -> None:
    mine = await session.take_control()
    lease.holder = "eve"
    room.methods[METHOD] = lambda _: lease.refused(**lost)
    end = await mine.ended()
    assert (end.why, end.by) == (why, by)
    assert end.driver is not None
    assert end.driver.identity == "eve"


async def test_lost_replies_lose_no_lease_and_repeat_no_gift(
    session: PlatformSession, room: FakeRoom, lease: FakeLease
) -> None:
    mine = await session.take_control()
    room.lost_replies = [METHOD, METHOD]
    await asyncio.sleep(10)
    assert mine.is_held
    lease.askers = ["ben"]
    room.lost_replies = [METHOD]
    room.data[EVENTS_TOPIC] = lambda _sender, _data: None
    await mine.give("ben")
    assert lease.holder == "ben"
    end = await mine.ended()
    # A renewal at the same time may have been rejected first.
    assert end.why in ("given", None)
    assert end.driver is not None


async def test_events_of_others_and_what_is_none_are_not_heard(session: PlatformSession, lease: FakeLease) -> None:
    mine = await session.take_control()
    reported: list[Any] = []
    session.on_driver_changed(reported.append)
    forged = {"type": "driver_changed", "at_ms": 1, "driver": None, "previous": None, "why": "silent"}
    for sender in ("eve", "simplesimx", ""):
        lease.notify(forged, sender)
    for text in ("", "null", "[]", '{"type": "driver_changed"}', '{"type": "other"}', "\ufffd", "[" * 10_000, " " * 20_000):
        lease.notify(text)
    assert reported == []
    assert mine.is_held


async def test_an_answer_that_is_none_is_told(session: PlatformSession, room: FakeRoom, lease: FakeLease) -> None:
    room.methods[METHOD] = lambda _: RawText('{"status": "done"}')
    with pytest.raises(RcwRuntimeError, match="INTERNAL"):
        await session.take_control()


async def test_the_session_that_is_left_releases_the_robot(open_session: Open, runtime: FakeRuntime, room: FakeRoom) -> None:
    session = await open_session()
    lease = FakeLease(room)
    mine = await session.take_control()
    await session.disconnect()
    assert lease.holder is None
    assert (await mine.ended()).why == "released"


async def test_a_listener_that_raises_breaks_nothing(
    session: PlatformSession, lease: FakeLease, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: object) -> None:
        raise ValueError("mine")

    session.on_driver_changed(broken)
    with caplog.at_level(logging.WARNING, "platform_robot_sdk"):
        await session.take_control()
    assert "on_driver_changed raised ValueError" in caplog.text


async def test_who_drives_is_read_from_the_state(session: PlatformSession, room: FakeRoom, runtime: FakeRuntime) -> None:
    assert await session.driver() is None
    lease = FakeLease(room)
    lease.holder, lease.askers = "ben", ["eve"]
    state = runtime.state({})
    state["robot"]["extra"]["driver"] = lease.driver()
    room.methods["runtime.state"] = lambda _: state
    driver = await session.driver()
    assert driver is not None
    assert (driver.identity, [asker.identity for asker in driver.asked_by]) == ("ben", ["eve"])
