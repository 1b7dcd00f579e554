"""The errors, by the part that reports them.

All except timeouts derive from `PlatformSDKError`. A skill that ran and failed is not an error: `invoke` returns its result
with the status `failed`. The notes of an error, which a traceback shows below it, contain what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from .models.driver import DriverFacts


class PlatformSDKError(RuntimeError):
    """The base class of the library's errors. Raised itself if no subclass applies."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, unpickling calls the class with only `args`, which most of the classes below do not accept.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[PlatformSDKError], args: tuple[object, ...], fields: dict[str, object]) -> PlatformSDKError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class PlatformConnectionError(PlatformSDKError):
    """The platform could not be reached, and the reason was not a timeout. `__cause__` has the reason."""


class PlatformAPIError(PlatformSDKError):
    """The platform answered with an HTTP status of 400 or above. Its text is `code: message`, such as `http.401:
    unauthorized`.
    """

    status_code: int
    code: str
    """The service's own code (`robot.not_found`), or `http.<status>` if the answer has none."""
    message: str
    request_id: str | None
    """Quote this id when you ask the operators about the error. None if the answer has none."""
    retry_after_s: float | None
    """The wait that the service asks for before the next try, seconds; None if it asks for none."""
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
    """A `runtime.*` call that did not become an action: the runtime rejected it, or no runtime is in the room."""

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
        # Most messages end with the hint.
        if isinstance(hint, str) and hint not in runtime_message:
            self.add_note(hint)


NOT_CONTROLLER = "NOT_CONTROLLER"


class NotControllerError(RcwRuntimeError):
    """The command was rejected because another participant drives the robot, or this session lost the lease. Call
    `ask_for_control` to ask for it.
    """

    driver: DriverFacts | None
    """The current driver and the start of its lease; None if no one drives."""

    def __init__(self, runtime_message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(NOT_CONTROLLER, runtime_message, details)
        try:
            self.driver = DriverFacts.model_validate(self.details.get("driver"))
        except ValidationError:
            self.driver = None


class PlatformNotAvailableError(PlatformSDKError):
    """A feature that is not available yet."""

    feature: str
    issue: str
    """The issue that the feature depends on, and what to use in the meantime."""

    def __init__(self, feature: str, issue: str) -> None:
        super().__init__(f"{feature} is not available: {issue}")
        self.feature = feature
        self.issue = issue


class CallTimeoutError(TimeoutError):
    """An operation exceeded its timeout: an HTTP answer, a reply in the room, `wait_until_ready` or a capture.

    It is a subclass of the language's own `TimeoutError`, outside the library's hierarchy; catch `TimeoutError`.
    """

    action_id: str | None
    """The action that may still run on the robot, if the call started one. Read it by its id, or cancel it."""

    def __init__(self, message: str, action_id: str | None = None) -> None:
        super().__init__(message)
        self.action_id = action_id
