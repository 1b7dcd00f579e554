"""A LiveKit room and a runtime in it, both scripted by the test. They implement the wire protocol and use no internals of
the library.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from platform_robot_sdk.realtime.transport import (
    CallError,
    CallErrorReason,
    DataHandler,
    Participant,
    RoomListener,
    StreamHandler,
)

RUNTIME = "simplesim:robot-1"
WORKER = "rcw-robot-1"
JPEG = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 8
STARTED_MS = 1_767_000_000_000

Reply = Any
Method = Callable[[Any], Awaitable[Reply] | Reply]


class RawText(str):
    """A reply that is sent unchanged, JSON or not."""


@dataclass
class FakeParticipant:
    identity: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Call:
    to: str
    method: str
    text: str
    timeout_s: float

    @property
    def payload(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Packet:
    to: str
    topic: str
    data: bytes


@dataclass
class FakeStream:
    sender: str
    name: str
    attributes: Mapping[str, str]
    data: bytes
    breaks_off: bool = False
    is_dropped: bool = False

    async def drop(self) -> None:
        self.is_dropped = True

    async def read(self, max_bytes: int, given_up: asyncio.Future[Any] | None = None) -> bytes:
        if self.breaks_off:
            raise ConnectionError("aborted")
        if len(self.data) > max_bytes:
            raise ValueError("too long")
        return self.data


def guard(code: str, message: str = "A sentence.", **details: object) -> dict[str, Any]:
    return {"status": "failed", "error": {"code": code, "message": message, "details": details}}


def ended(action_id: str, result: object = None, error: dict[str, Any] | None = None) -> dict[str, Any]:
    times = {"started_at_ms": STARTED_MS, "finished_at_ms": STARTED_MS + 1500, "duration_ms": 1500}
    reply: dict[str, Any] = {"status": "done" if error is None else "failed", "meta": {"action_id": action_id, **times}}
    return {**reply, "result": result} if error is None else {**reply, "error": error}


class FakeRoom:
    """The room that a test controls: `join`, `leave` and `end`; `methods` and `losses` define the outcome of calls."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.methods: dict[str, Method] = {}
        self.losses: list[tuple[str, CallErrorReason]] = []
        """Calls that get lost, each once: the method and the reason. They do not arrive."""
        self.lost_replies: list[str] = []
        """Methods whose next reply gets lost. The call arrives."""
        self.here: dict[str, FakeParticipant] = {}
        self.joined_with: tuple[str, str] | None = None
        self.join_fails: Exception | None = None
        self.join_hangs = False
        self.has_left = False
        self.room_metadata = ""
        self.streams: dict[str, StreamHandler] = {}
        self.data: dict[str, DataHandler] = {}
        self.packets: list[Packet] = []
        self.on_packet: Callable[[Packet], None] = lambda _: None
        """Handles a packet. By default the packet gets lost."""
        self.listener: RoomListener | None = None
        self._background: set[asyncio.Future[Any]] = set()

    # Called by the library:

    async def connect(self, url: str, token: str, listener: RoomListener) -> None:
        self.joined_with = (url, token)
        self.listener = listener
        if self.join_hangs:
            await asyncio.Event().wait()
        if self.join_fails is not None:
            raise self.join_fails

    def participants(self) -> Sequence[Participant]:
        return list(self.here.values())

    def metadata(self) -> str:
        return self.room_metadata

    async def call(self, *, to: str, method: str, payload: str, timeout_s: float) -> str:
        call = Call(to, method, payload, timeout_s)
        self.calls.append(call)
        # Delivery takes a moment. A loop wakes tasks with exactly the same time in any order, so the times differ.
        await asyncio.sleep(0.001 + 1e-9 * len(self.calls))
        for loss in self.losses:
            if loss[0] == method:
                self.losses.remove(loss)
                raise CallError(loss[1])
        if to not in self.here:
            raise CallError("absent")
        if method not in self.methods:
            raise CallError("unsupported")
        answer = self._answer(call)
        if method in self.lost_replies:
            self.lost_replies.remove(method)
            task = asyncio.ensure_future(answer)
            self._background.add(task)
            # Like LiveKit's SDK 0.22, which gives up without an acknowledgement within 2 s.
            await asyncio.sleep(2)
            raise CallError("lost")
        return await answer

    async def _answer(self, call: Call) -> str:
        reply = self.methods[call.method](call.payload)
        if isinstance(reply, Awaitable):
            reply = await reply
        return reply if isinstance(reply, RawText) else json.dumps(reply)

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        assert topic not in self.streams
        self.streams[topic] = handler

    def off_byte_stream(self, topic: str) -> None:
        del self.streams[topic]

    def on_data(self, topic: str, handler: DataHandler) -> None:
        self.data[topic] = handler

    def send_lossy(self, *, to: str, topic: str, data: bytes) -> None:
        packet = Packet(to, topic, data)
        self.packets.append(packet)
        self.on_packet(packet)

    async def disconnect(self) -> None:
        self.has_left = True

    # Called by a test:

    def join(self, identity: str, **attributes: str) -> None:
        self.here[identity] = FakeParticipant(identity, attributes)
        if self.listener is not None:
            self.listener.participant_joined(identity)

    def leave(self, identity: str) -> None:
        del self.here[identity]
        if self.listener is not None:
            self.listener.participant_left(identity)

    def end(self, reason: str) -> None:
        self.here.clear()
        assert self.listener is not None
        self.listener.disconnected(reason)

    async def send(self, stream: FakeStream, topic: str = "platform.camera_capture") -> None:
        # Like LiveKit: without a handler the stream is dropped.
        if topic in self.streams:
            await self.streams[topic](stream)

    def called(self, method: str) -> list[Any]:
        return [call.payload for call in self.calls if call.method == method]


