"""The requests and results of each operation, with both clients."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

import httpx
import pytest

from platform_double import API_KEY, GRANT, PARTICIPANT, RCS_URL, ROBOT, SESSION, PlatformDouble
from platform_robot_sdk import (
    AsyncClient,
    CallTimeoutError,
    Client,
    PlatformNotAvailableError,
    PlatformSDKError,
    RcwRuntimeError,
    WorkerConfig,
    workers,
)


@pytest.mark.parametrize(
    ("worker_names", "body"),
    [(None, {}), ([], {"worker_names": []}), (("greeter", "rcw"), {"worker_names": ["greeter", "rcw"]})],
)
async def test_4_3_rule_4_create_session_dispatches_as_worker_names_say(
    platform: PlatformDouble, worker_names: list[str] | None, body: dict[str, object]
) -> None:
    platform.answers(SESSION)
    session = await platform.call("create_session", "robot-1", worker_names=worker_names)
    assert (platform.request.method, str(platform.request.url)) == ("POST", f"{RCS_URL}/v1/robots/robot-1/session")
    assert platform.request.headers["authorization"] == f"Bearer {API_KEY}"
    assert platform.body == body
    assert session.livekit_url == "ws://sfu.test:7880"
    assert session.room_metadata.required_participants["simplesim:robot-1"].min_count == 1


async def test_4_3_rule_3_delete_session(platform: PlatformDouble) -> None:
    platform.answers(httpx.Response(204))
    assert await platform.call("delete_session", "robot-1") is None
    assert (platform.request.method, platform.request.url.path) == ("DELETE", "/rcs/v1/robots/robot-1/session")
    assert platform.request.content == b""


async def test_a_control_grant_is_asked_for_with_the_public_key(platform: PlatformDouble) -> None:
    key = {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}
    platform.answers(GRANT)
    grant = await platform.call("create_control_grant", "robot-1", public_key=key, holder="notebook")
    assert platform.request.url.path == "/rcs/v1/robots/robot-1/session/control-grant"
    assert platform.body == {"public_key": key, "holder": "notebook"}
    assert grant.grant_id == "grant-1"
    assert "secret" not in repr(grant)


async def test_the_owner_orders_who_drives(platform: PlatformDouble) -> None:
    ben = {"identity": "client:ben", "name": "Ben", "kind": "agent", "since_ms": 1}
    olga = {"identity": "client:olga", "name": "Olga", "kind": "person", "since_ms": 2}
    platform.answers({"robot_id": "robot-1", "driver": olga, "previous": ben})
    ordered = await platform.call("take_control", "robot-1", to="client:olga", name="Olga", kind="person")
    assert (platform.request.method, platform.request.url.path) == ("POST", "/rcs/v1/robots/robot-1/session/control")
    assert platform.body == {"to": "client:olga", "name": "Olga", "kind": "person"}
    assert (ordered.driver.name, ordered.previous.name) == ("Olga", "Ben")
    assert repr(ordered) == "ControlOrderResult(robot-1 driven by person Olga, before by agent Ben)"


async def test_the_owner_orders_that_nobody_drives(platform: PlatformDouble) -> None:
    platform.answers({"robot_id": "robot-1", "driver": None, "previous": None})
    released = await platform.call("release_control", "robot-1")
    assert platform.body == {"to": None}
    assert (released.driver, released.previous) == (None, None)


async def test_a_session_is_opened_for_a_scene(platform: PlatformDouble) -> None:
    metadata = {**SESSION["room_metadata"], "scene_id": "kitchen"}
    platform.answers({**SESSION, "room_metadata": metadata})
    session = await platform.call("create_session", "robot-1", worker_names=[], scene_id="kitchen")
    assert platform.body == {"worker_names": [], "scene_id": "kitchen"}
    assert session.room_metadata.scene_id == "kitchen"


async def test_4_4_a_blocked_feature_raises_the_not_available_error(platform: PlatformDouble) -> None:
    with pytest.raises(PlatformNotAvailableError) as raised:
        await platform.call("create_session", "robot-1", environment_id="x")
    assert raised.value.feature == "environment_id"
    assert platform.requests == []


async def test_get_gives_a_typed_robot(platform: PlatformDouble) -> None:
    platform.answers(ROBOT)
    robot = await platform.call("get", "robot/1")
    assert platform.request.url.raw_path == b"/rcs/v1/robots/robot%2F1"
    assert (robot.id, robot.type, robot.created_at.year) == ("robot-1", "virtual", 2026)


async def test_4_3_rule_1_claim_sends_the_pin_with_the_callers_key(platform: PlatformDouble) -> None:
    platform.answers({**ROBOT, "type": "physical"})
    robot = await platform.call("claim", "robot-1", "4711")
    assert (platform.request.method, platform.request.url.path) == ("POST", "/rcs/v1/robots/robot-1/claim")
    assert platform.body == {"pin_code": "4711"}
    assert platform.request.headers["content-type"] == "application/json"
    assert robot.type == "physical"


async def test_4_3_rule_2_list_gives_a_page_its_cursor_and_the_total(platform: PlatformDouble) -> None:
    platform.answers({"robots": [ROBOT], "next_id": "robot-1", "total": 7})
    page = await platform.call("list", limit=1, after_id="robot-0")
    assert dict(platform.request.url.params) == {"limit": "1", "after_id": "robot-0"}
    assert ([robot.id for robot in page.robots], page.next_id, page.total) == (["robot-1"], "robot-1", 7)


async def test_4_3_rule_3_list_without_arguments_asks_for_the_services_own_page(platform: PlatformDouble) -> None:
    platform.answers({"robots": [], "next_id": None})
    page = await platform.call("list")
    assert str(platform.request.url) == f"{RCS_URL}/v1/robots"
    assert (page.robots, page.next_id, page.total) == ([], None, None)


async def test_4_3_rule_3_iter_gives_10_000_robots_page_by_page(platform: PlatformDouble) -> None:
    ids = [f"robot-{number:05}" for number in range(10_000)]

    def page(request: httpx.Request) -> httpx.Response:
        after = request.url.params.get("after_id")
        start = 0 if after is None else ids.index(after) + 1
        part = ids[start : start + int(request.url.params["limit"])]
        last = part[-1] == ids[-1]
        robots = [{**ROBOT, "id": robot_id} for robot_id in part]
        return httpx.Response(200, json={"robots": robots, "next_id": None if last else part[-1], "total": len(ids)})

    platform.answers(page)
    assert [robot.id for robot in await platform.call("iter")] == ids
    assert len(platform.requests) == 100


@pytest.mark.parametrize("next_ids", [["a"], ["a", "b"], ["a", "b", "c"]], ids=len)
async def test_iter_refuses_pages_that_go_round_in_a_circle(platform: PlatformDouble, next_ids: list[str]) -> None:
    again = itertools.cycle(next_ids)
    # The list ends after a while, so that an iteration without a check fails the test instead of blocking it.
    pages = [{"robots": [ROBOT], "next_id": next(again)} for _ in range(20)]
    platform.answers(*pages, {"robots": [], "next_id": None})
    with pytest.raises(PlatformSDKError, match=r"GET /v1/robots: .* names a page that was read already"):
        await platform.call("iter", limit=1)
    assert len(platform.requests) == len(next_ids) + 1


async def test_iter_refuses_an_empty_page_that_names_a_next_one(platform: PlatformDouble) -> None:
    platform.answers(*({"robots": [], "next_id": str(number)} for number in range(20)), {"robots": [], "next_id": None})
    with pytest.raises(PlatformSDKError, match=r"GET /v1/robots: .* an empty page"):
        await platform.call("iter")
    assert len(platform.requests) == 1


async def test_iter_ends_with_an_empty_page_whose_robots_were_deleted_meanwhile(platform: PlatformDouble) -> None:
    platform.answers({"robots": [ROBOT], "next_id": "robot-1"}, {"robots": [], "next_id": None})
    assert len(await platform.call("iter", limit=1)) == 1


async def test_iter_asks_for_a_page_only_when_its_robots_are_wanted(platform: PlatformDouble) -> None:
    platform.answers({"robots": [ROBOT], "next_id": "robot-1"})
    client = platform.client()
    if isinstance(client, Client):
        assert next(iter(client.robots.iter())).id == "robot-1"
    else:
        robots = client.robots.iter()
        assert (await anext(robots)).id == "robot-1"
    assert len(platform.requests) == 1


async def test_4_3_rule_3_update_sends_only_what_is_given(platform: PlatformDouble) -> None:
    platform.answers({**ROBOT, "name": "Grace"})
    assert (await platform.call("update", "robot-1", name="Grace")).name == "Grace"
    assert (platform.request.method, platform.body) == ("PATCH", {"name": "Grace"})


async def test_4_3_rule_3_delete(platform: PlatformDouble) -> None:
    platform.answers(httpx.Response(204))
    assert await platform.call("delete", "robot-1") is None
    assert (platform.request.method, platform.request.url.path) == ("DELETE", "/rcs/v1/robots/robot-1")


async def test_4_2_create_gives_the_robot_and_the_pin_that_is_told_once(platform: PlatformDouble) -> None:
    platform.answers({"robot": ROBOT, "pin_code": "271828"})
    created = await platform.call("create", name="Ada", model="humanoid", description="")
    assert platform.body == {"name": "Ada", "model": "humanoid", "description": ""}
    assert (created.robot.id, created.pin_code) == ("robot-1", "271828")
    assert "271828" not in f"{created!r} {created}"


async def test_links_of_a_session_are_listed_and_revoked(platform: PlatformDouble) -> None:
    link = {
        "id": "link-1",
        "access": "watch",
        "participant_identity": "watcher-1",
        "participant_name": "lobby",
        "created_at": "2026-01-05T09:30:00.000Z",
        "expires_at": "2026-01-05T13:30:00.000Z",
    }
    platform.answers({"links": [link], "next_id": None, "total": 1})
    page = await platform.call("list_links", "robot-1", limit=5, after_id="link-0")
    assert (platform.request.method, platform.request.url.path) == ("GET", "/rcs/v1/robots/robot-1/session/links")
    assert platform.request.url.query == b"limit=5&after_id=link-0"
    assert [(each.id, each.access, each.participant_name) for each in page.links] == [("link-1", "watch", "lobby")]
    platform.requests.clear()
    platform.answers(httpx.Response(204))
    assert await platform.call("revoke_link", "robot-1", "link/1") is None
    address = (platform.request.method, platform.request.url.raw_path)
    assert address == ("DELETE", b"/rcs/v1/robots/robot-1/session/links/link%2F1")
    with pytest.raises(ValueError, match="link id is empty"):
        await platform.call("revoke_link", "robot-1", "..")


async def test_4_3_rule_3_create_participant_token(platform: PlatformDouble) -> None:
    platform.answers(PARTICIPANT)
    token = await platform.call("create_participant_token", "robot-1", participant_identity="watcher", ttl_seconds=60)
    assert platform.request.url.path == "/rcs/v1/robots/robot-1/session/participant-token"
    assert platform.body == {"participant_identity": "watcher", "ttl_seconds": 60}
    assert token.participant_token.endswith("signature")
    assert "secret" not in f"{token!r} {token}"


async def test_the_token_of_a_session_is_not_printed(platform: PlatformDouble) -> None:
    platform.answers(SESSION)
    session = await platform.call("create_session", "robot-1")
    assert "secret" not in f"{session!r} {session}"


@pytest.mark.parametrize("command", ["forward", "backward", "left", "right", "turn-left", "turn-right"])
async def test_4_2_semantic_command(platform: PlatformDouble, command: str) -> None:
    platform.answers({"code": "ok", "result": None})
    assert await platform.call("send_semantic_command", "robot-1", command) is None
    assert (platform.request.url.path, platform.body) == ("/rcs/v1/robots/robot-1/semantic-command", {"command": command})


DONE: dict[str, Any] = {
    "status": "done",
    "result": {"pose": [0, 0, 0]},
    "meta": {"action_id": "act-1", "started_at_ms": 1, "finished_at_ms": 4, "duration_ms": 3},
}


async def test_4_1_session_command_runs_a_skill_and_gives_its_end(platform: PlatformDouble) -> None:
    platform.answers(DONE)
    target = {"kind": "entity", "entity_id": "cube_0", "pose": None}
    result = await platform.call(
        "send_session_command", "robot-1", "go_to", {"target": target}, action_id="act-1", deadline_s=9
    )
    assert (platform.request.method, platform.request.url.path) == ("POST", "/rcs/v1/robots/robot-1/session/command")
    assert platform.body == {"skill": "go_to", "parameters": {"target": target}, "action_id": "act-1", "deadline_s": 9}
    assert (result.status, result.meta.action_id, result.result) == ("done", "act-1", {"pose": [0, 0, 0]})


async def test_a_session_command_refuses_parameters_that_are_no_mapping(platform: PlatformDouble) -> None:
    with pytest.raises(RcwRuntimeError, match="INVALID_INPUT: go_to takes its parameters by name"):
        await platform.call("send_session_command", "robot-1", "go_to", [1])


async def test_a_session_command_has_an_action_id_of_its_own_each_time(platform: PlatformDouble) -> None:
    platform.answers(DONE)
    for _ in range(2):
        await platform.call("send_session_command", "robot-1", "cancel")
    first, second = (json.loads(request.content)["action_id"] for request in platform.requests)
    assert first != second
    assert first.startswith("act-")


async def test_a_failed_action_is_a_result_and_a_guard_an_error(platform: PlatformDouble) -> None:
    error = {"code": "OUT_OF_REACH", "message": "too far", "details": {"stage": "planning"}}
    platform.answers({**DONE, "status": "failed", "error": error})
    result = await platform.call("send_session_command", "robot-1", "pick_entity")
    assert (result.status, result.error.code) == ("failed", "OUT_OF_REACH")
    platform.answers({"status": "failed", "error": error})
    with pytest.raises(RcwRuntimeError, match="OUT_OF_REACH: too far"):
        await platform.call("send_session_command", "robot-1", "pick_entity")


async def test_a_session_command_without_an_answer_names_the_action_that_may_still_run(platform: PlatformDouble) -> None:
    platform.answers(httpx.ReadTimeout("slow"))
    with pytest.raises(CallTimeoutError, match="The skill may still run") as raised:
        await platform.call("send_session_command", "robot-1", "go_to", {}, action_id="act-7", timeout_s=0.5)
    assert raised.value.action_id == "act-7"


async def test_a_page_that_answers_anything_has_not_moved_the_robot(platform: PlatformDouble) -> None:
    platform.answers(httpx.Response(200, html="<!doctype html><title>Viewer</title>"))
    with pytest.raises(PlatformSDKError, match="PLATFORM_RCS_URL"):
        await platform.call("send_semantic_command", "robot-1", "forward")


async def test_4_3_rule_5_workers_has_no_effect_and_emits_a_deprecation_warning(platform: PlatformDouble) -> None:
    platform.answers(SESSION)
    with pytest.warns(DeprecationWarning, match="pass worker_names instead") as warned:
        await platform.call("create_session", "robot-1", workers=WorkerConfig(image="rcs", replicas=2))
    assert len(warned) == 1
    assert platform.body == {}


def test_4_3_rule_5_for_rcs_stack_emits_a_deprecation_warning_at_its_caller() -> None:
    with pytest.warns(DeprecationWarning, match="does not dispatch workers") as warned:
        config = workers.for_rcs_stack()
    assert isinstance(config, WorkerConfig)
    assert warned[0].filename == __file__


async def test_one_worker_name_instead_of_a_list_is_refused(platform: PlatformDouble) -> None:
    with pytest.raises(TypeError, match="list of names"):
        await platform.call("create_session", "robot-1", worker_names="rcw")


@pytest.mark.parametrize("robot_id", ["", ".", ".."])
async def test_an_id_that_would_name_another_resource_is_refused(platform: PlatformDouble, robot_id: str) -> None:
    with pytest.raises(ValueError, match="robot id"):
        await platform.call("delete", robot_id)
    assert platform.requests == []


@pytest.mark.parametrize("odd", ["a" * 100_000, "\ud800", "half \udfff"], ids=["long", "half", "other half"])
async def test_an_id_that_fits_in_no_address_is_an_error_of_the_library(platform: PlatformDouble, odd: str) -> None:
    for operation, name in (("get", "robot_id"), ("delete_session", "robot_id"), ("list", "after_id")):
        fields: dict[str, Any] = {name: odd}
        with pytest.raises(PlatformSDKError, match="An id fits in no address") as raised:
            await platform.call(operation, **fields)
        assert len(str(raised.value)) < 300
    assert platform.requests == []


async def test_two_event_loops_use_one_client_one_after_the_other_and_at_once() -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=ROBOT)

    client = AsyncClient(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(reply))

    async def name() -> str:
        return (await client.robots.get("robot-1")).name

    first = await asyncio.to_thread(asyncio.run, name())
    second, third = await asyncio.gather(asyncio.to_thread(asyncio.run, name()), name())
    assert {first, second, third} == {"Ada"}
    await client.aclose()
