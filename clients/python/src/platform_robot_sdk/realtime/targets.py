"""Targets of skills, from what a shortcut takes."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

Target = dict[str, Any]


class Place(TypedDict):
    """A place of the world, metres: what a shortcut takes where it takes no id."""

    x: float
    y: float
    z: NotRequired[float]
    """Height: of what to look at, or of the centre of a thing where it is to rest. Default: 0, the floor."""
    yaw_deg: NotRequired[float]
    """Heading, degrees, positive to the left. Default: any."""


def entity_target(entity_id: str) -> Target:
    """The target that an id names, as skills take it."""
    return {"kind": "entity", "entity_id": entity_id}


def target_of(target: str | Place) -> Target:
    """The target of an id or a place."""
    return entity_target(target) if isinstance(target, str) else _place_target(target)


def support_target(on: str | None, slot: int | None, at: Place | None) -> Target | None:
    """The target of a placing; None where none is named, which means the nearest destination pad.

    Raises:
        ValueError: a slot of no pad, and two targets.
    """
    if on is not None and at is not None:
        raise ValueError("`on` and `at` are two targets. Pass one of them.")
    if on is None and slot is not None:
        raise ValueError("`slot` is a slot of a pad. Pass the id of the pad as `on`.")
    if at is not None:
        return _place_target(at)
    if on is None:
        return None
    return entity_target(on) if slot is None else {"kind": "slot", "pad_id": on, "index": slot}


def _place_target(place: Place) -> Target:
    unknown = set(place) - Place.__annotations__.keys()
    missing = {"x", "y"} - set(place)
    if unknown or missing:
        raise ValueError(f"A place has x, y and, if it matters, z and yaw_deg; this one has {', '.join(place) or 'none'}.")
    pose: dict[str, Any] = {"position": [place["x"], place["y"], place.get("z", 0.0)]}
    if "yaw_deg" in place:
        pose["yaw_deg"] = place["yaw_deg"]
    return {"kind": "pose", "pose": pose}
