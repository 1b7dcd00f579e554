"""A runtime's reports on itself and its world.

Lengths are metres, angles radians unless the name ends in `_deg`. The world is right-handed: x forward, y left, z up.
Fields that are not named here are ignored, so a runtime may report more.
"""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
ActionKind = Literal["tool", "capture", "sensor", "snapshot", "reset"]


# A scene of the simulator has fewer.
_SHOWN_ENTITIES = 40


class RuntimeModel(BaseModel):
    """Base of the models for what runtimes send. An error while reading contains none of the data."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    def __str__(self) -> str:
        return repr(self)


class Timestamp(RuntimeModel):
    """The time of a state: simulated step and time, and the clock of the runtime."""

    step: int | None = None
    sim_time_s: float | None = None
    wall_time_ms: int

    def __repr__(self) -> str:
        if self.step is None or self.sim_time_s is None:
            return f"at {self.wall_time_ms} ms"
        return f"step {self.step}, {self.sim_time_s:g} s"


class Pose(RuntimeModel):
    """A position and a heading; `yaw_deg` in degrees, positive turns left."""

    frame_id: str
    position: Vec3
    orientation_xyzw: Quaternion | None = None
    yaw_deg: float | None = None

    def __repr__(self) -> str:
        facing = "" if self.yaw_deg is None else f" facing {self.yaw_deg:g}°"
        return f"({', '.join(f'{metres:.3f}' for metres in self.position)}){facing}"


class ActionProgress(RuntimeModel):
    """The progress of an action, in its own unit."""

    current: float | None = None
    total: float | None = None
    unit: str | None = None

    def __repr__(self) -> str:
        total = "" if self.total is None else f" of {self.total:g}"
        return f"{0 if self.current is None else self.current:g}{total} {self.unit or ''}".strip()


class ActionError(RuntimeModel):
    """Why an action failed. `details` may contain the stage, whether the world has changed, and what helps."""

    code: str
    message: str
    details: Any = None

    def __repr__(self) -> str:
        return f"{self.code}: {self.message}"


class ActiveAction(RuntimeModel):
    """The running action. `phase` is its activity in one or two words: "walking", "closing hands"."""

    action_id: str
    kind: ActionKind
    name: str
    started_at_ms: int
    phase: str | None = None
    progress: ActionProgress | None = None

    def __repr__(self) -> str:
        doing = f" ({', '.join(str(part) for part in (self.phase, self.progress) if part is not None)})"
        return f"{self.name} {self.action_id}{doing if doing != ' ()' else ''}"


class LastAction(RuntimeModel):
    """The action that ran last, and how it ended."""

    action_id: str
    kind: ActionKind
    name: str
    status: Literal["done", "failed", "cancelled"]
    started_at_ms: int
    finished_at_ms: int
    duration_ms: int
    error: ActionError | None = None

    def __repr__(self) -> str:
        why = "" if self.error is None else f", {self.error.code}"
        return f"{self.name} {self.action_id} {self.status}{why}"


class RuntimeStatus(RuntimeModel):
    """The runtime's activity, and the calls that it accepts."""

    status: Literal["ready", "busy", "error"]
    active_action: ActiveAction | None = None
    last_action: LastAction | None = None
    accepts_tool_calls: bool
    accepts_capture_requests: bool


class RobotState(RuntimeModel):
    """The robot: pose of its base, held things, and in `extra` commands, head, joints, counts."""

    entity_id: str
    pose: Pose | None = None
    status: Literal["ready", "moving", "holding", "fallen", "error", "unknown"]
    held_entity_ids: list[str] = Field(default_factory=list)
    extra: dict[str, Any] = Field(default_factory=dict)

    def __repr__(self) -> str:
        held = f"holds {', '.join(self.held_entity_ids)}" if self.held_entity_ids else "holds nothing"
        where = "somewhere" if self.pose is None else f"at {self.pose!r}"
        return f"{self.entity_id} {self.status} {where}, {held}"


class RuntimeState(RuntimeModel):
    """State of runtime and robot; key `robot_status` of `session.state.get`."""

    timestamp: Timestamp
    runtime: RuntimeStatus
    robot: RobotState

    def __repr__(self) -> str:
        parts = [repr(self.timestamp), repr(self.robot), f"runtime {self.runtime.status}"]
        if self.runtime.active_action is not None:
            parts.append(f"runs {self.runtime.active_action!r}")
        if self.runtime.last_action is not None:
            parts.append(f"ran last {self.runtime.last_action!r}")
        if not self.runtime.accepts_tool_calls:
            parts.append(f"takes no calls{self._why_not()}")
        return f"RuntimeState({'; '.join(parts)})"

    def _why_not(self) -> str:
        """Returns the obstacle to its drive, as a worker describes it."""
        control = self.robot.extra.get("control")
        not_ready = control.get("not_ready") if isinstance(control, dict) else None
        return f" ({not_ready.get('code')}: {not_ready.get('message')})" if isinstance(not_ready, dict) else ""


