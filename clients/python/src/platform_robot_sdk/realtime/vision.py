"""Pictures of a robot's cameras, with their bytes checked."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from ..errors import RcwRuntimeError
from ..models.runtime import CapturedEntity, CaptureFrame, CaptureResult
from .room_link import CallLostError, RoomLink
from .transport import STREAM_MAX_BYTES, IncomingStream
from .waiting import random_id, settled, within
from .wire import read_action_result, read_as, shortened

CAPTURE_TOPIC = "platform.camera_capture"
# Pause before the next request for a picture, if a call got lost or the cameras are still loading.
_PAUSE_S = 0.2
_JPEG = b"\xff\xd8\xff"


class Vision(bytes):
    """A picture, the bytes of a JPEG, and the state of the world in which it was taken. Notebooks display it as a picture."""

    camera: str
    frame: CaptureFrame
    """Step and time, size, intrinsics in pixels, and the pose of the optical frame in the world (x right, y down, z
    forward).
    """
    entities: list[CapturedEntity] | None
    """The visible entities with 2D boxes and depths, if the capture had the annotation `boxes`."""
    verified: Literal["sha256", "length"]
    """The check that the bytes passed. `length`: the sender gave no hash."""

    def __new__(
        cls,
        jpeg: bytes,
        *,
        camera: str,
        frame: CaptureFrame,
        entities: list[CapturedEntity] | None,
        verified: Literal["sha256", "length"],
    ) -> Self:
        """Takes the bytes and the facts about them."""
        self = super().__new__(cls, jpeg)
        self.camera = camera
        self.frame = frame
        self.entities = entities
        self.verified = verified
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (bytes(self), self.__dict__)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the JPEG to a file and returns its path."""
        place = Path(path)
        place.write_bytes(self)
        return place

    def _repr_jpeg_(self) -> bytes:
        return bytes(self)

    def __repr__(self) -> str:
        seen = "" if self.entities is None else f", sees {', '.join(each.entity_id for each in self.entities) or 'nothing'}"
        frame = self.frame
        return (
            f"Vision({self.camera} {frame.width}x{frame.height}, {len(self)} bytes of JPEG, step {frame.step}, "
            f"{frame.sim_time_s:g} s, checked by {self.verified}{seen})"
        )

    def __str__(self) -> str:
        return repr(self)


def _restore(jpeg: bytes, fields: dict[str, Any]) -> Vision:
    return Vision(jpeg, **fields)


@dataclass(frozen=True)
class VisionOptions:
    """Size in pixels, quality of the JPEG in (0, 1], and `("boxes",)` for the visible entities."""

    width: int = 1280
    height: int = 720
    quality: float = 0.7
    annotations: Sequence[str] | None = None

    def request(self) -> dict[str, Any]:
        """Returns the options of a capture."""
        options: dict[str, Any] = {"width": self.width, "height": self.height, "quality": self.quality, "format": "jpeg"}
        return options if self.annotations is None else {**options, "annotations": list(self.annotations)}


@dataclass(frozen=True)
class _Received:
    jpeg: bytes
    attributes: dict[str, str]


@dataclass
class _Awaited:
    """A picture that a caller waits for."""

    received: asyncio.Future[_Received]
    over: asyncio.Future[None]
    """Done when the caller stops waiting."""
    has_begun: bool = False
    """Whether its stream has begun; further streams are dropped."""


