"""7.3: the exceptions, their fields, and their texts."""

from __future__ import annotations

import pickle

import pytest

from platform_robot_sdk import (
    CallTimeoutError,
    PlatformAPIError,
    PlatformConnectionError,
    PlatformNotAvailableError,
    PlatformSDKError,
    RcwRuntimeError,
)

API = PlatformAPIError("No.", status_code=404, code="robot.not_found", request_id="r1", retry_after_s=2, details={"a": 1})
RUNTIME = RcwRuntimeError("NOT_READY", "It loads.", {"stage": "readiness"})
BLOCKED = PlatformNotAvailableError("get_logs", "no one keeps them")


def test_7_3_platform_api_error_has_its_fields() -> None:
    assert (API.status_code, API.code, API.message, API.request_id) == (404, "robot.not_found", "No.", "r1")
    assert (API.retry_after_s, API.details, str(API)) == (2, {"a": 1}, "robot.not_found: No.")
    assert repr(API) == "PlatformAPIError(HTTP 404, robot.not_found: No., request_id=r1)"


def test_7_3_rcw_runtime_error_has_its_fields() -> None:
    assert (RUNTIME.code, RUNTIME.runtime_message, str(RUNTIME)) == ("NOT_READY", "It loads.", "NOT_READY: It loads.")
    assert repr(RUNTIME) == "RcwRuntimeError(NOT_READY: It loads.)"


def test_7_3_platform_not_available_error_has_its_fields() -> None:
    assert (BLOCKED.feature, BLOCKED.issue) == ("get_logs", "no one keeps them")
    assert str(BLOCKED) == "get_logs is not available: no one keeps them"


@pytest.mark.parametrize("kind", [PlatformAPIError, PlatformConnectionError, RcwRuntimeError, PlatformNotAvailableError])
def test_7_3_all_derive_from_platform_sdk_error(kind: type[Exception]) -> None:
    assert issubclass(kind, PlatformSDKError)
    assert issubclass(kind, RuntimeError)


def test_7_3_timeouts_raise_the_standard_timeout_error_outside_the_hierarchy() -> None:
    error = CallTimeoutError("too long", "act-1")
    assert isinstance(error, TimeoutError)
    assert not isinstance(error, PlatformSDKError)
    assert error.action_id == "act-1"


@pytest.mark.parametrize("error", [API, RUNTIME, BLOCKED, CallTimeoutError("too long", "act-1"), PlatformSDKError("plain")])
def test_errors_come_whole_out_of_another_process(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