class Entity(RuntimeModel):
    """A thing, pad or robot in the scene.

    `attached_to` is `robot` for a held thing; `state.parent_pad_id` is the pad that a thing rests on.
    """

    entity_id: str
    kind: str | None = None
    pose: Pose | None = None
    visible: bool | None = None
    attached_to: str | None = None
    state: dict[str, Any] = Field(default_factory=dict)

    def __repr__(self) -> str:
        return " ".join(part for part in (self.entity_id, *self._facts()) if part)

    def _facts(self) -> tuple[str, str, str, str]:
        """Returns the colour, the place, the carrier, and the visibility."""
        pad = self.state.get("parent_pad_id")
        carried = f"held by {self.attached_to}" if self.attached_to else f"on {pad}" if pad else ""
        if self.state.get("collected") is True:
            carried = f"delivered to {pad}" if pad else "collected"
        hidden = "not visible" if self.visible is False else ""
        return str(self.state.get("color") or ""), "" if self.pose is None else repr(self.pose), carried, hidden


class UnknownId(RuntimeModel):
    """A requested id that names nothing in the scene."""

    entity_id: str
    # The most similar ids first; empty for a cube that was collected.
    nearest: list[str] = Field(default_factory=list)


class SceneState(RuntimeModel):
    """The entities and their poses; key `scene_state` of `session.state.get`."""

    timestamp: Timestamp
    entities: dict[str, Entity]
    # The ids of the filter that name nothing.
    unknown_ids: list[UnknownId] = Field(default_factory=list)

    def __repr__(self) -> str:
        shown = [repr(entity) for entity in list(self.entities.values())[:_SHOWN_ENTITIES]]
        more = [f"… {len(self.entities) - len(shown)} more"] if len(shown) < len(self.entities) else []
        return f"SceneState({self.timestamp!r}, {len(self.entities)} entities: {'; '.join(shown + more)})"

    def _repr_html_(self) -> str:
        """Shows a table in notebooks."""
        head = "".join(f"<th>{name}</th>" for name in ("entity", "kind", "colour", "place", "carried", "seen"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in (key, entity.kind or "", *entity._facts())) + "</tr>"
            for key, entity in self.entities.items()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class ObstaclePose(RuntimeModel):
    """Centre of an obstacle, and its heading in degrees."""

    position: Vec3
    yaw_deg: float | None = None


class Obstacle(RuntimeModel):
    """An obstacle to walk around; `size` is its full extent along x, y and z."""

    kind: str
    obstacle_id: str | None = None
    pose: ObstaclePose
    size: Vec3


class Pad(RuntimeModel):
    """A pad from which things are taken or on which they are placed; `position` is the centre of its top, `size` its full
    extent.
    """

    pad_id: str
    position: Vec3
    size: Vec3
    color: str | None = None
    role: str


class Slot(RuntimeModel):
    """A slot on a pad: the place for the centre of a thing."""

    pad_id: str
    index: int
    position: Vec3


class Region(RuntimeModel):
    """A named part of the floor; `polygon` has its corners in order, x and y in metres."""

    region_id: str
    title: str
    polygon: list[tuple[float, float]]


class Bounds(RuntimeModel):
    """The box within which the robot may be."""

    min: Vec3
    max: Vec3


class SceneLayout(RuntimeModel):
    """The fixed parts of the scene; key `scene_layout` of `session.state.get`."""

    scene_id: str
    bounds: Bounds
    obstacles: list[Obstacle]
    pads: list[Pad]
    slots: list[Slot]
    regions: list[Region] | None = None
    """Named parts of the floor; None if the runtime does not report them."""
    spawn: Pose

    def __repr__(self) -> str:
        pads = ", ".join(f"{pad.pad_id} {pad.color or pad.role}" for pad in self.pads)
        return f"SceneLayout({self.scene_id}: {len(self.obstacles)} obstacles, {len(self.slots)} slots, pads {pads})"


class Intrinsics(RuntimeModel):
    """Pinhole camera, in pixels; the origin is the picture's upper left corner."""

    fx: float
    fy: float
    cx: float
    cy: float


class CaptureFrame(RuntimeModel):
    """The world in which a picture was taken; `camera_pose` is of the optical frame: x right, y down, z forward."""

    step: int
    sim_time_s: float
    width: int
    height: int
    intrinsics: Intrinsics
    camera_pose: Pose


class CapturedEntity(RuntimeModel):
    """A thing seen in a picture: its box `(x, y, width, height)` in pixels, and the depth of its centre along the optical
    axis.

    The depth is negative if the centre is behind the camera, as for a pad of which the camera sees only one end.
    """

    entity_id: str
    box: tuple[float, float, float, float]
    visible_fraction: float
    depth_m: float


class CapturePayload(RuntimeModel):
    """How a picture is delivered."""

    kind: Literal["byte_stream"]
    stream_id: str
    topic: str
    byte_length: int


class CaptureResult(RuntimeModel):
    """A capture's facts about its picture."""

    payload: CapturePayload
    frame: CaptureFrame
    entities: list[CapturedEntity] | None = None
