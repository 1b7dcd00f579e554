"""The same agent in Python, after `pip install "./clients/python[realtime]"`:

npm run simplesim -- eval tasks/fetch/hall-hold-blue.json --agent "python3 examples/python/take_by_colour.py" --out results
"""

import asyncio
import os

from platform_robot_sdk import AsyncClient, connect


async def main() -> None:
    task = os.environ["SIMPLESIM_TASK"]
    print("The task:", task)
    # The address and the API key stand in the environment too.
    async with (
        AsyncClient() as client,
        connect(client, os.environ["SIMPLESIM_ROBOT_ID"], worker_names=[], keep_session=True) as session,
    ):
        await session.wait_until_ready()
        entities = (await session.scene()).entities.values()
        cubes = [one for one in entities if one.kind == "cube" and one.state.get("color", "?") in task]
        if not cubes:
            print("The task names no colour of a cube that is there.")
            return
        target = {"target": {"kind": "entity", "entity_id": cubes[0].entity_id}}
        for skill in ("go_to", "pick_entity"):
            result = await session.invoke(skill, target)
            print(skill, cubes[0].entity_id, result.status, result.error.message if result.error else "")
            if result.status != "done":
                return


asyncio.run(main())
