"""4.5 and 2.8: keys and links for the viewer, with both kinds of functions."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from platform_double import API_KEY, PARTICIPANT, PlatformDouble, outcome_of
from platform_robot_sdk import AsyncClient, Client, PlatformSDKError, experimental

FUNCTIONS = ["generate_room_key", "generate_room_key_url", "get_session_viewer_url"]
VISITOR_FUNCTIONS = ["generate_watch_url", "generate_operator_url"]
SFU_URL = PARTICIPANT["livekit_url"]
TOKEN = PARTICIPANT["participant_token"]


async def make(platform: PlatformDouble, function: str, *, settings: dict[str, Any] | None = None, **options: Any) -> str:
    platform.answers(PARTICIPANT)
    client = platform.client(**(settings or {}))
    call = getattr(experimental, function if isinstance(client, AsyncClient) else f"{function}_sync")
    text = await outcome_of(call(client, "robot-1", **options))
    assert isinstance(text, str)
    assert API_KEY not in text
    return text


def read_key(key: str) -> tuple[str, str, str]:
    version, address, token = key.split("~")
    return version, base64.urlsafe_b64decode(address + "=" * (-len(address) % 4)).decode(), token


async def test_4_5_generate_room_key_packs_the_address_and_the_credential(platform: PlatformDouble) -> None:
    key = await make(platform, "generate_room_key")
    assert read_key(key) == ("k1", SFU_URL, TOKEN)
    assert "=" not in key
    assert platform.request.url.path.endswith("/v1/robots/robot-1/session/participant-token")


async def test_2_8_the_credential_embeds_the_identity_of_the_simulators_tab(platform: PlatformDouble) -> None:
    await make(platform, "generate_room_key")
    assert platform.body == {"participant_identity": "simplesim:robot-1"}


async def test_2_8_the_lifetime_is_the_services_default_or_what_is_asked_for(platform: PlatformDouble) -> None:
    await make(platform, "generate_room_key", ttl_seconds=600, participant_name="Viewer")
    assert platform.body == {
        "participant_identity": "simplesim:robot-1",
        "participant_name": "Viewer",
        "ttl_seconds": 600,
    }


async def test_4_5_generate_room_key_url_is_the_viewers_link(platform: PlatformDouble) -> None:
    url = await make(platform, "generate_room_key_url", viewer_base_url="https://viewer.test/")
    base, key = url.split("/?key=")
    assert base == "https://viewer.test"
    assert read_key(key) == ("k1", SFU_URL, TOKEN)


async def test_4_5_the_base_defaults_to_the_viewer_of_the_environment(
    platform: PlatformDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLATFORM_ROBOT_VIEWER_URL", "https://viewer.of.the.environment.test/here/")
    assert (await make(platform, "generate_room_key_url")).startswith("https://viewer.of.the.environment.test/here/?key=k1~")


async def test_5_8_the_base_is_localhost_where_nothing_is_set(platform: PlatformDouble) -> None:
    assert (await make(platform, "generate_room_key_url")).startswith("http://localhost:8080/?key=k1~")


@pytest.mark.parametrize("function", ["generate_room_key_url", "get_session_viewer_url", *VISITOR_FUNCTIONS])
async def test_a_link_leads_to_the_viewer_that_the_service_reports_unless_the_program_names_one(
    platform: PlatformDouble, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def base(reported: str | None, settings: dict[str, Any] | None = None, **options: Any) -> str:
        monkeypatch.setitem(PARTICIPANT, "viewer_url", reported)
        return (await make(platform, function, settings=settings, **options)).split("/?")[0]

    at = "http://127.0.0.1:8400"
    assert await base(at) == at
    assert await base(f"{at}/") == at
    assert await base(at, viewer_base_url="https://call.test") == "https://call.test"
    assert await base(at, {"viewer_url": "https://client.test"}) == "https://client.test"
    # Services that report no viewer, or an invalid address.
    assert await base(None) == "http://localhost:8080"
    assert await base("javascript:alert(1)") == "http://localhost:8080"
    monkeypatch.setenv("PLATFORM_ROBOT_VIEWER_URL", "https://environment.test")
    assert await base(at) == "https://environment.test"


async def test_4_5_get_session_viewer_url_is_the_legacy_long_link(platform: PlatformDouble) -> None:
    url = await make(platform, "get_session_viewer_url", settings={"viewer_url": "https://viewer.test"})
    parts = urlsplit(url)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "https://viewer.test/"
    assert parse_qs(parts.query) == {"lk_url": [SFU_URL], "lk_token": [TOKEN], "lk_room": ["room-1"]}


@pytest.mark.parametrize("function", ["generate_room_key_url", "get_session_viewer_url"])
async def test_a_link_that_takes_the_robot_over_asks_so_in_its_fragment(platform: PlatformDouble, function: str) -> None:
    assert urlsplit(await make(platform, function, take_over=True)).fragment == "take_over=1"
    assert urlsplit(await make(platform, function)).fragment == ""


@pytest.mark.parametrize("function", FUNCTIONS)
async def test_a_tab_that_stands_for_a_physical_robot_joins_as_one(platform: PlatformDouble, function: str) -> None:
    made = await make(platform, function, profile="worker")
    assert platform.body["participant_identity"] == "rcw-robot-1"
    assert made.endswith("&profile=worker") == (function != "generate_room_key")


@pytest.mark.parametrize(
    ("function", "access", "name"),
    [("generate_watch_url", "watch", "watcher"), ("generate_operator_url", "drive", "operator")],
)
async def test_a_visitors_link_asks_for_its_access_under_a_name_of_its_own(
    platform: PlatformDouble, function: str, access: str, name: str
) -> None:
    base, key = (await make(platform, function, viewer_base_url="https://viewer.test/")).split("/?key=")
    assert base == "https://viewer.test"
    assert read_key(key) == ("k1", SFU_URL, TOKEN)
    assert (platform.body["access"], platform.body["participant_name"]) == (access, name)
    await make(platform, function)
    first, second = (json.loads(request.content)["participant_identity"] for request in platform.requests)
    assert first != second
    assert first.startswith(f"{name}-")


async def test_another_profile_is_refused(platform: PlatformDouble) -> None:
    with pytest.raises(ValueError, match="simulator"):
        await make(platform, "generate_room_key", profile="physical")


@pytest.mark.parametrize("function", FUNCTIONS[1:] + VISITOR_FUNCTIONS)
async def test_a_viewer_of_another_form_is_refused_before_a_credential_is_made(platform: PlatformDouble, function: str) -> None:
    with pytest.raises(PlatformSDKError, match="viewer_base_url"):
        await make(platform, function, viewer_base_url="viewer.test")
    assert platform.requests == []


@pytest.mark.parametrize("function", FUNCTIONS + VISITOR_FUNCTIONS)
async def test_4_5_the_wrong_kind_of_client_is_told_which_function_to_use(function: str) -> None:
    with pytest.raises(TypeError, match="_sync"):
        await getattr(experimental, function)(Client(api_key=API_KEY), "robot-1")
    with pytest.raises(TypeError, match="without _sync"):
        getattr(experimental, f"{function}_sync")(AsyncClient(api_key=API_KEY), "robot-1")
