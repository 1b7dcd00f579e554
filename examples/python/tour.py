"""A walk through what a robot does here: finds its skills, carries a cube, reads what it knows, takes pictures, stops half way.

    pip install "./clients/python[realtime]"
    python3 examples/python/tour.py

Run it beside `npm start`. It reads .simplesim/local.json and saves its pictures in .simplesim/tour/.
"""

import asyncio
import json
import math
import os
from pathlib import Path

from platform_robot_sdk import AsyncClient, PlatformSDKError, PlatformSession, connect
from platform_robot_sdk.models import ActionResult

DATA_DIR = Path(os.environ.get("SIMPLESIM_DATA_DIR", Path(__file__).resolve().parents[2] / ".simplesim"))
PICTURES_DIR = DATA_DIR / "tour"


async def main() -> None:
    local = json.loads((DATA_DIR / "local.json").read_text())
    async with AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client:
        robot = await client.robots.get(local["robot_id"])
        print(f"The robot is called {robot.name}, a {robot.type} {robot.model}.")
        # The session stays, so the viewer stays open and the tour can be taken again.
        async with connect(client, robot.id, worker_names=[], keep_session=True) as session:
            if session.runtime_identity is None:
                print(f"Nobody is the robot yet. Open this link in Chrome, and the tour goes on:\n{local['room_key_url']}")
            await session.wait_until_ready(timeout_s=300)
            await walk_through(session)
    print("The tour has left the room.")


async def walk_through(session: PlatformSession) -> None:
    skills = await session.discover_skills()
    print(f"It has {len(skills)} skills: {', '.join(skill.name for skill in skills)}.")

    held_ids = (await session.state.get("robot_status")).robot.held_entity_ids
    if held_ids:
        raise SystemExit(
            f"The robot still holds {', '.join(held_ids)}. Run place_entity near a pad, or reset, in the robot's page under "
            "Skills. Then start the tour again."
        )

    # Every result is printed as one line that people and models can read.
    cube = {"kind": "entity", "entity_id": "cube"}
    print(done(await session.invoke("go_to", {"target": {"kind": "entity", "entity_id": "pad_A"}})))
    picked = done(await session.invoke("pick_entity", {"target": cube}))
    held = picked.result["held"]
    colour = (await session.scene(entity_ids=[held])).entities[held].state["color"]
    pad_id = next(pad.pad_id for pad in (await session.layout()).pads if pad.color == colour)
    pad = {"kind": "entity", "entity_id": pad_id}
    print(f"It holds {held}, which is {colour} and belongs on {pad_id}.")
    print(done(await session.invoke("go_to", {"target": pad})))
    print(done(await session.invoke("place_entity", {"target": pad})))

    state = await session.state.get("robot_status")
    print(f"Sorted so far: {state.robot.extra['sort_benchmark']['correct_count']} right.")
    PICTURES_DIR.mkdir(exist_ok=True)
    for camera in ("pov", "topdown"):
        picture = await session.get_vision(camera, width=1280, height=720, quality=0.8)
        picture.save(PICTURES_DIR / f"{camera}-python.jpg")
        print(
            f"A picture from {camera} at step {picture.frame.step}, {len(picture) // 1024} kB, checked by {picture.verified}."
        )
    await stop_half_way(session)


async def stop_half_way(session: PlatformSession) -> None:
    """Sets out for the farthest pad and thinks better of it after the first metre."""
    robot = (await session.state.get("robot_status")).robot
    here = robot.pose.position if robot.pose else (0.0, 0.0, 0.0)
    far = max((await session.layout()).pads, key=lambda pad: math.dist(pad.position, here)).pad_id
    walk = session.start("go_to", {"target": {"kind": "entity", "entity_id": far}})
    async for event in walk:
        if event.phase == "running" and event.progress is not None and (event.progress.current or 0) > 1:
            await walk.cancel()
    ended = await walk
    print(f"On the way to {far} the walk was cancelled: {ended.error}")


def done(ended: ActionResult) -> ActionResult:
    """The result of an action that has to be done for the tour to go on."""
    if ended.status == "done":
        return ended
    raise SystemExit(f"The tour ends here: {ended.error}")


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (PlatformSDKError, TimeoutError) as problem:
        raise SystemExit(f"The tour ended early: {problem}") from None
