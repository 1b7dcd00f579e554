"""A runtime that accepts commands of the body only in envelopes. It opens them by the protocol's rules, with an independent
library.
"""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from realtime.fake_room import WORKER, FakeRoom, FakeRuntime, Reply, guard
from realtime.service_double import ServiceDouble


class SignedRuntime(FakeRuntime):
    def __init__(self, room: FakeRoom, service: ServiceDouble, identity: str = WORKER) -> None:
        super().__init__(room, identity)
        self._service = service
        self._latest = 0
        self.ahead_s = 0.0
        """How far its clock is ahead of this machine's, seconds."""
        self.expired_grants: set[str] = set()
        self.opened: list[dict[str, Any]] = []
        """Claims of the envelopes that were carried out."""
        self._take = {"runtime.tools_call": self.tools_call, "runtime.cancel": self.cancel}
        room.methods |= {
            "runtime.tools_call": self._plain,
            "runtime.cancel": lambda _: guard("PERMISSION_DENIED", "Sign it."),
            "runtime.forward_envelope": self.forward,
        }

    def _plain(self, request: Any) -> Any:
        if request["name"] == "get_state":
            return self.tools_call(request)
        return guard("PERMISSION_DENIED", "Sign it.")

    async def forward(self, request: Any) -> Reply:
        assert set(request) == {"envelope"}
        token = base64.b64decode(request["envelope"], validate=True).decode()
        assert jwt.get_unverified_header(token) == {"alg": "EdDSA", "typ": "control-envelope+jwt"}
        [body, *_] = self._service.asked("POST", "control-grant")
        key = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(body["public_key"]["x"] + "="))
        claims: dict[str, Any] = jwt.decode(
            token, key, algorithms=["EdDSA"], options={"verify_iat": False, "verify_exp": False}
        )
        assert set(claims) == {"robot_id", "session", "seq", "iat", "exp", "call", "grant"}
        assert (claims["robot_id"], claims["session"]) == ("robot-1", "room-1")
        assert 0 < claims["exp"] - claims["iat"] <= 5.001
        if grant_id_of(claims["grant"]) in self.expired_grants:
            return guard("GRANT_EXPIRED")
        now_s = time.time() + self.ahead_s
        if not claims["iat"] - 2 < now_s < claims["exp"] + 2:
            return guard("ENVELOPE_STALE", now_ms=now_s * 1000)
        if claims["seq"] <= self._latest:
            return guard("ENVELOPE_OUT_OF_ORDER")
        self._latest = claims["seq"]
        self.opened.append(claims)
        return await self._take[claims["call"]["method"]](claims["call"]["payload"])


def grant_id_of(grant: str) -> str:
    body = grant.split(".")[1]
    return str(json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["jti"])