class VisionReceiver:
    """Receives the byte streams of captures, and assigns each by its request id."""

    def __init__(self, link: RoomLink) -> None:
        self._link = link
        self._awaited: dict[str, _Awaited] = {}

    async def capture(self, camera: str, options: VisionOptions, timeout_s: float) -> Vision:
        """Asks for a picture and returns it once its bytes have arrived and are checked. Waits for cameras that are still
        loading.

        Raises:
            RcwRuntimeError: the capture failed, or the bytes differ from those that were sent (`CAPTURE_FAILED`).
            CallTimeoutError: the picture did not arrive in time.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while True:
            try:
                return await self._take(camera, options, deadline, timeout_s)
            except (CallLostError, RcwRuntimeError) as error:
                # A capture changes nothing, so another picture is taken. If the previous one was taken too, it is dropped.
                if not (isinstance(error, CallLostError) or _is_loading(error)) or loop.time() + _PAUSE_S >= deadline:
                    raise
            await asyncio.sleep(_PAUSE_S)

    async def _take(self, camera: str, options: VisionOptions, deadline: float, timeout_s: float) -> Vision:
        request_id = random_id("capture")
        loop = asyncio.get_running_loop()
        stream: asyncio.Future[_Received] = loop.create_future()
        awaited = _Awaited(stream, loop.create_future())
        # The handler is only set while a picture is awaited, because any participant may open any number of streams.
        if not self._awaited:
            self._link.on_byte_stream(CAPTURE_TOPIC, self._receive)
        self._awaited[request_id] = awaited
        try:
            request = {
                "selector": {"kind": "id", "id": camera},
                "options": options.request(),
                "stream": {"id": request_id, "topic": CAPTURE_TOPIC},
            }
            reply = await self._link.ask_once("runtime.cameras_capture", request, max(0.0, deadline - loop.time()))
            ended = read_action_result(reply)
            if ended.error is not None:
                raise RcwRuntimeError(ended.error.code, ended.error.message, ended.error.details or {})
            result = read_as(CaptureResult, ended.result, "the description of a picture")
            late = f"The picture of {camera} did not arrive within {timeout_s:g} s."
            received = await within(self._stream_of(stream), deadline - loop.time(), late)
            verified = _verify(received, result.payload.byte_length)
            return Vision(received.jpeg, camera=camera, frame=result.frame, entities=result.entities, verified=verified)
        finally:
            del self._awaited[request_id]
            if not self._awaited:
                self._link.off_byte_stream(CAPTURE_TOPIC)
            awaited.over.set_result(None)
            # An error of a stream that was given up is of no interest.
            if stream.done() and not stream.cancelled():
                stream.exception()

    async def _stream_of(self, stream: asyncio.Future[_Received]) -> _Received:
        over = self._link.over()
        await settled(stream, over)
        if not stream.done():
            self._link.raise_if_over()
        return stream.result()

    async def _receive(self, stream: IncomingStream) -> None:
        awaited = self._awaited.get(stream.attributes.get("request_id", stream.name))
        if awaited is None or awaited.has_begun or not self._link.is_runtime(stream.sender):
            with contextlib.suppress(Exception):
                await stream.drop()
            return
        awaited.has_begun = True
        try:
            jpeg = await stream.read(STREAM_MAX_BYTES, awaited.over)
        except Exception:
            jpeg = None
        # The attributes of the stream's end have arrived with its end.
        attributes = dict(stream.attributes)
        if awaited.received.done():
            return
        if jpeg is None:
            awaited.received.set_exception(_capture_failed("its bytes broke off, or were far too many"))
        else:
            awaited.received.set_result(_Received(jpeg, attributes))


def _is_loading(error: RcwRuntimeError) -> bool:
    """Whether the cameras are still loading. In that case the refusal reports the progress."""
    return error.code == "NOT_READY" and "progress" in error.details


def _verify(received: _Received, announced_bytes: int) -> Literal["sha256", "length"]:
    """Raises RcwRuntimeError `CAPTURE_FAILED`."""
    jpeg, attributes = received.jpeg, received.attributes
    for announced in (str(announced_bytes), attributes.get("byte_length", str(announced_bytes))):
        if announced != str(len(jpeg)):
            raise _capture_failed(f"{len(jpeg)} bytes came of {shortened(announced)}")
    if not jpeg.startswith(_JPEG):
        raise _capture_failed("its bytes are not a JPEG")
    announced_hash = attributes.get("sha256")
    if announced_hash is None:
        return "length"
    if hashlib.sha256(jpeg).hexdigest() != announced_hash.lower():
        raise _capture_failed("its bytes are not those that were sent (SHA-256 differs)")
    return "sha256"


def _capture_failed(what: str) -> RcwRuntimeError:
    return RcwRuntimeError(
        "CAPTURE_FAILED",
        f"The picture cannot be used: {what}. Ask for it again.",
        {"stage": "runtime", "attempted": False, "world_changed": "no", "retryable": True},
    )
