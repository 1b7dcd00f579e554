"""Waits with a limit."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, TypeVar

from ..errors import CallTimeoutError, PlatformSDKError

T = TypeVar("T")


def require_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Raises PlatformSDKError in any other event loop, and outside a loop: a wait there for this one would never end, or
    fail.
    """
    if asyncio._get_running_loop() is not loop:
        raise PlatformSDKError(
            "This session was connected in another event loop. Connect, use and disconnect it within one asyncio.run(…); from "
            "another thread, use asyncio.run_coroutine_threadsafe(…). If its loop has ended, end the session with "
            "client.robots.delete_session(…)."
        )


async def within(coroutine: Coroutine[Any, Any, T], timeout_s: float, message: str, action_id: str | None = None) -> T:
    """Returns the coroutine's value, unless the time is up first; then the coroutine is cancelled.

    A `TimeoutError` that the coroutine itself raises passes unchanged.

    Raises:
        CallTimeoutError: with the message.
    """
    task = asyncio.ensure_future(coroutine)
    await settled(task, timeout_s=max(0.0, timeout_s))
    if not task.done():
        await give_up(task)
        raise CallTimeoutError(message, action_id)
    return task.result()


async def settled(*waits: asyncio.Future[Any], timeout_s: float | None = None) -> None:
    """Waits until one of the futures has settled, or the time is up. If this wait is cancelled, the tasks among them are
    cancelled too.
    """
    try:
        await asyncio.wait(waits, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        for wait in waits:
            if isinstance(wait, asyncio.Task):
                wait.cancel()
                wait.add_done_callback(_nobody_asks)
        raise


async def give_up(*tasks: asyncio.Task[Any]) -> None:
    """Cancels tasks and waits until they have ended. Their errors are ignored."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _nobody_asks(task: asyncio.Task[Any]) -> None:
    """Retrieves a task's error, which asyncio would report otherwise."""
    if not task.cancelled():
        task.exception()


def random_id(prefix: str) -> str:
    """Returns a unique id: 128 random bits as text."""
    return f"{prefix}-{secrets.token_hex(16)}"
