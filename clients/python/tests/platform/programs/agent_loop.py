"""A typical agent loop: wait for the viewer, read the state, decide, drive a little, read again.

    python agent_loop.py local.json

It prints the viewer's link and drives the robot to the yellow pallet with set_velocity only.
"""

import asyncio
import json
import math
import sys

from platform_robot_sdk import AsyncClient, connect
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.experimental import generate_room_key

NEEDED = {"set_velocity", "go_to", "pick_entity", "place_entity"}
GOAL = "pad_E"
NEAR_M = 1.1


async def wait_for_viewer(session: PlatformSession) -> set[str]:
    for _ in range(120):
        try:
            skills = await session.discover_skills()
            names = {skill.name for skill in skills}
            if names >= NEEDED:
                return names
        except (RuntimeError, TimeoutError) as error:
            print(f"waiting: {type(error).__name__}", flush=True)
        await asyncio.sleep(1)
    raise SystemExit("no one opened the viewer")


def decide(pose, goal) -> dict | None:
    """Stands in for a model. Returns the next velocity, or None when the robot has arrived."""
    dx, dy = goal[0] - pose.position[0], goal[1] - pose.position[1]
    if math.hypot(dx, dy) < NEAR_M:
        return None
    bearing = math.degrees(math.atan2(dy, dx)) - pose.yaw_deg
    bearing = (bearing + 180) % 360 - 180
    if abs(bearing) > 12:
        return {"wz": math.copysign(min(1.2, math.radians(abs(bearing)) / 0.6), bearing), "duration_s": 0.6}
    return {"vx": 0.8, "wz": math.radians(bearing), "duration_s": 0.8}


async def main() -> None:
    local = json.load(open(sys.argv[1]))
    client = AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"])
    created = await client.robots.create(name="Agent", model="simplesim-humanoid-1")
    robot_id = created.robot.id
    session = await connect(client, robot_id, worker_names=[], rcw_identity_prefix="simplesim", join_livekit=True)
    try:
        key = await generate_room_key(client, robot_id)
        print(f"open {local['viewer_url']}/?key={key}", flush=True)
        await wait_for_viewer(session)

        layout = await session.state.get("scene_layout")
        goal = next(pad.position for pad in layout.pads if pad.pad_id == GOAL)
        # First away from the belt, which is in front of the robot.
        await session.invoke("set_velocity", {"vx": -0.8, "duration_s": 1.0}, timeout_s=15)
        for step in range(60):
            status = await session.state.get("robot_status")
            action = decide(status.robot.pose, goal)
            if action is None:
                break
            result = await session.invoke("set_velocity", action, timeout_s=15)
            if result.status != "done":
                print(f"step {step}: {result.error.code}", flush=True)
                await session.invoke("set_velocity", {"vx": -0.5, "duration_s": 0.6}, timeout_s=15)
                await session.invoke("set_velocity", {"vy": 0.8, "duration_s": 1.0}, timeout_s=15)
        x, y, _ = (await session.state.get("robot_status")).robot.pose.position
        print(f"{math.hypot(goal[0] - x, goal[1] - y):.2f} m from {GOAL} after {step} steps", flush=True)
    finally:
        await session.disconnect()
        await client.robots.delete(robot_id)
        await client.aclose()


if __name__ == "__main__":
    asyncio.run(main())
