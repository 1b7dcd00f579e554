"""Presses the emergency stop over all paths in parallel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from ..emergency_stop import EmergencyStopError, EmergencyStopped, StopPath, StopPaths
from ..errors import PlatformAPIError, PlatformConnectionError, PlatformSDKError, RcwRuntimeError
from ..models.http import EmergencyStopResult
from .room_link import RoomLink
from .transport import Json
from .wire import EMERGENCY_STOP

PRESS_TIMEOUT_S = 10.0
"""A press is safe to repeat, so it is repeated until a path confirms that the robot stands."""
# The runtime answers within 2 s.
_ROOM_REPLY_S = 3.0
_PAUSE_S = 0.2

PressOverHttp = Callable[[str | None, float], Awaitable[EmergencyStopResult]]
_Name = Literal["room", "http"]
# A task without a reference may be collected before it ends.
_going_on: set[asyncio.Task[Any]] = set()


async def press_everywhere(
    link: RoomLink | None, over_http: PressOverHttp, reason: str | None, timeout_s: float
) -> EmergencyStopped:
    """Presses over the room and over HTTP in parallel, and returns when the first path confirms that the robot stands.

    The other press continues, also if this wait is cancelled. Without a `link` the session has not joined the room.

    Raises:
        EmergencyStopError: no path confirms it in time.
    """
    now = asyncio.get_running_loop().time
    started = now()
    paths: dict[_Name, StopPath] = {"room": StopPath("pending"), "http": StopPath("pending")}

    async def note(name: _Name, going: Awaitable[StopPath]) -> None:
        try:
            ended = await going
        except (PlatformSDKError, TimeoutError) as error:
            ended = StopPath("failed", problem=str(error))
        except Exception:
            ended = StopPath("failed", problem="It failed for a reason of its own.")
        paths[name] = StopPath(ended.status, now() - started, ended.problem)

    until = started + timeout_s
    tasks = {
        asyncio.ensure_future(note("room", _press_in_room(link, reason, until))),
        asyncio.ensure_future(note("http", _press_http(over_http, reason, until))),
    }
    for task in tasks:
        _going_on.add(task)
        task.add_done_callback(_going_on.discard)
    waiting: set[asyncio.Task[None]] = tasks
    while waiting:
        _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        stood: tuple[_Name, ...] = tuple(name for name, path in paths.items() if path.status == "stands")
        if stood:
            return EmergencyStopped(stood[0], now() - started, StopPaths(**paths))
    raise EmergencyStopError(StopPaths(**paths))


async def _press_in_room(link: RoomLink | None, reason: str | None, until: float) -> StopPath:
    if link is None:
        return StopPath("failed", problem="The room of this session is not joined.")
    payload = {} if reason is None else {"reason": reason}
    last = StopPath("failed", problem="No runtime answered in time.")
    while (left_s := _left_s(until)) > 0:
        try:
            reply = await link.read(EMERGENCY_STOP, payload, min(_ROOM_REPLY_S, left_s))
        except (RcwRuntimeError, TimeoutError, PlatformConnectionError, PlatformAPIError) as error:
            if not _is_passing(error):
                raise
            if last.status != "latched":
                last = StopPath("failed", problem=str(error))
        else:
            stands = _stands(reply)
            if stands is True:
                return StopPath("stands")
            if stands is False:
                last = StopPath("latched", problem="The robot is stopped, but still moves: something pushes it.")
            else:
                last = StopPath("failed", problem="The runtime's answer is not an answer to an emergency stop.")
        await asyncio.sleep(max(0.0, min(_PAUSE_S, _left_s(until))))
    return last


def _stands(reply: Json) -> object:
    """Returns `stands` from the answer to a press, which is in the result or in the details of the error; None if it is
    absent.
    """
    if not isinstance(reply, dict) or "meta" not in reply:
        return None
    error = reply.get("error")
    said = error.get("details") if isinstance(error, dict) else reply.get("result")
    return said.get("stands") if isinstance(said, dict) else None


def _is_passing(error: Exception) -> bool:
    if isinstance(error, RcwRuntimeError):
        return error.code == "NOT_READY"
    return not isinstance(error, PlatformAPIError) or error.status_code == 429 or error.status_code >= 500


async def _press_http(over_http: PressOverHttp, reason: str | None, until: float) -> StopPath:
    last = StopPath("failed", problem="The service did not answer in time.")
    while (left_s := _left_s(until)) > 0:
        answer = await over_http(reason, left_s)
        if answer.stands:
            return StopPath("stands")
        problems = " ".join(runtime.problem for runtime in answer.runtimes if runtime.problem is not None)
        last = StopPath("latched", problem=problems or "It is latched, and no runtime is in the room to stop.")
        # No runtime is in the room, so nothing can be stopped. A runtime that joins finds the latch.
        if answer.stands is None:
            return last
        await asyncio.sleep(max(0.0, min(_PAUSE_S, _left_s(until))))
    return last


def _left_s(until: float) -> float:
    return until - asyncio.get_running_loop().time()
