"""The skills that move the body, as methods of a session.

Made by `npm run docs` from the catalogue of skills in src/protocol; do not edit by hand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from ..models.actions import ActionEvent, ActionResult
from .skill_method import skill_method
from .targets import Place, entity_target, support_target, target_of


class SkillShortcuts(ABC):
    """The skills that move the body of a simulated robot, as methods of a session.

    Each does what `invoke` does with the same skill.
    """

    @abstractmethod
    async def _shortcut(
        self,
        name: str,
        skill: str,
        params: Callable[[], Mapping[str, Any]],
        /,
        **options: Any,  # noqa: ANN401
    ) -> ActionResult:
        """Runs the skill with the parameters that are not None. `params` raises the refusal of a wrong argument."""

    @skill_method
    async def drive(
        self,
        *,
        vx: float | None = None,
        vy: float | None = None,
        wz: float | None = None,
        duration_s: float | None = None,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Moves the base with the given velocity for duration_s, then stops. Answers when the robot has stopped.
        Replaces a running go_to or set_velocity; all zero stops the base.

        The `result` has `applied`, `moved`, `blocked_by`, `dropped`.

        Args:
            vx: forward, m/s, body frame; beyond ±1.5 it is clamped and the reply notes it. Default: 0.
            vy: left, m/s, body frame; beyond ±1.5 it is clamped and the reply notes it. Default: 0.
            wz: turn left, rad/s, body frame; beyond ±1.5 it is clamped and the reply notes it. Default: 0.
            duration_s: seconds of simulated time; 0 … 300. Default: 0.5.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `set_velocity`.
        """
        return await self._shortcut(
            "drive",
            "set_velocity",
            lambda: {"vx": vx, "vy": vy, "wz": wz, "duration_s": duration_s},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )

    @skill_method
    async def go_to(
        self,
        target: str | Place,
        *,
        tolerance_m: float | None = None,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Walks to an entity and stops within reach of it, facing it; or to a pose, whose yaw_deg is honoured. Ends
        arrived, or reports what is in the way.

        The `result` has `pose`, `position_error_m`, `yaw_error_deg`, `path_m`, `recoveries`, `dropped`.

        Args:
            target: id of a robot, cube, object or pad, or a place of the world.
            tolerance_m: metres; for a pose 0.05 unless given; 0.01 … 1.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `go_to`.
        """
        return await self._shortcut(
            "go_to",
            "go_to",
            lambda: {"target": target_of(target), "tolerance_m": tolerance_m},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )

    @skill_method
    async def pick(
        self,
        target: str,
        *,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Takes exactly the named cube or other thing with both hands, or fails with the hands as they were. The id
        "cube" means the nearest cube that is not held and not on a destination pad. Reach: 1.20 m from the base.

        The `result` has `status`, `held`, `held_count`, `requested`.

        Args:
            target: id of a cube or object.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `pick_entity`.
        """
        return await self._shortcut(
            "pick",
            "pick_entity",
            lambda: {"target": entity_target(target)},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )

    @skill_method
    async def place(
        self,
        *,
        on: str | None = None,
        slot: int | None = None,
        at: Place | None = None,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Puts the held thing on a pad, in a slot, on top of another thing, into a container or at a pose; without a
        target on the nearest destination pad, never the source. A cube on the pad of its own colour is counted and
        collected: it leaves the scene. Reach: 1.20 m from the base.

        The `result` has `status`, `placed`, `placed_on`, `slot`, `placed_on_thing`, `placed_in_thing`, `pose`,
        `held_count`, `collected`, `correct`, `pad_color`, `thing_color`.

        Args:
            on: id of a pad or object to put it on; the nearest destination pad unless given.
            slot: which of the slots of the pad `on`; any unless given.
            at: the place to put it at, instead of `on`.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `place_entity`.
        """
        return await self._shortcut(
            "place",
            "place_entity",
            lambda: {"target": support_target(on, slot, at)},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )

    @skill_method
    async def set_head(
        self,
        *,
        yaw: float | None = None,
        pitch: float | None = None,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Turns the head to the given angles. An omitted axis keeps its target, and walking keeps both.

        The `result` has `target`, `measured`, `dropped`.

        Args:
            yaw: radians, positive left; -1.4 … 1.4.
            pitch: radians, positive looks down; -0.6 … 1.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `set_head`.
        """
        return await self._shortcut(
            "set_head",
            "set_head",
            lambda: {"yaw": yaw, "pitch": pitch},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )

    @skill_method
    async def look_at(
        self,
        target: str | Place,
        *,
        timeout_s: float | None = None,
        action_id: str | None = None,
        deadline_s: float | None = None,
        on_event: Callable[[ActionEvent], Any] | None = None,
        cancel_on_abandon: bool = False,
    ) -> ActionResult:
        """Turns the head so that the target is in the middle of the pov picture; turns the base too when the head alone
        cannot.

        The `result` has `target`, `measured`, `point`, `base_turned_deg`, `dropped`.

        Args:
            target: id of a robot, cube, object or pad, or a place of the world.
            timeout_s, action_id, deadline_s, on_event, cancel_on_abandon: as of `invoke`.

        Raises:
            RcwRuntimeError, TimeoutError: as `invoke` of `look_at`.
        """
        return await self._shortcut(
            "look_at",
            "look_at",
            lambda: {"target": target_of(target)},
            timeout_s=timeout_s,
            action_id=action_id,
            deadline_s=deadline_s,
            on_event=on_event,
            cancel_on_abandon=cancel_on_abandon,
        )
