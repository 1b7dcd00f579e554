"""The news that a session tells its program."""

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
    """Callbacks for the events of a session, as they happen. Plain or async; one that raises is logged, and breaks no call."""

    on_action_result: Callable[[ActionResult], Told | Any] | None = None
    """An action that this session invoked has ended. It is called with the very object that `invoke` returns."""
    on_action_event: Callable[[ActionEvent], Told | Any] | None = None
    """Anything that happens to an action that this session invoked: accepted, running with its progress, its end."""
    on_runtime_joined: Callable[[str], Told | Any] | None = None
    """A runtime has come; its identity."""
    on_runtime_left: Callable[[str], Told | Any] | None = None
    """A runtime has gone; its identity."""
    on_reconnecting: Callable[[], Told | Any] | None = None
    """The connection to the room broke, and is being made again."""
    on_reconnected: Callable[[], Told | Any] | None = None
    """The connection to the room is there again."""
    on_disconnected: Callable[[str], Told | Any] | None = None
    """The room is over, by `disconnect` ("left") or from outside ("room deleted")."""


class Teller:
    """Calls callbacks so that they cannot break what calls them; those of async kind run as tasks, begun in order."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, name: str, callback: Callable[P, Any] | None, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls it, if it is there."""
        if callback is None:
            return
        try:
            answer = callback(*args, **kwargs)
        # One that asks a cancelled task for its result raises this, and nobody has cancelled who calls it.
        except (Exception, asyncio.CancelledError) as error:
            _warn(name, error)
            return
        if inspect.isawaitable(answer):
            task = asyncio.ensure_future(self._finish(name, answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Lets async callbacks come to their ends, for a moment. Called from within one it does nothing."""
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
    # Its text may hold anything, also what nobody should read in a log.
    _log.warning("the callback %s raised %s", name, type(error).__name__)
