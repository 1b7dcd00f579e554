"""A client's view of the room: finds the runtime and sends it calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from .._network import room_hint
from ..errors import CallTimeoutError, PlatformSDKError, RcwRuntimeError
from .command_kinds import CommandKind, LatestCommands, call_kind
from .identity import is_runtime_identity, remedy_for
from .pose_channels import PoseChannels
from .transport import CallError, Json, Participant, RoomTransport, StreamHandler
from .waiting import give_up, require_loop, settled, within
from .wire import BODY_METHODS, FORWARD_ENVELOPE, encode_payload, only_reads, parse_reply, raise_if_guard, refusal_of

if TYPE_CHECKING:
    from .signing import ControlSigner

# A read is answered immediately. A reply that takes longer got lost, and the question is repeated.
READ_REPLY_S = 5.0
# Pause between two questions to a runtime that is loading or has just come back.
_PAUSE_S = 0.2
_SIGNING_MARGIN_S = 1.0

Notice = Callable[..., None]
Status = Callable[[str, float | None], None]


def _ignore(*_: object) -> None:
    """The default status callback, which does nothing."""


class CallLostError(CallTimeoutError):
    """A call that is sent only once brought no reply, possibly long before its timeout."""


class RoomLink:
    """A room, and the runtime in it. Must be created in the event loop that uses it."""

    def __init__(
        self, transport: RoomTransport, identity_prefix: str, signer: ControlSigner | None = None, notice: Notice = _ignore
    ) -> None:
        """`notice` is called with the name of a callback (`on_runtime_joined`) and its arguments."""
        self._transport = transport
        self._prefix = identity_prefix
        self._signer = signer
        self._notice = notice
        # Settles when the room is over, so that all calls end with it.
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._over_reason: str | None = None
        self._arrival = asyncio.Event()
        self._answering: str | None = None
        self._commands = 0
        self._latest = LatestCommands()
        self._poses = PoseChannels(transport, self._over)

    # Called by the room:

    def participant_joined(self, identity: str) -> None:
        """A participant has joined."""
        if self.is_runtime(identity):
            self._arrival.set()
            self._notice("on_runtime_joined", identity)

    def participant_left(self, identity: str) -> None:
        """A participant has left."""
        if self.is_runtime(identity):
            self._notice("on_runtime_left", identity)

    def reconnecting(self) -> None:
        """The connection broke."""
        self._notice("on_reconnecting")

    def reconnected(self) -> None:
        """The connection is restored."""
        # Participants that joined in the meantime may not have been reported one by one.
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

    # Called by the client:

    async def join(self, url: str, token: str, timeout_s: float) -> None:
        """Joins the room. Its errors, except TimeoutError, may contain the token."""
        joining = self._transport.connect(url, token, self)
        try:
            await within(joining, timeout_s, f"The room was not joined within {timeout_s:g} s.{room_hint(url)}")
        except BaseException:
            # A join that was given up may still succeed, so the transport leaves in that case too.
            leaving = asyncio.ensure_future(self._transport.disconnect())
            await asyncio.shield(leaving)
            raise

    async def leave(self) -> None:
        """Leaves the room and ends the calls that still wait."""
        self.disconnected("left")
        await self._transport.disconnect()

    @property
    def runtime(self) -> str | None:
        """Identity of the runtime in the room; None while there is none."""
        candidates = self._candidates()
        if self._answering in candidates:
            return self._answering
        return candidates[0] if candidates else None

    def participants(self) -> list[Participant]:
        """Returns the other participants of the room."""
        return list(self._transport.participants())

    @property
    def metadata(self) -> str:
        """The metadata of the room, as text; empty if there is none."""
        # A room of another implementation may lack this method.
        read = getattr(self._transport, "metadata", None)
        return "" if read is None else str(read())

    def is_runtime(self, identity: str) -> bool:
        """Whether this identity is a runtime's, by its name."""
        return is_runtime_identity(identity, self._prefix)

    def on_byte_stream(self, topic: str, handler: StreamHandler) -> None:
        """Passes the streams of a topic to the handler."""
        self._transport.on_byte_stream(topic, handler)

    def off_byte_stream(self, topic: str) -> None:
        """Removes the handler of the streams."""
        self._transport.off_byte_stream(topic)

    def on_data(self, topic: str, handler: Callable[[bytes], None]) -> None:
        """Passes the handler what a runtime sends to the room under this topic. All other packets of the topic are dropped."""
        # A room of another implementation may lack this method; then no events arrive.
        listen = getattr(self._transport, "on_data", None)
        if listen is not None:
            listen(topic, lambda sender, data: handler(data) if self.is_runtime(sender) else None)

    async def runtime_present(self) -> str:
        """Waits until a participant with a runtime's name is in the room."""
        while True:
            self.raise_if_over()
            # Cleared before the check, so that a participant who joins in between is not missed.
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
        """Waits until a runtime is in the room and takes calls, and returns its skills, as it lists them. The runtime is
        asked for its skills until its answer is other than `NOT_READY`.

        `status` receives what the wait is for, and the fraction that is done, if it is known.
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
        """Returns a sentence: that the runtime is not in the room, who is, and what to do."""
        others = sorted(participant.identity for participant in self.participants())
        there = f"there are {', '.join(others)}" if others else "the room is empty"
        return f"no participant named {self._prefix} is in the room ({there}). {remedy_for(others)}"

    async def _skills_of(self, identity: str, status: Status) -> list[Json] | None:
        """Returns None while the runtime takes no calls."""
        try:
            reply = await self.call_once(identity, "runtime.tools_list", "{}", READ_REPLY_S)
            raise_if_guard(reply)
        except CallError:
            status(f"{identity} is in the room and does not answer.", None)
            return None
        except RcwRuntimeError as error:
            if error.code != "NOT_READY":
                raise
            status(f"{identity} is in the room and reports: {error.runtime_message}", _fraction_of(error.details))
            return None
        if isinstance(reply, list):
            return reply
        status(f"{identity} is in the room and answers with something else than its skills.", None)
        return None

    async def read(self, method: str, payload: object, timeout_s: float) -> Json:
        """Asks a question that changes nothing, repeats it if the reply got lost, and returns the reply.

        Raises:
            RcwRuntimeError: the reply is a guard, or no runtime is in the room.
            CallTimeoutError: no reply came in time.
        """
        return await self._ask(method, payload, timeout_s, may_repeat=True)

    async def ask_once(self, method: str, payload: object, timeout_s: float) -> Json:
        """Does the same, but asks only once: for calls that may change something and have no id for repeating them.

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
                    f"{timeout_s:g} s. It is not sent again, because it may have been carried out; read the state."
                )
            await asyncio.sleep(min(_PAUSE_S, max(0.0, deadline - _now())))
            identity = await within(self.runtime_present(), deadline - _now(), late)

    @property
    def commands_made(self) -> int:
        """Number of commands that move the body so far."""
        return self._commands

    def count_command(self, kind: CommandKind) -> int:
        """Counts a command of the body, and returns its place in the order of all commands."""
        self._commands += 1
        self._latest.note(kind, self._commands)
        return self._commands

    def is_overtaken(self, kind: CommandKind, place: int, to: str) -> bool:
        """Whether a command must not be sent again: it would undo a later command, and the runtime keeps each command until
        the next. No command overtakes a stop.
        """
        return self.holds(to) and self._latest.overtake(kind, place)

    def has_commanded_since(self, place: int) -> bool:
        """Whether a command other than a stop or a read was made after this place."""
        return self._latest.move_after(place)

    def holds(self, identity: str) -> bool:
        """Whether the runtime keeps each command until the next, as far as is known. Runtimes with signed control do so."""
        return is_runtime_identity(identity, "rcw") or (self._signer is not None and self._signer.signs(identity))

    async def command(self, to: str, method: str, payload: Mapping[str, Any], timeout_s: float) -> Json:
        """Sends one command of the body, signed if the runtime accepts only signed ones.

        Raises the errors of `call_once` and of the signer.
        """
        if self._signer is None or only_reads(payload.get("name")):
            return await self.call_once(to, method, encode_payload(payload), timeout_s)

        is_pose = call_kind(method, payload) == "pose"

        async def send(name: str, text: str, left_s: float) -> Json:
            line = self._poses.open_to(to) if is_pose and name == FORWARD_ENVELOPE else None
            if line is None:
                return await self.call_once(to, name, text, left_s)
            return await self._reply_to(line.call(text), to, name, left_s)

        # The grant has its own timeout, so a call without a reply is distinguished from a call that was not sent.
        signing = self._signer.call(to, method, payload, timeout_s, send)
        try:
            return await within(signing, timeout_s + _SIGNING_MARGIN_S, f"{method} was not signed in time.")
        except asyncio.CancelledError:
            # The signer ends with the session. A caller that waits for a grant at that moment was not cancelled itself.
            task = asyncio.current_task()
            if task is not None and not task.cancelling():
                self.raise_if_over()
            raise

    async def choose_pose_way(self, takes_packets: Callable[[], Awaitable[bool]]) -> None:
        """Chooses whether signed poses go to the runtime as packets, which a bad connection delays least, or as calls.

        `takes_packets` asks the runtime.
        """
        to = self.runtime
        if to is not None and self._signer is not None and self._signer.signs(to):
            await self._poses.choose(to, takes_packets)

    async def call_once(self, to: str, method: str, payload: str, timeout_s: float) -> Json:
        """Makes one call and reads its reply as JSON. Raises CallError, and PlatformSDKError when the room ends."""
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
        # A reply that arrived counts, even if the room ended at the same time.
        if call.exception() is not None:
            self.raise_if_over()
        return parse_reply(call.result(), method, to)

    def require_runtime(self) -> str:
        """Returns the identity of the runtime.

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
        """Settles when the room is over. Must not be cancelled."""
        return self._over

    def require_own_loop(self) -> None:
        """Raises PlatformSDKError in any event loop but the one that created this object."""
        require_loop(self._over.get_loop())

    def raise_if_over(self) -> None:
        """Raises PlatformSDKError when the room is over, or belongs to another event loop."""
        self.require_own_loop()
        reason = self._over_reason
        if reason == "left":
            raise PlatformSDKError("This session was left. Connect again to continue.")
        if reason is not None:
            raise PlatformSDKError(f"The room of this session has ended ({reason}). Connect again to continue.")

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
