"""Presses the emergency stop over all paths in parallel."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..emergency_stop import EmergencyStopError, EmergencyStopped, StopPath, StopPaths
from ..errors import PlatformAPIError, PlatformConnectionError, PlatformSDKError, RcwRuntimeError
from ..models.http import EmergencyStopResult
from .room_link import RoomLink
from .wire import EMERGENCY_STOP, guard_code

PRESS_TIMEOUT_S = 10.0
"""A press is safe to repeat, so it is repeated until a path confirms that the robot stands."""
# The runtime answers within 2 s.
_ROOM_REPLY_S = 3.0
_PAUSE_S = 0.2
_STRANGE = "The runtime's answer is not an answer to an emergency stop."
_STILL_MOVES = "The robot is stopped, but still moves: something pushes it."
_NO_RUNTIME = "It is latched, and no runtime is in the room to stop."

PressOverHttp = Callable[[str | None, float], Awaitable[EmergencyStopResult]]
_Name = Literal["room", "http"]
# A task without a reference may be collected before it ends.
_going_on: set[asyncio.Future[Any]] = set()


@dataclass(frozen=True)
class PressOutcome:
    """The answer to one press on one path."""

    status: Literal["stands", "latched", "refused", "silent"]
    """`stands`: the path confirms that the robot stands. `latched`: the stop is latched, and the standstill is not confirmed.
    `refused`: the press was rejected. `silent`: no answer.
    """
    problem: str | None = None
    """Why the standstill is not confirmed, in a sentence."""
    is_final: bool = False
    """Another press on this path would get the same answer."""


STANDS = PressOutcome("stands", is_final=True)

Press = Callable[[float], Awaitable[PressOutcome]]
"""Presses once, and waits for the answer at most the given seconds. It never raises."""


class Presses:
    """The presses of the emergency stop on every path at once. Each is repeated until one path confirms that the robot
    stands, or the time is up.
    """

    def __init__(self, paths: Mapping[_Name, Press], until: float) -> None:
        self._paths = paths
        self._until = until
        self.by: _Name | None = None
        """The path that confirmed first that the robot stands; None if none did."""
        self.outcomes: dict[_Name, tuple[PressOutcome, float]] = {}
        """The last outcome of each path with its time on the clock of the loop. A failure replaces no latched stop."""

    async def run(self) -> None:
        """Returns when the first path confirms the standstill, or all have ended."""
        tasks = [asyncio.ensure_future(self._press(name)) for name in self._paths]
        for task in tasks:
            _going_on.add(task)
            task.add_done_callback(_going_on.discard)
        waiting: set[asyncio.Task[None]] = set(tasks)
        while waiting and self.by is None:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)

    async def _press(self, name: _Name) -> None:
        while True:
            outcome = await self._press_once(name)
            if self.by is not None:
                return
            known = self.outcomes.get(name)
            if known is None or known[0].status != "latched" or outcome.status == "stands":
                self.outcomes[name] = (outcome, _now())
            if outcome.status == "stands":
                self.by = name
            if outcome.is_final:
                return
            await asyncio.sleep(max(0.0, min(_PAUSE_S, _left_s(self._until))))
            if self.by is not None or _left_s(self._until) <= 0:
                return

    async def _press_once(self, name: _Name) -> PressOutcome:
        left_s = max(0.001, _left_s(self._until))
        press = asyncio.ensure_future(self._paths[name](left_s))
        # A press that is late continues: the robot may still get it.
        _going_on.add(press)
        press.add_done_callback(_going_on.discard)
        await asyncio.wait({press}, timeout=left_s)
        return press.result() if press.done() else PressOutcome("silent", "No answer came in time.")


async def press_everywhere(
    link: RoomLink | None, over_http: PressOverHttp, reason: str | None, timeout_s: float
) -> EmergencyStopped:
    """Presses over the room and over HTTP in parallel, and returns when the first path confirms that the robot stands.

    A press that is under way continues, also if this wait is cancelled. Without a `link` the session has not joined the
    room.

    Raises:
        EmergencyStopError: no path confirms it in time.
    """
    started = _now()

    async def room(left_s: float) -> PressOutcome:
        return await _outcome(_press_in_room(link, reason, left_s))

    async def http(left_s: float) -> PressOutcome:
        return await _outcome(_press_http(over_http, reason, left_s))

    presses = Presses({"room": room, "http": http}, started + timeout_s)
    await presses.run()
    paths = StopPaths(*(_path_of(presses.outcomes.get(name), started) for name in ("room", "http")))
    if presses.by is None:
        raise EmergencyStopError(paths)
    return EmergencyStopped(presses.by, presses.outcomes[presses.by][1] - started, paths)


def _path_of(ended: tuple[PressOutcome, float] | None, started: float) -> StopPath:
    if ended is None:
        return StopPath("pending")
    outcome, at = ended
    status = outcome.status if outcome.status in ("stands", "latched") else "failed"
    return StopPath(status, at - started, outcome.problem)


async def _outcome(press: Awaitable[PressOutcome]) -> PressOutcome:
    try:
        return await press
    except RcwRuntimeError as error:
        return PressOutcome("refused", str(error), is_final=error.code == "METHOD_NOT_FOUND")
    except (PlatformSDKError, TimeoutError) as error:
        return PressOutcome("silent", str(error), is_final=not _is_passing(error))
    # Errors of the library contain no credentials; the text of other errors may.
    except Exception:
        return PressOutcome("silent", "It failed for a reason of its own.", is_final=True)


async def _press_in_room(link: RoomLink | None, reason: str | None, left_s: float) -> PressOutcome:
    if link is None:
        return PressOutcome("refused", "The room of this session is not joined.", is_final=True)
    payload = {} if reason is None else {"reason": reason}
    return outcome_of_answer(await link.read(EMERGENCY_STOP, payload, min(_ROOM_REPLY_S, left_s)))


def outcome_of_answer(reply: object) -> PressOutcome:
    """Reads a runtime's answer to a press. Only its statement that the robot stands confirms it."""
    code = guard_code(reply)
    if code is not None:
        return PressOutcome("refused", _STRANGE, is_final=code == "METHOD_NOT_FOUND")
    stands = _stands(reply)
    if stands is None:
        # A participant that answers so would answer the next press in the same way.
        return PressOutcome("refused", _STRANGE, is_final=True)
    return STANDS if stands else PressOutcome("latched", _STILL_MOVES)


