"""The part of a room that the library needs. `livekit_transport` implements it; tests have an implementation of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

Json: TypeAlias = Any
"""The value of a parsed JSON text."""
CallErrorReason = Literal["lost", "absent", "unsupported", "too_large", "fault"]


STREAM_MAX_BYTES = 16 * 1024 * 1024
"""Several times the size of the largest picture. No stream may unpack to more, because LiveKit compresses streams."""


class CallError(Exception):
    """An RPC that brought no reply. Never leaves the library: callers get `RcwRuntimeError` or `TimeoutError`.

    - `lost`: it is unknown whether the call arrived: no acknowledgement, no reply, or a broken connection
    - `absent`: the participant is not in the room, so nothing happened
    - `unsupported`: the participant has no such method, so nothing happened
    - `too_large`: the payload or the reply is larger than an RPC carries
    - `fault`: the method threw
    """

    def __init__(self, reason: CallErrorReason) -> None:
        super().__init__(f"the call failed: {reason}")
        self.reason: CallErrorReason = reason


# LiveKit's numbers for RPC failures, the same in all its SDKs.
_REASON_OF_RPC_CODE: Mapping[int, CallErrorReason] = {
    1400: "unsupported",
    1401: "absent",
    1402: "too_large",
    1403: "unsupported",
    1404: "unsupported",
    1500: "fault",
    1501: "lost",
    1502: "lost",
    1503: "lost",
    1504: "too_large",
    1505: "lost",
}


def call_error_of(error: BaseException) -> CallError:
    """Reads an error of a LiveKit SDK. An unknown error counts as `lost`, which is the cautious reading."""
    code = getattr(error, "code", None)
    return CallError(_REASON_OF_RPC_CODE.get(int(code), "lost") if isinstance(code, int) else "lost")


class IncomingStream(Protocol):
    """A byte stream whose first packet has arrived."""

    @property
    def sender(self) -> str:
        """Identity of the sender."""

    @property
    def name(self) -> str:
        """Name of the stream, chosen by its sender."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Metadata of the stream, chosen by its sender."""

    async def read(self, max_bytes: int, given_up: asyncio.Future[Any] | None = None) -> bytes:
        """Returns all bytes of the stream, once it has ended.

        A stream longer than `max_bytes` is an error. When `given_up` is done, the stored bytes are dropped immediately, and
        so are all further ones. Raises when the stream breaks off, is too long or was given up.
        """

    async def drop(self) -> None:
        """Discards the stream. Call it for every stream that is not read."""


DataHandler = Callable[[str, bytes], None]
StreamHandler = Callable[[IncomingStream], Awaitable[None]]


class RoomListener(Protocol):
    """Receives the events of a room."""

    def participant_joined(self, identity: str) -> None:
        """Another participant has joined."""

    def participant_left(self, identity: str) -> None:
        """Another participant has left, or was lost."""

    def reconnecting(self) -> None:
        """The connection broke and is being restored."""

    def reconnected(self) -> None:
        """The connection is restored."""

    def disconnected(self, reason: str) -> None:
        """The room is over for this client; the reason in one or two words, such as "room deleted"."""


class Participant(Protocol):
    """Another participant in the room."""

    @property
    def identity(self) -> str:
        """The identity from its token."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Its own attributes, such as `lk.agent.name`."""


class RoomTransport(Protocol):
    """A room of LiveKit."""

    async def connect(self, url: str, token: str, listener: RoomListener) -> None:
        """Joins the room. Its errors may contain the token."""

    def participants(self) -> Sequence[Participant]:
        """Returns the other participants of the room."""

    def metadata(self) -> str:
        """Returns the metadata of the joined room, as text. A transport without it gives no facts about the robot."""

    async def call(self, *, to: str, method: str, payload: str, timeout_s: float) -> str:
        """Calls a method of another participant and returns its reply text; raises `CallError`."""

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        """Passes byte streams of this topic to the handler from now on. One handler per topic."""

    def off_byte_stream(self, topic: str) -> None:
        """Removes the handler of this topic."""

    def on_data(self, topic: str, handler: DataHandler) -> None:
        """Passes data packets of this topic to the handler, with the identity of their sender, which the SFU vouches for."""

    def send_lossy(self, *, to: str, topic: str, data: bytes) -> None:
        """Sends a packet to one participant; it may get lost. A transport without it sends poses as calls, which arrive
        late if packets get lost.
        """

    async def disconnect(self) -> None:
        """Leaves the room, also while a join is under way. Never raises; a second call does nothing."""
