"""Keys and links that make a browser tab the robot. The robot's session must be open."""

from __future__ import annotations

from .._viewer_links import (
    RuntimeProfile,
    key_of,
    key_url,
    long_url,
    named_viewer,
    refuse_blocking,
    take_over_fragment,
    viewer_identity,
)
from ..client import AsyncClient
from ..models.http import ParticipantToken


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
    return key_of(await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s))


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
    named = named_viewer(client, viewer_base_url)
    viewer = await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return key_url(named, viewer, profile) + take_over_fragment(take_over)


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
    named = named_viewer(client, viewer_base_url)
    viewer = await _viewer_token(client, robot_id, participant_name, ttl_seconds, profile, timeout_s)
    return long_url(named, viewer, profile) + take_over_fragment(take_over)


async def _viewer_token(
    client: AsyncClient,
    robot_id: str,
    participant_name: str | None,
    ttl_seconds: int | None,
    profile: RuntimeProfile,
    timeout_s: float | None,
) -> ParticipantToken:
    refuse_blocking(client)
    return await client.robots.create_participant_token(
        robot_id,
        participant_identity=viewer_identity(robot_id, profile),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        timeout_s=timeout_s,
    )
