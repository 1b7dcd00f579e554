"""A runtime that also accepts signed poses as packets, over a connection that the test degrades. It assembles envelopes by
the protocol's rules, without code of the library.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

from realtime.fake_room import FakeRoom, FakeRuntime, Packet, guard

TOPIC = "simplesim.poses"


def whole_of(text: str, grants: dict[str, str]) -> str | None:
    """Returns the exact envelope of a packet; None if its grant is unknown."""
    if " " not in text:
        header_claims = text.split(".")
        if len(header_claims) == 3:
            claims = base64.urlsafe_b64decode(header_claims[1] + "=" * (-len(header_claims[1]) % 4))
            grant = json.loads(claims)["grant"]
            grants[grant[-24:]] = grant
        return text
    ends, tail, head = text.split(" ", 2)
    header, signature = ends.split(".")
    if tail not in grants:
        return None
    claims = f'{head}{grants[tail]}"}}'.encode()
    return f"{header}.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.{signature}"


class PoseReceiver:
    def __init__(self, room: FakeRoom, runtime: FakeRuntime) -> None:
        self._room = room
        self._runtime = runtime
        self._tasks: set[asyncio.Task[None]] = set()
        self.says_so: Any = True
        """The value about packets in its state."""
        self.opens_at_s = 0.0
        """By the clock of the loop."""
        self.delay_s: Callable[[int], float] = lambda _: 0.02
        """Delivery time of the packet with this number, seconds."""
        self.loses: Callable[[int], bool] = lambda _: False
        self.loses_answer: Callable[[int], bool] = lambda _: False
        self.grants: dict[str, str] = {}
        self.poses: list[str] = []
        """The texts of the poses that have arrived, without probes."""
        room.on_packet = self._sent
        state = room.methods["runtime.state"]

        def with_packets(request: Any) -> Any:
            reported: Any = state(request)
            reported["robot"]["extra"]["control"] = {"pose_packets": self.says_so}
            return reported

        room.methods["runtime.state"] = with_packets

    def _sent(self, packet: Packet) -> None:
        assert (packet.to, packet.topic) == (self._runtime.identity, TOPIC)
        number, text = packet.data.decode().split(" ", 1)
        if asyncio.get_running_loop().time() < self.opens_at_s or self.loses(int(number)):
            return
        task = asyncio.ensure_future(self._arrive(int(number), text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _arrive(self, number: int, text: str) -> None:
        await asyncio.sleep(self.delay_s(number))
        answer = await self._answer(number, text)
        if not self.loses_answer(number):
            self._room.data[TOPIC](self._runtime.identity, f"{number} {answer}".encode())

    async def _answer(self, number: int, text: str) -> str:
        if number == 0:
            return json.dumps(guard("ENVELOPE_MALFORMED"))
        self.poses.append(text)
        whole = whole_of(text, self.grants)
        if whole is None:
            return ""
        forward = self._room.methods["runtime.forward_envelope"]
        return json.dumps(await forward({"envelope": base64.b64encode(whole.encode()).decode()}))
