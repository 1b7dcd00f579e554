"""The emergency stop by every path: how it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .errors import PlatformSDKError


@dataclass(frozen=True, slots=True)
class StopPath:
    """How an emergency stop went by one path."""

    status: Literal["stands", "latched", "failed", "pending"]
    """`stands`: it says that the robot stands. `latched`: it took the press, and does not know that. `failed`: it did not.
    `pending`: it had not answered when the other one had, and goes on.
    """
    after_s: float | None = None
    """From the press to this answer, seconds; None while it is pending."""
    problem: str | None = None
    """Why it does not stand, in a sentence; None where it does, or is pending."""


@dataclass(frozen=True, slots=True)
class StopPaths:
    """How an emergency stop went by each path."""

    room: StopPath
    http: StopPath


@dataclass(frozen=True, slots=True)
class EmergencyStopped:
    """A robot that stands by an emergency stop."""

    by: Literal["room", "http"]
    """The path that said so first."""
    after_s: float
    """From the press until then, seconds."""
    paths: StopPaths
    """Both paths, as they were at that moment."""


class EmergencyStopError(PlatformSDKError):
    """By no path came the word that the robot stands. It may still move, although it may have been told."""

    paths: StopPaths
    """How it went by each path."""

    def __init__(self, paths: StopPaths) -> None:
        super().__init__(
            "Nobody says that the robot stands. Look at it, and stop it in another way. "
            f"Over the room: {_said(paths.room)} Over HTTP: {_said(paths.http)}"
        )
        self.paths = paths


def _said(path: StopPath) -> str:
    return path.problem if path.problem is not None else f"{path.status}."
