"""A session's dealings with the lease: it takes, asks, renews, and hears of what becomes of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any, get_args

from pydantic import ValidationError

from ..control_lease import ControlLease, LeaseEnd
from ..errors import CallTimeoutError, NotControllerError, PlatformSDKError, RcwRuntimeError
from ..models.driver import (
    CancelsRepeated,
    ControlAnswer,
    ControlAsked,
    DriverChange,
    DriverChanged,
    DriverKind,
)
from .callbacks import Teller
from .room_link import READ_REPLY_S, RoomLink
from .waiting import settled
from .wire import CONTROL, read_as

EVENTS_TOPIC = "simplesim.events"
# How often a driver that has nothing else to say says that it is there, and one that asks asks again.
RENEW_S = 1.5
# Long enough to put a release or a gift a second time when its answer got lost.
_ANSWER_S = 2 * READ_REPLY_S + 1.0
# A release on leaving waits no longer than this: leaving the room ends the lease too.
_RELEASE_ON_LEAVE_S = 1.0
_EVENT_MAX_BYTES = 15_360

Listener = Callable[..., Any]
_Event = DriverChanged | ControlAsked | CancelsRepeated


class _Held:
    """A lease that this session has, under the identity by which the robot knows it."""

    def __init__(self, identity: str | None) -> None:
        self.identity = identity
        self.end: asyncio.Future[LeaseEnd] = asyncio.get_running_loop().create_future()
        self.renewing: asyncio.Task[None] | None = None


# Orders over HTTP, as the owner, that this session drives: under which name and of which kind, within how many seconds.
OrderSelf = Callable[[str | None, DriverKind | None, float], Awaitable[None]]


class DriverDesk:
    """Made in the event loop that it is used in."""

    def __init__(self, link: RoomLink, teller: Teller) -> None:
        self._link = link
        self._teller = teller
        self._listeners: dict[str, list[Listener]] = {
            "on_driver_changed": [],
            "on_control_asked": [],
            "on_cancels_repeated": [],
        }
        self._held: _Held | None = None
        # Ends the pause between two questions of those who ask for the lease.
        self._wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        link.on_data(EVENTS_TOPIC, self._hear)

    def on(self, name: str, listener: Listener) -> Callable[[], None]:
        """Adds a listener, and gives what takes it away again."""
        listeners = self._listeners[name]
        listeners.append(listener)

        def stop() -> None:
            if listener in listeners:
                listeners.remove(listener)

        return stop

    async def take(
        self, name: str | None, kind: DriverKind | None, timeout_s: float, order: OrderSelf | None = None
    ) -> ControlLease:
        """Raises NotControllerError while another drives; with `order` it is ordered over HTTP then that this session does."""
        payload = {"action": "take", **_about(name, kind)}
        try:
            return self._hold(await self._say(payload, timeout_s))
        except RcwRuntimeError as error:
            # Nobody keeps the owner out, nor does having taken it too often.
            if order is None or error.code not in ("NOT_CONTROLLER", "BUSY"):
                raise
        await order(name, kind, timeout_s)
        # The robot says so itself, and from here on it is renewed.
        return self._hold(await self._say(payload, timeout_s))

    async def ask(self, name: str | None, kind: DriverKind | None, timeout_s: float) -> ControlLease:
        """Asks until the lease is given, or nobody drives; what was asked is taken back when the waiting ends before that."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + timeout_s
        is_given = False
        try:
            while (left_s := deadline - clock()) > 0:
                # The gift may be told before the answer to the question.
                woken = self._wake
                answer = await self._ask_once({"action": "ask", **_about(name, kind)}, left_s)
                if answer is not None and answer.you_drive:
                    is_given = True
                    return self._hold(answer)
                await settled(woken, timeout_s=max(0.0, min(RENEW_S, deadline - clock())))
        finally:
            if not is_given:
                with contextlib.suppress(CallTimeoutError, PlatformSDKError):
                    await self._say({"action": "release"}, _RELEASE_ON_LEAVE_S)
        raise CallTimeoutError(f"Nobody gave the robot within {timeout_s:g} s.")

    async def leave(self) -> None:
        """Before the room is left: others need not wait until its leaving is told."""
        if self._held is not None:
            with contextlib.suppress(CallTimeoutError, PlatformSDKError):
                await self._release(self._held, _RELEASE_ON_LEAVE_S)
        self._lose(LeaseEnd(None, "left"))

    async def _ask_once(self, payload: dict[str, Any], timeout_s: float) -> ControlAnswer | None:
        """None when the question got lost or too many ask already: it is put again."""
        try:
            return await self._say(payload, timeout_s)
        except (CallTimeoutError, NotControllerError):
            return None

    def _hold(self, answer: ControlAnswer) -> ControlLease:
        # A second lease of the same session is the same one at the robot.
        held = self._held
        if held is None:
            held = self._held = _Held(None if answer.driver is None else answer.driver.identity)
            held.renewing = asyncio.ensure_future(self._renew(held))
        mine = held
        return ControlLease(lambda: self._release(mine, _ANSWER_S), self._give, held.end)

    async def _renew(self, held: _Held) -> None:
        while self._held is held:
            await asyncio.sleep(RENEW_S)
            try:
                await self._say({"action": "renew"}, RENEW_S)
            except NotControllerError as error:
                self._lose(_end_told_by(error))
            except (CallTimeoutError, RcwRuntimeError):
                # It got lost, or the robot is coming back: the next one tells.
                continue
            except PlatformSDKError:
                self._lose(LeaseEnd(None, None))

    async def _release(self, held: _Held, timeout_s: float) -> None:
        if self._held is not held:
            return
        answer = await self._say({"action": "release"}, timeout_s)
        self._lose(LeaseEnd(answer.driver, "released"))

    async def _give(self, to: str | None) -> None:
        try:
            answer = await self._say({"action": "give", **({} if to is None else {"to": to})}, _ANSWER_S)
        except NotControllerError as error:
            # It was put again because the first answer got lost.
            if to is None or error.driver is None or error.driver.identity != to:
                raise
            self._lose(LeaseEnd(error.driver, "given"))
        else:
            self._lose(LeaseEnd(answer.driver, "given"))

    def _lose(self, end: LeaseEnd) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        if held.renewing is not None and held.renewing is not asyncio.current_task():
            held.renewing.cancel()
        if not held.end.done():
            held.end.set_result(end)

    async def _say(self, payload: dict[str, Any], timeout_s: float) -> ControlAnswer:
        reply = await self._link.read(CONTROL, payload, timeout_s)
        result = reply.get("result") if isinstance(reply, dict) else None
        return read_as(ControlAnswer, result, f"an answer of {CONTROL}")

    def _hear(self, data: bytes) -> None:
        event = _read_event(data)
        if isinstance(event, ControlAsked):
            self._tell("on_control_asked", event)
        elif isinstance(event, CancelsRepeated):
            self._tell("on_cancels_repeated", event)
        elif event is not None:
            held = self._held
            if held is not None and (event.driver is None or event.driver.identity != held.identity):
                self._lose(LeaseEnd(event.driver, event.why, event.by))
            woken, self._wake = self._wake, asyncio.get_running_loop().create_future()
            if not woken.done():
                woken.set_result(None)
            self._tell("on_driver_changed", event)

    def _tell(self, name: str, event: _Event) -> None:
        for listener in list(self._listeners[name]):
            self._teller.tell(name, listener, event)


def _end_told_by(error: NotControllerError) -> LeaseEnd:
    """How the robot says that this session lost the lease."""
    why, by = error.details.get("lost_by"), error.details.get("by")
    if why not in get_args(DriverChange):
        return LeaseEnd(error.driver, None)
    return LeaseEnd(error.driver, why, by if isinstance(by, str) else None)


def _about(name: str | None, kind: DriverKind | None) -> dict[str, str]:
    return {**({} if name is None else {"name": name}), **({} if kind is None else {"kind": kind})}


def _read_event(data: bytes) -> _Event | None:
    """None for anything but an event of the lease, or of cancels, that this version knows."""
    if len(data) > _EVENT_MAX_BYTES:
        return None
    try:
        told = json.loads(data)
        kind = told.get("type") if isinstance(told, dict) else None
        if kind == "driver_changed":
            return DriverChanged.model_validate(told)
        if kind == "control_asked":
            return ControlAsked.model_validate(told)
        if kind == "cancels_repeated":
            return CancelsRepeated.model_validate(told)
    except (ValueError, ValidationError, RecursionError):
        pass
    return None
