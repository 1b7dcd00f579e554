"""The driver of a robot, and the events about it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .runtime import RuntimeModel

DriverKind = Literal["person", "program", "agent"]
DriverChange = Literal["taken", "given", "taken_over", "released", "left", "silent"]


class DriverFacts(RuntimeModel):
    """A participant that drives, or asks for the robot. `identity` is the one in the room, None for the robot's own page.
    The participant chooses `name` and `kind` itself.
    """

    identity: str | None
    name: str
    kind: DriverKind
    since_ms: int

    def __repr__(self) -> str:
        return f"{self.kind} {self.name}"


class Driver(DriverFacts):
    """The current driver, and the participants that ask for the robot, in the order in which they asked."""

    asked_by: list[DriverFacts] = Field(default_factory=list)


class DriverChanged(RuntimeModel):
    """The driver has changed, or no one drives: the new driver, the former one, the reason and the time."""

    type: Literal["driver_changed"] = "driver_changed"
    at_ms: int
    driver: Driver | None
    previous: DriverFacts | None
    why: DriverChange
    by: str | None = None
    """The role that ordered the change, if neither driver did: `owner`, with a key of the account."""


class ControlAsked(RuntimeModel):
    """A participant asks the driver for the robot: the asker, the driver and the time."""

    type: Literal["control_asked"] = "control_asked"
    at_ms: int
    asker: DriverFacts
    driver: Driver


class Canceller(RuntimeModel):
    """A participant of the room, whose identity the SFU vouches for."""

    identity: str
    name: str


class CancelledAction(RuntimeModel):
    """An action that was stopped, and its caller."""

    action_id: str
    name: str
    caller: str


class CancelsRepeated(RuntimeModel):
    """A participant stops the actions of others repeatedly: the participant, the count, and the last of these actions."""

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
