"""Builds one error type from every known shape of body."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from .errors import PlatformAPIError

# Longest piece of a foreign body that a message repeats.
_TEXT_MAX_LENGTH = 300


def api_error_from(status_code: int, body: object, *, request_id: str | None, retry_after_s: float | None) -> PlatformAPIError:
    """Reads `{code, message, details}`, `{error: …}`, `{detail: …}`, plain text or an empty body.

    A body without a code gets `http.<status>`. A 401 is always `http.401: unauthorized`; its other text becomes a note.
    `request_id` and `retry_after_s` come from the headers.
    """
    fields = _record(body)
    details = _record(fields.get("details"))
    nested = _record(fields.get("error"))
    reported = (
        _text(fields.get("message"))
        or _text(nested.get("message"))
        or _text(fields.get("error_description"))
        or _text(fields.get("error"))
        or _detail(fields.get("detail"))
        or _text(body)
    )
    code = _text(fields.get("code")) or _text(nested.get("code")) or f"http.{status_code}"
    message = _shorten(reported) if reported else _status_text(status_code)
    if status_code == HTTPStatus.UNAUTHORIZED:
        code, message = "http.401", "unauthorized"
    error = PlatformAPIError(
        message,
        status_code=status_code,
        code=code,
        request_id=_text(details.get("request_id")) or _text(fields.get("request_id")) or request_id,
        retry_after_s=retry_after_s,
        details=details,
    )
    for note in _notes(error, reported):
        error.add_note(note)
    return error


def _notes(error: PlatformAPIError, reported: str | None) -> list[str]:
    notes = []
    hint = _text(error.details.get("hint"))
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        if reported and reported.lower() != "unauthorized":
            notes.append(f"The platform reports: {_shorten(reported)}")
        hint = (
            hint or "The API key is missing, wrong, revoked or expired. Check PLATFORM_API_KEY, or the api_key of the client."
        )
    if hint is not None:
        notes.append(_shorten(hint))
    if error.status_code == HTTPStatus.TOO_MANY_REQUESTS and error.retry_after_s is not None:
        notes.append(f"Wait {error.retry_after_s:g} s before the next try.")
    if error.request_id is not None:
        notes.append(f"Request id: {error.request_id}. Quote it when you ask the operators.")
    return notes


def _detail(detail: object) -> str | None:
    """Reads text, or a list of `{loc, msg}` as validators of web frameworks write it."""
    if not isinstance(detail, list):
        fields = _record(detail)
        return _text(detail) or _text(fields.get("message")) or _text(fields.get("msg"))
    problems = []
    for problem in detail:
        if not isinstance(problem, Mapping):
            continue
        message = _text(problem.get("msg")) or _text(problem.get("message")) or "is not valid"
        loc = problem.get("loc")
        path = ".".join(str(part) for part in loc) if isinstance(loc, list) else ""
        problems.append(f"{path}: {message}" if path else message)
    return "; ".join(problems) or None


def _record(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _shorten(text: str) -> str:
    return f"{text[:_TEXT_MAX_LENGTH]}…" if len(text) > _TEXT_MAX_LENGTH else text


def _status_text(status_code: int) -> str:
    try:
        return HTTPStatus(status_code).phrase.lower()
    except ValueError:
        return "the platform answered with an error and no text"
