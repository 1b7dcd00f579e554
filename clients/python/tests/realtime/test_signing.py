"""Specification 5.7: signed control."""

from __future__ import annotations

import asyncio
import builtins
import logging
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from platform_robot_sdk import PlatformAPIError, PlatformSDKError, RcwRuntimeError
from realtime.fake_room import RUNTIME, WORKER, FakeRoom, FakeRuntime, guard
from realtime.service_double import ServiceDouble
from realtime.signed_runtime import SignedRuntime, grant_id_of

Open = Callable[..., Any]


@pytest.fixture
def worker(room: FakeRoom, service: ServiceDouble) -> SignedRuntime:
    room.join(WORKER)
    worker = SignedRuntime(room, service)
    worker.skills |= {"set_velocity": lambda _: {}, "stop": lambda _: {}, "get_state": lambda _: {"state": 1}}
    return worker


@pytest.fixture
def open_worker(open_session: Open) -> Open:
    return lambda **options: open_session(**{"rcw_identity_prefix": "rcw", **options})


async def test_5_7_commands_of_a_worker_are_signed_from_the_first_on(
    open_worker: Open, room: FakeRoom, worker: SignedRuntime, service: ServiceDouble
) -> None:
    async with open_worker(control_holder="tour") as session:
        await session.invoke("set_velocity", {"vx": 0.3}, action_id="a")
        await session.invoke("stop", action_id="b")
        with pytest.raises(RcwRuntimeError, match="ACTION_NOT_FOUND"):
            await session.cancel_action("b")
    [asked] = service.asked("POST", "control-grant")
    assert asked["holder"] == "tour"
    assert {name: asked["public_key"][name] for name in ("kty", "crv")} == {"kty": "OKP", "crv": "Ed25519"}
    assert "d" not in asked["public_key"]
    assert [claims["seq"] for claims in worker.opened] == [1, 2, 3]
    assert [claims["call"] for claims in worker.opened] == [
        {
            "method": "runtime.tools_call",
            "payload": {"name": "set_velocity", "input": {"vx": 0.3}, "options": {"action_id": "a"}},
        },
        {"method": "runtime.tools_call", "payload": {"name": "stop", "input": {}, "options": {"action_id": "b"}}},
        {"method": "runtime.cancel", "payload": {"options": {"action_id": "b"}}},
    ]
    assert room.called("runtime.tools_call") == []


async def test_reads_of_a_worker_go_plain(open_worker: Open, room: FakeRoom, worker: SignedRuntime) -> None:
    async with open_worker() as session:
        assert (await session.invoke("get_state")).result == {"state": 1}
        await session.state.get("robot_status")
    assert room.called("runtime.forward_envelope") == []


