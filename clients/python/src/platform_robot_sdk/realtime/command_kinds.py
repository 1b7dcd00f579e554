"""The kinds of commands, for a robot that keeps each command until the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from .wire import CANCEL, CONTROL, EMERGENCY_STOP, only_reads

CommandKind = Literal["stop", "drive", "pose", "other", "read"]
"""A `stop` ends motion, a `drive` sets the velocity, a `pose` the arms. An `other` may do anything, a `read` nothing."""

# The parts of a velocity, of the worker and of the simulator.
_VELOCITIES = ("vx", "vy", "vyaw", "wz")


def command_kind(skill: object, params: object) -> CommandKind:
    """Returns the kind of a skill call. A zero `set_velocity` is a stop: omitted parts are zero."""
    if only_reads(skill):
        return "read"
    if skill in ("stop", "cancel"):
        return "stop"
    if skill == "set_upper_body":
        return "pose"
    if skill != "set_velocity":
        return "other"
    if params is None:
        return "stop"
    if not isinstance(params, Mapping):
        return "drive"
    return "stop" if all(_is_zero(params.get(name)) for name in _VELOCITIES) else "drive"


def _is_zero(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value == 0)


def call_kind(method: str, payload: Mapping[str, Any]) -> CommandKind:
    """Returns the kind of a call of `runtime.tools_call`, `runtime.cancel`, `runtime.emergency_stop` or `runtime.control`."""
    # The lease is not a motion, so a stop does not undo it.
    if method == CONTROL:
        return "read"
    return "stop" if method in (CANCEL, EMERGENCY_STOP) else command_kind(payload.get("name"), payload.get("input"))


def overtakes(later: CommandKind, earlier: CommandKind) -> bool:
    """Whether the later command undoes the earlier one, so that the earlier one must not arrive after it.

    No command undoes a stop. Poses undo only poses. A drive lowers the arms again, so it undoes poses too.
    """
    if earlier in ("stop", "read") or later == "read":
        return False
    return later != "pose" or earlier != "drive"


class LatestCommands:
    """The place of the latest command of each kind."""

    def __init__(self) -> None:
        self._places: dict[CommandKind, int] = {}

    def note(self, kind: CommandKind, place: int) -> None:
        """Notes a command of this kind at this place."""
        self._places[kind] = max(place, self._places.get(kind, 0))

    def overtake(self, kind: CommandKind, place: int) -> bool:
        """Whether a command after this place undoes the command of this kind at this place."""
        return any(later > place and overtakes(other, kind) for other, later in self._places.items())

    def move_after(self, place: int) -> bool:
        """Whether a command other than a stop or a read came after this place."""
        return any(later > place and kind not in ("stop", "read") for kind, later in self._places.items())
