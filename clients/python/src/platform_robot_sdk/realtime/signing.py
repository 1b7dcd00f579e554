"""Signs a session's commands of the body. It keeps the key pair, which never leaves it, fetches grants, and numbers the
envelopes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..errors import CallTimeoutError, PlatformAPIError
from ..models.http import ControlGrant
from .command_kinds import CommandKind, LatestCommands, call_kind
from .identity import is_runtime_identity
from .refusals import accepts_no_envelopes, judge_refusal
from .sealing import ControlKeyPair, SealOrder, grant_life_s
from .transport import CallError, Json
from .waiting import give_up
from .wire import FORWARD_ENVELOPE, encode_payload, guard_code

SignControl = Literal["auto"] | bool
"""Whether commands that move the body are signed: always, never, or if the runtime accepts only signed ones."""
FetchGrant = Callable[[Mapping[str, str]], Awaitable[ControlGrant]]
Send = Callable[[str, str, float], Awaitable[Json]]
"""Sends one call to a runtime: method, payload and the longest wait in seconds; returns its reply, read as JSON."""

# The share of a grant's lifetime after which another one is fetched. The old grant is still valid then, so no stream of
# packets waits.
_RENEW_AFTER = 0.8
_RETRY_RENEWAL_S = 5.0
# A grant is not used in its last moments, because the envelope must arrive before it expires.
_END_MARGIN_S = 3.0
_PAUSE_S = 0.1

_log = logging.getLogger("platform_robot_sdk")


@dataclass(frozen=True)
class _Call:
    """A command of the body, with its place in the order in which all commands were made."""

    to: str
    method: str
    payload: Mapping[str, Any]
    timeout_s: float
    send: Send
    place: int
    kind: CommandKind


@dataclass
class _Grant:
    granted: ControlGrant
    renew_at_s: float
    ends_at_s: float


class ControlSigner:
    """Seals commands one after the other, and sends them in the order of their numbers."""

    def __init__(self, mode: SignControl, fetch_grant: FetchGrant) -> None:
        self._mode: SignControl = mode
        self._fetch_grant = fetch_grant
        # Runtimes that have reported that they accept only signed commands.
        self._signing: set[str] = set()
        # The service is older than signed control, so nothing can be signed.
        self._is_unavailable = False
        self._keys: ControlKeyPair | None = None
        self._grant: _Grant | None = None
        self._renewal: asyncio.Task[_Grant] | None = None
        self._sequence = 0
        self._places = 0
        # The latest queued commands.
        self._latest = LatestCommands()
        # How far the clock of each runtime is ahead of this machine's, as a refusal reported it, seconds.
        self._ahead_s: dict[str, float] = {}
        # Held while a call is sealed and handed to the room. Waiting calls get the lock in the order in which they came.
        self._line = asyncio.Lock()

    async def call(self, to: str, method: str, payload: Mapping[str, Any], timeout_s: float, send: Send) -> Json:
        """Sends a command, signed if necessary, and returns its reply.

        Raises the errors of the room, and PlatformAPIError when the service issues no grant.
        """
        text = encode_payload(payload)
        self._places += 1
        # The checked text itself is sealed.
        call = _Call(to, method, json.loads(text), timeout_s, send, self._places, call_kind(method, payload))
        started = _now()
        if self.signs(to):
            signed = await self._sign(call)
            if signed is not None:
                return signed[0]
        left_s = timeout_s - (_now() - started)
        if left_s <= 0:
            raise CallTimeoutError(f"{method} was not signed in time, and not sent.")
        # An earlier command that is refused unsigned must not follow an unsigned stop.
        if call.kind == "stop":
            self._latest.note(call.kind, call.place)
        reply = await send(method, text, left_s)
        if self._mode != "auto" or guard_code(reply) != "PERMISSION_DENIED":
            return reply
        # The command was rejected before it had any effect, so it may be sent again. It must not follow a later command
        # that undoes it.
        if self._latest.overtake(call.kind, call.place):
            return reply
        try:
            signed = await self._sign(replace(call, timeout_s=timeout_s - (_now() - started)))
        except CallError as failure:
            # A runtime that does not accept envelopes has already reported why it rejected the call.
            if failure.reason == "unsupported":
                return reply
            raise
        if signed is None or accepts_no_envelopes(reply, signed[0]):
            return reply
        self._signing.add(to)
        return signed[0]

    def signs(self, identity: str) -> bool:
        """Whether commands to this runtime are signed from the first one on, as far as is known."""
        if self._mode != "auto":
            return self._mode
        return not self._is_unavailable and (identity in self._signing or is_runtime_identity(identity, "rcw"))

    async def close(self) -> None:
        """Stops a renewal of the grant that is still running."""
        if self._renewal is not None:
            await give_up(self._renewal)

    async def _sign(self, call: _Call) -> tuple[Json] | None:
        """Returns the reply; None if nothing can be signed here."""
        deadline = _now() + call.timeout_s
        refusals = 0
        refused: tuple[Json] | None = None
        while True:
            refusals += 1
            self._latest.note(call.kind, call.place)
            async with self._line:
                # A stop may have come during a pause, or while this call waited for its turn.
                if refused is not None and self._latest.overtake(call.kind, call.place):
                    return refused
                sent = await self._seal(call, deadline)
            # Without credentials for another envelope, the refusal of the previous one stands.
            if sent is None:
                return refused
            # A caller that gives up this wait gives up the call too.
            reply = await sent
            refused = (reply,)
            verdict = judge_refusal(reply, call.kind, refusals)
            if verdict.runtime_now_ms is not None:
                self._ahead_s[call.to] = verdict.runtime_now_ms / 1000 - time.time()
            if verdict.needs_grant:
                self._grant = None
            # It must not undo a later command.
            if verdict.retry == "no" or self._latest.overtake(call.kind, call.place):
                return (reply,)
            if verdict.retry == "later":
                await asyncio.sleep(min(_PAUSE_S, max(0.0, deadline - _now())))
            if _now() >= deadline:
                return (reply,)

    async def _seal(self, call: _Call, deadline: float) -> asyncio.Task[Json] | None:
        grant = await self._current_grant()
        if grant is None:
            return None
        left_s = deadline - _now()
        if left_s <= 0:
            raise CallTimeoutError(f"{call.method} was not signed in time, and not sent.")
        self._sequence += 1
        order = SealOrder(
            method=call.method,
            payload=call.payload,
            robot_id=grant.robot_id,
            session=grant.session,
            sequence=self._sequence,
            grant=grant.grant,
            now_s=time.time() + self._ahead_s.get(call.to, 0.0),
        )
        request = self._key_pair().seal(order)
        # A task, which starts in the order of the numbers. The lock is free for the next call meanwhile.
        return asyncio.ensure_future(self._deliver(call.send, request, left_s))

    @staticmethod
    async def _deliver(send: Send, request: str, left_s: float) -> Json:
        return await send(FORWARD_ENVELOPE, request, left_s)

    async def _current_grant(self) -> ControlGrant | None:
        grant = self._grant
        if grant is not None and _now() < grant.ends_at_s:
            if _now() >= grant.renew_at_s:
                self._renew_quietly(grant)
            return grant.granted
        if self._is_unavailable:
            return None
        try:
            # Another call may need the grant too, so a call that is given up does not cancel the renewal.
            renewed = await asyncio.shield(self._renew())
        except PlatformAPIError as error:
            if self._mode != "auto" or not _is_older_service(error):
                raise
            self._is_unavailable = True
            return None
        return renewed.granted

    def _renew_quietly(self, grant: _Grant) -> None:
        if self._renewal is not None:
            return
        grant.renew_at_s = _now() + _RETRY_RENEWAL_S
        self._renew().add_done_callback(_report_failed_renewal)

    def _renew(self) -> asyncio.Task[_Grant]:
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(self._fetch())
            self._renewal.add_done_callback(self._renewed)
        return self._renewal

    def _renewed(self, renewal: asyncio.Task[_Grant]) -> None:
        self._renewal = None
        # A caller that waits for it gets its error; without a caller, `_renew_quietly` logs it.
        with contextlib.suppress(BaseException):
            renewal.exception()

    async def _fetch(self) -> _Grant:
        asked = _now()
        granted = await self._fetch_grant(self._key_pair().public_key)
        life_s = grant_life_s(granted.grant)
        self._grant = _Grant(granted, asked + life_s * _RENEW_AFTER, asked + life_s - _END_MARGIN_S)
        return self._grant

    def _key_pair(self) -> ControlKeyPair:
        if self._keys is None:
            self._keys = ControlKeyPair()
        return self._keys


def _report_failed_renewal(renewal: asyncio.Task[_Grant]) -> None:
    error = None if renewal.cancelled() else renewal.exception()
    if error is not None:
        reason = error.code if isinstance(error, PlatformAPIError) else type(error).__name__
        _log.warning("the grant of signed control could not be renewed (%s); it is tried again", reason)


def _is_older_service(error: PlatformAPIError) -> bool:
    """Whether the service lacks this address. Missing robots and sessions have codes of their own."""
    return error.status_code == 404 and error.code != "robot.not_found"


def _now() -> float:
    return asyncio.get_running_loop().time()
