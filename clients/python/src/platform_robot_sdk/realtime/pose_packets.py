"""Signed poses as lossy packets.

A call of the room is repeated until it has arrived, and the following calls wait. If packets get lost now and then, all
poses arrive, but late. With lossy packets, the next pose makes up for a lost one.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

POSES_TOPIC = "simplesim.poses"
# More than one packet carries.
_TEXT_MAX_LENGTH = 15_000
# The end of a grant's signature identifies the grant.
_TAIL_LENGTH = 24
_NUMBERED = re.compile(r"([0-9]{1,12}) (.*)", re.DOTALL)
_GRANT_IS_NEXT = '"grant":"'
_AFTER_GRANT = '"}'
_GRANT = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True)
class NumberedText:
    """The content of a packet."""

    number: int
    text: str


def pack_pose(number: int, text: str) -> bytes:
    """Packs a numbered text. Pose and answer have the same form."""
    return f"{number} {text}".encode()


def unpack_pose(packet: bytes) -> NumberedText | None:
    """Returns the number and the text of a packet; None for an invalid packet."""
    if len(packet) > _TEXT_MAX_LENGTH:
        return None
    read = _NUMBERED.fullmatch(packet.decode(errors="replace"))
    return None if read is None else NumberedText(int(read[1]), read[2])


@dataclass(frozen=True)
class ShortEnvelope:
    """The parts of an envelope whose grant the robot already knows: less than half of the envelope, so that it fits one
    datagram.
    """

    text: str
    grant: str


def shortened(envelope: str) -> ShortEnvelope | None:
    """Returns the short form of an envelope; None if its claims do not end with the grant, or if it is not an envelope."""
    parts = envelope.split(".")
    if len(parts) != 3:
        return None
    header, claims, signature = parts
    try:
        content = base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)).decode()
    except ValueError:
        return None
    head, is_next, rest = content.rpartition(_GRANT_IS_NEXT)
    grant = rest.removesuffix(_AFTER_GRANT)
    if not is_next or grant == rest or _GRANT.fullmatch(grant) is None:
        return None
    return ShortEnvelope(f"{header}.{signature} {grant[-_TAIL_LENGTH:]} {head}{is_next}", grant)


def sealed_in(request: str) -> str:
    """Returns the envelope itself from a request of `ControlKeyPair.seal`: a JWT."""
    return base64.b64decode(json.loads(request)["envelope"]).decode()


@dataclass(frozen=True)
class _Waiting:
    grant: str
    answer: asyncio.Future[str]


class PoseChannel:
    """The sender's end: sends poses, and receives answers."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """`send` sends a packet to the robot; it may get lost."""
        self._send = send
        self._number = 0
        # The robot knows this grant, because it has answered a pose that contained it.
        self._known = ""
        # In the order of their numbers.
        self._waiting: dict[int, _Waiting] = {}
        self.is_open = False
        """Whether an answer has ever come: the path for packets may open later than the one for calls."""

    async def call(self, request: str) -> str:
        """Sends a sealed pose, as `ControlKeyPair.seal` made it, and returns its answer.

        Returns the answer of a newer pose if this one got lost or the robot follows the newer one. The caller limits the
        wait.
        """
        self._number += 1
        number = self._number
        whole = sealed_in(request)
        short = shortened(whole)
        waiting = _Waiting("" if short is None else short.grant, asyncio.get_running_loop().create_future())
        self._waiting[number] = waiting
        self._send(pack_pose(number, short.text if short is not None and short.grant == self._known else whole))
        try:
            return await waiting.answer
        finally:
            self._waiting.pop(number, None)

    def take(self, packet: bytes) -> None:
        """Takes an answer of the robot."""
        content = unpack_pose(packet)
        if content is None:
            return
        self.is_open = True
        if content.text == "":
            # The robot does not know the grant.
            self._known = ""
            return
        answered = self._waiting.get(content.number)
        if answered is not None:
            self._known = answered.grant
        for number in [number for number in self._waiting if number <= content.number]:
            answer = self._waiting.pop(number).answer
            if not answer.done():
                answer.set_result(content.text)

    def probe(self) -> None:
        """Asks for an answer while none has come. Call it from time to time."""
        if not self.is_open:
            # The robot rejects an invalid envelope, and the rejection is an answer.
            self._send(pack_pose(0, "?"))