class FakeRuntime:
    """Runs each skill once per action id, and stores the results."""

    def __init__(self, room: FakeRoom, identity: str = RUNTIME, *, keeps_record: bool = True) -> None:
        self.room = room
        self.identity = identity
        self.skills: dict[str, Method] = {}
        self.runs: list[tuple[str, Any]] = []
        """Skills that have run, with their parameters."""
        self.active: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.ended: dict[str, dict[str, Any]] = {}
        self.doing: dict[str, dict[str, Any]] = {}
        """The current activity of each action (`phase`, `progress`)."""
        room.methods |= {
            "runtime.tools_list": lambda _: [
                {"name": name, "description": f"Does {name}.", "input_schema": {"type": "object"}} for name in self.skills
            ],
            "runtime.tools_call": self.tools_call,
            "runtime.cancel": self.cancel,
            "runtime.state": self.state,
        }
        if keeps_record:
            room.methods["runtime.action"] = self.action

    async def tools_call(self, request: Any) -> Reply:
        name, action_id = request["name"], request["options"]["action_id"]
        if action_id in self.ended:
            return self.ended[action_id]
        if action_id not in self.active:
            if name not in self.skills:
                return guard("UNKNOWN_SKILL", f"No skill is named {name}.")
            running = asyncio.ensure_future(self._run(name, request["input"], action_id))
            self.active[action_id] = running
        return await asyncio.shield(self.active[action_id])

    async def _run(self, name: str, params: Any, action_id: str) -> dict[str, Any]:
        self.runs.append((name, params))
        try:
            outcome = self.skills[name](params)
            result = await outcome if isinstance(outcome, Awaitable) else outcome
            reply: dict[str, Any] = result if "error" in result else ended(action_id, result)
            if "error" in reply and "meta" in reply:
                reply["meta"]["action_id"] = action_id
        except asyncio.CancelledError:
            reply = ended(action_id, error={"code": "CANCELLED", "message": "It was cancelled.", "details": {}})
        self.active.pop(action_id, None)
        if "meta" in reply:
            self.ended[action_id] = reply
        return reply

    async def cancel(self, request: Any) -> Reply:
        action_id = request["options"]["action_id"]
        if action_id == "cancel-active":
            action_id = next(iter(self.active), None)
        running = self.active.get(action_id)
        if running is None:
            return guard("ACTION_NOT_FOUND")
        # The robot brakes for a moment.
        await asyncio.sleep(0.2)
        running.cancel()
        return await running

    def action(self, request: Any) -> Reply:
        action_id = request["action_id"]
        if action_id in self.ended:
            return self.ended[action_id]
        if action_id in self.active:
            return {"active_action": self._active_action(action_id)}
        return guard("ACTION_NOT_FOUND")

    def state(self, _: Any) -> Reply:
        runtime: dict[str, Any] = {"status": "ready", "accepts_tool_calls": True, "accepts_capture_requests": True}
        for action_id in self.active:
            runtime |= {"status": "busy", "active_action": self._active_action(action_id)}
        return {
            "timestamp": {"step": 12, "sim_time_s": 0.1, "wall_time_ms": STARTED_MS},
            "runtime": runtime,
            "robot": {
                "entity_id": "robot",
                "pose": {"frame_id": "world", "position": [0.405, -1.497, 0.62], "yaw_deg": 0},
                "status": "ready",
                "held_entity_ids": [],
                "extra": {"sort_benchmark": {"correct_count": 1}},
            },
        }

    def _active_action(self, action_id: str) -> dict[str, Any]:
        fields = {"action_id": action_id, "kind": "tool", "name": "walk", "started_at_ms": STARTED_MS, "phase": "walking"}
        return fields | self.doing.get(action_id, {})

    def takes_pictures(self, data: bytes = JPEG, *, when: str = "before the reply", **changed: Any) -> None:
        """`when` is the time at which the stream comes; `changed` replaces facts of the stream with wrong ones."""

        async def capture(request: Any) -> Reply:
            stream = self.stream_of(request, data, **changed)
            sending = [self.room.send(stream)] if when != "never" else []
            if when == "twice":
                sending.append(self.room.send(FakeStream(stream.sender, stream.name, stream.attributes, data[:100])))
            if when == "after the reply":
                later = asyncio.ensure_future(_after(0.3, sending[0]))
                self.room._background.add(later)
            else:
                for each in sending:
                    await each
            return ended("act-of-the-capture", capture_result(request, len(data)))

        self.room.methods["runtime.cameras_capture"] = capture

    def stream_of(self, request: Any, data: bytes, **changed: Any) -> FakeStream:
        stream_id = request["stream"]["id"]
        attributes = {
            "request_id": stream_id,
            "byte_length": str(len(data)),
            "sha256": hashlib.sha256(data).hexdigest(),
            "camera": request["selector"]["id"],
        }
        attributes = {name: value for name, value in (attributes | changed.get("attributes", {})).items() if value is not None}
        return FakeStream(
            changed.get("sender", self.identity),
            changed.get("name", stream_id),
            attributes,
            changed.get("sent", data),
            changed.get("breaks_off", False),
        )


async def _after(delay_s: float, sending: Awaitable[None]) -> None:
    await asyncio.sleep(delay_s)
    await sending


def capture_result(request: Any, byte_length: int) -> dict[str, Any]:
    options = request["options"]
    result: dict[str, Any] = {
        "payload": {
            "kind": "byte_stream",
            "stream_id": request["stream"]["id"],
            "topic": request["stream"]["topic"],
            "byte_length": byte_length,
        },
        "frame": {
            "step": 120,
            "sim_time_s": 1.0,
            "width": options["width"],
            "height": options["height"],
            "intrinsics": {"fx": 500.0, "fy": 500.0, "cx": 320.0, "cy": 180.0},
            "camera_pose": {"frame_id": "world", "position": [0.4, -1.5, 1.15]},
        },
    }
    if options.get("annotations"):
        result["entities"] = [{"entity_id": "cube_0", "box": [10, 20, 30, 40], "visible_fraction": 0.9, "depth_m": 1.2}]
    return result
