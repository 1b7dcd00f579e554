"""Cancels actions on the robot that their callers have abandoned."""

from __future__ import annotations

import asyncio
import contextlib

from ..errors import PlatformSDKError
from .room_link import RoomLink
from .waiting import within
from .wire import CANCEL

_LONGEST_S = 5.0
_PAUSE_S = 0.25
# The call may still be on its way when the cancel arrives.
_UNHEARD_TIMES = 4


async def cancel_abandoned(link: RoomLink, action_id: str, abandoned: BaseException) -> None:
    """Cancels an abandoned action within 5 s. A note on the reason reports the outcome."""
    cancelling = asyncio.ensure_future(_cancel(link, action_id))
    # This wait may be cancelled again; the cancelling continues.
    with contextlib.suppress(asyncio.CancelledError):
        what = await asyncio.shield(cancelling)
        abandoned.add_note(f"The action {action_id} {what}.")


async def _cancel(link: RoomLink, action_id: str) -> str:
    try:
        return await within(_cancel_surely(link, action_id), _LONGEST_S, "")
    except TimeoutError:
        return "was asked to stop, and has not confirmed it"
    except PlatformSDKError as error:
        return f"could not be cancelled: {error}"


async def _cancel_surely(link: RoomLink, action_id: str) -> str:
    for _ in range(_UNHEARD_TIMES):
        try:
            await link.read(CANCEL, {"options": {"action_id": action_id}}, _LONGEST_S)
        except PlatformSDKError as error:
            if getattr(error, "code", None) != "ACTION_NOT_FOUND":
                raise
        else:
            return "was cancelled on the robot"
        await asyncio.sleep(_PAUSE_S)
    return "was not running on the robot"
