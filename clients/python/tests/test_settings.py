"""5.8: the settings of a client, and that printing them shows no key."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator

import httpx
import pytest

from platform_double import API_KEY, RCS_URL, ROBOT, Kind, PlatformDouble
from platform_robot_sdk import Client, PlatformSDKError
from platform_robot_sdk._calls import claim_robot
from platform_robot_sdk._http import Exchange, build_request


@pytest.fixture
def library_logger() -> Iterator[logging.Logger]:
    logger = logging.getLogger("platform_robot_sdk")
    handlers, level = list(logger.handlers), logger.level
    yield logger
    logger.handlers[:] = handlers
    logger.setLevel(level)


def test_5_8_without_arguments_the_environment_is_read(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLATFORM_API_KEY", API_KEY)
    monkeypatch.setenv("PLATFORM_RCS_URL", "https://robots.test/rcs/")
    monkeypatch.setenv("PLATFORM_ROBOT_SDK_TIMEOUT", "2.5")
    monkeypatch.setenv("PLATFORM_ROBOT_SDK_MAX_RETRIES", "5")
    monkeypatch.setenv("PLATFORM_ROBOT_VIEWER_URL", "https://viewer.test/")
    client = kind()
    assert client.rcs_url == "https://robots.test/rcs"
    assert client._settings.api_key == API_KEY
    assert (client.timeout, client.max_retries, client.viewer_url) == (2.5, 5, "https://viewer.test")


def test_5_8_and_8_defaults(kind: Kind) -> None:
    client = kind(api_key=API_KEY)
    assert (client.rcs_url, client.viewer_url) == ("http://localhost:8080/rcs", "http://localhost:8080")
    assert (client.timeout, client.max_retries) == (30.0, 2)


def test_5_8_arguments_override_the_environment(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "RCS_URL", "ROBOT_SDK_TIMEOUT", "ROBOT_SDK_MAX_RETRIES", "ROBOT_VIEWER_URL"):
        monkeypatch.setenv(f"PLATFORM_{name}", "not a setting")
    client = kind(rcs_url=RCS_URL, api_key=API_KEY, timeout=7, max_retries=0, viewer_url="http://viewer.test")
    assert (client.rcs_url, client._settings.api_key, client.timeout, client.max_retries, client.viewer_url) == (
        RCS_URL,
        API_KEY,
        7.0,
        0,
        "http://viewer.test",
    )


def test_an_empty_variable_is_one_that_is_not_set(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RCS_URL", "ROBOT_SDK_TIMEOUT", "ROBOT_SDK_MAX_RETRIES", "ROBOT_VIEWER_URL"):
        monkeypatch.setenv(f"PLATFORM_{name}", " ")
    assert kind(api_key=API_KEY).timeout == 30.0


@pytest.mark.parametrize("name", ["PLATFORM_ROBOT_SDK_TIMEOUT", "PLATFORM_ROBOT_SDK_MAX_RETRIES"])
@pytest.mark.parametrize("value", ["soon", "-1", "nan", "inf"])
def test_a_number_that_cannot_be_read_is_refused_by_name(
    kind: Kind, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(PlatformSDKError, match=name):
        kind(api_key=API_KEY)


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_missing_key_says_where_it_comes_from(kind: Kind, key: str | None) -> None:
    with pytest.raises(PlatformSDKError, match="PLATFORM_API_KEY"):
        kind(api_key=key)


@pytest.mark.parametrize("odd", ["sk_live_se\ncret", "sk_live_se cret", "sk_live_sécret", "sk_live_se\0cret"])
def test_a_key_that_fits_in_no_header_is_refused_and_not_repeated(kind: Kind, odd: str) -> None:
    with pytest.raises(PlatformSDKError) as raised:
        kind(api_key=odd)
    assert "cret" not in str(raised.value)


def test_the_line_break_after_a_pasted_key_does_no_harm(kind: Kind) -> None:
    assert kind(api_key=f"{API_KEY}\r\n")._settings.api_key == API_KEY


@pytest.mark.parametrize(
    "address",
    ["platform.test/rcs", "ftp://platform.test", "http://", "http://user:pw@platform.test", "http://a b", "http://a?b=c"],
)
def test_an_address_of_another_form_is_refused_and_not_repeated(kind: Kind, address: str) -> None:
    with pytest.raises(PlatformSDKError, match="http://host:port/path") as raised:
        kind(api_key=API_KEY, rcs_url=address)
    assert "pw" not in str(raised.value)


@pytest.mark.parametrize("rcs_url", [f"http://platform.test/a/b/rcs{end}" for end in ("", "/", "///", " ")])
async def test_an_address_keeps_its_path_and_loses_slashes_at_its_end(platform: PlatformDouble, rcs_url: str) -> None:
    platform.answers(ROBOT)
    await platform.call("get", "robot-1", client=platform.client(rcs_url=rcs_url))
    assert str(platform.request.url) == "http://platform.test/a/b/rcs/v1/robots/robot-1"


def test_5_8_printing_a_client_shows_no_key(kind: Kind) -> None:
    client = kind(rcs_url=RCS_URL, api_key=API_KEY)
    printed = f"{client!r} {client} {client.robots!r} {client._settings!r} {[client]} {client.robots.__dict__}"
    assert RCS_URL in repr(client)
    assert "[redacted]" in repr(client)
    assert API_KEY not in printed


def test_a_traceback_shows_no_key_and_no_body_of_a_request() -> None:
    settings = Client(rcs_url=RCS_URL, api_key=API_KEY)._settings
    call = claim_robot("robot-1", "4711", None)
    for thing in (settings, call, build_request(settings, call), vars(Exchange(settings, call))):
        assert API_KEY not in repr(thing)
        assert "4711" not in repr(thing)


def test_a_client_is_not_pickled_with_its_key(kind: Kind) -> None:
    client = kind(api_key=API_KEY)
    for thing in (client, client._settings, client.robots):
        with pytest.raises(TypeError, match="Create one where it is needed"):
            pickle.dumps(thing)


async def test_5_8_debug_logs_events_without_headers_and_bodies(
    platform: PlatformDouble,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    library_logger: logging.Logger,
) -> None:
    monkeypatch.setenv("PLATFORM_ROBOT_SDK_DEBUG", "1")
    platform.answers({"robot": ROBOT, "pin_code": "271828"}, httpx.Response(503, json={"message": "body of the answer"}))
    client = platform.client()
    await platform.call("create", client=client, name="name in the body", model="humanoid")
    with pytest.raises(PlatformSDKError):
        await platform.call("get", "robot-1", client=client)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "platform_robot_sdk: POST /v1/robots"
    assert lines[1].startswith("platform_robot_sdk: POST /v1/robots: 200 after ")
    assert lines[3].startswith("platform_robot_sdk: GET /v1/robots/robot-1: 503 after ")
    text = "\n".join(lines)
    for secret in (API_KEY, "271828", "body", "uthorization"):
        assert secret not in text


@pytest.mark.parametrize("value", [None, "0", "", "true"])
async def test_5_8_only_1_switches_the_debug_lines_on(
    platform: PlatformDouble,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    library_logger: logging.Logger,
    value: str | None,
) -> None:
    if value is not None:
        monkeypatch.setenv("PLATFORM_ROBOT_SDK_DEBUG", value)
    platform.answers(ROBOT)
    await platform.call("get", "robot-1")
    assert capsys.readouterr().err == ""


def test_debug_lines_go_to_the_handler_that_the_program_has(
    library_logger: logging.Logger, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = logging.StreamHandler()
    library_logger.addHandler(own)
    monkeypatch.setenv("PLATFORM_ROBOT_SDK_DEBUG", "1")
    Client(api_key=API_KEY)
    assert [each for each in library_logger.handlers if not isinstance(each, logging.NullHandler)] == [own]


def test_a_proxy_of_the_environment_that_cannot_be_used_is_named(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://user:pw@proxy.test")
    with pytest.raises(PlatformSDKError, match="ALL_PROXY") as raised:
        kind(rcs_url=RCS_URL, api_key=API_KEY)
    assert "pw" not in str(raised.value)
