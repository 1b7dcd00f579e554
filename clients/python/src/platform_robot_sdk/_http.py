"""Requests, answers and retries as plain data and functions: nothing here sends or waits.

`_senders.py` carries the requests out, once with blocking threads and once with asyncio. Both use the same `Exchange`.
"""

from __future__ import annotations

import json
import math
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Generic, Literal, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from ._api_error import api_error_from
from ._redact import redact, redact_refusal, without_secret
from ._settings import Settings, logger
from ._version import __version__
from .errors import CallTimeoutError, PlatformAPIError, PlatformConnectionError, PlatformSDKError, RcwRuntimeError

T = TypeVar("T")
Method = Literal["GET", "POST", "PATCH", "DELETE"]

BACKOFF_FIRST_S = 0.5
BACKOFF_CAP_S = 30.0
_REPEAT_PAUSE_S = 0.2
# A page of a hundred robots with the longest allowed texts is below one MiB.
ANSWER_MAX_BYTES = 16 * 1024 * 1024
# The system's waits accept no more; about 24 days.
LONGEST_WAIT_S = 2.0**31 / 1_000
_SECONDS = re.compile(r"\s*\d+(\.\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One operation of the service."""

    method: Method
    path: str
    """Path under the root, such as `/v1/robots`."""
    read: Callable[[object], T]
    """Reads the parsed body."""
    has_answer: bool = True
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    timeout_s: float | None = None
    """Longest wait for one answer, instead of the client's."""
    action_id: str | None = None
    """The action that the call starts on a robot. It may continue if no answer comes."""
    repeat_s: float | None = None
    """How long the call is repeated until it is answered, seconds; only for calls that are safe to repeat."""

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it is sent."""

    method: Method
    url: httpx.URL
    headers: httpx.Headers
    content: bytes | None = field(repr=False)
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it was received."""

    status_code: int
    headers: httpx.Headers
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No answer came: the time was up, or the transport failed."""

    is_timeout: bool
    cause: Exception | None = None
    hint: str = ""
    """A further thing to check, with a leading space."""


@dataclass(frozen=True, slots=True)
class Finished(Generic[T]):
    """The exchange is over."""

    value: T


@dataclass(frozen=True, slots=True)
class TryAgain:
    """The same request is sent again after a pause."""

    wait_s: float


class Exchange(Generic[T]):
    """One call, with its retries.

    Only a GET is retried, after a transport failure or a 429, because other methods must not run twice. The exception is an
    emergency stop, which is repeated until it is answered.
    """

    def __init__(self, settings: Settings, call: Call[T]) -> None:
        self.request = build_request(settings, call)
        self._settings = settings
        self._call = call
        self._retries_left = settings.max_retries if call.method == "GET" else 0
        self._attempt = 0
        self._started_s = time.monotonic()
        logger.debug("%s", call)

    def decide(self, outcome: Answer | Unanswered) -> Finished[T] | TryAgain:
        """Returns the end of the call, or another attempt, depending on the outcome of this one.

        Raises PlatformAPIError for a status of 400 or above, CallTimeoutError, PlatformConnectionError, and
        PlatformSDKError for an answer that does not match the contract.
        """
        error: Exception
        if isinstance(outcome, Unanswered):
            retryable, asked_s = True, None
            error = self._unanswered(outcome)
            logger.debug("%s: %s", self._call, type(error).__name__)
        else:
            logger.debug("%s: %d after %.0f ms", self._call, outcome.status_code, 1_000 * (time.monotonic() - self._started_s))
            if outcome.status_code < 300:
                return Finished(read_answer(self._call, outcome, self._settings.api_key))
            retryable = outcome.status_code == 429
            asked_s = read_retry_after(outcome.headers.get("retry-after"), time.time())
            error = self._refused(outcome, asked_s)
        wait_s = backoff_s(self._attempt, random.random(), asked_s) if retryable and self._retries_left > 0 else None
        if wait_s is None:
            return self._repeat(error)
        self._retries_left -= 1
        self._attempt += 1
        logger.debug("%s: tried again in %.1f s", self._call, wait_s)
        return TryAgain(wait_s)

    def _repeat(self, error: Exception) -> TryAgain:
        """Raises the error, unless the call may be repeated and there is time left."""
        repeat_s = self._call.repeat_s
        left_s = 0.0 if repeat_s is None else self._started_s + repeat_s - time.monotonic()
        is_refused = isinstance(error, PlatformAPIError) and error.status_code != 429 and error.status_code < 500
        is_passing = isinstance(error, PlatformAPIError | PlatformConnectionError) and not is_refused
        if not is_passing or left_s <= _REPEAT_PAUSE_S:
            raise error
        self.request = replace(self.request, timeout_s=left_s - _REPEAT_PAUSE_S)
        return TryAgain(_REPEAT_PAUSE_S)

    def _unanswered(self, outcome: Unanswered) -> Exception:
        error: Exception
        if outcome.is_timeout:
            after = "" if self._call.action_id is None else " The skill may still run."
            error = CallTimeoutError(
                f"{self._call} had no answer within {self.request.timeout_s:g} s.{after}", self._call.action_id
            )
        else:
            error = PlatformConnectionError(
                f"{self._call}: the platform at {self._settings.rcs_url} cannot be reached. "
                f"Check that it runs, and that PLATFORM_RCS_URL (rcs_url) names it.{outcome.hint}"
            )
        cause = without_secret(outcome.cause, self._settings.api_key)
        if cause is not None:
            # The message is what helps. The traceback through httpx would fill a screen.
            cause.__traceback__ = cause.__cause__ = cause.__context__ = None
        error.__cause__ = cause
        return error

    def _refused(self, answer: Answer, retry_after_s: float | None) -> PlatformSDKError:
        if answer.status_code < 400:
            # Following a redirect could send the key to another server.
            return PlatformConnectionError(
                f"{self._call}: the address answers with a redirect (HTTP {answer.status_code}), which is not followed. "
                "Set PLATFORM_RCS_URL (rcs_url) to the address of the control service itself."
            )
        secret = self._settings.api_key
        return api_error_from(
            answer.status_code,
            _read_error_body(answer.content, secret),
            request_id=redact(answer.headers.get("x-request-id"), secret),
            retry_after_s=retry_after_s,
        )


def build_request(settings: Settings, call: Call[T]) -> HttpRequest:
    """Returns the request of a call, with the key in its header.

    Raises PlatformSDKError when an argument fits neither an address nor JSON, ValueError for an invalid timeout.
    """
    headers = httpx.Headers(
        {
            "authorization": f"Bearer {settings.api_key}",
            "accept": "application/json",
            # A small compressed answer can fill the memory before its size is checked.
            "accept-encoding": "identity",
            "user-agent": f"platform-robot-sdk/{__version__} (Python)",
        }
    )
    content = None
    if call.method in ("POST", "PATCH"):
        headers["content-type"] = "application/json"
        content = _encode(call)
    url = _address(settings, call)
    timeout_s = settings.timeout_s if call.timeout_s is None else call.timeout_s
    if not (math.isfinite(timeout_s) and timeout_s > 0):
        raise ValueError(f"timeout_s is {timeout_s}. Pass a number of seconds above 0.")
    return HttpRequest(call.method, url, headers, content, min(timeout_s, LONGEST_WAIT_S))


def read_answer(call: Call[T], answer: Answer, secret: str) -> T:
    """Reads the body of a successful answer.

    Raises PlatformSDKError, which names the wrong fields without their values, when the body does not match the contract.
    Raises RcwRuntimeError for a refusal of the runtime. Neither contains the secret.
    """
    error: PlatformSDKError
    problem = f"{call}: the answer does not match the contract."
    hint = "Check that PLATFORM_RCS_URL (rcs_url) names the control service."
    try:
        # An operation without an answer may have a body, but only JSON: a page with status 200 is an error.
        return call.read(json.loads(answer.content) if call.has_answer or answer.content.strip() else None)
    except RcwRuntimeError as refusal:
        error = redact_refusal(refusal, secret)
    except ValidationError as refusal:
        # The error's own text repeats the input, which may be a PIN or a token.
        fields = [
            f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}"
            for each in refusal.errors(include_input=False, include_url=False)
        ]
        error = PlatformSDKError(f"{problem} {redact('; '.join(fields[:5]), secret)}. {hint}")
    except (ValueError, RecursionError):
        error = PlatformSDKError(f"{problem} {hint}")
    raise error


def backoff_s(attempt: int, chance: float, retry_after_s: float | None = None) -> float | None:
    """Returns the wait before a retry, seconds: exponential with jitter, from 0.5 s, capped at 30 s.

    `attempt` is 0 for the first retry. `chance` in [0, 1) is the share of the upper half that is added to the lower half.
    The result is at least `retry_after_s`, which the service asked for. Returns None if it asked for longer than the cap:
    then there is no retry.
    """
    asked_s = retry_after_s or 0.0
    if asked_s > BACKOFF_CAP_S:
        return None
    # The exponent is bounded so that many retries do not overflow.
    full_s = min(BACKOFF_CAP_S, BACKOFF_FIRST_S * 2.0 ** min(attempt, 16))
    return max(asked_s, full_s * (0.5 + 0.5 * chance))


def read_retry_after(header: str | None, now_s: float) -> float | None:
    """Returns the seconds from a `Retry-After` header, which contains seconds or a date; None if there is no time in the
    future.

    `now_s` is seconds since the epoch.
    """
    if header is None:
        return None
    if _SECONDS.fullmatch(header):
        seconds = float(header)
    else:
        try:
            date = parsedate_to_datetime(header)
            seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now_s
        except (ValueError, OverflowError):
            return None
    return seconds if seconds > 0 else None


def _encode(call: Call[T]) -> bytes:
    try:
        return json.dumps(call.body or {}, allow_nan=False, separators=(",", ":"), default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise PlatformSDKError(f"{call}: the request cannot be turned into JSON: {problem}.") from None


def _plain(value: object) -> object:
    """Converts models and numpy arrays to JSON values."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    as_list = getattr(value, "tolist", None)
    if callable(as_list):
        return as_list()
    raise TypeError(f"a value of type {type(value).__name__}")


def _address(settings: Settings, call: Call[T]) -> httpx.URL:
    try:
        url = httpx.URL(f"{settings.rcs_url}{call.path}")
        return url.copy_merge_params(call.query) if call.query else url
    except (httpx.InvalidURL, UnicodeError):
        # The original error would repeat the id, which may be very long.
        raise unfit_id() from None


def _read_error_body(content: bytes, secret: str) -> object:
    """Returns the JSON value, otherwise the text, without the secret."""
    text = content.decode("utf-8", "replace")
    try:
        return redact(json.loads(text), secret)
    except (ValueError, RecursionError):
        return redact(text, secret)


def unfit_id() -> PlatformSDKError:
    return PlatformSDKError("An id fits in no address: it is too long, or holds half of a character. Pass the id of a robot.")
