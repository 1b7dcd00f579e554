"""The outcome of an emergency stop over all paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .errors import PlatformSDKError


@dataclass(frozen=True, slots=True)
class StopPath:
    """The outcome of an emergency stop over one path."""

    status: Literal["stands", "latched", "failed", "pending"]
    """`stands`: the path confirms that the robot stands. `latched`: the press arrived, but the standstill is unconfirmed.
    `failed`: the press failed. `pending`: no answer had come when the other path confirmed, and this press continues.
    """
    after_s: float | None = None
    """From the press to this answer, seconds; None while it is pending."""
    problem: str | None = None
    """Why the path does not confirm the standstill, in a sentence; None for `stands` and `pending`."""


@dataclass(frozen=True, slots=True)
class StopPaths:
    """The outcome of an emergency stop over each path."""

    room: StopPath
    http: StopPath


@dataclass(frozen=True, slots=True)
class EmergencyStopped:
    """Confirmation that the robot stands after an emergency stop."""

    by: Literal["room", "http"]
    """The path that confirmed it first."""
    after_s: float
    """From the press until that confirmation, seconds."""
    paths: StopPaths
    """Both paths, as they were at that moment."""


class EmergencyStopError(PlatformSDKError):
    """No path confirmed that the robot stands. The robot may still move, even if the press has reached it."""

    paths: StopPaths
    """The outcome over each path."""

    def __init__(self, paths: StopPaths) -> None:
        super().__init__(
            "No answer confirms that the robot stands. Look at it, and stop it in another way. "
            f"Over the room: {_said(paths.room)} Over HTTP: {_said(paths.http)}"
        )
        self.paths = paths


def _said(path: StopPath) -> str:
    return path.problem if path.problem is not None else f"{path.status}."
