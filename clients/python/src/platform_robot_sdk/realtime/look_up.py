"""The runtime's knowledge of an action, requested while its reply is outstanding."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ..errors import PlatformSDKError, RcwRuntimeError
from ..models.runtime import ActiveAction
from .losses import Known
from .room_link import RoomLink
from .transport import CallError
from .wire import encode_payload, guard_code, is_action_result, is_guard

LOOK_UP_REPLY_S = 3.0
# A reply that takes longer may be lost, so the runtime is asked about the action at this interval.
LOOK_UP_EVERY_S = 5.0
# The interval if a caller listens to the events of the action.
EVENTS_EVERY_S = 0.2

OnActive = Callable[[ActiveAction], None]


@dataclass(frozen=True)
class Knowledge:
    """The runtime's knowledge of an action: its result in `reply`, or its current activity in `active`, if it is reported."""

    kind: Known
    reply: Any = None
    active: ActiveAction | None = None


async def look_up(link: RoomLink, action_id: str, timeout_s: float) -> Knowledge:
    """Asks the runtime once about an action."""
    asked = await _ask_quietly(link, "runtime.action", {"action_id": action_id}, timeout_s)
    if asked.kind != "ended":
        return asked
    if is_action_result(asked.reply, action_id):
        return asked
    if guard_code(asked.reply) == "ACTION_NOT_FOUND":
        return Knowledge("unheard")
    if is_guard(asked.reply):
        return Knowledge("silent")
    return Knowledge("running", active=_active_in(asked.reply, action_id))


async def watch(link: RoomLink, action_id: str, on_active: OnActive | None) -> Knowledge:
    """Returns when the runtime knows the end of the action, or reports that it does not know the action.

    Never returns for a runtime that keeps no record, nor when the room ends: the call itself reports that. `on_active`
    receives the current activity of the action, repeatedly.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    is_mute = False
    try:
        while not is_mute or on_active is not None:
            await asyncio.sleep(LOOK_UP_EVERY_S if on_active is None else EVENTS_EVERY_S)
            if is_mute:
                state = await _ask_quietly(link, "runtime.state", {}, LOOK_UP_REPLY_S)
                active = _active_in(_field(state.reply, "runtime"), action_id)
            else:
                known = await look_up(link, action_id, LOOK_UP_REPLY_S)
                # The question can overtake the call that it asks about.
                if known.kind == "ended" or (known.kind == "unheard" and loop.time() - started >= LOOK_UP_EVERY_S):
                    return known
                is_mute = known.kind == "mute"
                active = known.active
            if active is not None and on_active is not None:
                on_active(active)
    except PlatformSDKError:
        pass
    return await loop.create_future()  # type: ignore[no-any-return]


async def _ask_quietly(link: RoomLink, method: str, payload: Mapping[str, Any], timeout_s: float) -> Knowledge:
    identity = link.runtime
    if identity is None:
        return Knowledge("silent")
    try:
        return Knowledge("ended", reply=await link.call_once(identity, method, encode_payload(payload), timeout_s))
    except CallError as failure:
        return Knowledge("mute" if failure.reason == "unsupported" else "silent")
    except RcwRuntimeError:
        return Knowledge("silent")


def _active_in(holder: object, action_id: str) -> ActiveAction | None:
    active = _field(holder, "active_action")
    if _field(active, "action_id") != action_id:
        return None
    try:
        return ActiveAction.model_validate(active)
    except ValidationError:
        return None


def _field(holder: object, name: str) -> object:
    return holder.get(name) if isinstance(holder, Mapping) else None
