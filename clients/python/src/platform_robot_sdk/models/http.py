"""The control service's answers on its library face. Fields that are not named here may be there, and are ignored."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

RobotType = Literal["physical", "virtual"]
RobotLanguage = Literal["en", "vi", "zh-tw"]
RobotVoice = Literal["kokoro", "piper", "breezy", "mms"]


_SHOWN_ROBOTS = 10


class HttpModel(BaseModel):
    """An answer of the service. Printing it shows no secret."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    def __str__(self) -> str:
        return repr(self)


class Robot(HttpModel):
    """A robot of the key's owner."""

    id: str
    name: str
    model: str
    type: RobotType
    description: str
    language: RobotLanguage
    voice: RobotVoice
    team_id: str
    organization_id: str
    created_by: str
    public_key: str | None = None
    """Key with which it signs, if it has one."""
    created_at: datetime
    updated_at: datetime

    def __repr__(self) -> str:
        says = f": {self.description}" if self.description else ""
        return f"Robot({self.id} {self.name!r}, {self.type} {self.model}{says})"


class CreatedRobot(HttpModel):
    """A new robot and its PIN, which is told here once and never again: store it."""

    robot: Robot
    pin_code: str = Field(repr=False)

    def __repr__(self) -> str:
        return f"CreatedRobot({self.robot}, its PIN is in pin_code)"


class RobotPage(HttpModel):
    """A page of robots; `next_id` is the `after_id` of the page after it, None on the last."""

    robots: list[Robot]
    next_id: str | None = None
    total: int | None = None
    """How many robots there are, on all pages."""

    def __repr__(self) -> str:
        total = "" if self.total is None else f" of {self.total}"
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        shown = [*map(repr, self.robots[:_SHOWN_ROBOTS]), *(["…"] if len(self.robots) > _SHOWN_ROBOTS else [])]
        return f"RobotPage({len(self.robots)}{total} robots{more}: {', '.join(shown)})"


class RequiredParticipant(HttpModel):
    """A participant that the robot needs in its room."""

    min_count: int


class PressInRoom(HttpModel):
    """The service's latch in the metadata of a room."""

    press_id: str
    by: str
    since_ms: int
    reason: str | None


class RoomMetadata(HttpModel):
    """A session as the service describes it."""

    robot_id: str
    status: str
    required_participants: dict[str, RequiredParticipant]
    """By key.

    A participant counts whose identity is the key, or begins with the key and `-`, or whose agent's name is the key.
    """
    dispatches: dict[str, dict[str, Any]]
    """Agents that were sent into the room, by name."""
    dispatched_agent_names: list[str] | None = None
    scene_id: str | None = None
    created_at: str
    """When the session was opened, ISO 8601."""
    control_keys: dict[str, Any] | None = None
    """Keys of the service with which grants of signed control are signed (a JWKS). Older services give none."""
    emergency_stop: PressInRoom | None = None
    """The emergency stop that the service has latched for this robot; None while there is none."""

    def __repr__(self) -> str:
        needs = ", ".join(f"{each.min_count} {key}" for key, each in self.required_participants.items()) or "nobody"
        sent = f", dispatched {', '.join(self.dispatches)}" if self.dispatches else ""
        scene = f", scene {self.scene_id}" if self.scene_id else ""
        return f"RoomMetadata({self.robot_id} {self.status} since {self.created_at}, needs {needs}{sent}{scene})"


class Session(HttpModel):
    """The data with which a client joins a robot's session. The token is a secret."""

    room_name: str
    livekit_url: str
    participant_token: str = Field(repr=False)
    room_metadata: RoomMetadata
    is_new: bool | None = None
    """Whether this request opened the session; False when it joined the open one. Older services do not say."""

    def __repr__(self) -> str:
        opened = {True: ", opened now", False: ", joined the open one", None: ""}[self.is_new]
        return f"Session({self.room_name} at {self.livekit_url}{opened}: {self.room_metadata})"


class ParticipantToken(HttpModel):
    """A further credential for a robot's session. The token is a secret."""

    room_name: str
    livekit_url: str
    participant_token: str = Field(repr=False)
    participant_identity: str
    expires_at: datetime

    def __repr__(self) -> str:
        return f"ParticipantToken({self.participant_identity} in {self.room_name} until {self.expires_at.isoformat()})"


class ControlGrant(HttpModel):
    """Leave to send signed calls to a robot in its session."""

    grant: str = Field(repr=False)
    """A JWT that goes into every envelope."""
    grant_id: str
    robot_id: str
    session: str
    """The session that it is good for: the name of the room."""
    expires_at: datetime

    def __repr__(self) -> str:
        return f"ControlGrant({self.grant_id} for {self.robot_id} in {self.session} until {self.expires_at.isoformat()})"


class EmergencyStop(HttpModel):
    """A latched emergency stop."""

    by: str
    """Who pressed it first."""
    since_ms: int
    """When, milliseconds since the epoch."""
    reason: str | None

    def __repr__(self) -> str:
        why = "" if self.reason is None else f": {self.reason}"
        return f"EmergencyStop(by {self.by}{why})"


class PressedRuntime(HttpModel):
    """How a press went at one runtime in the robot's room."""

    identity: str
    stands: bool
    """Whether it says that the robot stands."""
    after_ms: int | None
    problem: str | None
    """Why it did not say that the robot stands, in a sentence; None where it did."""

    def __repr__(self) -> str:
        return f"PressedRuntime({self.identity} {'stands' if self.stands else self.problem})"


class EmergencyStopResult(HttpModel):
    """The service's answer to a press: the latch, and whether the robot is known to stand."""

    robot_id: str
    emergency_stop: EmergencyStop
    stands: bool | None
    """Whether every runtime in the room says that the robot stands; None where no runtime is there to say so."""
    runtimes: list[PressedRuntime]

    def __repr__(self) -> str:
        stands = {True: "stands", False: "MAY MOVE", None: "no runtime there"}[self.stands]
        return f"EmergencyStopResult({self.robot_id} {stands}, {self.emergency_stop})"
