"""Cancelling whatever is active, though replies get lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ..errors import CallTimeoutError, RcwRuntimeError
from .room_link import READ_REPLY_S, CallLostError, RoomLink
from .transport import Json
from .waiting import within
from .wire import CANCEL, is_action_result

CANCEL_ACTIVE = "cancel-active"
# Between a call that got lost and the next.
_PAUSE_S = 0.2


async def cancel_active(link: RoomLink, timeout_s: float) -> Json:
    """Cancels whatever is active, and gives its end as the runtime replies.

    "Whatever is active" names nothing, so a cancel whose reply got lost is not just put again: by then the first may have been
    carried out, or somebody else's action runs. The state tells whether an action was cancelled since; only where none was, the
    cancel is put again.

    Raises:
        RcwRuntimeError: `ACTION_NOT_FOUND` when nothing was active.
        CallLostError: this session has commanded the body since, so that what is active is something else.
        CallTimeoutError: no reply came in time.
    """
    loop = asyncio.get_running_loop()
    started_s = loop.time()
    late = f"{CANCEL} had no reply within {timeout_s:g} s."

    def left_s() -> float:
        left = timeout_s - (loop.time() - started_s)
        if left <= 0:
            raise CallTimeoutError(late)
        return left

    place = link.commands_made
    payload = {"options": {"action_id": CANCEL_ACTIVE}}
    while True:
        try:
            return await link.ask_once(CANCEL, payload, min(left_s(), READ_REPLY_S))
        except CallLostError:
            if link.has_commanded_since(place):
                raise
        await asyncio.sleep(min(_PAUSE_S, left_s()))
        await within(link.runtime_present(), left_s(), late)
        ended = await _cancelled_since(link, started_s, left_s())
        if ended is not None:
            return ended


async def _cancelled_since(link: RoomLink, started_s: float, timeout_s: float) -> Json:
    """The result of the action cancelled last, if that was after `started_s` of the loop; None where nothing tells so."""
    loop = asyncio.get_running_loop()
    try:
        state = await link.read("runtime.state", {}, timeout_s)
        last = _fields(_fields(state).get("runtime")).get("last_action")
        action_id, finished_ms = _fields(last).get("action_id"), _fields(last).get("finished_at_ms")
        # Both times are the runtime's, so that its clock may differ from the one here.
        now_ms = _fields(_fields(state).get("timestamp")).get("wall_time_ms")
        if _fields(last).get("status") != "cancelled" or not isinstance(action_id, str):
            return None
        if not isinstance(now_ms, int | float) or not isinstance(finished_ms, int | float):
            return None
        if (now_ms - finished_ms) / 1000 > loop.time() - started_s:
            return None
        reply = await link.read("runtime.action", {"action_id": action_id}, timeout_s)
    except (RcwRuntimeError, CallTimeoutError):
        # A runtime that keeps no such record, or does not answer: then the cancel itself has to tell.
        return None
    return reply if is_action_result(reply, action_id) else None


def _fields(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
