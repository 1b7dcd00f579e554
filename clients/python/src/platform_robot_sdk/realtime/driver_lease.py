"""The lease of a session: takes it, asks for it, renews it, and follows its changes."""

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
from .callbacks import Notifier
from .room_link import READ_REPLY_S, RoomLink
from .waiting import settled
from .wire import CONTROL, read_as

EVENTS_TOPIC = "simplesim.events"
# How often an idle driver renews its lease, and how often a participant repeats its request for it.
RENEW_S = 1.5
# Long enough to repeat a release or a transfer once if its answer got lost.
_ANSWER_S = 2 * READ_REPLY_S + 1.0
# Longest wait for a release on leaving. Leaving the room ends the lease too.
_RELEASE_ON_LEAVE_S = 1.0
_EVENT_MAX_BYTES = 15_360

Listener = Callable[..., Any]
_Event = DriverChanged | ControlAsked | CancelsRepeated


class _Held:
    """A lease of this session, under the identity by which the robot knows it."""

    def __init__(self, identity: str | None) -> None:
        self.identity = identity
        self.end: asyncio.Future[LeaseEnd] = asyncio.get_running_loop().create_future()
        self.renewing: asyncio.Task[None] | None = None


# Orders over HTTP, as the owner, that this session drives. Arguments: name, kind, timeout in seconds.
OrderSelf = Callable[[str | None, DriverKind | None, float], Awaitable[None]]


class DriverLease:
    """The lease of a session. Must be created in the event loop that uses it."""

    def __init__(self, link: RoomLink, notifier: Notifier) -> None:
        self._link = link
        self._notifier = notifier
        self._listeners: dict[str, list[Listener]] = {
            "on_driver_changed": [],
            "on_control_asked": [],
            "on_cancels_repeated": [],
        }
        self._held: _Held | None = None
        # Ends the pause between two requests for the lease.
        self._wake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        link.on_data(EVENTS_TOPIC, self._hear)

    def on(self, name: str, listener: Listener) -> Callable[[], None]:
        """Adds a listener, and returns a function that removes it."""
        listeners = self._listeners[name]
        listeners.append(listener)

        def stop() -> None:
            if listener in listeners:
                listeners.remove(listener)

        return stop

    async def take(
        self, name: str | None, kind: DriverKind | None, timeout_s: float, order: OrderSelf | None = None
    ) -> ControlLease:
        """Raises NotControllerError while another participant drives. With `order`, the owner's order over HTTP is used in
        that case.
        """
        payload = {"action": "take", **_about(name, kind)}
        try:
            return self._hold(await self._say(payload, timeout_s))
        except RcwRuntimeError as error:
            # The owner may always take the robot, also after too many changes of driver.
            if order is None or error.code not in ("NOT_CONTROLLER", "BUSY"):
                raise
        await order(name, kind, timeout_s)
        # The robot confirms the lease itself, and from here on it is renewed.
        return self._hold(await self._say(payload, timeout_s))

    async def ask(self, name: str | None, kind: DriverKind | None, timeout_s: float) -> ControlLease:
        """Asks until the lease is given, or no one drives. If the wait ends before that, the request is withdrawn."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + timeout_s
        is_given = False
        try:
            while (left_s := deadline - clock()) > 0:
                # The transfer may be reported before the answer to the request.
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
        raise CallTimeoutError(f"No one handed over the robot within {timeout_s:g} s.")

    async def leave(self) -> None:
        """Runs before the room is left, so that others need not wait until the leave is reported."""
        if self._held is not None:
            with contextlib.suppress(CallTimeoutError, PlatformSDKError):
                await self._release(self._held, _RELEASE_ON_LEAVE_S)
        self._lose(LeaseEnd(None, "left"))

    async def _ask_once(self, payload: dict[str, Any], timeout_s: float) -> ControlAnswer | None:
        """Returns None if the request got lost or too many participants ask already; the caller then repeats it."""
        try:
            return await self._say(payload, timeout_s)
        except (CallTimeoutError, NotControllerError):
            return None

    def _hold(self, answer: ControlAnswer) -> ControlLease:
        # For the robot, a second lease of the same session is the same lease.
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
                self._lose(_end_reported_by(error))
            except (CallTimeoutError, RcwRuntimeError):
                # The renewal got lost, or the robot is coming back: the next renewal decides.
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
            # The call was repeated because the first answer got lost.
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
            self._notify("on_control_asked", event)
        elif isinstance(event, CancelsRepeated):
            self._notify("on_cancels_repeated", event)
        elif event is not None:
            held = self._held
            if held is not None and (event.driver is None or event.driver.identity != held.identity):
                self._lose(LeaseEnd(event.driver, event.why, event.by))
            woken, self._wake = self._wake, asyncio.get_running_loop().create_future()
            if not woken.done():
                woken.set_result(None)
            self._notify("on_driver_changed", event)

    def _notify(self, name: str, event: _Event) -> None:
        for listener in list(self._listeners[name]):
            self._notifier.notify(name, listener, event)


def _end_reported_by(error: NotControllerError) -> LeaseEnd:
    """Reads how the robot reports that this session lost the lease."""
    why, by = error.details.get("lost_by"), error.details.get("by")
    if why not in get_args(DriverChange):
        return LeaseEnd(error.driver, None)
    return LeaseEnd(error.driver, why, by if isinstance(by, str) else None)


def _about(name: str | None, kind: DriverKind | None) -> dict[str, str]:
    return {**({} if name is None else {"name": name}), **({} if kind is None else {"kind": kind})}


def _read_event(data: bytes) -> _Event | None:
    """Returns an event of the lease, or of cancels, that this version knows; None for anything else."""
    if len(data) > _EVENT_MAX_BYTES:
        return None
    try:
        parsed = json.loads(data)
        kind = parsed.get("type") if isinstance(parsed, dict) else None
        if kind == "driver_changed":
            return DriverChanged.model_validate(parsed)
        if kind == "control_asked":
            return ControlAsked.model_validate(parsed)
        if kind == "cancels_repeated":
            return CancelsRepeated.model_validate(parsed)
    except (ValueError, ValidationError, RecursionError):
        pass
    return None
