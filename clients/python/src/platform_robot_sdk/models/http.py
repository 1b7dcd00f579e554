"""The answers of the control service to the library. Fields that are not named here are ignored."""

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
    """Key with which the robot signs, if it has one."""
    created_at: datetime
    updated_at: datetime

    def __repr__(self) -> str:
        says = f": {self.description}" if self.description else ""
        return f"Robot({self.id} {self.name!r}, {self.type} {self.model}{says})"


class CreatedRobot(HttpModel):
    """A new robot and its PIN, which is shown only in this answer. Store it."""

    robot: Robot
    pin_code: str = Field(repr=False)

    def __repr__(self) -> str:
        return f"CreatedRobot({self.robot}, its PIN is in pin_code)"


class RobotPage(HttpModel):
    """A page of robots; `next_id` is the `after_id` of the next page, None on the last page."""

    robots: list[Robot]
    next_id: str | None = None
    total: int | None = None
    """Robots on all pages together."""

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


class OrderedDriver(HttpModel):
    """The driver by an order of the owner."""

    identity: str
    name: str | None = None
    kind: Literal["person", "program", "agent"]


class OwnerOrder(HttpModel):
    """The owner's order who drives, None for no one, as the runtime in the room reads it."""

    order_id: str
    ticket: str
    driver: OrderedDriver | None


class ClosedLink(HttpModel):
    """An operator's link that ended or was revoked."""

    id: str
    identity: str | None
    """Identity that the link was made for; None if a valid link has the same identity, or if many links are listed."""


class RoomMetadata(HttpModel):
    """A session as the service describes it."""

    robot_id: str
    status: str
    required_participants: dict[str, RequiredParticipant]
    """Required participants by key.

    A participant counts if its identity is the key, if its identity begins with the key and `-`, or if its agent's name is
    the key.
    """
    dispatches: dict[str, dict[str, Any]]
    """Agents that were dispatched into the room, by name."""
    dispatched_agent_names: list[str] | None = None
    scene_id: str | None = None
    created_at: str
    """When the session was opened, ISO 8601."""
    control_keys: dict[str, Any] | None = None
    """Keys of the service that sign the grants of signed control (a JWKS). Older services send none."""
    emergency_stop: PressInRoom | None = None
    """The emergency stop that the service has latched for this robot; None while there is none."""
    owner_order: OwnerOrder | None = None
    """The owner's last order about the driver; the runtime reads it. None after some seconds."""
    closed_links: list[ClosedLink] | None = None
    """Operators' links that ended or were revoked; the runtime rejects their commands. None if there are none."""

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
    viewer_url: str | None = None
    """Address of the pages of robots; None if the service does not know it."""
    is_new: bool | None = None
    """Whether this request opened the session; False when it joined the open one. Older services do not report it."""

    def __repr__(self) -> str:
        opened = {True: ", opened now", False: ", joined the open one", None: ""}[self.is_new]
        return f"Session({self.room_name} at {self.livekit_url}{opened}: {self.room_metadata})"


class ParticipantToken(HttpModel):
    """Another credential for a robot's session. The token is a secret."""

    room_name: str
    livekit_url: str
    participant_token: str = Field(repr=False)
    participant_identity: str
    expires_at: datetime
    viewer_url: str | None = None
    """Address of the pages of robots; None if the service does not know it."""
    link_id: str | None = None
    """Id of the link, for revoking it; None for a credential without an access."""

    def __repr__(self) -> str:
        return f"ParticipantToken({self.participant_identity} in {self.room_name} until {self.expires_at.isoformat()})"


class SessionLink(HttpModel):
    """A link to watch or operate a robot, as the robot's owner sees it, without its token."""

    id: str
    access: Literal["drive", "watch"]
    participant_identity: str
    """Identity that the link was made for; its pages join under their own identities."""
    participant_name: str
    created_at: datetime
    expires_at: datetime

    def __repr__(self) -> str:
        return f"SessionLink({self.id} to {self.access} for {self.participant_name!r} until {self.expires_at.isoformat()})"


class LinkPage(HttpModel):
    """A page of the links of a session; `next_id` is the `after_id` of the next page, None on the last page."""

    links: list[SessionLink]
    next_id: str | None
    total: int
    """Valid links of the session on all pages together."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"LinkPage({len(self.links)} of {self.total} links{more})"


class ControlGrant(HttpModel):
    """A grant for signed calls to a robot in its session."""

    grant: str = Field(repr=False)
    """A JWT that every envelope contains."""
    grant_id: str
    robot_id: str
    session: str
    """The session for which the grant is valid: the name of the room."""
    expires_at: datetime

    def __repr__(self) -> str:
        return f"ControlGrant({self.grant_id} for {self.robot_id} in {self.session} until {self.expires_at.isoformat()})"


class ApiKey(HttpModel):
    """An API key as its account sees it, without the key itself."""

    id: str
    prefix: str
    """The key's first characters; empty for a key that its owner chose."""
    name: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    """Last use, to the minute; None if no use is recorded."""
    is_own: bool
    """Whether this request used the key."""

    def __repr__(self) -> str:
        ends = "" if self.expires_at is None else f", ends {self.expires_at.isoformat()}"
        return f"ApiKey({self.id} {self.name!r}, {self.prefix}…{ends}{', this one' if self.is_own else ''})"


