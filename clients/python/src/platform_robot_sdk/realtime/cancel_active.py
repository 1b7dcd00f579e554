"""Cancels the active action, also if replies get lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from ..errors import CallTimeoutError, RcwRuntimeError
from .room_link import READ_REPLY_S, CallLostError, RoomLink
from .transport import Json
from .waiting import within
from .wire import CANCEL, is_action_result

CANCEL_ACTIVE = "cancel-active"
# Pause between a lost call and the next.
_PAUSE_S = 0.2


async def cancel_active(link: RoomLink, before: str | None, timeout_s: float) -> Json:
    """Cancels the active action, and returns its end as the runtime replies.

    A cancel without an id names no action, so a cancel whose reply got lost may have been carried out. In that case no
    action is active, and the runtime's record shows which action was cancelled since. In every other case the cancel is
    sent again. `before` is the action that this session's last cancel ended; a later cancel cannot have ended it.

    Raises:
        RcwRuntimeError: `ACTION_NOT_FOUND` when no action was active.
        CallLostError: this session has commanded the body since, so that another action may be active.
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

    def require_same() -> None:
        if link.has_commanded_since(place):
            raise CallLostError(
                f"{CANCEL} had no reply: the call or its reply got lost. It is not sent again, because this session "
                "has commanded the robot since; read the state."
            )

    payload = {"options": {"action_id": CANCEL_ACTIVE}}
    while True:
        with contextlib.suppress(CallLostError):
            return await link.ask_once(CANCEL, payload, min(left_s(), READ_REPLY_S))
        require_same()
        await asyncio.sleep(min(_PAUSE_S, left_s()))
        await within(link.runtime_present(), left_s(), late)
        ended = await _cancelled_since(link, before, started_s, left_s())
        if ended is not None:
            return ended
        require_same()


async def _cancelled_since(link: RoomLink, before: str | None, started_s: float, timeout_s: float) -> Json:
    """Returns the result of the action that was cancelled last, if no action is active and the cancel came after
    `started_s` of the loop.

    Returns None if an action is active, which a cancel must end, or if the runtime's record does not show a cancel.
    """
    loop = asyncio.get_running_loop()
    try:
        state = _fields(await link.read("runtime.state", {}, timeout_s))
        if _fields(state.get("runtime")).get("active_action") is not None:
            return None
        record = await link.read("runtime.action", {}, timeout_s)
    except (RcwRuntimeError, CallTimeoutError):
        # The runtime keeps no such record or does not answer. Then only the cancel itself can show the outcome.
        return None
    last = next(filter(_is_cancelled_tool, record), None) if isinstance(record, list) else None
    meta = _fields(_fields(last).get("meta"))
    # Both times are the runtime's, so its clock may differ from the local one.
    now_ms, finished_ms = _fields(state.get("timestamp")).get("wall_time_ms"), meta.get("finished_at_ms")
    if not isinstance(last, dict) or meta.get("action_id") == before:
        return None
    if not isinstance(now_ms, int | float) or not isinstance(finished_ms, int | float):
        return None
    if (now_ms - finished_ms) / 1000 > loop.time() - started_s:
        return None
    return {name: value for name, value in last.items() if name not in ("kind", "name")}


def _is_cancelled_tool(item: Json) -> bool:
    """Whether this action was cancelled by a caller, as opposed to replaced by a later action."""
    error = _fields(_fields(item).get("error"))
    action_id = _fields(_fields(item).get("meta")).get("action_id")
    if _fields(item).get("kind") != "tool" or error.get("code") != "CANCELLED" or not isinstance(action_id, str):
        return False
    return is_action_result(item, action_id) and "superseded_by" not in _fields(error.get("details"))


def _fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
