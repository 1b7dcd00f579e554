"""Links for those who watch or drive a robot that lives elsewhere. The robot's session must be open.

A link is opened by as many people as have it, and holds no API key. Functions whose names end in `_sync` take a `Client`, the
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
    """A link that shows the robot's world live. Whoever opens it can do nothing: the media server takes no call of theirs."""
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
    """As `generate_watch_url`, for a `Client`."""
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
    """A link for an operator: whoever opens it may call the robot. It is a secret like a private meeting link."""
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
    """As `generate_operator_url`, for a `Client`."""
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
