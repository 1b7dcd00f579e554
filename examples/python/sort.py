"""Sorts cubes: takes the nearest one from the belt, carries it to the pad of its colour, and tries again where that may help.

    pip install "./clients/python[realtime]"
    python3 examples/python/sort.py [how many cubes, 3 by default]

Run it beside `npm start`, with the robot's link open in Chrome. It reads .simplesim/local.json.
"""

import asyncio
import json
import math
import os
import sys
from pathlib import Path

from platform_robot_sdk import AsyncClient, PlatformSDKError, PlatformSession, connect
from platform_robot_sdk.models import Entity, SceneLayout

DATA_DIR = Path(os.environ.get("SIMPLESIM_DATA_DIR", Path(__file__).resolve().parents[2] / ".simplesim"))
# A cube that slips or a way that is blocked: worth another try. Anything else is told and ends the program.
TRIES = 3


async def main(how_many: int) -> None:
    local = json.loads((DATA_DIR / "local.json").read_text())
    async with (
        AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client,
        connect(client, local["robot_id"], worker_names=[], keep_session=True) as session,
    ):
        if session.runtime_identity is None:
            print(f"Nobody is the robot yet. Open this link in Chrome, and the program goes on:\n{local['room_key_url']}")
        await session.wait_until_ready(timeout_s=300)
        layout = await session.layout()
        for _ in range(how_many):
            await sort_one(session, layout)
        counts = (await session.state.get("robot_status")).robot.extra["sort_benchmark"]
        print(f"Sorted so far: {counts['correct_count']} right, {counts['wrong_count']} wrong.")


async def sort_one(session: PlatformSession, layout: SceneLayout) -> None:
    """The cube in the hands, else the nearest one on the belt, goes to its pad."""
    held = await held_cube(session)
    cube_id, colour = held or await nearest_cube(session, layout)
    if held is None:
        await persist(session, "go_to", cube_id)
        await persist(session, "pick_entity", cube_id)
    pad_id = next(pad.pad_id for pad in layout.pads if pad.role == "destination" and pad.color == colour)
    await persist(session, "go_to", pad_id)
    await persist(session, "place_entity", pad_id)
    print(f"{cube_id} is {colour} and was delivered to {pad_id}.")


async def held_cube(session: PlatformSession) -> tuple[str, str] | None:
    """Id and colour of the cube that an earlier program left in the hands: the robot carries one at a time."""
    scene = await session.scene(kinds=["cube"])
    held = next((cube for cube in scene.entities.values() if cube.attached_to == "robot"), None)
    return None if held is None else (held.entity_id, held.state["color"])


async def nearest_cube(session: PlatformSession, layout: SceneLayout) -> tuple[str, str]:
    """Id and colour of the cube on the source pad that is nearest to the robot, in the floor plane."""
    source = next(pad.pad_id for pad in layout.pads if pad.role == "source")
    scene = await session.scene(kinds=["robot", "cube"])
    robot = scene.entities["robot"]
    waiting = [
        cube
        for cube in scene.entities.values()
        if cube.visible and cube.attached_to is None and cube.state.get("parent_pad_id") == source
    ]
    if not waiting:
        raise SystemExit(f"No cube waits on {source}. Invoke reset to restart the scene.")
    nearest = min(waiting, key=lambda cube: math.dist(floor_place(cube), floor_place(robot)))
    return nearest.entity_id, nearest.state["color"]


def floor_place(entity: Entity) -> tuple[float, float]:
    """Where it is in the floor plane, metres."""
    if entity.pose is None:
        raise SystemExit(f"Nobody knows where {entity.entity_id} is.")
    x, y, _ = entity.pose.position
    return x, y


async def persist(session: PlatformSession, skill: str, entity_id: str) -> None:
    """Runs a skill on an entity, again while its failure says that this may help."""
    for attempt in range(1, TRIES + 1):
        ended = await session.invoke(skill, {"target": {"kind": "entity", "entity_id": entity_id}})
        if ended.error is None:
            return
        print(f"{skill} {entity_id}: {ended.error}")
        if attempt == TRIES or not ended.error.details["retryable"]:
            times = "once" if attempt == 1 else f"{attempt} times"
            raise SystemExit(f"{skill} of {entity_id} failed {times}; the program ends here.")


if __name__ == "__main__":
    try:
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
    except (PlatformSDKError, TimeoutError) as problem:
        raise SystemExit(f"The program ended early: {problem}") from None