async def test_auto_signs_for_any_runtime_that_refuses_what_is_not_signed(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    room.join(RUNTIME)
    runtime = SignedRuntime(room, service, RUNTIME)
    runtime.skills["set_velocity"] = lambda _: {}
    async with open_session() as session:
        assert (await session.invoke("set_velocity")).status == "done"
        assert (await session.invoke("set_velocity")).status == "done"
    # The first call is rejected and then signed; all further calls are signed from the start.
    assert len(room.called("runtime.tools_call")) == 1
    assert len(runtime.opened) == 2


async def test_a_command_refused_unsigned_is_not_signed_behind_a_later_one(
    open_session: Open, room: FakeRoom, service: ServiceDouble
) -> None:
    room.join(RUNTIME)
    runtime = SignedRuntime(room, service, RUNTIME)
    runtime.skills |= {"set_velocity": lambda _: {}, "stop": lambda _: {}}

    async def refuse(request: Any) -> Any:
        await asyncio.sleep(0.5 if request["name"] == "set_velocity" else 0)
        return guard("PERMISSION_DENIED", "Sign it.")

    room.methods["runtime.tools_call"] = refuse
    async with open_session() as session:
        driving = asyncio.create_task(session.invoke("set_velocity", {"vx": 1}))
        await asyncio.sleep(0)
        assert (await session.invoke("stop")).status == "done"
        with pytest.raises(RcwRuntimeError, match="PERMISSION_DENIED"):
            await driving
    assert [run[0] for run in runtime.runs] == ["stop"]


async def test_a_command_that_is_given_up_leaves_nothing_that_waits(open_worker: Open, worker: SignedRuntime) -> None:
    async def forever(_: Any) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async with open_worker() as session:
        await session.invoke("stop")
        worker.skills["set_velocity"] = forever
        before = len(asyncio.all_tasks())
        driving = asyncio.create_task(session.invoke("set_velocity"))
        await asyncio.sleep(1)
        driving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await driving
        await asyncio.sleep(0.01)
        # The runtime itself is still carrying out the call.
        assert len(asyncio.all_tasks()) - before == len(worker.active) == 1


@pytest.mark.parametrize("takes_envelopes", [True, False])
async def test_auto_gives_the_refusal_of_a_runtime_that_takes_no_envelopes_either(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime, takes_envelopes: bool
) -> None:
    room.methods["runtime.tools_call"] = lambda _: guard("PERMISSION_DENIED", "Not you.")
    if takes_envelopes:
        room.methods["runtime.forward_envelope"] = lambda _: guard("METHOD_NOT_FOUND", "No such method.")
    async with open_session() as session:
        with pytest.raises(RcwRuntimeError, match=r"PERMISSION_DENIED: Not you\."):
            await session.invoke("walk")


@pytest.mark.parametrize(("details", "reported"), [({}, "Not you."), ({"signed_control": True}, "No keys.")])
async def test_auto_does_not_sign_for_a_runtime_without_keys(
    open_session: Open, room: FakeRoom, runtime: FakeRuntime, details: dict[str, Any], reported: str
) -> None:
    async def refuse_reset(request: Any) -> Any:
        return guard("PERMISSION_DENIED", "Not you.", **details) if request["name"] == "reset" else await take(request)

    take, room.methods["runtime.tools_call"] = room.methods["runtime.tools_call"], refuse_reset
    room.methods["runtime.forward_envelope"] = lambda _: guard("PERMISSION_DENIED", "No keys.")
    runtime.skills["walk"] = lambda _: {}
    async with open_session() as session:
        with pytest.raises(RcwRuntimeError, match=reported):
            await session.invoke("reset")
        if not details:
            assert (await session.invoke("walk")).status == "done"
    assert len(room.called("runtime.forward_envelope")) == 1


async def test_sign_control_false_never_signs(open_worker: Open, room: FakeRoom, worker: SignedRuntime) -> None:
    async with open_worker(sign_control=False) as session:
        with pytest.raises(RcwRuntimeError, match="PERMISSION_DENIED"):
            await session.invoke("stop")
    assert room.called("runtime.forward_envelope") == []


async def test_sign_control_true_signs_always(open_session: Open, room: FakeRoom, service: ServiceDouble) -> None:
    room.join(RUNTIME)
    runtime = SignedRuntime(room, service, RUNTIME)
    runtime.skills["walk"] = lambda _: {}
    async with open_session(sign_control=True) as session:
        await session.invoke("walk")
    assert room.called("runtime.tools_call") == []


async def test_commands_are_sealed_and_handed_over_in_the_order_in_which_they_were_made(
    open_worker: Open, worker: SignedRuntime, service: ServiceDouble
) -> None:
    async with open_worker() as session:
        await asyncio.gather(*(session.invoke("set_velocity", {"vx": count}) for count in range(20)))
    assert [claims["call"]["payload"]["input"]["vx"] for claims in worker.opened] == list(range(20))
    assert [claims["seq"] for claims in worker.opened] == list(range(1, 21))
    assert service.grants == 1


async def test_a_command_that_is_cancelled_before_it_is_sealed_is_not_sent(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom
) -> None:
    async with open_worker() as session:
        first = asyncio.create_task(session.invoke("set_velocity", {"vx": 1}))
        second = asyncio.create_task(session.invoke("set_velocity", {"vx": 2}))
        await asyncio.sleep(0)
        second.cancel()
        await first
        with pytest.raises(asyncio.CancelledError):
            await second
        await asyncio.sleep(1)
    assert [claims["call"]["payload"]["input"]["vx"] for claims in worker.opened] == [1]


async def test_a_grant_that_has_ended_is_fetched_anew_and_the_call_sealed_anew(
    open_worker: Open, worker: SignedRuntime, service: ServiceDouble
) -> None:
    async with open_worker() as session:
        await session.invoke("stop")
        worker.expired_grants.add("grant-1")
        assert (await session.invoke("stop")).status == "done"
    assert service.grants == 2
    assert [claims["seq"] for claims in worker.opened] == [1, 3]


async def test_a_clock_that_is_wrong_is_taken_from_the_refusal(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom
) -> None:
    worker.ahead_s = 3600
    async with open_worker() as session:
        assert (await session.invoke("stop")).status == "done"
        assert (await session.invoke("stop")).status == "done"
    assert len(room.called("runtime.forward_envelope")) == 3


async def test_a_refused_command_is_not_sealed_anew_behind_a_later_one(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom
) -> None:
    worker.ahead_s = 3600
    async with open_worker() as session:
        driving = asyncio.create_task(session.invoke("set_velocity", {"vx": 1}))
        await asyncio.sleep(0)
        assert (await session.invoke("stop")).status == "done"
        with pytest.raises(RcwRuntimeError, match="ENVELOPE_STALE"):
            await driving
    assert [claims["call"]["payload"]["name"] for claims in worker.opened] == ["stop"]


STOPS = [("stop", {}), ("set_velocity", {"vx": 0})]


@pytest.mark.parametrize(("skill", "params"), STOPS)
async def test_a_stop_that_gets_lost_is_sent_again_whatever_was_commanded_since(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom, skill: str, params: dict[str, Any]
) -> None:
    worker.skills["set_upper_body"] = lambda _: {}
    async with open_worker() as session:
        room.losses += [("runtime.forward_envelope", "lost")] * 3
        stopping = asyncio.create_task(session.invoke(skill, params, action_id="stop"))
        await asyncio.sleep(0)
        posing = asyncio.create_task(session.invoke("set_upper_body", {"r_arm": []}))
        assert (await stopping).status == "done"
        await posing
    assert [run[0] for run in worker.runs].count(skill) == 1


@pytest.mark.parametrize(("skill", "params"), STOPS)
@pytest.mark.parametrize(("code", "details"), [("ENVELOPE_OUT_OF_ORDER", {}), ("NOT_READY", {"reason": "crowded"})])
async def test_a_stop_that_is_refused_on_its_way_is_sealed_anew(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom, skill: str, params: dict[str, Any], code: str, details: Any
) -> None:
    worker.skills["set_upper_body"] = lambda _: {}
    takes = room.methods["runtime.forward_envelope"]
    refusals = 5

    def refuse(request: Any) -> Any:
        nonlocal refusals
        if refusals == 0:
            return takes(request)
        refusals -= 1
        return guard(code, "Not now.", **details)

    async with open_worker() as session:
        room.methods["runtime.forward_envelope"] = refuse
        stopping = asyncio.create_task(session.invoke(skill, params))
        await asyncio.sleep(0.05)
        assert (await stopping).status == "done"
    assert refusals == 0
    assert [run[0] for run in worker.runs] == [skill]


async def test_a_velocity_that_gets_lost_is_sent_again_behind_a_pose_and_not_behind_a_stop(
    open_worker: Open, worker: SignedRuntime, room: FakeRoom
) -> None:
    worker.skills["set_upper_body"] = lambda _: {}
    async with open_worker() as session:
        for later, outcome in (("set_upper_body", "done"), ("stop", "overtaken")):
            room.losses.append(("runtime.forward_envelope", "lost"))
            driving = asyncio.create_task(session.invoke("set_velocity", {"vx": 1}))
            await asyncio.sleep(0)
            assert (await session.invoke(later)).status == "done"
            if outcome == "done":
                assert (await driving).status == "done"
            else:
                with pytest.raises(RcwRuntimeError) as refused:
                    await driving
                assert refused.value.details["reason"] == "overtaken"


async def test_grants_are_renewed_before_they_end(
    open_worker: Open, worker: SignedRuntime, service: ServiceDouble, caplog: pytest.LogCaptureFixture
) -> None:
    service.grant_life_s = 100
    async with open_worker() as session:
        await session.invoke("stop")
        await asyncio.sleep(79)
        await session.invoke("stop")
        assert service.grants == 1
        await asyncio.sleep(2)
        await session.invoke("stop")
        await asyncio.sleep(1)
        assert service.grants == 2
        await session.invoke("stop")
        assert grant_id_of(worker.opened[-1]["grant"]) == "grant-2"
        # A grant that cannot be renewed is used until its end, and requested again.
        await asyncio.sleep(85)
        service.refusals["POST", "control-grant"] = httpx.Response(503, json={"code": "http.503", "message": "later"})
        with caplog.at_level(logging.WARNING):
            await session.invoke("stop")
            await asyncio.sleep(1)
        assert "could not be renewed (http.503)" in caplog.text
        await asyncio.sleep(15)
        with pytest.raises(PlatformAPIError, match=r"http\.503"):
            await session.invoke("stop")
    assert [claims["seq"] for claims in worker.opened] == [1, 2, 3, 4, 5]


async def test_of_a_service_from_before_signed_control_the_runtimes_refusal_is_told(
    open_worker: Open, worker: SignedRuntime, service: ServiceDouble
) -> None:
    service.refusals["POST", "control-grant"] = httpx.Response(404, json={"code": "http.404", "message": "no such address"})
    async with open_worker() as session:
        with pytest.raises(RcwRuntimeError, match="PERMISSION_DENIED"):
            await session.invoke("stop")
    async with open_worker(sign_control=True, transport=lambda: _alike(worker)) as session:
        with pytest.raises(PlatformAPIError, match=r"http\.404"):
            await session.invoke("stop")


def _alike(worker: SignedRuntime) -> FakeRoom:
    other = FakeRoom()
    other.join(WORKER)
    other.methods = worker.room.methods
    return other


async def test_a_call_whose_envelope_is_too_large_is_not_sent(open_worker: Open, worker: SignedRuntime, room: FakeRoom) -> None:
    async with open_worker() as session:
        with pytest.raises(RcwRuntimeError, match=r"PAYLOAD_TOO_LARGE: The signed call has \d+ bytes"):
            await session.invoke("set_velocity", {"text": "x" * 9_000})
    assert room.called("runtime.forward_envelope") == []


async def test_without_what_signs_the_error_says_what_to_install(
    open_worker: Open, worker: SignedRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_import = builtins.__import__

    def no_jwt(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "jwt":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    async with open_worker() as session:
        monkeypatch.setattr(builtins, "__import__", no_jwt)
        with pytest.raises(PlatformSDKError, match=r'pip install "\./clients/python\[realtime\]"'):
            await session.invoke("stop")
        monkeypatch.undo()


async def test_a_repeated_call_has_an_envelope_of_its_own(open_worker: Open, worker: SignedRuntime, room: FakeRoom) -> None:
    async with open_worker() as session:
        room.lost_replies.append("runtime.forward_envelope")
        room.losses.append(("runtime.action", "lost"))
        assert (await session.invoke("set_velocity", {"vx": 1}, action_id="a")).status == "done"
        room.losses.append(("runtime.forward_envelope", "lost"))
        assert (await session.invoke("set_velocity", {"vx": 2}, action_id="b")).status == "done"
    assert [run[1]["vx"] for run in worker.runs] == [1, 2]
    assert [claims["seq"] for claims in worker.opened] == [1, 3]
