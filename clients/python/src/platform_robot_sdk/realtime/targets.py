"""Builds the targets of skills from the arguments of a shortcut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from .wire import invalid_input

Target = dict[str, Any]


class Place(TypedDict):
    """A place in the world, metres. A shortcut accepts it instead of an id."""

    x: float
    y: float
    z: NotRequired[float]
    """Height, metres: of the point to look at, or of the centre of a thing at its place. Default: 0, the floor."""
    yaw_deg: NotRequired[float]
    """Heading, degrees, positive to the left. Default: any."""


_AN_ID = "the id of a thing, such as 'cube_0'"
_A_PLACE = "a place, such as {'x': 0.4, 'y': -1.5}"


def entity_target(entity_id: str, name: str = "target") -> Target:
    """Returns the target that an id names, as skills take it.

    Raises:
        RcwRuntimeError: `INVALID_INPUT` for anything but a string.
    """
    if not isinstance(entity_id, str):
        raise invalid_input(f"{name} is of type {type(entity_id).__name__}. Pass {_AN_ID}.")
    return {"kind": "entity", "entity_id": entity_id}


def target_of(target: str | Place) -> Target:
    """Returns the target of an id or a place.

    Raises:
        RcwRuntimeError: `INVALID_INPUT` for anything else.
    """
    return entity_target(target) if isinstance(target, str) else _place_target(target, "target", f"{_AN_ID}, or {_A_PLACE}")


def support_target(on: str | None, slot: int | None, at: Place | None) -> Target | None:
    """Returns the target of a placement; None if none is named, which means the nearest destination pad.

    Raises:
        RcwRuntimeError: `INVALID_INPUT` for a slot without a pad, two targets, and values of other types.
    """
    if on is not None and at is not None:
        raise invalid_input("`on` and `at` are two targets. Pass one of them.")
    if on is None and slot is not None:
        raise invalid_input("`slot` is a slot of a pad. Pass the id of the pad as `on`.")
    if at is not None:
        return _place_target(at, "at", _A_PLACE)
    if on is None:
        return None
    target = entity_target(on, "on")
    return target if slot is None else {"kind": "slot", "pad_id": on, "index": slot}


def _place_target(place: Place, name: str, remedy: str) -> Target:
    if not isinstance(place, Mapping):
        raise invalid_input(f"{name} is of type {type(place).__name__}. Pass {remedy}.")
    unknown = set(place) - Place.__annotations__.keys()
    missing = {"x", "y"} - set(place)
    if unknown or missing:
        fields = ", ".join(map(str, place)) or "none"
        raise invalid_input(f"A place has x, y and, if it matters, z and yaw_deg; this one has {fields}. Pass {remedy}.")
    pose: dict[str, Any] = {"position": [place["x"], place["y"], place.get("z", 0.0)]}
    if "yaw_deg" in place:
        pose["yaw_deg"] = place["yaw_deg"]
    return {"kind": "pose", "pose": pose}
