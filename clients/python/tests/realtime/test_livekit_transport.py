"""The calls to LiveKit's SDK, and how its answers are read. The SDK itself runs in tests/platform."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
import types
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from livekit import rtc

from platform_robot_sdk.realtime.livekit_transport import LivekitTransport
from platform_robot_sdk.realtime.transport import CallError, CallErrorReason, IncomingStream


class Listener:
    def __init__(self) -> None:
        self.reported: list[tuple[str, ...]] = []

    def participant_joined(self, identity: str) -> None:
        self.reported.append(("joined", identity))

    def participant_left(self, identity: str) -> None:
        self.reported.append(("left", identity))

    def reconnecting(self) -> None:
        self.reported.append(("reconnecting",))

    def reconnected(self) -> None:
        self.reported.append(("reconnected",))

    def disconnected(self, reason: str) -> None:
        self.reported.append(("disconnected", reason))


class SdkRoom:
    """The part of the SDK's room that the library uses."""

    def __init__(self) -> None:
        self.handlers: dict[str, Callable[..., None]] = {}
        self.streams: dict[str, Callable[[Any, str], None]] = {}
        self.requests: list[dict[str, Any]] = []
        self.packets: list[tuple[bytes, dict[str, Any]]] = []
        self.fails: Exception | None = None
        self.joining = asyncio.Event()
        self.left = 0
        self.leaves_for_ever = False
        self.options: Any = None
        self.remote_participants = {
            "a": types.SimpleNamespace(identity="a", attributes={"lk.agent.name": "guide"}),
            "b": types.SimpleNamespace(identity="b", attributes=None),
        }
        self.local_participant = self
        self.metadata: str | None = None

    def on(self, event: str, handler: Callable[..., None]) -> None:
        self.handlers[event] = handler

    async def connect(self, url: str, token: str, options: Any) -> None:
        assert options.auto_subscribe is False
        self.options = options
        await self.joining.wait()

    async def disconnect(self) -> None:
        self.left += 1
        if self.leaves_for_ever:
            await asyncio.Event().wait()

    async def perform_rpc(self, **request: Any) -> str:
        self.requests.append(request)
        if self.fails is not None:
            raise self.fails
        return "{}"

    async def publish_data(self, payload: bytes, **options: Any) -> None:
        self.packets.append((payload, options))
        if self.fails is not None:
            raise self.fails

    def register_byte_stream_handler(self, topic: str, handler: Callable[[Any, str], None]) -> None:
        self.streams[topic] = handler

    def unregister_byte_stream_handler(self, topic: str) -> None:
        del self.streams[topic]


@pytest.fixture
def sdk() -> SdkRoom:
    return SdkRoom()


@pytest.fixture
def transport(sdk: SdkRoom) -> LivekitTransport:
    names = ("RoomOptions", "DisconnectReason", "DataStreamOptions")
    facts = {name: getattr(rtc, name) for name in names if hasattr(rtc, name)}
    module: Any = types.SimpleNamespace(Room=lambda: sdk, **facts)
    return LivekitTransport(module)


@pytest.mark.parametrize(("timeout_s", "reported_s"), [(0.5, 10), (60, 60), (1e9, 86_400), (math.inf, 86_400)])
async def test_the_sdk_is_told_no_time_that_ends_its_process(
    transport: LivekitTransport, sdk: SdkRoom, timeout_s: float, reported_s: float
) -> None:
    await transport.call(to="a", method="m", payload="{}", timeout_s=timeout_s)
    assert sdk.requests == [{"destination_identity": "a", "method": "m", "payload": "{}", "response_timeout": reported_s}]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (rtc.RpcError.ErrorCode.UNSUPPORTED_METHOD, "unsupported"),
        (rtc.RpcError.ErrorCode.RECIPIENT_NOT_FOUND, "absent"),
        (rtc.RpcError.ErrorCode.REQUEST_PAYLOAD_TOO_LARGE, "too_large"),
        (rtc.RpcError.ErrorCode.RESPONSE_PAYLOAD_TOO_LARGE, "too_large"),
        (rtc.RpcError.ErrorCode.APPLICATION_ERROR, "fault"),
        (rtc.RpcError.ErrorCode.CONNECTION_TIMEOUT, "lost"),
        (rtc.RpcError.ErrorCode.RESPONSE_TIMEOUT, "lost"),
        (rtc.RpcError.ErrorCode.RECIPIENT_DISCONNECTED, "lost"),
        (rtc.RpcError.ErrorCode.SEND_FAILED, "lost"),
        (9999, "lost"),
    ],
)
async def test_failures_of_rpc_are_read_by_their_numbers(
    transport: LivekitTransport, sdk: SdkRoom, code: int, reason: CallErrorReason
) -> None:
    sdk.fails = rtc.RpcError(code, "why")
    with pytest.raises(CallError) as raised:
        await transport.call(to="a", method="m", payload="{}", timeout_s=1)
    assert raised.value.reason == reason


