"""Skills, the actions that skill calls start, and the events of these actions."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Literal

from pydantic import Field

from .runtime import ActionError, ActionProgress, RuntimeModel

EndPhase = Literal["done", "failed", "cancelled"]
_SHOWN_CHARACTERS = 400


class SkillUses(RuntimeModel):
    """The parts of the robot that a skill uses."""

    cameras: list[str] | None = None
    sensors: list[str] | None = None
    tools: list[str] | None = None


class SkillAnnotations(RuntimeModel):
    """Facts for a caller before it calls a skill."""

    mutating: bool | None = None
    expensive: bool | None = None
    allowed_mid_action: bool | None = None
    tags: list[str] | None = None
    uses: SkillUses | None = None
    body_parts: list[str] | None = None
    """Parts of the body that the skill moves. Skills that move the same part do not run at the same time."""


class SkillCost(RuntimeModel):
    """The costs of a skill."""

    estimated_ms: int | None = None
    recommended_min_interval_ms: int | None = None
    may_block_runtime: bool | None = None
    cpu_heavy: bool | None = None
    gpu_heavy: bool | None = None
    large_payload: bool | None = None
    supports_mid_action: bool | None = None


class SkillDescriptor(RuntimeModel):
    """A skill of the runtime in the room; `input_schema` is the JSON Schema of its parameters."""

    name: str
    description: str
    input_schema: dict[str, Any]
    title: str | None = None
    output_schema: dict[str, Any] | None = None
    annotations: SkillAnnotations | None = None
    cost: SkillCost | None = None

    def __repr__(self) -> str:
        required, properties = self.input_schema.get("required"), self.input_schema.get("properties")
        # A schema is the runtime's own, and may contain anything.
        needed = required if isinstance(required, list) else []
        names = [name if name in needed else f"{name}?" for name in (properties if isinstance(properties, dict) else {})]
        return f"{self.name}({', '.join(names)}): {self.description}"


class ActionMeta(RuntimeModel):
    """The id of the action, and its times in milliseconds since the epoch."""

    action_id: str
    started_at_ms: int | None = None
    finished_at_ms: int | None = None
    duration_ms: int | None = None
    degraded: bool | None = None
    note: str | None = None


class ActionResult(RuntimeModel):
    """The end of an action: `invoke` returns it and `on_action_result` receives it."""

    status: Literal["done", "failed"]
    result: Any = None
    error: ActionError | None = None
    meta: ActionMeta
    runtime_state: Any = Field(default=None, repr=False)
    scene_state: Any = Field(default=None, repr=False)

    @property
    def action_id(self) -> str:
        """The same as `meta.action_id`."""
        return self.meta.action_id

    @property
    def phase(self) -> EndPhase:
        """`cancelled` is a failure with the code `CANCELLED`."""
        if self.status == "done":
            return "done"
        return "cancelled" if self.error is not None and self.error.code == "CANCELLED" else "failed"

    def __repr__(self) -> str:
        took = "" if self.meta.duration_ms is None else f" after {self.meta.duration_ms / 1000:g} s"
        said = _shortened(self.result) if self.error is None else f"{self.error}{_after(self.error.details)}"
        degraded = "; carried out differently from what was asked" if self.meta.degraded else ""
        note = f"; note: {self.meta.note}" if self.meta.note else ""
        return f"ActionResult({self.phase}{took} [{self.action_id}]: {said}{degraded}{note})"

    def _repr_html_(self) -> str:
        """Shows a table in notebooks."""
        rows = [("phase", self.phase), ("action_id", self.action_id), ("duration_ms", self.meta.duration_ms)]
        if self.error is not None:
            rows += [("error", self.error.code), ("message", self.error.message), ("details", _shortened(self.error.details))]
        else:
            rows += [("result", _shortened(self.result))]
        cells = "".join(f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in rows if value is not None)
        return f"<table>{cells}</table>"


class ActionEvent(RuntimeModel):
    """An event of an action: `accepted` once, any number of `running`, and one end with the same result that `invoke`
    returns.
    """

    action_id: str
    phase: Literal["accepted", "running", "done", "failed", "cancelled"]
    at_ms: int
    activity: str | None = None
    """The activity in one or two words; only for `running`."""
    progress: ActionProgress | None = None
    result: ActionResult | None = None

    def __repr__(self) -> str:
        says = ", ".join(str(part) for part in (self.activity, self.progress, self.result) if part is not None)
        return f"ActionEvent({self.phase} [{self.action_id}]{': ' if says else ''}{says})"


def _after(details: object) -> str:
    """Returns a sentence for the next call: whether the world has changed, and whether the same call may succeed."""
    if not isinstance(details, dict):
        return ""
    changed = {"no": " The world has not changed.", "yes": " The world has changed.", "unknown": " The world may have changed."}
    again = " The same call may succeed later." if details.get("retryable") is True else ""
    return f"{changed.get(str(details.get('world_changed')), '')}{again}"


def _shortened(value: object) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}… ({len(text)} characters)"
