"""A robot live in its room, without an API key: `join_room`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import NoReturn

from pydantic import ValidationError

from ._caller_key import read_caller_key
from ._joining import Connecting, join, notice_of
from ._short_errors import short_errors
from .errors import PlatformSDKError
from .models.driver import DriverKind
from .models.http import RoomMetadata
from .realtime.callbacks import ConnectCallbacks, Notifier
from .realtime.identity import robot_id_of
from .realtime.livekit_transport import load_transport
from .realtime.room_link import RoomLink
from .realtime.session import PlatformSession, SessionParts
from .realtime.transport import RoomTransport


def join_room(
    room_key: str,
    *,
    rcw_identity_prefix: str = "simplesim",
    callbacks: ConnectCallbacks | None = None,
    runtime_call_timeout_s: float = 60.0,
    return_refusals: bool = False,
    transport: Callable[[], RoomTransport] | None = None,
) -> Connecting:
    """Joins the room of an open session by a room key alone, without an API key: the key of a program, or a link to drive.

    Await it for the session, or enter it with `async with`, which disconnects at the end of the block. The session presses
    the emergency stop only over the room, cannot take the robot by the owner's order, and does not sign commands.
    `disconnect` leaves the room and never deletes the session.

    Args:
        room_key: the key `k1~…`, or any text that contains it, such as its link. Two sessions with one key displace each
            other.
        rcw_identity_prefix, callbacks, runtime_call_timeout_s, return_refusals, transport: as for `connect`.

    Raises:
        PlatformSDKError: the text contains no valid key, or a key of the robot itself or of a viewer. The error repeats no
            part of the text.
        PlatformConnectionError, TimeoutError: the room cannot be joined.
    """
    callbacks = callbacks or ConnectCallbacks()
    transport = transport or load_transport
    return Connecting(_join(room_key, rcw_identity_prefix, callbacks, runtime_call_timeout_s, return_refusals, transport))


@short_errors
async def _join(
    room_key: str,
    prefix: str,
    callbacks: ConnectCallbacks,
    call_timeout_s: float,
    return_refusals: bool,
    transport: Callable[[], RoomTransport],
) -> PlatformSession:
    key = read_caller_key(room_key, time.time())
    notifier = Notifier()
    link = RoomLink(transport(), prefix, None, notice_of(callbacks, notifier))
    await join(link, key.sfu_url, key.token)
    metadata = _metadata_of(link, prefix)
    return PlatformSession(
        SessionParts(
            robot_id=metadata.robot_id,
            room_name=key.room,
            identity=key.identity,
            livekit_url=key.sfu_url,
            room_metadata=metadata,
            link=link,
            signer=None,
            call_timeout_s=call_timeout_s,
            keep_session=True,
            return_refusals=return_refusals,
            callbacks=callbacks,
            notifier=notifier,
            end_session=_end_session,
            order_self=_order_self,
            press_over_http=_press_over_http,
            close=_close,
        )
    )


async def _end_session() -> NoReturn:
    _refuse("It cannot delete the session.")


async def _order_self(_name: str | None, _kind: DriverKind | None, _timeout_s: float) -> NoReturn:
    _refuse("It cannot take the robot by an order of the owner.")


async def _press_over_http(_reason: str | None, _left_s: float) -> NoReturn:
    _refuse("It presses the emergency stop only over the room.")


async def _close() -> None:
    """Frees nothing: the session has no client."""


def _refuse(consequence: str) -> NoReturn:
    raise PlatformSDKError(f"This session has a room key and no API key. {consequence} Use connect for that.")


def _metadata_of(link: RoomLink, prefix: str) -> RoomMetadata:
    """Returns the service's facts about the room. A room of another service has none, and only the runtime's name is known."""
    robot_id = None if link.runtime is None else robot_id_of(link.runtime, prefix)
    unknown = {"robot_id": robot_id or "", "status": "active", "required_participants": {}, "dispatches": {}, "created_at": ""}
    try:
        read = json.loads(link.metadata)
        if isinstance(read, dict) and isinstance(read.get("robot_id"), str):
            return RoomMetadata.model_validate(unknown | read)
    except (ValueError, RecursionError, ValidationError):
        pass
    return RoomMetadata.model_validate(unknown)
