"""The errors, by who reports them.

Everything but a timeout derives from `PlatformSDKError`. A skill that ran and failed is not an error: `invoke` returns its
result with the status `failed`. What to do about an error stands in its notes, which a traceback shows below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from .models.driver import DriverFacts


class PlatformSDKError(RuntimeError):
    """The root of the library's errors; raised itself for what has no class of its own."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The default calls the class with `args` alone, which most of the classes below do not take.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[PlatformSDKError], args: tuple[object, ...], fields: dict[str, object]) -> PlatformSDKError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class PlatformConnectionError(PlatformSDKError):
    """The platform could not be reached: no answer came, for another reason than a timeout. `__cause__` holds the reason."""


class PlatformAPIError(PlatformSDKError):
    """The platform answered with an HTTP status of 400 or above. Reads as `code: message`, such as `http.401: unauthorized`."""

    status_code: int
    code: str
    """The service's own code (`robot.not_found`), or `http.<status>` where the answer holds none."""
    message: str
    request_id: str | None
    """To be named when asking the operators about it; None when the answer holds none."""
    retry_after_s: float | None
    """How long the service asks to wait before the next try, seconds; None when it does not say."""
    details: Mapping[str, Any]

    def __init__(
        self,
        message: str,
        *,
        status_code: int,
        code: str,
        request_id: str | None = None,
        retry_after_s: float | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.status_code = status_code
        self.code = code
        self.message = message
        self.request_id = request_id
        self.retry_after_s = retry_after_s
        self.details = dict(details or {})

    def __repr__(self) -> str:
        request = f", request_id={self.request_id}" if self.request_id else ""
        return f"PlatformAPIError(HTTP {self.status_code}, {self}{request})"


class RcwRuntimeError(PlatformSDKError):
    """A `runtime.*` call that did not become an action: the runtime refused it, or there is no runtime to ask."""

    code: str
    """An error code of the runtime, such as `INVALID_INPUT`, `NOT_READY`, `BUSY`."""
    runtime_message: str
    """The runtime's sentence."""
    details: Mapping[str, Any]

    def __init__(self, code: str, runtime_message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {runtime_message}")
        self.code = code
        self.runtime_message = runtime_message
        self.details = dict(details or {})
        hint = self.details.get("hint")
        # Most sentences end with it.
        if isinstance(hint, str) and hint not in runtime_message:
            self.add_note(hint)


NOT_CONTROLLER = "NOT_CONTROLLER"


class NotControllerError(RcwRuntimeError):
    """Another drives the robot, or this session drives it no more: the command was refused. `ask_for_control` asks for it."""

    driver: DriverFacts | None
    """Who drives, and since when; None when nobody does."""

    def __init__(self, runtime_message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(NOT_CONTROLLER, runtime_message, details)
        try:
            self.driver = DriverFacts.model_validate(self.details.get("driver"))
        except ValidationError:
            self.driver = None


class PlatformNotAvailableError(PlatformSDKError):
    """A feature that waits for work elsewhere."""

    feature: str
    issue: str
    """The issue that it waits for, and what to use meanwhile."""

    def __init__(self, feature: str, issue: str) -> None:
        super().__init__(f"{feature} is not available: {issue}")
        self.feature = feature
        self.issue = issue


class CallTimeoutError(TimeoutError):
    """Something took longer than allowed: an HTTP answer, a reply in the room, `wait_until_ready`, a capture.

    It is the language's own `TimeoutError`, outside the library's hierarchy; catch that.
    """

    action_id: str | None
    """The action that may still run on the robot, when the call started one: ask for it by id, or cancel it."""

    def __init__(self, message: str, action_id: str | None = None) -> None:
        super().__init__(message)
        self.action_id = action_id
