"""Specification 4.4, `get_vision`; 6.2: pictures over a byte stream, checked."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from platform_robot_sdk import RcwRuntimeError
from platform_robot_sdk.connection import PlatformSession, Vision
from realtime.fake_room import JPEG, RUNTIME, FakeRoom, FakeRuntime, FakeStream, capture_result, ended, guard

Open = Callable[..., Any]


async def test_4_4_get_vision_gives_jpeg_bytes_and_the_frame(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures()
    vision = await session.get_vision("pov", width=640, height=360, quality=0.5)
    assert isinstance(vision, bytes)
    assert vision == JPEG
    assert vision[:3] == bytes.fromhex("FFD8FF")
    assert (vision.frame.width, vision.frame.height, vision.frame.intrinsics.fx) == (640, 360, 500)
    assert vision.frame.camera_pose.position[2] == 1.15
    assert vision.entities is None
    assert vision.verified == "sha256"
    [request] = room.called("runtime.cameras_capture")
    assert request["selector"] == {"kind": "id", "id": "pov"}
    assert request["options"] == {"width": 640, "height": 360, "quality": 0.5, "format": "jpeg"}
    assert request["stream"]["topic"] == "platform.camera_capture"


async def test_4_4_get_vision_defaults(session: PlatformSession, room: FakeRoom, runtime: FakeRuntime) -> None:
    runtime.takes_pictures()
    await session.get_vision()
    [request] = room.called("runtime.cameras_capture")
    assert request["selector"]["id"] == "pov"
    assert request["options"] == {"width": 1280, "height": 720, "quality": 0.7, "format": "jpeg"}


async def test_boxes_bring_what_is_seen(session: PlatformSession, runtime: FakeRuntime, tmp_path: Path) -> None:
    runtime.takes_pictures()
    vision = await session.get_vision("topdown", width=640, height=360, annotations=["boxes"])
    assert vision.entities is not None
    assert (vision.entities[0].entity_id, vision.entities[0].depth_m) == ("cube_0", 1.2)
    assert repr(vision) == (
        f"Vision(topdown 640x360, {len(JPEG)} bytes of JPEG, step 120, 1 s, checked by sha256, sees cube_0)"
    )
    assert str(vision) == repr(vision)
    assert vision._repr_jpeg_() == JPEG
    assert vision.save(tmp_path / "a.jpg").read_bytes() == JPEG
    for same in (copy.copy(vision), copy.deepcopy(vision), pickle.loads(pickle.dumps(vision))):
        assert isinstance(same, Vision)
        assert same == vision
        assert same.frame == vision.frame


@pytest.mark.parametrize("when", ["before the reply", "after the reply", "twice"])
async def test_the_stream_may_come_before_or_after_the_reply_and_twice(
    session: PlatformSession, runtime: FakeRuntime, when: str
) -> None:
    runtime.takes_pictures(when=when)
    assert await session.get_vision("pov") == JPEG


async def test_7_3_a_stream_that_never_comes_is_a_timeout(session: PlatformSession, runtime: FakeRuntime) -> None:
    runtime.takes_pictures(when="never")
    with pytest.raises(TimeoutError, match=r"The picture of pov did not arrive within 3 s"):
        await session.get_vision("pov", timeout_s=3)
    assert asyncio.get_running_loop().time() == pytest.approx(3, abs=0.1)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"sent": JPEG[:-1]}, f"{len(JPEG) - 1} bytes came of {len(JPEG)}"),
        ({"sent": b""}, f"0 bytes came of {len(JPEG)}"),
        ({"attributes": {"byte_length": "7"}}, f"{len(JPEG)} bytes came of 7"),
        ({"sent": JPEG[:-1] + b"x"}, "SHA-256 differs"),
        ({"attributes": {"sha256": "00" * 32}}, "SHA-256 differs"),
        ({"sent": b"x" * len(JPEG)}, "not a JPEG"),
        ({"breaks_off": True}, "broke off"),
    ],
)
async def test_a_picture_that_is_not_the_one_that_was_sent_is_refused(
    session: PlatformSession, runtime: FakeRuntime, changed: dict[str, Any], says: str
) -> None:
    runtime.takes_pictures(**changed)
    with pytest.raises(RcwRuntimeError, match=f"CAPTURE_FAILED: The picture cannot be used: .*{says}"):
        await session.get_vision("pov")


async def test_without_a_hash_the_length_is_what_is_checked(session: PlatformSession, runtime: FakeRuntime) -> None:
    runtime.takes_pictures(attributes={"sha256": None, "request_id": None, "byte_length": None})
    assert (await session.get_vision("pov")).verified == "length"


@pytest.mark.parametrize("sent", [{"sender": "a-stranger"}, {"attributes": {"request_id": "other"}, "name": "other"}])
async def test_a_stream_of_somebody_else_is_not_taken_and_nothing_of_it_is_kept(
    session: PlatformSession, runtime: FakeRuntime, monkeypatch: pytest.MonkeyPatch, sent: dict[str, Any]
) -> None:
    dropped: list[str] = []

    async def drop(stream: FakeStream) -> None:
        dropped.append(stream.sender)

    async def read(_stream: FakeStream, _max_bytes: int, _given_up: asyncio.Future[Any] | None = None) -> bytes:
        raise AssertionError

    monkeypatch.setattr(FakeStream, "drop", drop)
    monkeypatch.setattr(FakeStream, "read", read)
    runtime.takes_pictures(**sent)
    with pytest.raises(TimeoutError):
        await session.get_vision("pov", timeout_s=1)
    assert dropped == [sent.get("sender", RUNTIME)]


async def test_streams_are_heard_only_while_a_picture_is_awaited_for_anybody_may_open_them(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures()
    taking = room.methods["runtime.cameras_capture"]
    heard: list[int] = []

    async def capture(request: Any) -> Any:
        heard.append(len(room.streams))
        return await taking(request)

    room.methods["runtime.cameras_capture"] = capture
    assert room.streams == {}
    await asyncio.gather(session.get_vision("pov"), session.get_vision("topdown"))
    assert room.streams == {}
    assert await session.get_vision("pov") == JPEG
    assert (heard, room.streams) == ([1, 1, 1], {})


async def test_of_many_streams_for_one_request_one_is_kept_and_nothing_of_it_once_the_time_is_up(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[tuple[int, asyncio.Future[Any] | None]] = []

    async def read(_stream: FakeStream, max_bytes: int, given_up: asyncio.Future[Any] | None = None) -> bytes:
        kept.append((max_bytes, given_up))
        await asyncio.Event().wait()
        raise AssertionError

    dropped = 0

    async def drop(_stream: FakeStream) -> None:
        nonlocal dropped
        dropped += 1

    monkeypatch.setattr(FakeStream, "drop", drop)
    monkeypatch.setattr(FakeStream, "read", read)
    sending: list[asyncio.Task[None]] = []

    async def capture(request: Any) -> Any:
        sending.extend(asyncio.create_task(room.send(runtime.stream_of(request, JPEG))) for _ in range(100))
        await asyncio.sleep(0.01)
        return ended("act-of-the-capture", capture_result(request, len(JPEG)))

    room.methods["runtime.cameras_capture"] = capture
    with pytest.raises(TimeoutError):
        await session.get_vision("pov", timeout_s=1)
    [(max_bytes, given_up)] = kept
    assert max_bytes == 16 * 1024 * 1024
    assert given_up is not None
    assert given_up.done()
    assert dropped == 99
    for each in sending:
        each.cancel()


async def test_several_at_once_each_get_their_own(session: PlatformSession, room: FakeRoom, runtime: FakeRuntime) -> None:
    pictures = {camera: JPEG + camera.encode() for camera in ("pov", "topdown")}

    async def capture(request: Any) -> Any:
        camera = request["selector"]["id"]
        # The picture that was requested first arrives last.
        await asyncio.sleep(1 if camera == "pov" else 0.5)
        runtime.takes_pictures(pictures[camera])
        taking = room.methods["runtime.cameras_capture"]
        room.methods["runtime.cameras_capture"] = capture
        return await taking(request)

    room.methods["runtime.cameras_capture"] = capture
    pov, topdown = await asyncio.gather(session.get_vision("pov"), session.get_vision("topdown"))
    assert (pov, topdown) == (pictures["pov"], pictures["topdown"])


@pytest.mark.parametrize("code", ["UNKNOWN_CAMERA", "CAPTURE_FAILED"])
async def test_a_capture_that_failed_raises_by_its_code(session: PlatformSession, room: FakeRoom, code: str) -> None:
    error = {"code": code, "message": "Because.", "details": {"allowed": ["pov"]}}
    replies = [ended("a", error=error), guard(code, "Because.", allowed=["pov"])]
    room.methods["runtime.cameras_capture"] = lambda _: replies.pop()
    while replies:
        with pytest.raises(RcwRuntimeError) as raised:
            await session.get_vision("back")
        assert (raised.value.code, raised.value.details) == (code, {"allowed": ["pov"]})


async def test_a_description_that_is_none_is_an_error_of_the_runtime(session: PlatformSession, room: FakeRoom) -> None:
    room.methods["runtime.cameras_capture"] = lambda _: ended("a", {"payload": {"kind": "inline"}})
    with pytest.raises(RcwRuntimeError, match=r"INTERNAL: The reply of the runtime is not the description of a picture"):
        await session.get_vision("pov")


async def test_a_capture_whose_call_or_reply_got_lost_is_taken_again(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures()
    room.losses.append(("runtime.cameras_capture", "lost"))
    room.lost_replies.append("runtime.cameras_capture")
    assert await session.get_vision("pov") == JPEG
    requests = room.called("runtime.cameras_capture")
    assert len({request["stream"]["id"] for request in requests}) == len(requests) == 3


async def test_a_capture_waits_for_cameras_that_are_still_built(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures()
    take = room.methods["runtime.cameras_capture"]
    early = [loading(), ended("a", error=loading()["error"])]
    room.methods["runtime.cameras_capture"] = lambda request: early.pop() if early else take(request)
    assert await session.get_vision("pov") == JPEG
    assert len(room.called("runtime.cameras_capture")) == 3
    room.methods["runtime.cameras_capture"] = lambda _: loading()
    with pytest.raises(RcwRuntimeError, match="NOT_READY"):
        await session.get_vision("pov", timeout_s=3)


def loading() -> dict[str, Any]:
    """The answer of a runtime whose cameras are not loaded in time."""
    progress = {"part": "cameras", "current": 0, "total": 100, "unit": "%"}
    return guard("NOT_READY", "The robot is still loading: cameras, 0% done.", progress=progress)


async def test_a_capture_that_gets_lost_again_and_again_ends_by_its_timeout(session: PlatformSession, room: FakeRoom) -> None:
    room.losses += [("runtime.cameras_capture", "lost")] * 100
    with pytest.raises(TimeoutError, match="got lost"):
        await session.get_vision("pov", timeout_s=3)
    assert asyncio.get_running_loop().time() == pytest.approx(3, abs=0.3)


async def test_a_stream_of_a_request_that_is_over_is_dropped(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures(when="never")
    with pytest.raises(TimeoutError):
        await session.get_vision("pov", timeout_s=1)
    [request] = room.called("runtime.cameras_capture")
    await room.send(runtime.stream_of(request, JPEG))
    await room.send(FakeStream(RUNTIME, "unknown", {}, b"", breaks_off=True))


async def test_a_room_that_ends_ends_the_wait_for_a_picture(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures(when="never")
    taking = asyncio.create_task(session.get_vision("pov"))
    await asyncio.sleep(1)
    room.end("room deleted")
    with pytest.raises(RuntimeError, match=r"room deleted"):
        await taking


async def test_visions_come_one_after_another_at_the_interval(
    session: PlatformSession, room: FakeRoom, runtime: FakeRuntime
) -> None:
    runtime.takes_pictures()
    loop = asyncio.get_running_loop()
    started, times = loop.time(), []
    async for vision in session.visions("topdown", interval_s=0.5, width=64, height=36):
        assert vision == JPEG
        times.append(loop.time() - started)
        if len(times) == 4:
            break
    assert times == pytest.approx([0, 0.5, 1.0, 1.5], abs=0.02)
    assert {request["options"]["width"] for request in room.called("runtime.cameras_capture")} == {64}
