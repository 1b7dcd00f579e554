"""The consequence of a refused command. A refusal is a reply of a runtime that carried out nothing of the call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .command_kinds import CommandKind
from .wire import guard_code, guard_details

Retry = Literal["now", "later", "no"]

# How often a refused command is sealed again without a pause.
_WITHOUT_PAUSE_MAX = 3
_LARGEST_TIME_MS = 8.64e15


@dataclass(frozen=True)
class RefusalVerdict:
    """The consequence of a refusal."""

    retry: Retry
    """Whether to seal the command again: immediately, after a pause, or not."""
    runtime_now_ms: float | None = None
    """The runtime's clock, for the next envelope, in milliseconds since the epoch; None if it is not reported."""
    needs_grant: bool = False
    """Whether the next envelope needs another grant."""


def judge_refusal(reply: object, kind: CommandKind, refusals: int) -> RefusalVerdict:
    """Decides what follows a reply to a sealed command. If it is a refusal, nothing of the envelope was carried
    out.

    The same `action_id` is sealed each time, so no command can run twice (promise P5). A stop is sealed again as long as
    that may help (promise P7). `refusals` is how often this command has been refused, including this time.
    """
    code, details = guard_code(reply), guard_details(reply)
    is_stop = kind == "stop"
    soon: Retry = "now" if refusals <= _WITHOUT_PAUSE_MAX else "later"
    once: Retry = soon if is_stop or refusals == 1 else "no"
    if code == "ENVELOPE_OUT_OF_ORDER":
        # A stop was carried out after this command was sent, perhaps a stop by another caller. The command must not undo
        # it. Without a stop, commands that are under way at the same time have arrived in another order.
        is_undone = details.get("reason") == "overtaken" and not is_stop
        return RefusalVerdict("no" if is_undone else soon)
    if code == "ENVELOPE_REPLAYED":
        # The network may have carried the envelope twice. Only a change of the driver has no id by which a second one is
        # harmless.
        return RefusalVerdict("no" if kind == "read" else soon)
    if code == "ENVELOPE_STALE":
        now_ms = details.get("now_ms")
        # An integer of Python may be too large for a float.
        is_clock = isinstance(now_ms, int | float) and not isinstance(now_ms, bool) and abs(now_ms) < _LARGEST_TIME_MS
        return RefusalVerdict(once, runtime_now_ms=now_ms if is_clock else None)
    if code == "GRANT_EXPIRED":
        return RefusalVerdict(once, needs_grant=True)
    # The runtime has no capacity at the moment.
    is_crowded = code is not None and details.get("reason") == "crowded"
    return RefusalVerdict("later" if is_stop and is_crowded else "no")


def accepts_no_envelopes(plain: object, sealed: object) -> bool:
    """Whether a runtime rejected a command for its content, and not for a missing signature.

    It has not asked for signatures, and rejects the signed command too. Its answer to the unsigned command, `plain`, is
    then the informative one.
    """
    code = guard_code(sealed)
    if code == "METHOD_NOT_FOUND":
        return True
    asked = guard_details(plain).get("signed_control") is True
    return code in ("PERMISSION_DENIED", "ENVELOPE_MALFORMED") and not asked
