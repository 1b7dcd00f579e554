# Generated from `_async/visitor_links.py` by `npm run python -- generate`: change that file instead.
"""Links for people who watch or operate a robot that runs elsewhere. The robot's session must be open."""

from __future__ import annotations

from .._calls import Access
from .._viewer_links import key_url, named_viewer, refuse_awaiting, visitor_identity
from ..client import Client


def generate_watch_url_sync(
    client: Client,
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
    return _visitor_url(client, robot_id, "watch", viewer_base_url, participant_name, ttl_seconds, timeout_s)


def generate_operator_url_sync(
    client: Client,
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
    return _visitor_url(client, robot_id, "drive", viewer_base_url, participant_name, ttl_seconds, timeout_s)


def _visitor_url(
    client: Client,
    robot_id: str,
    access: Access,
    viewer_base_url: str | None,
    participant_name: str,
    ttl_seconds: int | None,
    timeout_s: float | None,
) -> str:
    named = named_viewer(client, viewer_base_url)
    refuse_awaiting(client)
    place = client.robots.create_participant_token(
        robot_id,
        participant_identity=visitor_identity(access),
        participant_name=participant_name,
        ttl_seconds=ttl_seconds,
        access=access,
        timeout_s=timeout_s,
    )
    return key_url(named, place, "simulator")
