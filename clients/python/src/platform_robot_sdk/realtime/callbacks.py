"""The callbacks for a session's events."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ParamSpec

from ..models.actions import ActionEvent, ActionResult

P = ParamSpec("P")
Told = Awaitable[Any] | None

_DRAIN_S = 2.0
_log = logging.getLogger("platform_robot_sdk")


@dataclass(kw_only=True)
class ConnectCallbacks:
    """Callbacks for the events of a session, as they happen. Each may be sync or async. If one raises, a warning is logged
    and the session continues.
    """

    on_action_result: Callable[[ActionResult], Told | Any] | None = None
    """An action that this session invoked has ended. Receives the same object that `invoke` returns."""
    on_action_event: Callable[[ActionEvent], Told | Any] | None = None
    """An event of an action that this session invoked: accepted, running with its progress, or its end."""
    on_runtime_joined: Callable[[str], Told | Any] | None = None
    """A runtime has joined the room. Receives its identity."""
    on_runtime_left: Callable[[str], Told | Any] | None = None
    """A runtime has left the room, or was lost. Receives its identity."""
    on_reconnecting: Callable[[], Told | Any] | None = None
    """The connection to the room broke and is being restored."""
    on_reconnected: Callable[[], Told | Any] | None = None
    """The connection to the room is restored."""
    on_disconnected: Callable[[str], Told | Any] | None = None
    """The room is over, by `disconnect` ("left") or from outside ("room deleted")."""


class Notifier:
    """Calls callbacks so that their errors cannot reach the caller. Async ones run as tasks, started in order."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def notify(self, name: str, callback: Callable[P, Any] | None, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls the callback, if there is one."""
        if callback is None:
            return
        try:
            answer = callback(*args, **kwargs)
        # A callback that reads the result of a cancelled task raises this, although its own caller was not cancelled.
        except (Exception, asyncio.CancelledError) as error:
            _warn(name, error)
            return
        if inspect.isawaitable(answer):
            task = asyncio.ensure_future(self._finish(name, answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Waits a moment for async callbacks to end. A call from within a callback does nothing."""
        waiting = self._tasks - {asyncio.current_task()}
        if waiting and len(waiting) == len(self._tasks):
            await asyncio.wait(waiting, timeout=_DRAIN_S)

    @staticmethod
    async def _finish(name: str, answer: Awaitable[Any]) -> None:
        try:
            await answer
        except Exception as error:
            _warn(name, error)


def _warn(name: str, error: BaseException) -> None:
    # Its text may contain anything, including secrets that do not belong in a log.
    _log.warning("the callback %s raised %s", name, type(error).__name__)
