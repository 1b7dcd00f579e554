"""Keys and links that make a browser tab the robot. The robot's session must be open.

Treat a key as a secret, like a private meeting link: any holder can be the robot in its room. It contains no API key.
Functions whose names end in `_sync` take a `Client`, the others an `AsyncClient`.
"""

from __future__ import annotations

import base64
from typing import Literal
from urllib.parse import quote_plus

from .._settings import DEFAULT_VIEWER_URL, http_url
from ..client import AsyncClient, Client
from ..errors import PlatformSDKError
from ..models.http import ParticipantToken

RuntimeProfile = Literal["simulator", "worker"]
"""The contract that the tab follows: `worker` is the physical robot's contract, over the simulated body.

Such a tab joins as `rcw-<robot_id>`, and clients find it by the prefix `rcw`.
"""

_KEY_VERSION = "k1"


async def generate_room_key(
    client: AsyncClient,
    robot_id: str,
    *,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    timeout_s: float | None = None,
) -> str:
    """Returns a room key: the address of the robot's session and a viewer's credential for it, in one string.

    It lives `ttl_seconds`, four hours by default and six at most. `participant_name` is the name that others in the room
    see.
    """
    return _key(await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s))


def generate_room_key_sync(
    client: Client,
    robot_id: str,
    *,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    timeout_s: float | None = None,
) -> str:
    """Does the same as `generate_room_key`, for a `Client`."""
    return _key(_viewer_token_sync(client, robot_id, participant_name, ttl_seconds, profile, timeout_s))


async def generate_room_key_url(
    client: AsyncClient,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    take_over: bool = False,
    timeout_s: float | None = None,
) -> str:
    """Returns the link `{viewer}/?key=<room key>`. The viewer is `viewer_base_url`, else the client's `viewer_url`, else
    what the service reports.

    With `take_over`, the page that opens the link takes the robot over from another page or program without asking a
    person. This is for kiosks and CI. The page that loses the robot shows a notice and does not take it back automatically.
    """
    named = _named_viewer(client, viewer_base_url)
    viewer = await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return _key_url(named, viewer, profile) + _take_over(take_over)


def generate_room_key_url_sync(
    client: Client,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    take_over: bool = False,
    timeout_s: float | None = None,
) -> str:
    """Does the same as `generate_room_key_url`, for a `Client`."""
    named = _named_viewer(client, viewer_base_url)
    viewer = _viewer_token_sync(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return _key_url(named, viewer, profile) + _take_over(take_over)


async def get_session_viewer_url(
    client: AsyncClient,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    take_over: bool = False,
    timeout_s: float | None = None,
) -> str:
    """Returns the legacy long link, `{viewer}/?lk_url=…&lk_token=…&lk_room=…`."""
    named = _named_viewer(client, viewer_base_url)
    viewer = await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return _long_url(named, viewer, profile) + _take_over(take_over)


def get_session_viewer_url_sync(
    client: Client,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str | None = None,
    ttl_seconds: int | None = None,
    profile: RuntimeProfile = "simulator",
    take_over: bool = False,
    timeout_s: float | None = None,
) -> str:
    """Does the same as `get_session_viewer_url`, for a `Client`."""
    named = _named_viewer(client, viewer_base_url)
    viewer = _viewer_token_sync(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return _long_url(named, viewer, profile) + _take_over(take_over)


async def _viewer_token(
    client: AsyncClient,
    robot_id: str,
    participant_name: str | None,
    ttl_seconds: int | None,
    profile: RuntimeProfile,
    timeout_s: float | None,
) -> ParticipantToken:
    _refuse_kind(client, Client, "Use the function of the same name that ends in _sync, or pass an AsyncClient.")
    return await client.robots.create_participant_token(
        robot_id,
        participant_identity=_identity(robot_id, profile),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        timeout_s=timeout_s,
    )


def _viewer_token_sync(
    client: Client,
    robot_id: str,
    participant_name: str | None,
    ttl_seconds: int | None,
    profile: RuntimeProfile,
    timeout_s: float | None,
) -> ParticipantToken:
    _refuse_kind(client, AsyncClient, "Await the function of the same name without _sync, or pass a Client.")
    return client.robots.create_participant_token(
        robot_id,
        participant_identity=_identity(robot_id, profile),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        timeout_s=timeout_s,
    )


def _refuse_kind(client: object, kind: type, instead: str) -> None:
    if isinstance(client, kind):
        raise TypeError(f"The client is of the kind {kind.__name__}. {instead}")


def _identity(robot_id: str, profile: RuntimeProfile) -> str:
    """Returns the identity under which the tab joins the room."""
    if profile == "simulator":
        return f"simplesim:{robot_id}"
    if profile == "worker":
        return f"rcw-{robot_id}"
    raise ValueError('profile is "simulator" or "worker".')


def _named_viewer(client: Client | AsyncClient, override: str | None) -> str | None:
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


def _key(viewer: ParticipantToken) -> str:
    address = base64.urlsafe_b64encode(viewer.livekit_url.encode()).decode().rstrip("=")
    return f"{_KEY_VERSION}~{address}~{viewer.participant_token}"


def _key_url(named: str | None, viewer: ParticipantToken, profile: RuntimeProfile) -> str:
    return f"{_viewer_base_url(named, viewer)}/?key={_key(viewer)}{_asked(profile)}"


def _long_url(named: str | None, viewer: ParticipantToken, profile: RuntimeProfile) -> str:
    fields = {"lk_url": viewer.livekit_url, "lk_token": viewer.participant_token, "lk_room": viewer.room_name}
    query = "&".join(f"{name}={quote_plus(value)}" for name, value in fields.items())
    return f"{_viewer_base_url(named, viewer)}/?{query}{_asked(profile)}"


def _asked(profile: RuntimeProfile) -> str:
    return "" if profile == "simulator" else f"&profile={profile}"


def _take_over(is_asked: bool) -> str:
    """Returns the fragment that asks for a takeover. Browsers do not send fragments to servers."""
    return "#take_over=1" if is_asked else ""