def _stands(reply: object) -> bool | None:
    """Returns `stands` from the answer to a press, which is in the result or in the details of the error; None if the answer
    is incomplete.
    """
    if not isinstance(reply, dict) or "meta" not in reply:
        return None
    error = reply.get("error")
    said = error.get("details") if isinstance(error, dict) else reply.get("result")
    if not isinstance(said, dict) or "emergency_stop" not in said:
        return None
    stands, after_ms, held = said.get("stands"), said.get("after_ms"), said.get("held_entity_ids")
    is_complete = isinstance(stands, bool) and isinstance(after_ms, int) and isinstance(held, list)
    return stands if is_complete else None


async def _press_http(over_http: PressOverHttp, reason: str | None, left_s: float) -> PressOutcome:
    answer = await over_http(reason, left_s)
    if answer.stands:
        return STANDS
    problems = " ".join(runtime.problem for runtime in answer.runtimes if runtime.problem is not None)
    # Without a runtime, nothing can be stopped. A runtime that joins finds the latch.
    return PressOutcome("latched", problems or _NO_RUNTIME, is_final=answer.stands is None)


def _is_passing(error: Exception) -> bool:
    if isinstance(error, PlatformAPIError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, PlatformConnectionError | TimeoutError)


def _left_s(until: float) -> float:
    # Virtual and real clocks count in parts of a second that do not add up exactly.
    return math.ceil((until - _now()) * 1e6) / 1e6


def _now() -> float:
    return asyncio.get_running_loop().time()
