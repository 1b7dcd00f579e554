"""A controller as in tool servers for language models: each tool takes and returns JSON, and an error is an answer too.

    python tool_controller.py local.json

It prints the viewer's link, then makes the calls that a model would make.
"""

import asyncio
import base64
import json
import sys
from typing import Any

from platform_robot_sdk import AsyncClient, PlatformSDKError, connect
from platform_robot_sdk.connection import PlatformSession
from platform_robot_sdk.experimental import generate_room_key


class Controller:
    def __init__(self, session: PlatformSession) -> None:
        self.session = session
        self.tools = {
            "list_skills": self.list_skills,
            "invoke_skill": self.invoke_skill,
            "robot_status": lambda: self.read("robot_status"),
            "scene_state": lambda: self.read("scene_state"),
            "look": self.look,
            "cancel": self.cancel,
        }

    async def __call__(self, name: str, arguments: dict[str, Any]) -> str:
        try:
            answer = await self.tools[name](**arguments)
        except TimeoutError as error:
            answer = {"ok": False, "error": {"code": "TIMEOUT", "message": str(error)}}
        except PlatformSDKError as error:
            code = getattr(error, "code", "SDK")
            answer = {"ok": False, "error": {"code": code, "message": getattr(error, "runtime_message", str(error))}}
        return json.dumps(answer, allow_nan=False)

    async def list_skills(self):
        skills = await self.session.discover_skills()
        return {"skills": [skill.model_dump(mode="json", exclude_none=True) for skill in skills]}

    async def invoke_skill(self, skill: str, params: dict[str, Any] | None = None, timeout_s: float = 15):
        result = await self.session.invoke(skill, params or {}, timeout_s=timeout_s)
        return {"ok": result.status == "done", **result.model_dump(mode="json", exclude_none=True)}

    async def read(self, key: str):
        return (await self.session.state.get(key)).model_dump(mode="json", exclude_none=True)

    async def look(self, camera: str = "pov"):
        image = await self.session.get_vision(camera, width=320, height=180)
        assert isinstance(image, bytes)
        return {"mime_type": "image/jpeg", "data": base64.b64encode(image).decode()}

    async def cancel(self, action_id: str = "cancel-active"):
        result = await self.session.cancel_action(action_id)
        return result.model_dump(mode="json", exclude_none=True)


async def play(call: Controller) -> None:
    async def ask(name: str, **arguments: Any) -> dict[str, Any]:
        return json.loads(await call(name, arguments))

    skills = {skill["name"]: skill["input_schema"] for skill in (await ask("list_skills"))["skills"]}
    print(f"go_to takes {', '.join(skills['go_to']['required'])}", flush=True)

    status = await ask("robot_status")
    print(f"status {status['robot']['status']}, holds {status['robot']['held_entity_ids']}", flush=True)
    cubes = [each for each in (await ask("scene_state"))["entities"].values() if each["entity_id"].startswith("cube")]
    print(f"{len(cubes)} cubes", flush=True)

    image = base64.b64decode((await ask("look"))["data"])
    print(f"picture {image[:3].hex()}", flush=True)

    refused = await ask("invoke_skill", skill="go_to", params={"target": "the red cube"})
    print(f"refused {refused['error']['code']}", flush=True)

    walk = asyncio.create_task(
        ask("invoke_skill", skill="go_to", params={"target": {"kind": "entity", "entity_id": "pad_B"}}, timeout_s=90)
    )
    while "active_action" not in (await ask("robot_status"))["runtime"]:
        await asyncio.sleep(0.1)
    cancelled = await ask("cancel")
    ended = await walk
    print(f"cancelled {cancelled['error']['code']}, the same action {cancelled['meta'] == ended['meta']}", flush=True)

    late = await ask("invoke_skill", skill="go_to", params={"target": {"kind": "entity", "entity_id": "pad_B"}}, timeout_s=0.5)
    print(f"late {late['error']['code']}", flush=True)
    await ask("cancel")
    print(f"again {(await ask('cancel'))['error']['code']}", flush=True)


async def main() -> None:
    local = json.load(open(sys.argv[1]))
    async with AsyncClient(rcs_url=local["rcs_url"], api_key=local["api_key"]) as client:
        created = await client.robots.create(name="Tools", model="simplesim-humanoid-1")
        session = await connect(client, created.robot.id, worker_names=[], runtime_call_timeout_s=30)
        print(f"open {local['viewer_url']}/?key={await generate_room_key(client, created.robot.id)}", flush=True)
        for _ in range(240):
            try:
                await session.discover_skills()
                break
            except (RuntimeError, TimeoutError):
                await asyncio.sleep(0.5)
        await play(Controller(session))
        await session.disconnect()
        await client.robots.delete(created.robot.id)


if __name__ == "__main__":
    asyncio.run(main())
