"""The room seen from a client: who the runtime is, and how one asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from .._network import room_hint
from ..errors import CallTimeoutError, PlatformSDKError, RcwRuntimeError
from .command_kinds import CommandKind, LatestCommands, call_kind
from .identity import is_runtime_identity, remedy_for
from .pose_lines import PoseLines
from .transport import CallError, Json, Participant, RoomTransport, StreamHandler
from .waiting import give_up, require_loop, settled, within
from .wire import BODY_METHODS, FORWARD_ENVELOPE, encode_payload, only_reads, parse_reply, raise_if_guard, refusal_of

if TYPE_CHECKING:
    from .signing import ControlSigner

# A read is answered at once; a reply that takes longer got lost, and the question is put again.
READ_REPLY_S = 5.0
# Between two questions to a runtime that loads or has just come back.
_PAUSE_S = 0.2
_SIGNING_MARGIN_S = 1.0

Notice = Callable[..., None]
Status = Callable[[str, float | None], None]


def _ignore(*_: object) -> None:
    """Nobody listens."""


class CallLostError(CallTimeoutError):
    """A call that is put once brought no reply, perhaps long before its time was up."""


class RoomLink:
    """A room, and the runtime in it. Made in the event loop that it is used in."""

    def __init__(
        self, transport: RoomTransport, identity_prefix: str, signer: ControlSigner | None = None, notice: Notice = _ignore
    ) -> None:
        """`notice` is called with the name of a callback (`on_runtime_joined`) and what it is to be told."""
        self._transport = transport
        self._prefix = identity_prefix
        self._signer = signer
        self._notice = notice
        # Settles when the room is over, so that no call outlives it.
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._over_reason: str | None = None
        self._arrival = asyncio.Event()
        self._answering: str | None = None
        self._commands = 0
        self._latest = LatestCommands()
        self._poses = PoseLines(transport, self._over)

    # The room tells these.

    def participant_joined(self, identity: str) -> None:
        """Somebody has come."""
        if self.is_runtime(identity):
            self._arrival.set()
            self._notice("on_runtime_joined", identity)

    def participant_left(self, identity: str) -> None:
        """Somebody has gone."""
        if self.is_runtime(identity):
            self._notice("on_runtime_left", identity)

    def reconnecting(self) -> None:
        """The connection broke."""
        self._notice("on_reconnecting")

    def reconnected(self) -> None:
        """The connection is there again."""
        # Arrivals in the meantime may not have been told one by one.
        self._arrival.set()
        self._notice("on_reconnected")

    def disconnected(self, reason: str) -> None:
        """The room is over."""
        if self._over_reason is not None:
            return
        self._over_reason = reason
        if not self._over.done():
            self._over.set_result(None)
        self._notice("on_disconnected", reason)

    # A client does these.

    async def join(self, url: str, token: str, timeout_s: float) -> None:
        """Joins. What it raises may hold the token, but for a TimeoutError."""
        joining = self._transport.connect(url, token, self)
        try:
            await within(joining, timeout_s, f"The room was not joined within {timeout_s:g} s.{room_hint(url)}")
        except BaseException:
            # A join that is given up may still succeed; the transport leaves then too.
            leaving = asyncio.ensure_future(self._transport.disconnect())
            await asyncio.shield(leaving)
            raise

    async def leave(self) -> None:
        """Leaves; calls that still wait end."""
        self.disconnected("left")
        await self._transport.disconnect()

    @property
    def runtime(self) -> str | None:
        """Identity of the runtime in the room, None while there is none."""
        candidates = self._candidates()
        if self._answering in candidates:
            return self._answering
        return candidates[0] if candidates else None

    def participants(self) -> list[Participant]:
        """The others in the room."""
        return list(self._transport.participants())

    def is_runtime(self, identity: str) -> bool:
        """Whether this is a runtime by its name."""
        return is_runtime_identity(identity, self._prefix)

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        """Hands the streams of a topic to the handler."""
        self._transport.on_byte_stream(topic, handler)

    def off_byte_stream(self, topic: str) -> None:
        """Hands them to nobody any more."""
        self._transport.off_byte_stream(topic)

    def on_data(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """Hands what a runtime sends to the room under this topic to the handler; what others send is dropped."""
        # A room of somebody else's making may have no such thing: then no events are heard.
        listen = getattr(self._transport, "on_data", None)
        if listen is not None:
            listen(topic, lambda sender, data: handler(data) if self.is_runtime(sender) else None)

    async def runtime_present(self) -> str:
        """Waits until a participant that is a runtime by its name is in the room."""
        while True:
            self.raise_if_over()
            # Cleared before looking, so that who comes in between is not missed.
            self._arrival.clear()
            identity = self.runtime
            if identity is not None:
                return identity
            arrival = asyncio.ensure_future(self._arrival.wait())
            try:
                await settled(arrival, self._over)
            finally:
                arrival.cancel()

    async def ready(self, status: Status = _ignore) -> list[Json]:
        """Waits until a runtime is in the room and takes calls: asked for its skills until it no longer answers `NOT_READY`.
        Gives its skills, as it lists them.

        `status` is told what it waits for, and the part of it that is done, where that is known.
        """
        while True:
            if self.runtime is None:
                status(self.who_is_there(), None)
            await self.runtime_present()
            for identity in self._candidates():
                skills = await self._skills_of(identity, status)
                if skills is not None:
                    self._answering = identity
                    return skills
            await asyncio.sleep(_PAUSE_S)

    def who_is_there(self) -> str:
        """That the runtime is not in the room, who is, and what to do."""
        others = sorted(participant.identity for participant in self.participants())
        there = f"there are {', '.join(others)}" if others else "nobody else is there"
        return f"nobody named {self._prefix} is in the room ({there}). {remedy_for(others)}"

    async def _skills_of(self, identity: str, status: Status) -> list[Json] | None:
        """None while it takes no calls."""
        try:
            reply = await self.call_once(identity, "runtime.tools_list", "{}", READ_REPLY_S)
            raise_if_guard(reply)
        except CallError:
            status(f"{identity} is in the room and does not answer.", None)
            return None
        except RcwRuntimeError as error:
            if error.code != "NOT_READY":
                raise
            status(f"{identity} is in the room and says: {error.runtime_message}", _fraction_of(error.details))
            return None
        if isinstance(reply, list):
            return reply
        status(f"{identity} is in the room and answers with something else than its skills.", None)
        return None

    async def read(self, method: str, payload: object, timeout_s: float) -> Json:
        """Puts a question that changes nothing, again if its reply got lost, and gives the reply.

        Raises:
            RcwRuntimeError: the reply is a guard, or no runtime is in the room.
            CallTimeoutError: no reply came in time.
        """
        return await self._ask(method, payload, timeout_s, may_repeat=True)

    async def ask_once(self, method: str, payload: object, timeout_s: float) -> Json:
        """The same, but put once: for calls that may change something and have no id to repeat them by.

        Raises:
            CallLostError: the call or its reply got lost.
        """
        return await self._ask(method, payload, timeout_s, may_repeat=False)

    async def _ask(self, method: str, payload: object, timeout_s: float, *, may_repeat: bool) -> Json:
        text = encode_payload(payload)
        deadline = _now() + timeout_s
        late = f"{method} had no reply within {timeout_s:g} s."
        identity = self.require_runtime()
        if method in BODY_METHODS and isinstance(payload, Mapping):
            self.count_command(call_kind(method, payload))
        while True:
            left_s = deadline - _now()
            if left_s <= 0:
                raise CallTimeoutError(late)
            slice_s = min(left_s, READ_REPLY_S) if may_repeat else left_s
            try:
                if method in BODY_METHODS and isinstance(payload, Mapping):
                    reply = await self.command(identity, method, payload, slice_s)
                else:
                    reply = await self.call_once(identity, method, text, slice_s)
            except CallError as failure:
                refused = failure
            else:
                raise_if_guard(reply)
                return reply
            if refused.reason not in ("lost", "absent"):
                raise refusal_of(refused, method)
            if not may_repeat:
                raise CallLostError(
                    f"{method} had no reply: the call or its reply got lost after {timeout_s - (deadline - _now()):.1f} s of "
                    f"{timeout_s:g} s. It is not put again, for it may have been carried out; read the state."
                )
            await asyncio.sleep(min(_PAUSE_S, max(0.0, deadline - _now())))
            identity = await within(self.runtime_present(), deadline - _now(), late)

    @property
    def commands_made(self) -> int:
        """How many commands of the body there were."""
        return self._commands

    def count_command(self, kind: CommandKind) -> int:
        """Notes that a command of the body is made, and gives its place among them all."""
        self._commands += 1
        self._latest.note(kind, self._commands)
        return self._commands

    def is_overtaken(self, kind: CommandKind, place: int, to: str) -> bool:
        """Whether a command must not be sent again: a later one was made that it would undo, and the runtime holds what it is
        told. Nothing overtakes a stop.
        """
        return self.holds(to) and self._latest.overtake(kind, place)

    def has_commanded_since(self, place: int) -> bool:
        """Whether anything but stops and reads was commanded after this place."""
        return self._latest.move_after(place)

    def holds(self, identity: str) -> bool:
        """Whether the runtime holds what it is told until it is told otherwise, as far as is known: those with signed control
        do.
        """
        return is_runtime_identity(identity, "rcw") or (self._signer is not None and self._signer.signs(identity))

    async def command(self, to: str, method: str, payload: Mapping[str, Any], timeout_s: float) -> Json:
        """One command of the body, signed where the runtime takes no others.

        Raises as `call_once`, and what the signer does.
        """
        if self._signer is None or only_reads(payload.get("name")):
            return await self.call_once(to, method, encode_payload(payload), timeout_s)

        is_pose = call_kind(method, payload) == "pose"

        async def send(name: str, text: str, left_s: float) -> Json:
            line = self._poses.open_to(to) if is_pose and name == FORWARD_ENVELOPE else None
            if line is None:
                return await self.call_once(to, name, text, left_s)
            return await self._reply_to(line.call(text), to, name, left_s)

        # The grant has a wait of its own; a call that waits for its reply to the end is told apart from one that was not sent.
        signing = self._signer.call(to, method, payload, timeout_s, send)
        try:
            return await within(signing, timeout_s + _SIGNING_MARGIN_S, f"{method} was not signed in time.")
        except asyncio.CancelledError:
            # The signer ends with the session; whoever waits for a grant then was not cancelled.
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                self.raise_if_over()
            raise

    async def choose_pose_way(self, takes_packets: Callable[[], Awaitable[bool]]) -> None:
        """Decides whether signed poses go to the runtime as packets, which a bad line delays least, or as calls.

        `takes_packets` asks the runtime.
        """
        to = self.runtime
        if to is not None and self._signer is not None and self._signer.signs(to):
            await self._poses.choose(to, takes_packets)

    async def call_once(self, to: str, method: str, payload: str, timeout_s: float) -> Json:
        """One call, one reply, read as JSON. Raises CallError, and PlatformSDKError when the room ends."""
        self.raise_if_over()
        calling = self._transport.call(to=to, method=method, payload=payload, timeout_s=timeout_s)
        return await self._reply_to(calling, to, method, timeout_s)

    async def _reply_to(self, calling: Coroutine[Any, Any, str], to: str, method: str, timeout_s: float) -> Json:
        call = asyncio.ensure_future(calling)
        await settled(call, self._over, timeout_s=max(0.0, timeout_s))
        if not call.done():
            await give_up(call)
            self.raise_if_over()
            raise CallError("lost")
        # A reply that came counts, also of a room that ended with it.
        if call.exception() is not None:
            self.raise_if_over()
        return parse_reply(call.result(), method, to)

    def require_runtime(self) -> str:
        """Identity of the runtime.

        Raises:
            RcwRuntimeError: `NOT_READY` when no runtime is in the room.
            PlatformSDKError: the room is over.
        """
        self.raise_if_over()
        identity = self.runtime
        if identity is not None:
            return identity
        raise RcwRuntimeError(
            "NOT_READY",
            f"No runtime is in the room (no participant named {self._prefix}). Open the viewer, or start the robot's worker, "
            "and await wait_until_ready().",
            {
                "stage": "readiness",
                "attempted": False,
                "world_changed": "no",
                "retryable": True,
                "reason": "no_runtime_in_room",
            },
        )

    def over(self) -> asyncio.Future[None]:
        """Settles when the room is over. Not to be cancelled."""
        return self._over

    def require_own_loop(self) -> None:
        """Raises PlatformSDKError in another event loop than the one that this was made in."""
        require_loop(self._over.get_loop())

    def raise_if_over(self) -> None:
        """Raises PlatformSDKError when the room is over, or is another event loop's."""
        self.require_own_loop()
        reason = self._over_reason
        if reason == "left":
            raise PlatformSDKError("This session was left. Connect again to go on.")
        if reason is not None:
            raise PlatformSDKError(f"The room of this session has ended ({reason}). Connect again to go on.")

    def _candidates(self) -> list[str]:
        return sorted(
            participant.identity for participant in self._transport.participants() if self.is_runtime(participant.identity)
        )


def _fraction_of(details: Mapping[str, Any]) -> float | None:
    progress = details.get("progress")
    if not isinstance(progress, Mapping):
        return None
    current, total = progress.get("current"), progress.get("total")
    if isinstance(current, int | float) and isinstance(total, int | float) and total > 0:
        return min(1.0, max(0.0, current / total))
    return None


def _now() -> float:
    return asyncio.get_running_loop().time()
