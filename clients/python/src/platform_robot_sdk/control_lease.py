"""The lease of a driver."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from ._short_errors import short_errors
from .models.driver import DriverChange, DriverFacts
from .realtime.waiting import require_loop


@dataclass(frozen=True)
class LeaseEnd:
    """The end of a lease: the current driver and the reason."""

    driver: DriverFacts | None
    """The current driver; None if no one drives, or if the driver is unknown."""
    why: DriverChange | None
    """The reason for the change. None if the robot only reported that the lease is gone, for example after a restart, or if
    the room is over.
    """
    by: str | None = None
    """The role that ordered the change, if neither driver did: `owner`, with a key of the robot's account."""


class ControlLease:
    """While the lease lasts, this session drives the robot: commands of others are rejected with `NOT_CONTROLLER`.

    The lease is renewed automatically. When it ends for any reason, the actions of this session end too and the robot
    stands. An `async with` block releases it at the end.
    """

    def __init__(
        self,
        release: Callable[[], Awaitable[None]],
        give: Callable[[str | None], Awaitable[None]],
        end: asyncio.Future[LeaseEnd],
    ) -> None:
        self._release = release
        self._give = give
        self._end = end

    @property
    def is_held(self) -> bool:
        """Whether this session drives, according to the latest report."""
        return not self._end.done()

    async def ended(self) -> LeaseEnd:
        """Waits until the lease has ended, also by `release` or `give`."""
        if self.is_held:
            require_loop(self._end.get_loop())
        return await asyncio.shield(self._end)

    @short_errors
    async def release(self) -> None:
        """Releases the lease, so that any participant may command the robot. Safe to repeat, and after the lease was lost."""
        if self.is_held:
            await self._release()

    @short_errors
    async def give(self, to: str | None = None) -> None:
        """Gives the robot to a participant who asked for it, by its identity; by default to the first who asked.

        Raises:
            RcwRuntimeError: `INVALID_INPUT`, no such participant asks.
            NotControllerError: the lease was lost.
        """
        await self._give(to)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.release()
