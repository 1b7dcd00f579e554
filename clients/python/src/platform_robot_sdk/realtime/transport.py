"""The library's needs of a room, and nothing more. `livekit_transport` is the real one; tests have one of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

Json: TypeAlias = Any
"""The value that a JSON text reads as."""
CallErrorReason = Literal["lost", "absent", "unsupported", "too_large", "fault"]


STREAM_MAX_BYTES = 16 * 1024 * 1024
"""Several times what the largest picture takes. No stream may unpack to more, for LiveKit sends them packed."""


class CallError(Exception):
    """An RPC that brought no reply. Never leaves the library: callers see `RcwRuntimeError` or `TimeoutError`.

    - `lost`: nobody can say whether it arrived: no acknowledgement, no reply, a connection that broke
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
    """Reads what an SDK of LiveKit raised. An unknown error counts as lost: the careful reading."""
    code = getattr(error, "code", None)
    return CallError(_REASON_OF_RPC_CODE.get(int(code), "lost") if isinstance(code, int) else "lost")


class IncomingStream(Protocol):
    """A byte stream whose first packet has come."""

    @property
    def sender(self) -> str:
        """Identity of who sends it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """The sender's words on it."""

    async def read(self, max_bytes: int, given_up: asyncio.Future[Any] | None = None) -> bytes:
        """All its bytes, once it has ended.

        More than `max_bytes` are no bytes at all. Once `given_up` is done nobody waits any more: what was kept is dropped at
        once, and so is what still comes. Raises when the stream breaks off, has more or was given up.
        """

    async def drop(self) -> None:
        """Nobody wants it: nothing of it is kept. To be called of every stream that is not read."""


DataHandler = Callable[[str, bytes], None]
StreamHandler = Callable[[IncomingStream], Awaitable[None]]


class RoomListener(Protocol):
    """Is told what happens in a room."""

    def participant_joined(self, identity: str) -> None:
        """Somebody has come."""

    def participant_left(self, identity: str) -> None:
        """Somebody has gone."""

    def reconnecting(self) -> None:
        """The connection broke, and is being made again."""

    def reconnected(self) -> None:
        """The connection is there again."""

    def disconnected(self, reason: str) -> None:
        """The room is over for this client; the reason in a word or two, such as "room deleted"."""


class Participant(Protocol):
    """Somebody else in the room."""

    @property
    def identity(self) -> str:
        """The name that its token gives it."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Its words on itself, such as `lk.agent.name`."""


class RoomTransport(Protocol):
    """A room of LiveKit."""

    async def connect(self, url: str, token: str, listener: RoomListener) -> None:
        """Joins. What it raises may hold the token."""

    def participants(self) -> Sequence[Participant]:
        """The others in the room."""

    async def call(self, *, to: str, method: str, payload: str, timeout_s: float) -> str:
        """Calls a method of another participant and gives its reply text; raises `CallError`."""

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        """Streams of this topic reach the handler from now on; one handler for a topic."""

    def off_byte_stream(self, topic: str) -> None:
        """Streams of this topic reach nobody any more."""

    def on_data(self, topic: str, handler: DataHandler) -> None:
        """Data packets of this topic reach the handler, with the identity of their sender, which the SFU vouches for."""

    def send_lossy(self, *, to: str, topic: str, data: bytes) -> None:
        """Sends a packet to one participant, which may get lost. Without it poses go as calls, which come late over a line
        that loses packets.
        """

    async def disconnect(self) -> None:
        """Leaves, also a room whose joining has not ended yet. Never raises; a second call does nothing."""
