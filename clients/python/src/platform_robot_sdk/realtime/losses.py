"""The next step after a command, or its reply, got lost."""

from __future__ import annotations

from typing import Literal

Known = Literal["ended", "running", "unheard", "mute", "silent"]
"""A runtime's knowledge of an action. `ended`: its result; `running`: it runs; `unheard`: the runtime does not know the
action; `mute`: the runtime keeps no record to ask for; `silent`: no answer now.
"""
AfterLoss = Literal["return", "send", "ask", "give-up", "overtaken"]
"""Return the result, send the command again with the same `action_id`, ask the runtime again after a pause, give up because
the action may run and no answer can come, or report that a later command has overtaken it.
"""


def judge_loss(known: Known | None, *, is_overtaken: bool, is_held_stop: bool) -> AfterLoss:
    """Decides the next step when a command got lost; without `known`, the runtime was not asked yet.

    A command that is sent again joins the running action (promise P5), so it runs once. `is_overtaken`: a robot that keeps
    each command until the next has got a later command that this one would undo. `is_held_stop`: a stop of such a robot,
    which is harmless to repeat and must not wait.
    """
    if known == "ended":
        return "return"
    if known == "unheard":
        return "overtaken" if is_overtaken else "send"
    if known == "running":
        return "ask" if is_overtaken else "send"
    if is_held_stop:
        return "send"
    return "give-up" if known == "mute" else "ask"
