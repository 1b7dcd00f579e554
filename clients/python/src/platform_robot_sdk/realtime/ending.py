"""Ends a session once, even if several callers ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


class SessionEnd:
    """Leaves the room, then deletes the session. Concurrent callers wait for the same end. A caller that stops waiting does
    not undo it.
    """

    def __init__(
        self,
        leave: Callable[[], Awaitable[None]],
        settle: Callable[[], Awaitable[None]],
        delete: Callable[[], Awaitable[None]],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        """`settle` runs between leaving and deleting, once per caller; `close` frees what belongs to the session."""
        self._leave = leave
        self._settle = settle
        self._delete = delete
        self._close = close
        self._leaving: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the session has ended, and nothing is left to do."""
        return self._ending is not None and self._ending.done() and not _has_failed(self._ending)

    async def reach(self, *, keeps: bool) -> None:
        """Ends the session. Raises what the deletion raises; in that case it may be called again."""
        if self._leaving is None:
            self._leaving = asyncio.ensure_future(_run(self._leave))
        await asyncio.shield(self._leaving)
        await self._settle()
        if self._ending is None or _has_failed(self._ending):
            self._ending = asyncio.ensure_future(self._end(keeps))
        await asyncio.shield(self._ending)

    async def _end(self, keeps: bool) -> None:
        if not keeps:
            await self._delete()
        # Not after a failure, because the client is needed again for the deletion.
        await self._close()


async def _run(step: Callable[[], Awaitable[None]]) -> None:
    await step()


def _has_failed(ending: asyncio.Task[None]) -> bool:
    return ending.done() and (ending.cancelled() or ending.exception() is not None)
