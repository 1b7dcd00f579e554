"""7.1, 7.2 and 8: how answers are read, and which requests are retried."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, GRANT, PARTICIPANT, ROBOT, SESSION, PlatformDouble
from platform_robot_sdk import (
    CallTimeoutError,
    PlatformAPIError,
    PlatformConnectionError,
    PlatformSDKError,
)
from platform_robot_sdk._http import backoff_s, read_retry_after

REFUSED = httpx.ConnectError("refused")
KEY = {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}
NEVER_RETRIED = [
    pytest.param("create", (), {"name": "Ada", "model": "humanoid"}, id="POST /v1/robots"),
    pytest.param("create_session", ("robot-1",), {}, id="POST .../session"),
    pytest.param("send_session_command", ("robot-1", "go_to"), {}, id="POST .../session/command"),
    pytest.param(
        "create_participant_token", ("robot-1",), {"participant_identity": "me"}, id="POST .../session/participant-token"
    ),
    pytest.param("create_control_grant", ("robot-1",), {"public_key": KEY}, id="POST .../session/control-grant"),
    pytest.param("send_semantic_command", ("robot-1", "forward"), {}, id="POST .../semantic-command"),
    pytest.param("claim", ("robot-1", "4711"), {}, id="POST .../claim"),
    pytest.param("update", ("robot-1",), {"name": "Grace"}, id="PATCH /v1/robots/{robot_id}"),
    pytest.param("delete", ("robot-1",), {}, id="DELETE /v1/robots/{robot_id}"),
    pytest.param("delete_session", ("robot-1",), {}, id="DELETE .../session"),
    pytest.param("revoke_link", ("robot-1", "link-1"), {}, id="DELETE .../session/links/{link_id}"),
]
FAILURES = [
    pytest.param(REFUSED, PlatformConnectionError, id="transport failure"),
    pytest.param(httpx.ReadTimeout("slow"), CallTimeoutError, id="timeout"),
    pytest.param(httpx.Response(429, json={"code": "busy", "message": "wait"}), PlatformAPIError, id="429"),
]


async def failure(platform: PlatformDouble, reply: Any, **settings: Any) -> Any:
    platform.answers(reply)
    with pytest.raises((PlatformSDKError, TimeoutError)) as raised:
        await platform.call("get", "robot-1", client=platform.client(**settings))
    return raised.value


@pytest.mark.parametrize(("reply", "error"), FAILURES)
async def test_8_a_get_is_tried_again_twice_by_default(platform: PlatformDouble, reply: Any, error: type[Exception]) -> None:
    assert isinstance(await failure(platform, reply), error)
    assert len(platform.requests) == 3
    assert len(platform.waits_s) == 2


@pytest.mark.parametrize(("reply", "error"), FAILURES)
async def test_8_max_retries_0_means_one_attempt(platform: PlatformDouble, reply: Any, error: type[Exception]) -> None:
    assert isinstance(await failure(platform, reply, max_retries=0), error)
    assert len(platform.requests) == 1


async def test_8_a_get_that_succeeds_at_the_second_attempt_gives_its_answer(platform: PlatformDouble) -> None:
    platform.answers(REFUSED, ROBOT)
    assert (await platform.call("get", "robot-1")).name == "Ada"
    assert len(platform.requests) == 2


@pytest.mark.parametrize(("reply", "error"), FAILURES)
@pytest.mark.parametrize(("operation", "args", "fields"), NEVER_RETRIED)
async def test_8_never_retried(
    platform: PlatformDouble, operation: str, args: Any, fields: dict[str, Any], reply: Any, error: type[Exception]
) -> None:
    platform.answers(reply)
    with pytest.raises(error):
        await platform.call(operation, *args, **fields)
    assert len(platform.requests) == 1
    assert platform.waits_s == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 422, 500, 502, 503, 504])
async def test_8_no_other_status_is_tried_again(platform: PlatformDouble, status: int) -> None:
    error = await failure(platform, httpx.Response(status))
    assert error.status_code == status
    assert len(platform.requests) == 1


async def test_8_backoff_is_exponential_with_jitter_and_capped_at_30_s(
    platform: PlatformDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform_robot_sdk._http.random.random", lambda: 0.5)
    await failure(platform, REFUSED, max_retries=9)
    assert platform.waits_s == [0.375, 0.75, 1.5, 3, 6, 12, 22.5, 22.5, 22.5]


def test_8_backoff_stays_within_its_bounds_for_any_chance_and_attempt() -> None:
    for attempt in (0, 1, 5, 6, 7, 1_000_000):
        full_s = min(30.0, 0.5 * 2 ** min(attempt, 10))
        for chance in (0.0, 0.5, 0.999999):
            wait_s = backoff_s(attempt, chance)
            assert wait_s is not None
            assert full_s / 2 <= wait_s < full_s


async def test_8_retry_after_in_seconds_is_waited(platform: PlatformDouble) -> None:
    await failure(platform, httpx.Response(429, headers={"retry-after": "7"}))
    assert platform.waits_s == [7, 7]


async def test_8_retry_after_as_a_date_is_waited(platform: PlatformDouble) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    error = await failure(platform, httpx.Response(429, headers={"retry-after": soon}), max_retries=1)
    assert 7 < platform.waits_s[0] <= 9
    assert 7 < error.retry_after_s <= 9


async def test_8_retry_after_beyond_the_cap_is_no_retry_but_told(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(429, headers={"retry-after": "31"}))
    assert len(platform.requests) == 1
    assert error.retry_after_s == 31
    assert "Wait 31 s before the next try." in error.__notes__


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", None),
        ("-3", None),
        ("soon", None),
        ("1.5", 1.5),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:01:40 -0000", 90.0),
        ("Thu, 01 Jan 1970 00:00:05 GMT", None),
        ("Thu, 99 Jan 1970 00:00:05 GMT", None),
    ],
)
def test_8_retry_after_of_any_form(header: str | None, seconds: float | None) -> None:
    assert read_retry_after(header, now_s=10.0) == seconds


async def test_8_a_timeout_is_the_languages_own_and_outside_the_hierarchy(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.ReadTimeout("slow"), timeout=1.5, max_retries=0)
    assert isinstance(error, TimeoutError)
    assert not isinstance(error, PlatformSDKError)
    assert str(error) == "GET /v1/robots/robot-1 had no answer within 1.5 s."


async def test_a_call_may_have_a_time_limit_of_its_own(platform: PlatformDouble) -> None:
    platform.answers(httpx.ReadTimeout("slow"))
    with pytest.raises(TimeoutError, match=r"within 0\.25 s"):
        await platform.call("delete", "robot-1", timeout_s=0.25)
    assert platform.request.extensions["timeout"]["read"] == 0.25


async def test_an_unreachable_platform_says_where_it_was_looked_for(platform: PlatformDouble) -> None:
    error = await failure(platform, REFUSED, max_retries=0)
    assert isinstance(error, PlatformConnectionError)
    assert "http://platform.test/rcs cannot be reached" in str(error)
    assert error.__cause__ is REFUSED


@pytest.mark.parametrize("status", [400, 401, 404, 409, 429])
async def test_7_1_errors_of_the_claim_operation(platform: PlatformDouble, status: int) -> None:
    platform.answers(httpx.Response(status, json={"code": "claim.refused", "message": "No.", "details": {"request_id": "r1"}}))
    with pytest.raises(PlatformAPIError) as raised:
        await platform.call("claim", "robot-1", "4711")
    expected = ("http.401", "unauthorized") if status == 401 else ("claim.refused", "No.")
    assert (raised.value.code, raised.value.message) == expected
    assert (raised.value.status_code, raised.value.request_id) == (status, "r1")


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({"code": "robot.not_found", "message": "There is no such robot."}, "robot.not_found: There is no such robot."),
        ({"error": "upstream is gone"}, "http.404: upstream is gone"),
        ({"error": {"code": "edge.gone", "message": "gone"}}, "edge.gone: gone"),
        ({"error": "gone", "error_description": "it has gone"}, "http.404: it has gone"),
        ({"detail": "no such robot"}, "http.404: no such robot"),
        ({"detail": {"message": "no such robot"}}, "http.404: no such robot"),
        (
            {"detail": [{"loc": ["body", "name"], "msg": "field required"}, {"msg": "bad"}, "noise", {"loc": ["body", 0]}]},
            "http.404: body.name: field required; bad; body.0: is not valid",
        ),
        ({"detail": []}, "http.404: not found"),
        ({}, "http.404: not found"),
        ([1, 2], "http.404: not found"),
        ("plain JSON text", "http.404: plain JSON text"),
        (None, "http.404: not found"),
    ],
)
async def test_7_2_rule_1_every_shape_of_body_is_normalised(platform: PlatformDouble, body: object, read: str) -> None:
    error = await failure(platform, httpx.Response(404, text=json.dumps(body)))
    assert isinstance(error, PlatformAPIError)
    assert str(error) == read


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"error": "key expired"},
        {"detail": "Not authenticated"},
        {"code": "auth.unauthorized", "message": "The API key is unknown."},
        {"code": "http.401", "message": "unauthorized", "details": {"request_id": "r1"}},
    ],
)
async def test_7_2_rule_1_an_expired_key_reads_http_401_unauthorized(platform: PlatformDouble, body: dict[str, Any]) -> None:
    error = await failure(platform, httpx.Response(401, json=body))
    assert (str(error), error.code, error.message) == ("http.401: unauthorized", "http.401", "unauthorized")
    notes = "\n".join(error.__notes__)
    assert "PLATFORM_API_KEY" in notes
    assert body.get("error", "") in notes


async def test_the_advice_of_the_service_is_a_note(platform: PlatformDouble) -> None:
    body = {"code": "http.401", "message": "unauthorized", "details": {"reason": "revoked", "hint": "Make a new key."}}
    error = await failure(platform, httpx.Response(401, json=body))
    assert error.__notes__ == ["Make a new key."]
    assert error.details["reason"] == "revoked"


async def test_the_request_id_is_in_the_header_too(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(500, headers={"x-request-id": "r-header"}))
    assert error.request_id == "r-header"
    assert "r-header" in repr(error)
    assert any("r-header" in note for note in error.__notes__)


async def test_an_error_that_is_a_page_is_cut_short(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(502, html=f"<html>{'x' * 10_000}</html>"))
    assert error.code == "http.502"
    assert len(error.message) == 301


async def test_an_error_that_repeats_the_key_does_not_pass_it_on(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(400, json={"message": f"bad header Bearer {API_KEY}"}))
    assert str(error) == "http.400: bad header Bearer [redacted]"
    escaped = json.dumps({"detail": API_KEY, "details": {"header": API_KEY}})
    error = await failure(platform, httpx.Response(400, text=escaped))
    assert API_KEY not in f"{error} {error!r} {error.details} {vars(error)}"


async def test_an_error_survives_pickling_with_its_fields_and_notes(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(404, json={"code": "robot.not_found", "message": "No.", "request_id": "r1"}))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.status_code, again.request_id, again.__notes__) == (
        str(error),
        404,
        "r1",
        error.__notes__,
    )


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(httpx.Response(200, html="<!doctype html>"), id="a page"),
        pytest.param(httpx.Response(200, text=json.dumps(ROBOT)[:-20]), id="truncated JSON"),
        pytest.param(httpx.Response(200, text=""), id="nothing"),
        pytest.param(httpx.Response(200, content=b"\xff\xfe\x00"), id="no text"),
        pytest.param(httpx.Response(200, text="[" * 100_000), id="too deep"),
        pytest.param(httpx.Response(200, text="9" * 10_000), id="too long a number"),
        pytest.param(httpx.Response(200, json=[ROBOT]), id="a list"),
        pytest.param(httpx.Response(200, json={"code": "ok", "result": ROBOT}), id="the public face"),
    ],
)
async def test_an_answer_that_is_not_the_contracts_says_what_to_check(platform: PlatformDouble, answer: httpx.Response) -> None:
    error = await failure(platform, answer)
    assert type(error) is PlatformSDKError
    assert "PLATFORM_RCS_URL" in str(error)
    assert len(platform.requests) == 1


@pytest.mark.parametrize(
    ("operation", "answer", "secret"),
    [
        ("create_session", {**SESSION, "room_name": None}, "secret-of-the-room"),
        ("create_participant_token", {**PARTICIPANT, "participant_token": ["secret-of-the-room"]}, "secret-of-the-room"),
        ("create_control_grant", {**GRANT, "grant": {"jwt": "secret-of-the-grant"}}, "secret-of-the-grant"),
    ],
)
async def test_a_refused_answer_names_the_field_and_tells_no_secret(
    platform: PlatformDouble, operation: str, answer: dict[str, Any], secret: str
) -> None:
    needed: dict[str, dict[str, Any]] = {
        "create_participant_token": {"participant_identity": "me"},
        "create_control_grant": {"public_key": KEY},
    }
    fields = needed.get(operation, {})
    platform.answers(answer)
    with pytest.raises(PlatformSDKError, match="should be a valid string") as raised:
        await platform.call(operation, "robot-1", **fields)
    assert secret not in f"{raised.value} {raised.value!r}"
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed_with_the_key(platform: PlatformDouble, status: int) -> None:
    error = await failure(platform, httpx.Response(status, headers={"location": "http://elsewhere.test/"}))
    assert isinstance(error, PlatformConnectionError)
    assert "redirect" in str(error)
    assert len(platform.requests) == 1


async def test_an_answer_without_end_is_refused(platform: PlatformDouble) -> None:
    error = await failure(platform, httpx.Response(200, content=b" " * (17 * 1024 * 1024)))
    assert "larger than 16 MiB" in str(error)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
async def test_a_request_that_json_cannot_hold_is_not_sent(platform: PlatformDouble, value: object) -> None:
    with pytest.raises(PlatformSDKError, match="cannot be turned into JSON"):
        await platform.call("create", name=value, model="humanoid")
    assert platform.requests == []


@pytest.mark.parametrize("timeout_s", [0, -1, float("nan"), float("inf")])
async def test_a_time_limit_that_is_none_is_refused(platform: PlatformDouble, timeout_s: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        await platform.call("get", "robot-1", timeout_s=timeout_s)
    assert platform.requests == []


@pytest.mark.parametrize("operation", ["delete", "delete_session"])
async def test_a_page_that_answers_anything_has_deleted_nothing(platform: PlatformDouble, operation: str) -> None:
    platform.answers(httpx.Response(200, html="<!doctype html><title>Viewer</title>"))
    with pytest.raises(PlatformSDKError, match="PLATFORM_RCS_URL"):
        await platform.call(operation, "robot-1")


async def test_closing_twice_does_nothing_and_a_closed_client_sends_nothing(platform: PlatformDouble) -> None:
    platform.answers(ROBOT)
    client = platform.client()
    await platform.call("get", "robot-1", client=client)
    close: Callable[[], Any] = getattr(client, "close", None) or getattr(client, "aclose")  # noqa: B009
    for _ in range(2):
        closing = close()
        if closing is not None:
            await closing
    with pytest.raises(PlatformSDKError, match="client is closed"):
        await platform.call("get", "robot-1", client=client)
    assert len(platform.requests) == 1
