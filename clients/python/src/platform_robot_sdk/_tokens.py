"""The claims of tokens."""

from __future__ import annotations

import base64
import json
from typing import Any

from .errors import PlatformSDKError


def claims_of(token: str) -> dict[str, Any]:
    """Returns the claims of a token. The signature is not checked, because the service issued it. Raises ValueError for
    invalid text.
    """
    body = token.split(".")[1:2]
    try:
        claims = json.loads(base64.urlsafe_b64decode(body[0] + "=" * (-len(body[0]) % 4))) if body else None
    except RecursionError:
        claims = None
    if not isinstance(claims, dict):
        raise ValueError("not a token")
    return claims


def identity_in(token: str) -> str | None:
    """Returns the identity in the room that a token is for; None if it names none."""
    try:
        identity = claims_of(token).get("sub")
    except ValueError:
        return None
    return identity if isinstance(identity, str) and identity else None


def required_identity(token: str) -> str:
    """Does the same. Raises PlatformSDKError if the token names no identity."""
    identity = identity_in(token)
    if identity is None:
        raise PlatformSDKError("The token of this session names no identity. Check that rcs_url names the control service.")
    return identity
