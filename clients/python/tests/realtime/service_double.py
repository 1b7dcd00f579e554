"""The part of the control service that a session needs; it records the requests."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any

import httpx

from platform_double import PARTICIPANT

NAMED = {**PARTICIPANT, "participant_token": "header.secret-of-the-named.signature"}


class ServiceDouble:
    def __init__(self, session: dict[str, Any]) -> None:
        self.session = session
        self.requests: list[tuple[str, str, Any]] = []
        """Method, path behind `/v1`, and body."""
        self.refusals: dict[tuple[str, str], httpx.Response] = {}
        """By method and the last part of the path."""
        self.grant_life_s = 3600.0
        self.grants = 0
        self.on_control: Callable[[dict[str, Any]], None] = lambda _: None
        """The effect of an order who drives on the robot."""

    def reply(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/rcs/v1")
        body = json.loads(request.content) if request.content else None
        self.requests.append((request.method, path, body))
        refusal = self.refusals.get((request.method, path.split("/")[-1]))
        if refusal is not None:
            return refusal
        match request.method, path.split("/")[-1]:
            case "POST", "session":
                return httpx.Response(200, json=self.session)
            case "DELETE", "session":
                return httpx.Response(204)
            case "POST", "participant-token":
                return httpx.Response(200, json=NAMED)
            case "POST", "control-grant":
                return httpx.Response(200, json=self._grant())
            case "POST", "control":
                self.on_control(json.loads(request.content))
                return httpx.Response(200, json={"robot_id": "robot-1", "driver": None, "previous": None})
        return httpx.Response(404, json={"code": "http.404", "message": "not there", "details": {"request_id": "r"}})

    def asked(self, method: str, name: str) -> list[Any]:
        return [body for asked, path, body in self.requests if asked == method and path.split("/")[-1] == name]

    def _grant(self) -> dict[str, Any]:
        self.grants += 1
        issued = time.time()
        claims = {"jti": f"grant-{self.grants}", "iat": issued, "exp": issued + self.grant_life_s}
        body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
        return {
            "grant": f"e30.{body}.signature",
            "grant_id": f"grant-{self.grants}",
            "robot_id": "robot-1",
            "session": "room-1",
            "expires_at": "2026-01-02T04:04:05.678Z",
        }
