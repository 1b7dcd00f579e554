"""A control service for unit tests: it records the requests, and answers as the test specifies."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import httpx

from platform_robot_sdk import AsyncClient, Client

RCS_URL = "http://platform.test/rcs"
API_KEY = "sk_live_unit_test_key"

ROBOT: dict[str, Any] = {
    "id": "robot-1",
    "name": "Ada",
    "model": "humanoid",
    "type": "virtual",
    "description": "",
    "language": "en",
    "voice": "kokoro",
    "team_id": "team-1",
    "organization_id": "org-1",
    "created_by": "org-1",
    "public_key": None,
    "created_at": "2026-01-02T03:04:05.678Z",
    "updated_at": "2026-01-02T03:04:05.678Z",
}
SESSION: dict[str, Any] = {
    "room_name": "room-1",
    "livekit_url": "ws://sfu.test:7880",
    "participant_token": "header.secret-of-the-room.signature",
    "room_metadata": {
        "robot_id": "robot-1",
        "status": "active",
        "required_participants": {"simplesim:robot-1": {"min_count": 1}},
        "dispatches": {},
        "dispatched_agent_names": [],
        "scene_id": None,
        "created_at": "2026-01-02T03:04:05.678Z",
    },
    "is_new": True,
}
PARTICIPANT: dict[str, Any] = {
    "room_name": "room-1",
    "livekit_url": "ws://sfu.test:7880",
    "participant_token": "header.secret-of-the-room.signature",
    "participant_identity": "simplesim:robot-1",
    "expires_at": "2026-01-02T07:04:05.678Z",
}
GRANT: dict[str, Any] = {
    "grant": "header.secret-of-the-grant.signature",
    "grant_id": "grant-1",
    "robot_id": "robot-1",
    "session": "room-1",
    "expires_at": "2026-01-02T04:04:05.678Z",
}

API_KEY_ROW: dict[str, Any] = {
    "id": "key-1",
    "prefix": "sk_live_AbCd",
    "name": "Sorting agent",
    "created_at": "2026-01-02T03:04:05.678Z",
    "expires_at": "2026-04-02T03:04:05.678Z",
    "last_used_at": "2026-01-02T03:05:00.000Z",
    "is_own": True,
}
_IN_ROOM = {"identity": "simplesim:robot-1", "name": "Ada", "is_agent": False, "joined_at": "2026-01-02T03:04:05.678Z"}
STATE: dict[str, Any] = {
    "robot_id": "robot-1",
    "phase": "open",
    "opened_at": "2026-01-02T03:04:05.678Z",
    "participants": [_IN_ROOM],
    "participant_count": 1,
    "runtime": {
        **_IN_ROOM,
        "state": {
            "status": "busy",
            "robot_status": "moving",
            "is_stopped": False,
            "active_action": {"name": "go_to", "phase": "walking", "started_at_ms": 1},
            "last_action": {"name": "pick_entity", "status": "done", "finished_at_ms": 1},
            "driver": {"identity": "client:1", "name": "Ann", "kind": "person", "since_ms": 1},
            "scene_id": "warehouse",
            "place": {"x_m": 1.124, "y_m": -0.507, "yaw_deg": 31.5, "age_ms": 840},
            "held_entity_ids": ["cube_3"],
        },
    },
}

Kind = type[Client] | type[AsyncClient]
Reply = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


async def outcome_of(outcome: Any) -> Any:
    """Awaits the outcome of a call if the client is async, and collects what an iterator yields."""
    if inspect.isasyncgen(outcome):
        return [each async for each in outcome]
    if inspect.isgenerator(outcome):
        return list(outcome)
    return await outcome if inspect.isawaitable(outcome) else outcome


async def close(client: Client | AsyncClient) -> None:
    await client.aclose() if isinstance(client, AsyncClient) else client.close()


class PlatformDouble:
    """Answers with the replies in their order, and then always with the last one."""

    def __init__(self, kind: Kind, waits_s: list[float]) -> None:
        self.kind = kind
        self.requests: list[httpx.Request] = []
        self.replies: list[Reply] = []
        self.waits_s = waits_s
        """The waits before each retry."""

    def answers(self, *replies: Reply | dict[str, Any]) -> None:
        self.replies = [httpx.Response(200, json=reply) if isinstance(reply, dict) else reply for reply in replies]

    def client(self, **settings: Any) -> Client | AsyncClient:
        return self.kind(**{"rcs_url": RCS_URL, "api_key": API_KEY, "transport": httpx.MockTransport(self._reply), **settings})

    async def call(
        self, operation: str, *args: Any, client: Client | AsyncClient | None = None, of: str = "robots", **fields: Any
    ) -> Any:
        """Calls an operation of the robots, or of another part of the client."""
        return await outcome_of(getattr(getattr(client or self.client(), of), operation)(*args, **fields))

    @property
    def request(self) -> httpx.Request:
        """Returns the only request."""
        assert len(self.requests) == 1, self.requests
        return self.requests[0]

    @property
    def body(self) -> Any:
        return json.loads(self.request.content)

    def _reply(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        if callable(reply):
            return reply(request)
        # A response can be read only once.
        headers = [(name, value) for name, value in reply.headers.multi_items() if name != "content-length"]
        return httpx.Response(reply.status_code, headers=headers, content=reply.content)
