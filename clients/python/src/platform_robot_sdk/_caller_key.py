"""The room key of a participant that calls a robot: a program, an agent, or a person with a link to drive."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._tokens import claims_of
from .errors import PlatformSDKError
from .experimental.find_room_key import find_room_key
from .realtime.identity import is_any_runtime

_ADDRESS = re.compile(r"wss?://(\[[0-9a-f:]+\]|[^/:?#@\s]+)(:\d+)?(/|$)", re.IGNORECASE)
_ACCESS_ATTRIBUTE = "simplesim.access"
# Difference between the clocks of the issuer and of this machine that does not make a key invalid.
_CLOCK_TOLERANCE_S = 10.0
# The largest date in JavaScript, as for the page and the TypeScript library.
_MAX_DATE_S = 8.64e12
_NEW_LINK = "Ask the owner of the robot for a new link to drive."


@dataclass(frozen=True)
class CallerKey:
    """The content of the key. The token is a secret."""

    sfu_url: str
    token: str = field(repr=False)
    room: str
    identity: str


def read_caller_key(text: str, now_s: float) -> CallerKey:
    """Reads the key in any text that `find_room_key` accepts, and checks what can be checked without the SFU's secret.

    `now_s` is seconds since the epoch.

    Raises:
        PlatformSDKError: the text contains no valid key, or a key of the robot itself or of a viewer. The error repeats no
            part of the text.
    """
    version, address, token = find_room_key(text).split("~")
    if version != "k1":
        raise PlatformSDKError(
            "This room key is of another version than k1. Install the library of the platform's version, or ask for a new link."
        )
    sfu_url = _decoded(address)
    if sfu_url is None:
        raise PlatformSDKError(
            "This room key is damaged: the address in it cannot be read. Copy it again, or ask for a new link."
        )
    if _ADDRESS.match(sfu_url) is None:
        raise PlatformSDKError(f"The address of the server in this room key does not begin with ws: or wss:. {_NEW_LINK}")
    try:
        claims = claims_of(token)
    except ValueError:
        claims = None
    if claims is None:
        raise PlatformSDKError("A part of this room key cannot be read. Copy it again, or ask for a new link.")
    video = _mapping(claims.get("video"))
    room, identity = video.get("room"), claims.get("sub")
    if video.get("roomJoin") is not True or not isinstance(room, str) or not room:
        raise PlatformSDKError(f"This key does not open a room, so it opens no robot. {_NEW_LINK}")
    _check_time(_seconds(claims.get("nbf")), _seconds(claims.get("exp")), now_s)
    if not isinstance(identity, str) or not identity:
        raise PlatformSDKError(f"This key names no participant. {_NEW_LINK}")
    if is_any_runtime(identity):
        raise PlatformSDKError(
            "This key is for the robot itself: a program that joined with it would displace the robot. Use a link to drive, "
            "which the owner of the robot makes (docs/operators.md)."
        )
    if _mapping(claims.get("attributes")).get(_ACCESS_ATTRIBUTE) == "watch" or video.get("canPublishData") is False:
        raise PlatformSDKError("This key only lets you watch the robot. Ask the owner of the robot for a link to drive.")
    return CallerKey(sfu_url, token, room, identity)


def _check_time(valid_from_s: float | None, ends_s: float | None, now_s: float) -> None:
    if valid_from_s is not None and valid_from_s > now_s + _CLOCK_TOLERANCE_S:
        raise PlatformSDKError(
            f"This key becomes valid {valid_from_s - now_s:.0f} s from now. Wait until then, or check this machine's clock."
        )
    if ends_s is None:
        raise PlatformSDKError(f"This room key has no expiry. {_NEW_LINK}")
    if ends_s <= now_s:
        raise PlatformSDKError(
            f"This key expired {now_s - ends_s:.0f} s ago. {_NEW_LINK} If it should still be valid, check this machine's clock."
        )


def _decoded(address: str) -> str | None:
    try:
        data = base64.urlsafe_b64decode(address + "=" * (-len(address) % 4))
        # The round trip refuses text that only half decodes.
        return data.decode() if base64.urlsafe_b64encode(data).decode().rstrip("=") == address else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _seconds(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= _MAX_DATE_S:
        return None
    return float(value)
