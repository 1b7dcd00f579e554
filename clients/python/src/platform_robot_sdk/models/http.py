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


class OrderedDriver(HttpModel):
    """Who drives by an order of the owner."""

    identity: str
    name: str | None = None
    kind: Literal["person", "program", "agent"]


class OwnerOrder(HttpModel):
    """An order of the owner of who drives, None for nobody, as the runtime in the room reads it."""

    order_id: str
    ticket: str
    driver: OrderedDriver | None


class ClosedLink(HttpModel):
    """An operator's link that ended or was revoked."""

    id: str
    identity: str | None
    """Identity that the link was made for; None if a valid link has the same, or if many links are named."""


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
    owner_order: OwnerOrder | None = None
    """The last order of the owner of who drives, for the runtime; None after some seconds."""
    closed_links: list[ClosedLink] | None = None
    """Operators' links that ended or were revoked, whose commands the runtime refuses; None when there are none."""

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
    """Where the pages of robots are; None where the service does not know it."""
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
    viewer_url: str | None = None
    """Where the pages of robots are; None where the service does not know it."""
    link_id: str | None = None
    """Id of the link, with which it is revoked; None for a credential without an access."""

    def __repr__(self) -> str:
        return f"ParticipantToken({self.participant_identity} in {self.room_name} until {self.expires_at.isoformat()})"


class SessionLink(HttpModel):
    """A link to watch or to drive a robot, as the robot's owner sees it: never its token."""

    id: str
    access: Literal["drive", "watch"]
    participant_identity: str
    """Identity that the link was made for; its pages join under their own."""
    participant_name: str
    created_at: datetime
    expires_at: datetime

    def __repr__(self) -> str:
        return f"SessionLink({self.id} to {self.access} for {self.participant_name!r} until {self.expires_at.isoformat()})"


class LinkPage(HttpModel):
    """A page of the links of a session; `next_id` is the `after_id` of the page after it, None on the last."""

    links: list[SessionLink]
    next_id: str | None
    total: int
    """How many links of the session are valid, on all pages."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"LinkPage({len(self.links)} of {self.total} links{more})"


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


class ApiKey(HttpModel):
    """An API key as its account sees it, never the key itself."""

    id: str
    prefix: str
    """Its first characters; empty for a key in a form of its owner's own."""
    name: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    """To the minute; None where it was never used since this is kept."""
    is_own: bool
    """Whether this request was made with it."""

    def __repr__(self) -> str:
        ends = "" if self.expires_at is None else f", ends {self.expires_at.isoformat()}"
        return f"ApiKey({self.id} {self.name!r}, {self.prefix}…{ends}{', this one' if self.is_own else ''})"


class ApiKeyPage(HttpModel):
    """A page of API keys; `next_id` is the `after_id` of the page after it, None on the last."""

    keys: list[ApiKey]
    next_id: str | None
    total: int
    """How many keys there are, on all pages."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"ApiKeyPage({len(self.keys)} of {self.total} keys{more})"


class CreatedApiKey(HttpModel):
    """A new API key, which is told here once and never again: store it."""

    key: ApiKey
    api_key: str = Field(repr=False)

    def __repr__(self) -> str:
        return f"CreatedApiKey({self.key}, the key itself is in api_key)"


class SessionParticipant(HttpModel):
    """Somebody in a robot's room."""

    identity: str
    name: str
    is_agent: bool
    """Whether an agent of the media server, such as a worker without a page."""
    joined_at: datetime

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.identity})"


class RunningAction(HttpModel):
    """The action under way."""

    name: str
    phase: str
    """What it does now, in a word or two."""
    started_at_ms: int


class EndedAction(HttpModel):
    """The action that ended last."""

    name: str
    status: Literal["done", "failed", "cancelled"]
    finished_at_ms: int


class SessionDriver(HttpModel):
    """Who has taken a robot to drive it."""

    identity: str | None
    """None where it is the page of the robot itself."""
    name: str
    kind: Literal["person", "program", "agent"]
    since_ms: int


class SessionPlace(HttpModel):
    """Where a robot is in its scene, and how old that is."""

    x_m: float
    """Of the middle of the base, in the world of the scene."""
    y_m: float
    yaw_deg: float
    """-180 to 180; 0 is along x, positive to the left."""
    age_ms: int
    """When the service answered."""


class RuntimeSummary(HttpModel):
    """What a runtime says of itself, in short."""

    status: Literal["ready", "busy", "error"]
    robot_status: Literal["ready", "moving", "holding", "fallen", "error", "unknown"]
    is_stopped: bool
    """Whether the emergency stop is latched."""
    active_action: RunningAction | None
    last_action: EndedAction | None
    driver: SessionDriver | None
    """None while nobody has taken it."""
    scene_id: str | None
    """None where the runtime does not say."""
    place: SessionPlace | None
    """None where the runtime does not say."""
    held_entity_ids: list[str]


class SessionRuntime(SessionParticipant):
    """The runtime that commands go to."""

    state: RuntimeSummary | None
    """None while it does not answer, as one that is still loading."""


class SessionState(HttpModel):
    """A robot's session as it is just now."""

    robot_id: str
    phase: Literal["none", "opening", "open", "closing"]
    opened_at: datetime | None
    participants: list[SessionParticipant]
    """Those first who came first; not all of a crowd."""
    participant_count: int
    runtime: SessionRuntime | None
    """None while none is there."""

    def __repr__(self) -> str:
        there = "no runtime" if self.runtime is None else self.runtime.identity
        return f"SessionState({self.robot_id} {self.phase}, {self.participant_count} in the room, {there})"


class SessionPage(HttpModel):
    """A page of sessions; `next_id` is the `after_id` of the page after it, None on the last."""

    sessions: list[SessionState]
    next_id: str | None
    total: int
    """How many sessions there are, on all pages."""

    def __repr__(self) -> str:
        more = f", next_id={self.next_id}" if self.next_id else ", the last page"
        return f"SessionPage({len(self.sessions)} of {self.total} sessions{more})"


class ControlOrderResult(HttpModel):
    """The answer to an order of who drives: who does now, and who did."""

    robot_id: str
    driver: SessionDriver | None
    previous: SessionDriver | None

    def __repr__(self) -> str:
        now, before = ("nobody" if each is None else f"{each.kind} {each.name}" for each in (self.driver, self.previous))
        return f"ControlOrderResult({self.robot_id} driven by {now}, before by {before})"


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
    stored: bool | None = None
    """Whether the press is in the service's database. If False, the service keeps trying; the robot is told all the same."""

    def __repr__(self) -> str:
        stands = {True: "stands", False: "MAY MOVE", None: "no runtime there"}[self.stands]
        return f"EmergencyStopResult({self.robot_id} {stands}, {self.emergency_stop})"
