"""The physical robot's contract: signed control, a velocity that holds until it is stopped, arms that want pose after pose.

    pip install "./clients/python[realtime]"
    python3 examples/python/physical.py

Run it beside `npm start` and `npm run worker`, which is the robot here. It reads .simplesim/local.json. What is safe on such a
robot is in docs/physical-robot.md.
"""

import asyncio
import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

from platform_robot_sdk import ArmPose, AsyncClient, PlatformSDKError, PlatformSession, connect

DATA_DIR = Path(os.environ.get("SIMPLESIM_DATA_DIR", Path(__file__).resolve().parents[2] / ".simplesim"))
STANDING_LEFT = [-0.35, -0.18, 0.0, 0.87, 0.0]


async def main() -> None:
    local = json.loads((DATA_DIR / "local.json").read_text())
    async with AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client:
        created = await client.robots.create(name="Waving", model="simplesim-humanoid-1")
        try:
            await drive_and_wave(client, created.robot.id)
        finally:
            await client.robots.delete(created.robot.id)


async def drive_and_wave(client: AsyncClient, robot_id: str) -> None:
    # The names of the workers are asked for; the session signs by itself.
    async with connect(
        client, robot_id, worker_names=["rcw"], rcw_identity_prefix="rcw", control_holder="physical.py"
    ) as session:
        await session.wait_until_ready(timeout_s=60)
        before = await position(session)
        try:
            print(await session.invoke("set_velocity", {"vx": 0.3}))
            await asyncio.sleep(1.5)
        finally:
            # Nothing else ends it: not the end of this program either.
            print(await session.invoke("stop"))
        after = await position(session)
        print(f"It drove {math.dist(before, after):.2f} m.")
        sent = await session.stream_upper_body(wave(), rate_hz=20)
        print(f"It waved with {sent.packets} poses.")


async def position(session: PlatformSession) -> tuple[float, float, float]:
    pose = (await session.state.get("robot_status")).robot.pose
    if pose is None:
        raise SystemExit("The robot does not know where it is.")
    return pose.position


def wave() -> Iterator[ArmPose]:
    """Two seconds of waving with the right arm, radians: shoulder pitch, roll, yaw, elbow, wrist yaw."""
    for step in range(40):
        roll = 0.35 + 0.25 * math.sin(step / 20 * 2 * math.pi)
        yield {"r_arm": [-1.2, roll, 0.0, -1.3, 0.0], "l_arm": STANDING_LEFT}


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except (PlatformSDKError, TimeoutError) as problem:
        raise SystemExit(f"The program ended early: {problem}") from None
