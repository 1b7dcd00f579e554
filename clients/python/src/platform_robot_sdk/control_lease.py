"""The lease of one who drives."""

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
    """How a lease came to its end: who drives now, and why."""

    driver: DriverFacts | None
    """Who drives now; None for nobody, or where nobody could tell."""
    why: DriverChange | None
    """None where the robot only said that the lease is gone, as after a restart, or the room is over."""
    by: str | None = None
    """Who ordered it, where neither of the two did: `owner`, with a key of the robot's account."""


class ControlLease:
    """This session drives the robot: commands of others are refused (`NOT_CONTROLLER`) until the lease ends.

    It is renewed by itself. When it ends, however it ends, what this session had running ends too, and the robot stands. In an
    `async with` block it is released at the end.
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
        """Whether this session drives, as far as it has been told."""
        return not self._end.done()

    async def ended(self) -> LeaseEnd:
        """Waits until the lease has ended, by `release` or `give` too."""
        if self.is_held:
            require_loop(self._end.get_loop())
        return await asyncio.shield(self._end)

    @short_errors
    async def release(self) -> None:
        """Drives no more: whoever calls commands then. Safe to repeat, and after the lease was lost."""
        if self.is_held:
            await self._release()

    @short_errors
    async def give(self, to: str | None = None) -> None:
        """Gives the robot to a participant who asks for it, by its identity; the first who asked, when none is named.

        Raises:
            RcwRuntimeError: `INVALID_INPUT`, nobody of the kind asks.
            NotControllerError: the lease was lost.
        """
        await self._give(to)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.release()
