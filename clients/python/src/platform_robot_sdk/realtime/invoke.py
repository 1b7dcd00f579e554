"""Runs a skill once, also if messages get lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import CallTimeoutError, RcwRuntimeError
from ..models.actions import ActionResult
from .command_kinds import command_kind
from .look_up import LOOK_UP_REPLY_S, Knowledge, OnActive, look_up, watch
from .losses import Known, judge_loss
from .room_link import RoomLink
from .transport import CallError
from .waiting import give_up, random_id, settled, within
from .wire import TOOLS_CALL, encode_payload, guard_code, invalid_input, read_action_result, refusal_of, skill_parameters

_PAUSE_S = 0.25


@dataclass(frozen=True)
class SkillRequest:
    """A skill to run."""

    skill: str
    params: Mapping[str, Any]
    action_id: str
    deadline_s: float | None = None

    def payload(self) -> dict[str, Any]:
        """Returns the request of `runtime.tools_call`."""
        options: dict[str, Any] = {"action_id": self.action_id}
        if self.deadline_s is not None:
            options["deadline_s"] = self.deadline_s
        return {"name": self.skill, "input": self.params, "options": options}


@dataclass(frozen=True)
class SkillCall:
    """The arguments of a skill call, as the program gave them."""

    skill: str
    params: Callable[[], Mapping[str, Any] | None]
    """Returns the parameters, or raises the refusal of a wrong argument."""
    action_id: str | None
    deadline_s: float | None

    def id_of_action(self) -> str:
        """Returns the given id; a new one if the id is absent or invalid."""
        return self.action_id if isinstance(self.action_id, str) and self.action_id else random_id("act")

    def request(self, action_id: str) -> SkillRequest:
        """Returns the request under this id.

        Raises:
            RcwRuntimeError: `INVALID_INPUT` when the name of the skill or the given id is not a string, or the parameters
                are wrong.
        """
        _require_string("The name of the skill", self.skill)
        if self.action_id is not None:
            _require_string("action_id", self.action_id)
        return SkillRequest(self.skill, skill_parameters(self.skill, self.params()), action_id, self.deadline_s)


def _require_string(name: str, value: object) -> None:
    if isinstance(value, str) and value:
        return
    what = "is empty" if isinstance(value, str) else f"is of type {type(value).__name__}"
    raise invalid_input(f"{name} {what} and must be a string of at least one character.")


@dataclass(frozen=True)
class _Sent:
    """The outcome of one attempt: a reply, or the reason why there is none."""

    reply: Any = None
    failure: CallError | None = None


async def invoke_surely(
    link: RoomLink, request: SkillRequest, timeout_s: float, on_active: OnActive | None = None
) -> ActionResult:
    """Runs a skill once and returns its end.

    While the reply is outstanding, the client asks the runtime about the action (`runtime.action`), so a lost reply is
    recovered. A call that may not have arrived is sent again with the same `action_id`: it joins the running action or
    returns the stored result. To a runtime that keeps no such record, the call is sent only once. Some robots keep a
    command until the next one. To these, a call is not sent again after a later command that it would undo: a lost velocity
    must not follow a stop. A stop is sent again until it is answered, regardless of later commands.

    Raises:
        RcwRuntimeError: the call did not become an action; `CANCELLED` when it got lost and a later one was made.
        CallTimeoutError: the action has not ended in time, and may still run.
    """
    payload = request.payload()
    encode_payload(payload)
    clock = asyncio.get_running_loop().time
    deadline = clock() + timeout_s
    late = (
        f"{request.skill} (action {request.action_id}) has not ended after {timeout_s:g} s. It may still run on the robot: ask "
        "get_action for its end, or cancel it."
    )

    def left_s() -> float:
        left = deadline - clock()
        if left <= 0:
            raise CallTimeoutError(late, request.action_id)
        return left

    kind = command_kind(request.skill, request.params)
    # Also a stop that finds no runtime forbids that an earlier command follows it.
    stop_place = link.count_command(kind) if kind == "stop" else None
    identity = link.require_runtime()
    place = link.count_command(kind) if stop_place is None else stop_place

    def is_overtaken() -> bool:
        return link.is_overtaken(kind, place, identity)

    attempt = 0
    while True:
        attempt += 1
        outcome = await _send_and_watch(link, identity, request, payload, left_s(), on_active)
        if outcome is None:
            raise CallTimeoutError(late, request.action_id)
        known: Known | None = None
        if isinstance(outcome, Knowledge):
            if outcome.kind == "ended":
                return read_action_result(outcome.reply, request.action_id)
            known = outcome.kind
        elif outcome.failure is None:
            if attempt == 1 or not _is_passing(outcome.reply):
                return read_action_result(outcome.reply, request.action_id)
        elif outcome.failure.reason not in ("lost", "absent"):
            raise refusal_of(outcome.failure, TOOLS_CALL)
        # It is unknown whether the call arrived.
        is_held_stop = kind == "stop" and link.holds(identity)
        if is_held_stop:
            await asyncio.sleep(min(_PAUSE_S, left_s()))
        after = judge_loss(known, is_overtaken=is_overtaken(), is_held_stop=is_held_stop)
        if is_held_stop:
            identity = await within(link.runtime_present(), left_s(), late, request.action_id)
        while after == "ask":
            identity = await within(link.runtime_present(), left_s(), late, request.action_id)
            answer = await look_up(link, request.action_id, min(LOOK_UP_REPLY_S, left_s()))
            if answer.kind == "ended":
                return read_action_result(answer.reply, request.action_id)
            after = judge_loss(answer.kind, is_overtaken=is_overtaken(), is_held_stop=False)
            if after == "ask":
                await asyncio.sleep(min(_PAUSE_S, left_s()))
        if after == "give-up":
            raise CallTimeoutError(late, request.action_id)
        if after == "overtaken":
            raise _overtaken(request)


async def _send_and_watch(
    link: RoomLink,
    to: str,
    request: SkillRequest,
    payload: Mapping[str, Any],
    timeout_s: float,
    on_active: OnActive | None,
) -> _Sent | Knowledge | None:
    """Returns the reply or the runtime's knowledge, whichever comes first; None when the time is up."""
    sending = asyncio.ensure_future(_send(link, to, payload, timeout_s))
    watching = asyncio.ensure_future(watch(link, request.action_id, on_active))
    await settled(sending, watching, timeout_s=timeout_s)
    try:
        # If both are there, the reply counts, because it answers the call itself.
        if sending.done():
            return sending.result()
        return watching.result() if watching.done() else None
    finally:
        await give_up(sending, watching)


async def _send(link: RoomLink, to: str, payload: Mapping[str, Any], timeout_s: float) -> _Sent:
    try:
        return _Sent(reply=await link.command(to, TOOLS_CALL, payload, timeout_s))
    except CallError as failure:
        return _Sent(failure=failure)


def _overtaken(request: SkillRequest) -> RcwRuntimeError:
    return RcwRuntimeError(
        "CANCELLED",
        f"{request.skill} (action {request.action_id}) got lost, and was not sent again because a later command was made "
        "meanwhile. The robot did not know it when it was asked; read the state if that matters.",
        {
            "stage": "control",
            "action_id": request.action_id,
            "attempted": True,
            "world_changed": "unknown",
            "retryable": False,
            "reason": "overtaken",
        },
    )


def _is_passing(reply: object) -> bool:
    """Whether a refusal leaves the outcome of an earlier call open, because the runtime is just coming back."""
    return guard_code(reply) in ("NOT_READY", "RUNTIME_SUSPENDED")
