"""A running skill, and its events."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from typing import Any

from .._short_errors import short_errors
from ..models.actions import ActionEvent, ActionResult
from ..models.runtime import ActiveAction
from .waiting import require_loop

# Most events that wait for one reader. Events arrive five times a second.
_WAITING_EVENTS = 256


class Action:
    """A running skill, started by `session.start`.

    Iterating it yields its events from now on, beginning with the latest one, until the action ends. Leaving the loop does
    not stop the action. Awaiting it returns its end. A failure that no caller awaits is not reported.
    """

    def __init__(
        self,
        action_id: str,
        ending: asyncio.Task[ActionResult],
        events: EventFeed,
        cancel: Callable[[], Awaitable[ActionResult]],
    ) -> None:
        self.action_id = action_id
        self._ending = ending
        self._events = events
        self._cancel = cancel
        self._cancelling: asyncio.Task[ActionResult] | None = None
        ending.add_done_callback(self._ended)

    def _ended(self, ending: asyncio.Task[ActionResult]) -> None:
        self._events.close(None if ending.cancelled() else ending.exception())

    def done(self) -> bool:
        """Whether the wait for its end is over."""
        return self._ending.done()

    @short_errors
    async def result(self) -> ActionResult:
        """Returns the end of the action, as `invoke` does, and raises what `invoke` raises. Cancelling this wait does not
        stop the action.
        """
        self._require_loop()
        return await asyncio.shield(self._ending)

    def __await__(self) -> Generator[Any, None, ActionResult]:
        return self.result().__await__()

    @short_errors
    async def cancel(self) -> ActionResult:
        """Cancels the action and returns its end once the robot stands. If the action has ended, returns that end.

        Further calls have no effect.
        """
        self._require_loop()
        if self._cancelling is None:
            self._cancelling = asyncio.ensure_future(_run(self._cancel))
            self._cancelling.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._cancelling)

    def __aiter__(self) -> AsyncIterator[ActionEvent]:
        """Raises what `result` raises."""
        self._require_loop()
        return self._events.follow()

    def _require_loop(self) -> None:
        """Once the end is known, it may be read in any event loop."""
        if not self._ending.done() or self._ending.cancelled():
            require_loop(self._ending.get_loop())

    def __repr__(self) -> str:
        if not self._ending.done():
            return f"Action({self._events.last or 'sent'} [{self.action_id}])"
        if self._ending.cancelled():
            return f"Action(no one waits [{self.action_id}])"
        error = self._ending.exception()
        return f"Action({error!r} [{self.action_id}])" if error is not None else f"Action({self._ending.result()!r})"


async def _run(cancel: Callable[[], Awaitable[ActionResult]]) -> ActionResult:
    return await cancel()


class EventFeed:
    """Delivers events to any number of readers, each at its own pace."""

    def __init__(self) -> None:
        self.last: ActionEvent | None = None
        self._is_closed = False
        self._failure: BaseException | None = None
        self._readers: set[_Reader] = set()

    def push(self, event: ActionEvent) -> None:
        """Delivers an event to all readers."""
        self.last = event
        for reader in self._readers:
            # A reader that is far behind skips running events that a later one replaces.
            if len(reader.queue) >= _WAITING_EVENTS and reader.queue[-1].phase == event.phase == "running":
                reader.queue.pop()
            reader.queue.append(event)
            reader.news.set()

    def close(self, failure: BaseException | None) -> None:
        """Ends the feed, with the error if there was one."""
        self._is_closed = True
        self._failure = failure
        for reader in self._readers:
            reader.news.set()

    async def follow(self) -> AsyncGenerator[ActionEvent]:
        """Yields the events from now on, beginning with the latest one."""
        reader = _Reader(self.last)
        self._readers.add(reader)
        try:
            while True:
                while reader.queue:
                    yield reader.queue.popleft()
                if self._failure is not None:
                    raise self._failure
                if self._is_closed:
                    return
                reader.news.clear()
                await reader.news.wait()
        finally:
            self._readers.discard(reader)


class _Reader:
    def __init__(self, first: ActionEvent | None) -> None:
        self.queue: deque[ActionEvent] = deque([] if first is None else [first])
        self.news = asyncio.Event()


class ActionReporter:
    """Turns the runtime's reports on an action into events: accepted once, running at each change, and one end."""

    def __init__(self, action_id: str, emit: Callable[[ActionEvent], None]) -> None:
        self._action_id = action_id
        self._emit = emit
        self._is_accepted = False
        self._is_ended = False
        self._shown: tuple[Any, ...] | None = None

    def active(self, active: ActiveAction) -> None:
        """Takes a report of the action's current activity."""
        if self._is_ended:
            return
        self._accept(active.started_at_ms)
        progress = active.progress
        shown = (active.phase, None if progress is None else (progress.current, progress.total, progress.unit))
        if shown == self._shown:
            return
        self._shown = shown
        self._emit(
            ActionEvent(
                action_id=self._action_id, phase="running", at_ms=_now_ms(), activity=active.phase, progress=active.progress
            )
        )

    def ended(self, result: ActionResult) -> None:
        """Takes the end of the action."""
        at_ms = _now_ms() if result.meta.finished_at_ms is None else result.meta.finished_at_ms
        self._accept(at_ms if result.meta.started_at_ms is None else result.meta.started_at_ms)
        self._is_ended = True
        self._emit(ActionEvent(action_id=self._action_id, phase=result.phase, at_ms=at_ms, result=result))

    def refused(self, result: ActionResult) -> None:
        """Takes a call that did not become an action: its end is its only event."""
        self._is_ended = True
        self._emit(ActionEvent(action_id=self._action_id, phase=result.phase, at_ms=_now_ms(), result=result))

    def _accept(self, at_ms: int) -> None:
        if not self._is_accepted:
            self._is_accepted = True
            self._emit(ActionEvent(action_id=self._action_id, phase="accepted", at_ms=at_ms))


def _now_ms() -> int:
    return round(time.time() * 1000)