async def test_any_other_error_of_the_sdk_counts_as_lost_and_is_not_handed_on(
    transport: LivekitTransport, sdk: SdkRoom
) -> None:
    sdk.fails = RuntimeError("wss://sfu/?access_token=secret")
    with pytest.raises(CallError) as raised:
        await transport.call(to="a", method="m", payload="{}", timeout_s=1)
    assert raised.value.reason == "lost"
    assert raised.value.__context__ is None


async def test_a_room_without_metadata_has_an_empty_text(transport: LivekitTransport, sdk: SdkRoom) -> None:
    assert transport.metadata() == ""
    sdk.metadata = "{}"
    assert transport.metadata() == "{}"


async def test_events_of_the_room_are_told_in_words(transport: LivekitTransport, sdk: SdkRoom) -> None:
    listener = Listener()
    sdk.joining.set()
    await transport.connect("ws://sfu", "token", listener)
    sdk.handlers["participant_connected"](sdk.remote_participants["a"])
    sdk.handlers["participant_disconnected"](sdk.remote_participants["a"])
    sdk.handlers["reconnecting"]()
    sdk.handlers["reconnected"]()
    sdk.handlers["disconnected"](rtc.DisconnectReason.ROOM_DELETED)
    sdk.handlers["disconnected"](4711)
    assert listener.reported == [
        ("joined", "a"),
        ("left", "a"),
        ("reconnecting",),
        ("reconnected",),
        ("disconnected", "room deleted"),
        ("disconnected", "unknown reason"),
    ]
    assert [(each.identity, dict(each.attributes)) for each in transport.participants()] == [
        ("a", {"lk.agent.name": "guide"}),
        ("b", {}),
    ]


@pytest.mark.parametrize("fails", [None, RuntimeError("the room is not joined")])
async def test_lossy_packets_go_to_one_participant_in_order_and_one_that_cannot_be_sent_is_lost(
    transport: LivekitTransport, sdk: SdkRoom, fails: Exception | None
) -> None:
    sdk.fails = fails
    for data in (b"1", b"2", b"3"):
        transport.send_lossy(to="a", topic="poses", data=data)
    await asyncio.sleep(0.01)
    options = {"reliable": False, "topic": "poses", "destination_identities": ["a"]}
    assert sdk.packets == [(b"1", options), (b"2", options), (b"3", options)]


