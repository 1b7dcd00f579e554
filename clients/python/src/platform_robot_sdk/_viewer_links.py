"""The parts of keys and links for the viewer: what they are made of, and who may make them."""

from __future__ import annotations

import base64
from typing import Literal
from urllib.parse import quote_plus

from ._calls import Access
from ._settings import DEFAULT_VIEWER_URL, http_url
from .client import AsyncClient, Client
from .errors import PlatformSDKError
from .models.http import ParticipantToken
from .realtime.waiting import random_id

RuntimeProfile = Literal["simulator", "worker"]
"""The contract that the tab follows: `worker` is the physical robot's contract, over the simulated body.

Such a tab joins as `rcw-<robot_id>`, and clients find it by the prefix `rcw`.
"""

_KEY_VERSION = "k1"


def refuse_blocking(client: object) -> None:
    """Raises TypeError for a client that cannot be awaited."""
    if isinstance(client, Client):
        raise TypeError(
            "The client is of the kind Client. Use the function of the same name that ends in _sync, or pass an AsyncClient."
        )


def refuse_awaiting(client: object) -> None:
    """Raises TypeError for a client that must be awaited."""
    if isinstance(client, AsyncClient):
        raise TypeError(
            "The client is of the kind AsyncClient. Await the function of the same name without _sync, or pass a Client."
        )


def viewer_identity(robot_id: str, profile: RuntimeProfile) -> str:
    """Returns the identity under which the tab joins the room."""
    if profile == "simulator":
        return f"simplesim:{robot_id}"
    if profile == "worker":
        return f"rcw-{robot_id}"
    raise ValueError('profile is "simulator" or "worker".')


def visitor_identity(access: Access) -> str:
    """Returns a unique identity for a person who watches or operates."""
    return random_id("watcher" if access == "watch" else "operator")


def named_viewer(client: Client | AsyncClient, override: str | None) -> str | None:
    """Returns the viewer that the program names, or None."""
    return client._settings.viewer_url if override is None else http_url(override, "viewer_base_url")


def _viewer_base_url(named: str | None, place: ParticipantToken) -> str:
    """Returns the viewer's address: the program's choice, else the one that the service reports with its token, else the
    default.
    """
    if named is not None or not place.viewer_url:
        return named or DEFAULT_VIEWER_URL
    try:
        return http_url(place.viewer_url, "viewer_url")
    except PlatformSDKError:
        return DEFAULT_VIEWER_URL


def key_of(viewer: ParticipantToken) -> str:
    """Returns the room key with the address of the room and the credential."""
    address = base64.urlsafe_b64encode(viewer.livekit_url.encode()).decode().rstrip("=")
    return f"{_KEY_VERSION}~{address}~{viewer.participant_token}"


def key_url(named: str | None, viewer: ParticipantToken, profile: RuntimeProfile) -> str:
    """Returns the link with the room key."""
    return f"{_viewer_base_url(named, viewer)}/?key={key_of(viewer)}{_asked(profile)}"


def long_url(named: str | None, viewer: ParticipantToken, profile: RuntimeProfile) -> str:
    """Returns the legacy link with the parts of the key."""
    fields = {"lk_url": viewer.livekit_url, "lk_token": viewer.participant_token, "lk_room": viewer.room_name}
    query = "&".join(f"{name}={quote_plus(value)}" for name, value in fields.items())
    return f"{_viewer_base_url(named, viewer)}/?{query}{_asked(profile)}"


def _asked(profile: RuntimeProfile) -> str:
    return "" if profile == "simulator" else f"&profile={profile}"


def take_over_fragment(is_asked: bool) -> str:
    """Returns the fragment that asks for a takeover. Browsers do not send fragments to servers."""
    return "#take_over=1" if is_asked else ""