class ApiKeyPage(HttpModel):
    """A page of API keys; `next_id` is the `after_id` of the next page, None on the last page."""

    keys: list[ApiKey]
    next_id: str | None
    total: int
    """Keys on all pages together."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"ApiKeyPage({len(self.keys)} of {self.total} keys{more})"


class CreatedApiKey(HttpModel):
    """A new API key, which is shown only in this answer. Store it."""

    key: ApiKey
    api_key: str = Field(repr=False)

    def __repr__(self) -> str:
        return f"CreatedApiKey({self.key}, the key itself is in api_key)"


class SessionParticipant(HttpModel):
    """A participant in a robot's room."""

    identity: str
    name: str
    is_agent: bool
    """Whether it is an agent of the media server, such as a worker without a page."""
    joined_at: datetime

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.identity})"


class RunningAction(HttpModel):
    """The running action."""

    name: str
    phase: str
    """The current activity in one or two words."""
    started_at_ms: int


class EndedAction(HttpModel):
    """The action that ended last."""

    name: str
    status: Literal["done", "failed", "cancelled"]
    finished_at_ms: int


class SessionDriver(HttpModel):
    """The driver that has taken a robot."""

    identity: str | None
    """None for the page of the robot itself."""
    name: str
    kind: Literal["person", "program", "agent"]
    since_ms: int


class SessionPlace(HttpModel):
    """The pose of a robot in its scene, and the age of that report."""

    x_m: float
    """Centre of the base, in the world of the scene."""
    y_m: float
    yaw_deg: float
    """-180 to 180; 0 is along x, positive to the left."""
    age_ms: int
    """Age when the service answered."""


class RuntimeSummary(HttpModel):
    """The runtime's summary of itself."""

    status: Literal["ready", "busy", "error"]
    robot_status: Literal["ready", "moving", "holding", "fallen", "error", "unknown"]
    is_stopped: bool
    """Whether the emergency stop is latched."""
    active_action: RunningAction | None
    last_action: EndedAction | None
    driver: SessionDriver | None
    """None while no one drives."""
    scene_id: str | None
    """None if the runtime does not report it."""
    place: SessionPlace | None
    """None if the runtime does not report it."""
    held_entity_ids: list[str]


class SessionRuntime(SessionParticipant):
    """The runtime that receives commands."""

    state: RuntimeSummary | None
    """None while the runtime does not answer, for example because it is still loading."""


class SessionState(HttpModel):
    """The current state of a robot's session."""

    robot_id: str
    phase: Literal["none", "opening", "open", "closing"]
    opened_at: datetime | None
    participants: list[SessionParticipant]
    """In the order in which they joined; not all of them in a large crowd."""
    participant_count: int
    runtime: SessionRuntime | None
    """None while no runtime is in the room."""

    def __repr__(self) -> str:
        there = "no runtime" if self.runtime is None else self.runtime.identity
        return f"SessionState({self.robot_id} {self.phase}, {self.participant_count} in the room, {there})"


class SessionPage(HttpModel):
    """A page of sessions; `next_id` is the `after_id` of the next page, None on the last page."""

    sessions: list[SessionState]
    next_id: str | None
    total: int
    """Sessions on all pages together."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"SessionPage({len(self.sessions)} of {self.total} sessions{more})"


class ControlOrderResult(HttpModel):
    """The answer to an order who drives: the new and the former driver."""

    robot_id: str
    driver: SessionDriver | None
    previous: SessionDriver | None

    def __repr__(self) -> str:
        now, before = ("no one" if each is None else f"{each.kind} {each.name}" for each in (self.driver, self.previous))
        return f"ControlOrderResult({self.robot_id} driven by {now}, before by {before})"


class EmergencyStop(HttpModel):
    """A latched emergency stop."""

    by: str
    """The name of the first person or program that pressed it."""
    since_ms: int
    """When it was pressed, milliseconds since the epoch."""
    reason: str | None

    def __repr__(self) -> str:
        why = "" if self.reason is None else f": {self.reason}"
        return f"EmergencyStop(by {self.by}{why})"


class PressedRuntime(HttpModel):
    """The outcome of a press at one runtime in the robot's room."""

    identity: str
    stands: bool
    """Whether the runtime confirms that the robot stands."""
    after_ms: int | None
    problem: str | None
    """Why the runtime did not confirm that the robot stands, in a sentence; None if it did."""

    def __repr__(self) -> str:
        return f"PressedRuntime({self.identity} {'stands' if self.stands else self.problem})"


class EmergencyStopResult(HttpModel):
    """The service's answer to a press: the latch, and whether the robot is known to stand."""

    robot_id: str
    emergency_stop: EmergencyStop
    stands: bool | None
    """Whether every runtime in the room confirms that the robot stands; None if no runtime is in the room."""
    runtimes: list[PressedRuntime]
    stored: bool | None = None
    """Whether the press is in the service's database. If False, the service keeps trying; the robot gets the press in any
    case.
    """

    def __repr__(self) -> str:
        stands = {True: "stands", False: "MAY MOVE", None: "no runtime there"}[self.stands]
        return f"EmergencyStopResult({self.robot_id} {stands}, {self.emergency_stop})"
