"""A typical sorting loop: pick the nearest cube. If it is too far, the refusal names the distance: walk nearer and try
again. Then carry it to the pad of its colour.

    python pick_and_sort.py local.json [number of cubes]
"""

import asyncio
import json
import math
import re
import sys

from platform_robot_sdk import AsyncClient, connect
from platform_robot_sdk.experimental import generate_room_key

TOO_FAR = re.compile(r"too far from cube \((\d+\.\d+)m > (\d+\.\d+)m\)")


def invoke_target(entity_id):
    return {"target": {"kind": "entity", "entity_id": entity_id}}


async def nearest_cube(session, x, y):
    scene = await session.state.get("scene_state")
    cubes = [
        entity
        for entity in scene.entities.values()
        if entity.kind == "cube" and entity.visible and entity.state.get("parent_pad_id") == "pad_A"
    ]
    return min(cubes, key=lambda cube: math.dist((x, y), cube.pose.position[:2]))


async def pick(session):
    """Picks the nearest cube, and walks nearer by the distance in the refusal. Returns the id of the held cube."""
    for _ in range(6):
        result = await session.invoke("pick_entity", invoke_target("cube"), timeout_s=60)
        if result.status == "done":
            return result.result["held"]
        match = TOO_FAR.search(result.error.message)
        if match is None:
            raise SystemExit(f"cannot pick: {result.error.code}: {result.error.message}")
        distance, reach = float(match[1]), float(match[2])
        print(f"too far: {distance} of {reach}", flush=True)
        pose = (await session.state.get("robot_status")).robot.pose
        cube = await nearest_cube(session, pose.position[0], pose.position[1])
        # A step back along the line from the cube to the robot, to stand within reach.
        dx, dy = pose.position[0] - cube.pose.position[0], pose.position[1] - cube.pose.position[1]
        scale = (reach - 0.25) / math.hypot(dx, dy)
        place = [cube.pose.position[0] + dx * scale, cube.pose.position[1] + dy * scale, 0]
        facing = math.degrees(math.atan2(-dy, -dx))
        walked = await session.invoke(
            "go_to",
            {"target": {"kind": "pose", "pose": {"frame_id": "world", "position": place, "yaw_deg": facing}}},
            timeout_s=120,
        )
        if walked.status != "done":
            # The spot is occupied: let the robot find another one.
            await session.invoke("go_to", invoke_target(cube.entity_id), timeout_s=120)
    raise SystemExit("never near enough")


async def main():
    local = json.load(open(sys.argv[1]))
    cubes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    async with AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client:
        created = await client.robots.create(name="Sorter", model="simplesim-humanoid-1")
        session = await connect(client, created.robot.id, worker_names=[], rcw_identity_prefix="simplesim")
        print(f"open {local['viewer_url']}/?key={await generate_room_key(client, created.robot.id)}", flush=True)
        await session.wait_until_ready(timeout_s=120)

        pads = {pad.color: pad.pad_id for pad in (await session.layout()).pads if pad.role == "destination"}
        # Away from the belt, so that the first cube is too far away.
        await session.invoke("set_velocity", {"vx": -1.0, "duration_s": 2.0}, timeout_s=30)
        for _ in range(cubes):
            held = await pick(session)
            color = (await session.scene(entity_ids=[held])).entities[held].state["color"]
            for skill, target in (("go_to", pads[color]), ("place_entity", pads[color])):
                result = await session.invoke(skill, invoke_target(target), timeout_s=180)
                if result.status != "done":
                    raise SystemExit(f"{skill} {target}: {result.error.code}: {result.error.message}")
            print(f"placed {held} ({color}) on {pads[color]}", flush=True)

        benchmark = (await session.state.get("robot_status")).robot.extra["sort_benchmark"]
        print(f"correct {benchmark['correct_count']}, wrong {benchmark['wrong_count']}", flush=True)
        await session.disconnect(delete_session=True)
        await client.robots.delete(created.robot.id)


if __name__ == "__main__":
    asyncio.run(main())
