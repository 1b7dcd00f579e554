"""Poses as packets (docs/protocol.md): their packing, byte for byte as in the TypeScript library, and their queue."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from platform_robot_sdk.realtime.pose_packets import PoseChannel, pack_pose, sealed_in, shortened, unpack_pose
from platform_robot_sdk.realtime.sealing import ControlKeyPair, SealOrder
from realtime.pose_receiver import whole_of

# tests/protocol/pose-packets.test.ts checks the TypeScript library against the same file.
VECTOR: dict[str, str] = json.loads(Path(__file__).with_name("pose_packets.json").read_text(encoding="utf-8"))
GRANT = VECTOR["grant"]


def sealed(sequence: int, grant: str = GRANT) -> str:
    payload = {"name": "set_upper_body", "input": {"note": 'Grüße "grant":"x"}'}}
    return ControlKeyPair().seal(SealOrder("runtime.tools_call", payload, "r1", "room-1", sequence, grant, 1_800_000_000.123))


@pytest.fixture
def sent() -> list[bytes]:
    return []


@pytest.fixture
def line(sent: list[bytes]) -> PoseChannel:
    return PoseChannel(sent.append)


async def start(calling: Awaitable[str]) -> asyncio.Future[str]:
    call = asyncio.ensure_future(calling)
    await asyncio.sleep(0)
    return call


async def test_packets_are_those_of_the_typescript_library_whole_at_first_and_then_without_the_known_grant(
    line: PoseChannel, sent: list[bytes]
) -> None:
    first = await start(line.call(VECTOR["request"]))
    line.take(b"1 {}")
    assert await first == "{}"
    second = await start(line.call(VECTOR["request"]))
    line.take(b"2 {}")
    assert await second == "{}"
    assert [packet.decode() for packet in sent] == [VECTOR["whole_packet"], VECTOR["short_packet"]]


def test_what_is_sealed_here_is_put_together_again_to_the_letter() -> None:
    whole = sealed_in(sealed(1))
    short = shortened(whole)
    assert short is not None
    assert short.grant == GRANT
    assert whole_of(short.text, {GRANT[-24:]: GRANT}) == whole


@pytest.mark.parametrize(
    "envelope", ["", "a.b", "a.b.c.d", "a.%%.b", "a.gIA.b", "a.e30.b", "a.eyJncmFudCI6IiJ9.b", "a.eyJncmFudCI6ImEiLCJiIjoxfQ.b"]
)
def test_an_envelope_that_does_not_end_with_a_grant_has_no_short_form(envelope: str) -> None:
    assert shortened(envelope) is None


async def test_the_whole_grant_comes_again_for_a_robot_that_does_not_know_it(line: PoseChannel, sent: list[bytes]) -> None:
    requests = [sealed(number) for number in range(1, 4)]
    for number, request in enumerate(requests, 1):
        call = await start(line.call(request))
        # The robot has forgotten the grant when the second pose arrives. The answer leaves the second call waiting.
        line.take(pack_pose(number, "" if number == 2 else "{}"))
        await asyncio.sleep(0)
        assert call.done() == (number != 2)
    assert sent[0] == pack_pose(1, sealed_in(requests[0]))
    assert len(sent[1]) < len(sent[0])
    assert sent[2] == pack_pose(3, sealed_in(requests[2]))


async def test_another_grant_comes_whole(line: PoseChannel, sent: list[bytes]) -> None:
    await start(line.call(sealed(1)))
    line.take(b"1 {}")
    other = sealed(2, f"{GRANT}-renewed")
    call = await start(line.call(other))
    assert sent[1] == pack_pose(2, sealed_in(other))
    call.cancel()


async def test_the_answer_to_a_newer_pose_stands_for_those_before_and_not_for_those_after(line: PoseChannel) -> None:
    calls = [await start(line.call(sealed(number))) for number in range(1, 4)]
    line.take(b"2 yes")
    assert [await calls[0], await calls[1]] == ["yes", "yes"]
    assert not calls[2].done()
    line.take(b"1 late")
    line.take(b"3 no")
    assert await calls[2] == "no"


async def test_a_pose_that_is_given_up_is_forgotten(line: PoseChannel) -> None:
    call = await start(line.call(sealed(1)))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert line._waiting == {}
    line.take(b"1 too late")


async def test_it_asks_for_an_answer_until_one_has_come(line: PoseChannel, sent: list[bytes]) -> None:
    line.probe()
    line.probe()
    assert sent == [b"0 ?", b"0 ?"]
    line.take(b'0 {"status":"failed"}')
    line.probe()
    assert len(sent) == 2
    assert line.is_open


@pytest.mark.parametrize(
    "packet",
    {
        "nothing": b"",
        "a blank": b" ",
        "a number": b"1",
        "no number": b"x 1",
        "a number below zero": b"-1 {}",
        "a number without end": b"9999999999999 {}",
        "digits of another script": "\u0661 {}".encode(),
        "no text of UTF-8": b"\xff 1",
        "a packet of 20 kB": b"1 " + b"a" * 20_000,
    }.values(),
)
async def test_what_is_no_packet_answers_nothing(line: PoseChannel, packet: bytes) -> None:
    call = await start(line.call(sealed(1)))
    line.take(packet)
    assert unpack_pose(packet) is None
    assert not line.is_open
    assert not call.done()
    call.cancel()


def test_text_may_hold_lines_and_blanks() -> None:
    read: Any = unpack_pose(pack_pose(12, "a b\nc"))
    assert (read.number, read.text) == (12, "a b\nc")
