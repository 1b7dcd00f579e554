"""The runtimes in a room that accept signed poses as packets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ..errors import PlatformSDKError
from .pose_packets import POSES_TOPIC, PoseChannel
from .transport import RoomTransport
from .waiting import settled

# Interval between two packets that ask for an answer.
_PROBE_EVERY_S = 0.2


class PoseChannels:
    """The pose queues of a room. Must be created in the event loop that uses them."""

    def __init__(self, transport: RoomTransport, over: asyncio.Future[None]) -> None:
        """`over` settles when the room is over."""
        self._transport = transport
        self._over = over
        self._channels: dict[str, PoseChannel] = {}
        self._probing: set[asyncio.Task[None]] = set()
        self._hears_answers = False

    def open_to(self, to: str) -> PoseChannel | None:
        """Returns the queue to this runtime, once the runtime has answered a packet: until then poses go as calls."""
        channel = self._channels.get(to)
        return channel if channel is not None and channel.is_open else None

    async def choose(self, to: str, takes_packets: Callable[[], Awaitable[bool]]) -> None:
        """Chooses whether poses go to the runtime as packets, which a bad connection delays least, or as calls.

        `takes_packets` asks the runtime.
        """
        # A room of another implementation may lack these methods.
        send = getattr(self._transport, "send_lossy", None)
        listen = getattr(self._transport, "on_data", None)
        if send is None or listen is None:
            return
        try:
            takes_them = await takes_packets()
        except (PlatformSDKError, TimeoutError):
            # A robot of another make may report its state in a different form.
            takes_them = False
        if not takes_them:
            self._channels.pop(to, None)
            return
        if to in self._channels:
            return
        channel = PoseChannel(lambda packet: send(to=to, topic=POSES_TOPIC, data=packet))
        if not self._hears_answers:
            listen(POSES_TOPIC, self._take)
        self._hears_answers = True
        self._channels[to] = channel
        probing = asyncio.ensure_future(self._probe(to, channel))
        self._probing.add(probing)
        probing.add_done_callback(self._probing.discard)

    def _take(self, sender: str, packet: bytes) -> None:
        channel = self._channels.get(sender)
        if channel is not None:
            channel.take(packet)

    async def _probe(self, to: str, channel: PoseChannel) -> None:
        """Probes the path for packets, which may open seconds after the join."""
        while not channel.is_open and self._channels.get(to) is channel and not self._over.done():
            channel.probe()
            await settled(self._over, timeout_s=_PROBE_EVERY_S)
