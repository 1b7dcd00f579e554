"""The operations on API keys and on the state of sessions, with both clients."""

from __future__ import annotations

import itertools

import httpx
import pytest

from platform_double import API_KEY, API_KEY_ROW, RCS_URL, STATE, PlatformDouble
from platform_robot_sdk import PlatformSDKError

NEW_KEY = "sk_live_the-new-key-of-this-test"


async def test_a_new_key_is_given_and_not_shown_when_it_is_printed(platform: PlatformDouble) -> None:
    platform.answers({"key": API_KEY_ROW, "api_key": NEW_KEY})
    made = await platform.call("create", name="Sorting agent", ttl_seconds=60, of="api_keys")
    assert (platform.request.method, str(platform.request.url)) == ("POST", f"{RCS_URL}/v1/api-keys")
    assert platform.body == {"name": "Sorting agent", "ttl_seconds": 60}
    assert made.api_key == NEW_KEY
    for shown in (repr(made), str(made), f"{made}"):
        assert NEW_KEY not in shown


async def test_keys_are_listed_page_by_page(platform: PlatformDouble) -> None:
    first = {"keys": [API_KEY_ROW], "next_id": "key-1", "total": 2}
    last = {"keys": [{**API_KEY_ROW, "id": "key-2", "expires_at": None}], "next_id": None, "total": 2}
    platform.answers(first, last)
    assert [key.id for key in await platform.call("iter", of="api_keys")] == ["key-1", "key-2"]
    assert [request.url.query for request in platform.requests] == [b"limit=100", b"limit=100&after_id=key-1"]


async def test_a_list_of_keys_that_never_ends_is_found_out(platform: PlatformDouble) -> None:
    platform.answers({"keys": [API_KEY_ROW], "next_id": "key-1", "total": 2})
    with pytest.raises(PlatformSDKError, match=r"GET /v1/api-keys: the list does not end"):
        await platform.call("iter", of="api_keys")


async def test_a_key_is_revoked_by_its_id(platform: PlatformDouble) -> None:
    platform.answers(httpx.Response(204))
    assert await platform.call("revoke", "key/1", of="api_keys") is None
    assert (platform.request.method, platform.request.url.raw_path) == ("DELETE", b"/rcs/v1/api-keys/key%2F1")


@pytest.mark.parametrize("odd", ["", ".", ".."])
async def test_an_id_that_would_name_another_resource_is_refused(platform: PlatformDouble, odd: str) -> None:
    platform.answers(httpx.Response(204))
    with pytest.raises(ValueError, match="key id is empty"):
        await platform.call("revoke", odd, of="api_keys")
    with pytest.raises(PlatformSDKError, match="fits in no address"):
        await platform.call("revoke", "half \ud800", of="api_keys")
    assert platform.requests == []


async def test_the_state_of_a_session_and_of_all(platform: PlatformDouble) -> None:
    platform.answers(STATE)
    state = await platform.call("get_session", "robot-1")
    assert (platform.request.method, platform.request.url.path) == ("GET", "/rcs/v1/robots/robot-1/session")
    assert state.runtime.state.active_action.name == "go_to"
    platform.requests.clear()
    platform.answers({"sessions": [STATE], "next_id": None, "total": 1})
    page = await platform.call("list_sessions", limit=5, after_id="robot-0")
    assert platform.request.url.query == b"limit=5&after_id=robot-0"
    assert [each.robot_id for each in page.sessions] == ["robot-1"]


def test_nothing_that_is_printed_holds_the_key_of_the_client(platform: PlatformDouble) -> None:
    client = platform.client()
    for shown in itertools.chain.from_iterable((repr(each), str(each)) for each in (client, client.api_keys)):
        assert API_KEY not in shown
