"""Signs a session's commands of the body: keeps the key pair, which never leaves it, fetches grants and numbers the
envelopes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..errors import CallTimeoutError, PlatformAPIError
from ..models.http import ControlGrant
from .command_kinds import CommandKind, LatestCommands, call_kind
from .identity import is_runtime_identity
from .sealing import ControlKeyPair, SealOrder, grant_life_s
from .transport import CallError, Json
from .waiting import give_up
from .wire import FORWARD_ENVELOPE, encode_payload, guard_code, guard_details

SignControl = Literal["auto"] | bool
"""Whether commands of the body are signed: always, never, or where the runtime takes no others."""
FetchGrant = Callable[[Mapping[str, str]], Awaitable[ControlGrant]]
Send = Callable[[str, str, float], Awaitable[Json]]
"""One call on its way to a runtime: method, payload and the longest wait in seconds; gives its reply, read as JSON."""

# Of a grant's life; then another one is fetched while it is still good, so that no stream of packets waits for it.
_RENEW_AFTER = 0.8
_RETRY_RENEWAL_S = 5.0
# A grant is not used in its last moments: the envelope has its way before it.
_END_MARGIN_S = 3.0
# So often a call that was refused, but not carried out, is sealed anew without a pause.
_AT_ONCE_MAX = 3
_PAUSE_S = 0.1

_log = logging.getLogger("platform_robot_sdk")


@dataclass(frozen=True)
class _Call:
    """A command of the body, with its place among all of them in the order in which they were made."""

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
        # Runtimes that have said that they take signed commands only.
        self._signing: set[str] = set()
        # The service is of before signed control, so that nothing can be signed.
        self._is_unavailable = False
        self._keys: ControlKeyPair | None = None
        self._grant: _Grant | None = None
        self._renewal: asyncio.Task[_Grant] | None = None
        self._sequence = 0
        self._places = 0
        # The latest commands that have entered the line.
        self._latest = LatestCommands()
        # The clock of the runtime against that of this machine, as a refusal told it.
        self._ahead_s = 0.0
        # Held while a call is sealed and handed to the room; those who wait for it get it in the order in which they came.
        self._line = asyncio.Lock()

    async def call(self, to: str, method: str, payload: Mapping[str, Any], timeout_s: float, send: Send) -> Json:
        """Sends a command, signed if it has to be, and gives its reply.

        Raises what the room raises, and PlatformAPIError when no grant is given.
        """
        text = encode_payload(payload)
        self._places += 1
        # The checked text itself is sealed.
        call = _Call(to, method, json.loads(text), timeout_s, send, self._places, call_kind(method, payload))
        if self.signs(to):
            signed = await self._sign(call)
            if signed is not None:
                return signed[0]
        started = _now()
        reply = await send(method, text, timeout_s)
        if self._mode != "auto" or guard_code(reply) != "PERMISSION_DENIED":
            return reply
        # It was refused before it could do anything, so it may be sent again; not behind a later one that undoes it, whose
        # refusal came first.
        if self._latest.overtake(call.kind, call.place):
            return reply
        try:
            signed = await self._sign(replace(call, timeout_s=timeout_s - (_now() - started)))
        except CallError as failure:
            # One that takes no envelopes has said already why it refuses.
            if failure.reason == "unsupported":
                return reply
            raise
        if signed is None or _takes_no_envelopes(reply, signed[0]):
            return reply
        self._signing.add(to)
        return signed[0]

    def signs(self, identity: str) -> bool:
        """Whether commands to it are signed from the first on, as far as is known now."""
        if self._mode != "auto":
            return self._mode
        return not self._is_unavailable and (identity in self._signing or is_runtime_identity(identity, "rcw"))

    async def close(self) -> None:
        """Ends what still renews a grant."""
        if self._renewal is not None:
            await give_up(self._renewal)

    async def _sign(self, call: _Call) -> tuple[Json] | None:
        """The reply; None when nothing can be signed here."""
        deadline = _now() + call.timeout_s
        attempt = 0
        while True:
            attempt += 1
            self._latest.note(call.kind, call.place)
            async with self._line:
                sent = await self._seal(call, deadline)
            if sent is None:
                return None
            # A caller that gives this wait up gives the call up too.
            reply = await sent
            # A command refused so was not carried out. It is sealed anew unless a later command, sealed or not, would be undone
            # by it.
            again = self._judge(reply, call.kind, attempt)
            if again == "no" or self._latest.overtake(call.kind, call.place):
                return (reply,)
            if again == "later":
                await asyncio.sleep(min(_PAUSE_S, max(0.0, deadline - _now())))
            if _now() >= deadline:
                return (reply,)

    def _judge(self, reply: object, kind: CommandKind, attempt: int) -> Literal["no", "at_once", "later"]:
        """Whether a call that was answered so is to be sealed anew."""
        again: Literal["at_once", "later"] = "at_once" if attempt <= _AT_ONCE_MAX else "later"
        code = guard_code(reply)
        # Calls that are under way together arrive in any order.
        if code == "ENVELOPE_OUT_OF_ORDER":
            return again
        if code == "NOT_READY":
            return "later" if kind == "stop" and guard_details(reply).get("reason") == "crowded" else "no"
        if not self._learn_from(reply):
            return "no"
        return again if attempt == 1 or kind == "stop" else "no"

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
            now_s=time.time() + self._ahead_s,
        )
        request = self._key_pair().seal(order)
        # A task, which begins in the order of the numbers; the line is free for the next one meanwhile.
        return asyncio.ensure_future(self._deliver(call.send, request, left_s))

    @staticmethod
    async def _deliver(send: Send, request: str, left_s: float) -> Json:
        return await send(FORWARD_ENVELOPE, request, left_s)

    def _learn_from(self, reply: object) -> bool:
        """Takes from a refusal what the next envelope must have otherwise, and tells whether there was something to take."""
        code = guard_code(reply)
        if code == "GRANT_EXPIRED":
            self._grant = None
            return True
        now_ms = guard_details(reply).get("now_ms") if code == "ENVELOPE_STALE" else None
        if not isinstance(now_ms, int | float) or not math.isfinite(now_ms):
            return False
        self._ahead_s = now_ms / 1000 - time.time()
        return True

    async def _current_grant(self) -> ControlGrant | None:
        grant = self._grant
        if grant is not None and _now() < grant.ends_at_s:
            if _now() >= grant.renew_at_s:
                self._renew_quietly(grant)
            return grant.granted
        if self._is_unavailable:
            return None
        try:
            # Another call may need it as well, so that one that is given up leaves it alone.
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
        self._renew().add_done_callback(_tell_failed_renewal)

    def _renew(self) -> asyncio.Task[_Grant]:
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(self._fetch())
            self._renewal.add_done_callback(self._renewed)
        return self._renewal

    def _renewed(self, renewal: asyncio.Task[_Grant]) -> None:
        self._renewal = None
        # A caller that waits for it gets what it raised; without one `_renew_quietly` tells it.
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


def _tell_failed_renewal(renewal: asyncio.Task[_Grant]) -> None:
    error = None if renewal.cancelled() else renewal.exception()
    if error is not None:
        reason = error.code if isinstance(error, PlatformAPIError) else type(error).__name__
        _log.warning("the grant of signed control could not be renewed (%s); it is tried again", reason)


def _takes_no_envelopes(plain: object, sealed: object) -> bool:
    """Whether a runtime refused the call for what it is, and not for the missing signature: it takes no envelopes either, and
    has not asked for any. Its next commands go plain again."""
    code = guard_code(sealed)
    asked = guard_details(plain).get("signed_control") is True
    return code == "METHOD_NOT_FOUND" or (code == "PERMISSION_DENIED" and not asked)


def _is_older_service(error: PlatformAPIError) -> bool:
    """A service that has no such address; robots and sessions that are not there have codes of their own."""
    return error.status_code == 404 and error.code != "robot.not_found"


def _now() -> float:
    return asyncio.get_running_loop().time()
