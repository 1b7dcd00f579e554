"""Signed control: a key pair of the session, the lifetime of grants, and envelopes around calls."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import PlatformSDKError, RcwRuntimeError
from .extra import INSTALL_REALTIME
from .wire import RPC_PAYLOAD_MAX_BYTES, unsent

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ENVELOPE_TYPE = "control-envelope+jwt"
# The older name of Ed25519 in JOSE, which every library knows.
_ALGORITHM = "EdDSA"
# Lifetime of an envelope, and the longest that is allowed: a call that was delayed longer must not move the robot.
ENVELOPE_LIFE_S = 5.0


@dataclass(frozen=True)
class SealOrder:
    """One call to seal."""

    method: str
    payload: Mapping[str, Any]
    robot_id: str
    session: str
    sequence: int
    """Greater than every number that was used with this key, under any grant, also for a repeated call."""
    grant: str
    now_s: float
    """Seconds since the epoch, by the runtime's clock as far as it is known."""


class ControlKeyPair:
    """An Ed25519 key pair. The private half never leaves this object."""

    def __init__(self) -> None:
        """Raises PlatformSDKError when the package for signing is not installed."""
        try:
            import jwt
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError as error:
            raise PlatformSDKError(
                f"Commands of this robot must be signed, and what signs is not installed. {INSTALL_REALTIME}"
            ) from error
        self._jwt = jwt
        self._private_key: Ed25519PrivateKey = Ed25519PrivateKey.generate()

    def __repr__(self) -> str:
        return f"ControlKeyPair({self.public_key['x']})"

    @property
    def public_key(self) -> dict[str, str]:
        """Returns the public half as a JWK."""
        return {"kty": "OKP", "crv": "Ed25519", "x": _base64url(self._private_key.public_key().public_bytes_raw())}

    def seal(self, order: SealOrder) -> str:
        """Returns the request of `runtime.forward_envelope` for one call, as JSON text.

        Raises:
            RcwRuntimeError: `PAYLOAD_TOO_LARGE` when it is larger than one RPC carries.
        """
        claims = {
            "robot_id": order.robot_id,
            "session": order.session,
            "seq": order.sequence,
            "iat": order.now_s,
            "exp": order.now_s + ENVELOPE_LIFE_S,
            "call": {"method": order.method, "payload": order.payload},
            "grant": order.grant,
        }
        token = self._jwt.encode(claims, self._private_key, algorithm=_ALGORITHM, headers={"typ": ENVELOPE_TYPE})
        request = json.dumps({"envelope": base64.b64encode(token.encode()).decode()}, separators=(",", ":"))
        if len(request) <= RPC_PAYLOAD_MAX_BYTES:
            return request
        raise RcwRuntimeError(
            "PAYLOAD_TOO_LARGE",
            f"The signed call has {len(request)} bytes; one call carries {RPC_PAYLOAD_MAX_BYTES} at most. Send less.",
            unsent("input"),
        )


def grant_life_s(grant: str) -> float:
    """Returns the lifetime of a grant from its issue to its end, by the clock of its issuer; 0 for an invalid grant."""
    try:
        body = grant.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return max(0.0, float(claims["exp"]) - float(claims["iat"]))
    except (ValueError, KeyError, IndexError, TypeError):
        return 0.0


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
