"""Links for people who watch or operate a robot that runs elsewhere. The robot's session must be open.

Any number of people may open a link. It contains no API key. Functions whose names end in `_sync` take a `Client`, the
others an `AsyncClient`.
"""

from __future__ import annotations

from .._calls import Access
from ..client import AsyncClient, Client
from ..models.http import ParticipantToken
from ..realtime.waiting import random_id
from .room_keys import _key_url, _named_viewer, _refuse_kind


async def generate_watch_url(
    client: AsyncClient,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str = "watcher",
    ttl_seconds: int | None = None,
    timeout_s: float | None = None,
) -> str:
    """Returns a link that shows the robot's world live. Viewers can only watch: the media server accepts no calls from
    them.
    """
    return await _visitor_url(client, robot_id, "watch", viewer_base_url, participant_name, ttl_seconds, timeout_s)


def generate_watch_url_sync(
    client: Client,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str = "watcher",
    ttl_seconds: int | None = None,
    timeout_s: float | None = None,
) -> str:
    """Does the same as `generate_watch_url`, for a `Client`."""
    return _visitor_url_sync(client, robot_id, "watch", viewer_base_url, participant_name, ttl_seconds, timeout_s)


async def generate_operator_url(
    client: AsyncClient,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str = "operator",
    ttl_seconds: int | None = None,
    timeout_s: float | None = None,
) -> str:
    """Returns a link for an operator. Any person who opens it may call the robot. Treat the link as a secret, like a
    private meeting link.
    """
    return await _visitor_url(client, robot_id, "drive", viewer_base_url, participant_name, ttl_seconds, timeout_s)


def generate_operator_url_sync(
    client: Client,
    robot_id: str,
    *,
    viewer_base_url: str | None = None,
    participant_name: str = "operator",
    ttl_seconds: int | None = None,
    timeout_s: float | None = None,
) -> str:
    """Does the same as `generate_operator_url`, for a `Client`."""
    return _visitor_url_sync(client, robot_id, "drive", viewer_base_url, participant_name, ttl_seconds, timeout_s)


async def _visitor_url(
    client: AsyncClient,
    robot_id: str,
    access: Access,
    viewer_base_url: str | None,
    participant_name: str,
    ttl_seconds: int | None,
    timeout_s: float | None,
) -> str:
    named = _named_viewer(client, viewer_base_url)
    _refuse_kind(client, Client, "Use the function of the same name that ends in _sync, or pass an AsyncClient.")
    place: ParticipantToken = await client.robots.create_participant_token(
        robot_id,
        participant_identity=_identity(access),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        access=access,
        timeout_s=timeout_s,
    )
    return _key_url(named, place, "simulator")


def _visitor_url_sync(
    client: Client,
    robot_id: str,
    access: Access,
    viewer_base_url: str | None,
    participant_name: str,
    ttl_seconds: int | None,
    timeout_s: float | None,
) -> str:
    named = _named_viewer(client, viewer_base_url)
    _refuse_kind(client, AsyncClient, "Await the function of the same name without _sync, or pass a Client.")
    place: ParticipantToken = client.robots.create_participant_token(
        robot_id,
        participant_identity=_identity(access),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        access=access,
        timeout_s=timeout_s,
    )
    return _key_url(named, place, "simulator")


def _identity(access: Access) -> str:
    return random_id("watcher" if access == "watch" else "operator")
