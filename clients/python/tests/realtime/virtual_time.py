"""An event loop whose clock jumps to the next timer: a minute takes no time, and runs are repeatable."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._now_s = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self._now_s

    def advance(self, duration_s: float | None) -> None:
        if duration_s is None:
            raise RuntimeError("everything waits, and nothing is due: the test would hang")
        self._now_s += duration_s


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        events = super().select(0)
        if not events and timeout != 0:
            self._loop.advance(timeout)
        return events