async def test_leaving_gives_up_packets_that_the_sdk_has_not_sent(
    transport: LivekitTransport, sdk: SdkRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asyncio.all_tasks()

    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(sdk, "publish_data", never)
    transport.send_lossy(to="a", topic="poses", data=b"1")
    await transport.disconnect()
    await asyncio.sleep(0.01)
    assert asyncio.all_tasks() == before


async def test_streams_of_a_topic_reach_its_handler_whole(transport: LivekitTransport, sdk: SdkRoom) -> None:
    class Reader:
        info = types.SimpleNamespace(name="picture", attributes={"request_id": "r"})

        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"ab"
            yield b"cd"

    arrived: list[tuple[str, str, dict[str, str], bytes]] = []

    async def handler(stream: IncomingStream) -> None:
        arrived.append((stream.sender, stream.name, dict(stream.attributes), await stream.read(4)))

    transport.on_byte_stream("topic", handler)
    sdk.streams["topic"](Reader(), "a")
    await asyncio.sleep(0.01)
    assert arrived == [("a", "picture", {"request_id": "r"}, b"abcd")]
    transport.off_byte_stream("topic")
    assert sdk.streams == {}


async def test_of_a_stream_that_is_too_long_nothing_is_kept_and_all_is_read(transport: LivekitTransport, sdk: SdkRoom) -> None:
    sent = 0

    class Reader:
        info = types.SimpleNamespace(name="flood", attributes={})

        async def __aiter__(self) -> AsyncIterator[bytes]:
            nonlocal sent
            for _ in range(1_000):
                sent += 1
                yield b"x" * 1_000

    refused: list[str] = []

    async def handler(stream: IncomingStream) -> None:
        try:
            await stream.read(2_500)
        except ValueError as error:
            refused.append(str(error))

    transport.on_byte_stream("topic", handler)
    sdk.streams["topic"](Reader(), "a")
    await asyncio.sleep(0.01)
    assert (sent, refused) == (1_000, ["the stream holds more than 2500 bytes"])


async def test_of_a_stream_that_is_given_up_nothing_is_kept_though_it_never_ends(
    transport: LivekitTransport, sdk: SdkRoom
) -> None:
    pieces = [bytes(bytearray(1_000)) for _ in range(3)]

    def held() -> list[int]:
        """Returns the reference counts of the first two. The loop still holds the latest one."""
        return [sys.getrefcount(pieces[0]), sys.getrefcount(pieces[1])]

    before = held()

    class Reader:
        info = types.SimpleNamespace(name="endless", attributes={})

        def __init__(self) -> None:
            self.left = [0, 1, 2]
            self.more = asyncio.Event()

        def __aiter__(self) -> Reader:
            return self

        async def __anext__(self) -> bytes:
            if len(self.left) == 1:
                await self.more.wait()
            if not self.left:
                await asyncio.Event().wait()
            return pieces[self.left.pop(0)]

    given_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def handler(stream: IncomingStream) -> None:
        await stream.read(1_000_000, given_up)

    reader = Reader()
    transport.on_byte_stream("topic", handler)
    sdk.streams["topic"](reader, "a")
    await asyncio.sleep(0.01)
    assert held() > before
    given_up.set_result(None)
    reader.more.set()
    await asyncio.sleep(0.01)
    assert reader.left == []
    assert held() == before


class OpenReader:
    """A stream that sends one chunk and never ends, of an SDK that can close it."""

    info = types.SimpleNamespace(name="open", attributes={})

    def __init__(self) -> None:
        self.is_closed = asyncio.Event()
        self.sent = 0

    def __aiter__(self) -> OpenReader:
        return self

    async def __anext__(self) -> bytes:
        self.sent += 1
        if self.sent == 1:
            return b"piece"
        await self.is_closed.wait()
        raise StopAsyncIteration

    def close(self) -> None:
        self.is_closed.set()


@pytest.mark.parametrize("how", ["dropped", "given up", "too long"])
async def test_an_sdk_that_can_closes_a_stream_that_nobody_wants_any_more(
    transport: LivekitTransport, sdk: SdkRoom, how: str
) -> None:
    given_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    ended = asyncio.Event()

    async def handler(stream: IncomingStream) -> None:
        if how == "dropped":
            await stream.drop()
        else:
            with pytest.raises(ValueError, match=r"no caller waits|more than 4 bytes"):
                await stream.read(4 if how == "too long" else 1_000, given_up)
        ended.set()

    reader = OpenReader()
    transport.on_byte_stream("topic", handler)
    sdk.streams["topic"](reader, "a")
    await asyncio.sleep(0.01)
    assert reader.is_closed.is_set() == (how != "given up")
    if how == "given up":
        given_up.set_result(None)
    await ended.wait()
    assert reader.is_closed.is_set()


async def test_a_stream_may_unpack_to_no_more_than_a_picture(transport: LivekitTransport, sdk: SdkRoom) -> None:
    sdk.joining.set()
    await transport.connect("ws://sfu", "token", Listener())
    limit = getattr(sdk.options, "data_stream", None)
    # SDK 0.22 does not unpack streams.
    assert (limit is not None) == hasattr(rtc, "DataStreamOptions")
    if limit is not None:
        assert limit.max_payload_byte_length == 16 * 1024 * 1024


async def test_leaving_ends_though_the_sdk_does_not_answer(transport: LivekitTransport, sdk: SdkRoom) -> None:
    sdk.leaves_for_ever = True
    await transport.disconnect()
    assert asyncio.get_running_loop().time() == pytest.approx(5)
    await transport.disconnect()
    assert sdk.left == 1


async def test_leaving_a_room_whose_joining_was_given_up_leaves_it_when_it_is_joined(
    transport: LivekitTransport, sdk: SdkRoom
) -> None:
    joining = asyncio.create_task(transport.connect("ws://sfu", "token", Listener()))
    await asyncio.sleep(1)
    joining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await joining
    leaving = asyncio.create_task(transport.disconnect())
    await asyncio.sleep(1)
    assert sdk.left == 0
    sdk.joining.set()
    await leaving
    assert sdk.left == 1


async def test_joining_that_never_ends_is_given_up_with_the_room(transport: LivekitTransport, sdk: SdkRoom) -> None:
    joining = asyncio.create_task(transport.connect("ws://sfu", "token", Listener()))
    await asyncio.sleep(1)
    await transport.disconnect()
    assert asyncio.get_running_loop().time() == pytest.approx(6)
    with pytest.raises(asyncio.CancelledError):
        await joining


def test_a_message_under_way_gets_through_before_the_interpreter_ends() -> None:
    """LiveKit's handler at exit stops its threads first. Then a thread that waits for the interpreter can continue."""
    program = """
import time
from platform_robot_sdk.realtime.livekit_transport import load_transport

load_transport()
from livekit.rtc import _ffi_client

library = getattr(_ffi_client, "ffi_lib", None) or _ffi_client.FfiClient.instance._ffi_lib
_ffi_client.FfiClient.instance
dispose = library.livekit_ffi_dispose
library.livekit_ffi_dispose = lambda: (print("stopped"), dispose())
sleep = time.sleep
time.sleep = lambda seconds: (print("waited"), sleep(seconds))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.split() == ["stopped", "waited"]
