"""Keeps the API key out of errors: a service, or what lies between, may repeat what it was sent."""

from __future__ import annotations

import traceback
from typing import Any

from .errors import RcwRuntimeError

REDACTED = "[redacted]"
_DEEPEST = 64


def redact(value: Any, secret: str, depth: int = 0) -> Any:  # noqa: ANN401
    """The same JSON value without the secret in any of its texts; what is nested deeper than any true answer is left out.

    Read JSON first: in its text a secret can be written in many ways.
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
    """The same refusal of a runtime, which came through the service, without the secret."""
    return RcwRuntimeError(
        redact(refusal.code, secret), redact(refusal.runtime_message, secret), redact(refusal.details, secret)
    )


def without_secret(cause: Exception | None, secret: str) -> Exception | None:
    """The cause of a failure; None when its text, or that of what it came from, repeats the secret."""
    if cause is None:
        return None
    text = "".join(traceback.format_exception(cause))
    # Complaints about bytes show them as Python writes them.
    return None if secret in text or repr(secret)[1:-1] in text else cause
