"""Keeps the API key out of errors: a service or a proxy may repeat what it was sent."""

from __future__ import annotations

import traceback
from typing import Any

from .errors import RcwRuntimeError

REDACTED = "[redacted]"
_DEEPEST = 64


def redact(value: Any, secret: str, depth: int = 0) -> Any:  # noqa: ANN401
    """Returns the same JSON value with the secret removed from all its texts.

    Values nested deeper than any valid answer are left out. Parse JSON first, because a secret can be encoded in many ways
    in JSON text.
    """
    if isinstance(value, str):
        return value.replace(secret, REDACTED)
    if depth == _DEEPEST:
        return None
    if isinstance(value, list):
        return [redact(each, secret, depth + 1) for each in value]
    if isinstance(value, dict):
        return {redact(name, secret): redact(each, secret, depth + 1) for name, each in value.items()}
    return value


def redact_refusal(refusal: RcwRuntimeError, secret: str) -> RcwRuntimeError:
    """Returns the refusal of a runtime that came through the service, without the secret."""
    return RcwRuntimeError(
        redact(refusal.code, secret), redact(refusal.runtime_message, secret), redact(refusal.details, secret)
    )


def without_secret(cause: Exception | None, secret: str) -> Exception | None:
    """Returns the cause of a failure; None if its text, or the text of its own causes, repeats the secret."""
    if cause is None:
        return None
    text = "".join(traceback.format_exception(cause))
    # Errors about bytes show them in Python's notation.
    return None if secret in text or repr(secret)[1:-1] in text else cause
