"""Who drives a robot, and what becomes of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .runtime import RuntimeModel

DriverKind = Literal["person", "program", "agent"]
DriverChange = Literal["taken", "given", "taken_over", "released", "left", "silent"]


class DriverFacts(RuntimeModel):
    """One that drives, or asks for it. `identity` is the one in the room, None for the robot's own page; name and kind are its
    own words.
    """

    identity: str | None
    name: str
    kind: DriverKind
    since_ms: int

    def __repr__(self) -> str:
        return f"{self.kind} {self.name}"


class Driver(DriverFacts):
    """The one who drives, and who asks for it, the first first."""

    asked_by: list[DriverFacts] = Field(default_factory=list)


class DriverChanged(RuntimeModel):
    """Another drives, or nobody does any more: who, who before, why and when."""

    type: Literal["driver_changed"] = "driver_changed"
    at_ms: int
    driver: Driver | None
    previous: DriverFacts | None
    why: DriverChange
    by: str | None = None
    """Who ordered it, where neither of the two did: `owner`, with a key of the account."""


class ControlAsked(RuntimeModel):
    """Somebody asks the driver for the robot: who, whom and when."""

    type: Literal["control_asked"] = "control_asked"
    at_ms: int
    asker: DriverFacts
    driver: Driver


class Canceller(RuntimeModel):
    """A participant of the room, whose identity the SFU vouches for."""

    identity: str
    name: str


class CancelledAction(RuntimeModel):
    """An action that was stopped, and whose it was."""

    action_id: str
    name: str
    caller: str


class CancelsRepeated(RuntimeModel):
    """A participant stops what others run, again and again: who, how often, and the last action of them."""

    type: Literal["cancels_repeated"] = "cancels_repeated"
    at_ms: int
    by: Canceller
    cancelled: int
    within_ms: int
    last: CancelledAction


class ControlAnswer(RuntimeModel):
    """The answer to `runtime.control`."""

    driver: Driver | None
    you_drive: bool
