"""The HTTP part against the control service itself: behaviour that depends on both. `PLATFORM_TEST_SERVICE` is its address."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from platform_double import Kind, close, outcome_of
from platform_robot_sdk import (
    AsyncClient,
    Client,
    PlatformAPIError,
    PlatformSDKError,
    RcwRuntimeError,
    WorkerConfig,
    experimental,
)

Ask = Callable[..., Any]
PLACE: dict[str, Any] = json.loads(Path(os.environ["PLATFORM_TEST_SERVICE"]).read_text(encoding="utf-8"))


@pytest.fixture
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def ask(kind: Kind, loop: asyncio.Runner) -> Iterator[Ask]:
    """Calls an operation of either client and returns its outcome; iterators become lists."""
    by_key: dict[str, Client | AsyncClient] = {}

    def ask(operation: str, *args: Any, key: str = PLACE["keys"][0], **fields: Any) -> Any:
        if key not in by_key:
            by_key[key] = kind(rcs_url=PLACE["rcs_url"], api_key=key, viewer_url="http://viewer.test")
        client = by_key[key]
        if hasattr(experimental, operation):
            function = getattr(experimental, operation if isinstance(client, AsyncClient) else f"{operation}_sync")
            outcome = function(client, *args, **fields)
        else:
            outcome = getattr(client.robots, operation)(*args, **fields)
        return loop.run(outcome_of(outcome))

    for robot in ask("iter"):
        ask("delete", robot.id)
    yield ask
    for client in by_key.values():
        loop.run(close(client))


@pytest.fixture
def robot_id(ask: Ask) -> str:
    """A robot with an open session."""
    robot_id: str = ask("create", name="Ada", model="humanoid").robot.id
    ask("create_session", robot_id, worker_names=[])
    return robot_id


def test_4_1_create_get_list_iter_update_delete(ask: Ask) -> None:
    created = ask("create", name="Ada", model="humanoid", description="first")
    assert created.pin_code.isdigit()
    for number in range(3):
        ask("create", name=f"R{number}", model="humanoid", language="vi", voice="piper")
    page = ask("list", limit=3)
    rest = ask("list", limit=3, after_id=page.next_id)
    assert (len(page.robots), page.total, len(rest.robots), rest.next_id) == (3, 4, 1, None)
    assert sorted(robot.name for robot in ask("iter", limit=2)) == ["Ada", "R0", "R1", "R2"]
    robot = ask("update", created.robot.id, name="Eve")
    assert (robot.name, robot.description) == ("Eve", "first")
    assert ask("update", robot.id, description="").description == ""
    assert ask("update", robot.id).name == "Eve"
    ask("delete", robot.id)
    with pytest.raises(PlatformAPIError) as raised:
        ask("get", robot.id)
    assert (raised.value.status_code, raised.value.code) == (404, "robot.not_found")
    assert raised.value.request_id
    assert str(raised.value).endswith(".")


def test_4_1_claim_a_physical_robot_with_its_pin(ask: Ask) -> None:
    physical = PLACE["physical"].pop()
    with pytest.raises(PlatformAPIError) as raised:
        ask("claim", physical["id"], "000000")
    assert (raised.value.status_code, raised.value.code) == (400, "claim.wrong_pin")
    assert ask("claim", physical["id"], physical["pin"]).type == "physical"
    with pytest.raises(PlatformAPIError) as raised:
        ask("claim", physical["id"], physical["pin"], key=PLACE["keys"][1])
    assert raised.value.status_code == 409


def test_4_3_rule_4_dispatch_as_worker_names_say(ask: Ask, robot_id: str) -> None:
    session = ask("create_session", robot_id, worker_names=[])
    assert session.is_new is False
    assert (session.room_metadata.robot_id, session.room_metadata.dispatches) == (robot_id, {})
    assert {key: need.min_count for key, need in session.room_metadata.required_participants.items()} == {
        f"simplesim:{robot_id}": 1
    }
    ask("delete_session", robot_id)
    session = ask("create_session", robot_id, worker_names=["rcw"])
    assert session.is_new is True
    assert (list(session.room_metadata.dispatches), session.room_metadata.dispatched_agent_names) == (["rcw"], ["rcw"])
    assert list(session.room_metadata.required_participants) == ["rcw"]


def test_4_3_rule_5_workers_has_no_effect(ask: Ask, robot_id: str) -> None:
    with pytest.warns(DeprecationWarning, match="worker_names"):
        assert ask("create_session", robot_id, workers=WorkerConfig()).room_metadata.dispatches == {}


def test_4_5_room_keys_and_links(ask: Ask, robot_id: str) -> None:
    assert ask("generate_room_key", robot_id, ttl_seconds=60).startswith("k1~")
    assert ask("generate_room_key_url", robot_id).startswith("http://viewer.test/?key=k1~")
    assert ask("get_session_viewer_url", robot_id).startswith("http://viewer.test/?lk_url=ws%3A%2F%2Fsfu.test")
    ask("delete_session", robot_id)
    with pytest.raises(PlatformAPIError) as raised:
        ask("generate_room_key", robot_id)
    assert raised.value.status_code == 409


def test_4_1_participant_token_lives_six_hours_at_most(ask: Ask, robot_id: str) -> None:
    lives = [
        ask("create_participant_token", robot_id, participant_identity="me", ttl_seconds=ttl_seconds).expires_at.timestamp()
        for ttl_seconds in (1, 999_999)
    ]
    assert lives[1] - lives[0] == 6 * 3_600 - 1


def test_a_control_grant_of_the_service(ask: Ask, robot_id: str) -> None:
    key = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    grant = ask("create_control_grant", robot_id, public_key=key, holder="notebook", ttl_seconds=60)
    assert (grant.robot_id, grant.grant.count(".")) == (robot_id, 2)


def test_4_1_session_command_and_semantic_command(ask: Ask, robot_id: str) -> None:
    result = ask("send_session_command", robot_id, "set_sim_speed", {"speed": 2}, action_id="act-1", deadline_s=5)
    assert (result.status, result.meta.action_id, result.result) == ("done", "act-1", {"speed": 2})
    with pytest.raises(RcwRuntimeError, match="BUSY: The base is taken"):
        ask("send_session_command", robot_id, "go_to", {})
    assert ask("send_semantic_command", robot_id, "turn-left") is None


@pytest.mark.parametrize("reason", ["unknown", "revoked", "expired"])
def test_7_2_rule_1_a_key_that_lets_nobody_in_reads_http_401_unauthorized(ask: Ask, reason: str) -> None:
    key = PLACE["bad_keys"][reason]
    with pytest.raises(PlatformAPIError) as raised:
        ask("list", key=key)
    error = raised.value
    assert (str(error), error.status_code, error.code, error.message) == (
        "http.401: unauthorized",
        401,
        "http.401",
        "unauthorized",
    )
    assert error.details["reason"] == reason
    assert key not in f"{error!r} {error.details} {error.__notes__}"


def test_7_1_too_many_claims_are_limited_and_say_how_long(ask: Ask) -> None:
    physical = PLACE["physical"].pop()
    for _ in range(50):
        with pytest.raises(PlatformAPIError) as raised:
            ask("claim", physical["id"], "000000")
        if raised.value.status_code == 429:
            break
    assert raised.value.code == "claim.rate_limited"
    assert raised.value.retry_after_s is not None
    assert raised.value.retry_after_s > 0


def test_the_root_of_the_service_instead_of_the_library_face_is_told_apart(ask: Ask) -> None:
    client = Client(rcs_url=PLACE["rcs_url"].removesuffix("/rcs"), api_key=PLACE["keys"][0])
    with pytest.raises(PlatformSDKError, match="PLATFORM_RCS_URL"):
        client.robots.list()
    client.close()
