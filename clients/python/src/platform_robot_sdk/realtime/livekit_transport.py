"""A room over LiveKit's Python SDK, 0.22 and 1.x."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import PlatformSDKError
from .extra import INSTALL_REALTIME
from .transport import (
    STREAM_MAX_BYTES,
    DataHandler,
    IncomingStream,
    Participant,
    RoomListener,
    RoomTransport,
    StreamHandler,
    call_error_of,
)
from .waiting import give_up

if TYPE_CHECKING:
    from types import ModuleType

# Longest wait for LiveKit's answer to leaving. The room is left in either case.
_LEAVE_ANSWER_S = 5.0
# The SDK has types, but different ones in each version.
SdkObject: TypeAlias = Any
# SDK 0.22 ends the whole process if the time is below the 2 s that it allows for a call's delivery; 1.x allows 7 s.
_LEAST_RESPONSE_S = 10.0
# The SDK counts the time in milliseconds of 32 bits.
_MOST_RESPONSE_S = 86_400.0
_log = logging.getLogger("platform_robot_sdk")
# Far longer than a message waits for the interpreter, even on a busy machine.
_LAST_MESSAGES_S = 0.2


@atexit.register
def _let_last_messages_through() -> None:
    """Registered before the SDK's own handler, so it runs after that handler.

    The SDK's handler stops its threads from sending messages, but one message may still wait for the interpreter. If the
    interpreter ended first, the whole process would be aborted.
    """
    if "livekit.rtc" in sys.modules:
        time.sleep(_LAST_MESSAGES_S)


def load_transport() -> RoomTransport:
    """Creates a room. LiveKit's package is loaded only when this function is called.

    Raises:
        PlatformSDKError: the package is not installed, or cannot be loaded.
    """
    try:
        from livekit import rtc
    except ImportError as error:
        raise PlatformSDKError(
            f"Joining a room needs the package livekit, which cannot be loaded. {INSTALL_REALTIME}"
        ) from error
    return LivekitTransport(rtc)


class LivekitTransport:
    """One room. The SDK's objects stay inside this class."""

    def __init__(self, rtc: ModuleType) -> None:
        self._rtc = rtc
        self._room: SdkObject = rtc.Room()
        self._joining: asyncio.Task[None] | None = None
        self._readers: set[asyncio.Task[None]] = set()
        self._packets: set[asyncio.Task[None]] = set()
        self._left = False

    async def connect(self, url: str, token: str, listener: RoomListener) -> None:
        """Joins the room."""
        room = self._room
        room.on("participant_connected", lambda participant: listener.participant_joined(participant.identity))
        room.on("participant_disconnected", lambda participant: listener.participant_left(participant.identity))
        room.on("reconnecting", lambda: listener.reconnecting())
        room.on("reconnected", lambda: listener.reconnected())
        room.on("disconnected", lambda reason: listener.disconnected(self._reason_text(reason)))
        # Rooms of robots carry only data, so there are no tracks to subscribe to.
        options = self._rtc.RoomOptions(auto_subscribe=False)
        # SDK 0.22 does not unpack streams, and has no such limit.
        limits = getattr(self._rtc, "DataStreamOptions", None)
        if limits is not None:
            options.data_stream = limits(max_payload_byte_length=STREAM_MAX_BYTES)
        self._joining = asyncio.ensure_future(room.connect(url, token, options))
        # The caller may stop waiting, but the SDK cannot abort a join. Leaving must know how the join ended.
        await asyncio.shield(self._joining)

    def participants(self) -> Sequence[Participant]:
        """Returns the other participants of the room."""
        return [_RoomParticipant(participant) for participant in list(self._room.remote_participants.values())]

    def metadata(self) -> str:
        """Returns the metadata of the joined room."""
        return str(self._room.metadata or "")

    async def call(self, *, to: str, method: str, payload: str, timeout_s: float) -> str:
        """Calls a method of another participant. The caller limits the wait; the SDK is only given the same limit."""
        try:
            reply = await self._room.local_participant.perform_rpc(
                destination_identity=to,
                method=method,
                payload=payload,
                response_timeout=min(max(timeout_s, _LEAST_RESPONSE_S), _MOST_RESPONSE_S),
            )
        except Exception as error:
            failure = call_error_of(error)
        else:
            return str(reply)
        raise failure

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        """Passes streams of this topic to the handler, each in its own task."""

        def arrived(reader: SdkObject, sender: str) -> None:
            task = asyncio.ensure_future(handler(_RoomStream(reader, sender)))
            self._readers.add(task)
            task.add_done_callback(self._readers.discard)

        self._room.register_byte_stream_handler(topic, arrived)

    def off_byte_stream(self, topic: str) -> None:
        """Removes the handler of this topic."""
        self._room.unregister_byte_stream_handler(topic)

    def on_data(self, topic: str, handler: DataHandler) -> None:
        """Passes the packets of this topic to the handler."""

        def received(packet: SdkObject) -> None:
            if packet.topic == topic and packet.participant is not None:
                handler(packet.participant.identity, packet.data)

        self._room.on("data_received", received)

    def send_lossy(self, *, to: str, topic: str, data: bytes) -> None:
        """Sends a packet to one participant, in the order of these calls, without waiting."""
        packet = asyncio.ensure_future(self._publish(to, topic, data))
        self._packets.add(packet)
        packet.add_done_callback(self._packets.discard)

    async def _publish(self, to: str, topic: str, data: bytes) -> None:
        # A packet that cannot be sent counts as lost.
        with contextlib.suppress(Exception):
            await self._room.local_participant.publish_data(data, reliable=False, topic=topic, destination_identities=[to])

    async def disconnect(self) -> None:
        """Leaves the room."""
        if self._left:
            return
        self._left = True
        if self._joining is not None:
            await asyncio.wait({self._joining}, timeout=_LEAVE_ANSWER_S)
            if not self._joining.done():
                await give_up(self._joining)
            elif not self._joining.cancelled():
                # The caller of the join already got this error.
                self._joining.exception()
        leaving = asyncio.ensure_future(self._room.disconnect())
        done, _ = await asyncio.wait({leaving}, timeout=_LEAVE_ANSWER_S)
        if not done:
            leaving.cancel()
        elif leaving.exception() is not None:
            _log.debug("leaving the room raised %s", type(leaving.exception()).__name__)
        for waiting in [*self._readers, *self._packets]:
            waiting.cancel()

    def _reason_text(self, reason: int) -> str:
        """Returns "ROOM_DELETED" in readable form: "room deleted"."""
        try:
            name = str(self._rtc.DisconnectReason.Name(reason))
        except (ValueError, AttributeError):
            return "unknown reason"
        return name.lower().replace("_", " ")


class _RoomParticipant:
    def __init__(self, participant: SdkObject) -> None:
        self.identity: str = participant.identity
        self.attributes: Mapping[str, str] = dict(participant.attributes or {})


class _RoomStream(IncomingStream):
    def __init__(self, reader: SdkObject, sender: str) -> None:
        self._reader = reader
        self._sender = sender

    @property
    def sender(self) -> str:
        return self._sender

    @property
    def name(self) -> str:
        return str(self._reader.info.name)

    @property
    def attributes(self) -> Mapping[str, str]:
        # The attributes of the stream's end arrive with its end.
        return dict(self._reader.info.attributes or {})

    async def read(self, max_bytes: int, given_up: asyncio.Future[Any] | None = None) -> bytes:
        kept: list[bytes] = []
        length = 0
        over: asyncio.Future[Any] = asyncio.get_running_loop().create_future() if given_up is None else given_up

        def drop(_: object) -> None:
            kept.clear()
            self._close()

        # A stream may never end and never send another chunk.
        over.add_done_callback(drop)
        try:
            async for chunk in self._pieces():
                length += len(chunk)
                if length <= max_bytes and not over.done():
                    kept.append(chunk)
                else:
                    kept.clear()
                    self._close()
        finally:
            over.remove_done_callback(drop)
        if over.done():
            raise ValueError("no caller waits for the stream")
        if length > max_bytes:
            raise ValueError(f"the stream holds more than {max_bytes} bytes")
        return b"".join(kept)

    async def drop(self) -> None:
        if self._close():
            return
        async for _ in self._pieces():
            pass

    def _pieces(self) -> AsyncIterator[bytes]:
        return aiter(self._reader)

    def _close(self) -> bool:
        """Closes the stream on this side if the SDK can: 1.x keeps a listener for each stream until then. 0.22 cannot, and
        stores unread chunks, so they are read.
        """
        close = getattr(self._reader, "close", None)
        if close is None:
            return False
        close()
        return True
