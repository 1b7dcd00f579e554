"""A robot from beginning to end, over the wire alone: HTTP to the control service, LiveKit's Python SDK to the robot.

    pip install httpx livekit
    python3 examples/python/wire/flow.py .simplesim/local.json

It makes a robot, opens its session, prints a link and waits until somebody opens it in Chrome: that tab is the robot. The robot
carries a cube to the pad of its colour and looks at it, a walk is cancelled, it is driven over HTTP, and all is cleared away.
The contract is in docs/protocol.md and docs/control-service.md; nothing of the project's own library is used.
"""

import asyncio
import base64
import json
import sys
import time
import uuid

import httpx
from livekit import rtc

VIEWER_WITHIN_S = 180
CAPTURE_TOPIC = "platform.camera_capture"
PAD_OF_COLOUR = {"red": "pad_B", "green": "pad_C", "blue": "pad_D", "yellow": "pad_E"}
# Nobody knows whether the call was carried out; with an action_id it may be asked again.
LOST = (rtc.RpcError.ErrorCode.CONNECTION_TIMEOUT, rtc.RpcError.ErrorCode.RESPONSE_TIMEOUT)


class Robot:
    """Calls of the participant in the room that is the robot."""

    def __init__(self, room, name="simplesim"):
        self._room = room
        self._name = name
        self._identity = None
        self._pictures = {}
        self._tasks = set()
        room.register_byte_stream_handler(CAPTURE_TOPIC, self._on_picture)

    async def discover_skills(self):
        """Waits for a participant of the robot's name that lists its skills; one that still loads refuses with NOT_READY."""
        give_up = time.monotonic() + VIEWER_WITHIN_S
        while time.monotonic() < give_up:
            for identity in list(self._room.remote_participants):
                if identity == self._name or identity.startswith((f"{self._name}-", f"{self._name}:")):
                    self._identity = identity
                    try:
                        reply = await self.call("runtime.tools_list", {}, 5, ask_again_for_s=0)
                    except rtc.RpcError:
                        continue
                    if isinstance(reply, list):
                        return {skill["name"]: skill["input_schema"] for skill in reply}
            await asyncio.sleep(0.5)
        raise TimeoutError(f"nobody opened the link within {VIEWER_WITHIN_S} s")

    async def call(self, method, payload, timeout_s=10, ask_again_for_s=60):
        """The reply. One that got lost is asked for again: a read changes nothing, an action with its action_id never runs twice."""
        give_up = time.monotonic() + ask_again_for_s
        while True:
            try:
                reply = await self._room.local_participant.perform_rpc(
                    destination_identity=self._identity, method=method, payload=json.dumps(payload), response_timeout=timeout_s
                )
                return json.loads(reply)
            except rtc.RpcError as error:
                if error.code not in LOST or time.monotonic() > give_up:
                    raise

    async def invoke(self, skill, params, action_id=None, timeout_s=120):
        """The result of the ended action."""
        request = {"name": skill, "input": params, "options": {"action_id": action_id or str(uuid.uuid4())}}
        return await self.call("runtime.tools_call", request, timeout_s, ask_again_for_s=timeout_s)

    async def get_vision(self, camera, **options):
        """JPEG bytes: the call only triggers the capture, the picture comes over a byte stream of its own."""
        stream_id = str(uuid.uuid4())
        picture = self._pictures[stream_id] = asyncio.get_running_loop().create_future()
        stream = {"id": stream_id, "topic": CAPTURE_TOPIC}
        selector = {"kind": "id", "id": camera}
        done(await self.call("runtime.cameras_capture", {"selector": selector, "options": options, "stream": stream}, 30))
        # The stream is closed before the reply is sent, but its last piece may be read after it.
        data = await asyncio.wait_for(picture, 30)
        del self._pictures[stream_id]
        return data

    def _on_picture(self, reader, _identity):
        async def read():
            data = b"".join([chunk async for chunk in reader])
            picture = self._pictures.get(reader.info.name)
            if picture and not picture.done():
                picture.set_result(data)

        task = asyncio.create_task(read())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def done(reply):
    """The result of an action that must have succeeded."""
    if reply["status"] != "done":
        raise AssertionError(f"{reply['error']['code']}: {reply['error']['message']}")
    return reply["result"]


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def tell(line):
    print(line, flush=True)


def room_key(place):
    address = base64.urlsafe_b64encode(place["livekit_url"].encode()).rstrip(b"=").decode()
    return f"k1~{address}~{place['participant_token']}"


async def main(local):
    headers = {"Authorization": f"Bearer {local['api_key']}"}
    # A command is answered when the robot has carried it out.
    async with httpx.AsyncClient(base_url=f"{local['rcs_url']}/v1", headers=headers, timeout=60) as http:

        async def ask(method, path, body=None, expected=200):
            answer = await http.request(method, path, json=body)
            expect(answer.status_code == expected, f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            return answer.json() if answer.content else None

        created = await ask("POST", "/robots", {"name": "Pythia", "model": "simplesim-humanoid-1", "type": "virtual"})
        robot_id = created["robot"]["id"]
        expect(len(created["pin_code"]) > 0, "no PIN")
        tell(f"robot {robot_id}")
        renamed = await ask("PATCH", f"/robots/{robot_id}", {"name": "Pythia of Delphi"})
        expect(renamed == await ask("GET", f"/robots/{robot_id}"), "the robot was not renamed")
        room = rtc.Room()
        try:
            await drive(ask, f"/robots/{robot_id}", robot_id, local["viewer_url"], room)
        finally:
            await room.disconnect()
            await ask("DELETE", f"/robots/{robot_id}", expected=204)
        await ask("GET", f"/robots/{robot_id}", expected=404)
        tell("robot deleted")


async def drive(ask, path, robot_id, viewer_url, room):
    # The runtime is a viewer tab that joins by its own link, so no worker is sent for.
    session = await ask("POST", f"{path}/session", {"worker_names": []})
    expect(session["room_metadata"]["dispatched_agent_names"] == [], "a worker was dispatched")
    viewer = {"participant_identity": f"simplesim:{robot_id}", "ttl_seconds": 14_400}
    place = await ask("POST", f"{path}/session/participant-token", viewer)
    tell(f"open {viewer_url}/?key={room_key(place)}")

    robot = Robot(room)
    await room.connect(session["livekit_url"], session["participant_token"], rtc.RoomOptions(auto_subscribe=False))
    skills = await robot.discover_skills()
    tell(f"skills {', '.join(sorted(skills))}")
    expect({"set_velocity", "go_to", "pick_entity", "place_entity"} <= set(skills), "a skill is missing")

    scene = await robot.call("runtime.scene_state", {"entity_ids": ["cube_0"]})
    pad = PAD_OF_COLOUR[scene["entities"]["cube_0"]["state"]["color"]]
    cube = {"target": {"kind": "entity", "entity_id": "cube_0"}}
    there = {"target": {"kind": "entity", "entity_id": pad}}
    done(await robot.invoke("go_to", cube))
    done(await robot.invoke("pick_entity", cube))
    state = await robot.call("runtime.state", {})
    expect(state["robot"]["held_entity_ids"] == ["cube_0"], f"it holds {state['robot']['held_entity_ids']}")
    done(await robot.invoke("go_to", there))
    placed = done(await robot.invoke("place_entity", there))
    tell(f"placed cube_0 on {placed['placed_on']}")

    picture = await robot.get_vision("pov", width=640, height=360, quality=0.7)
    expect(picture[:3] == b"\xff\xd8\xff", "not a JPEG")
    tell(f"picture of {len(picture)} bytes")

    walk = asyncio.create_task(robot.invoke("go_to", {"target": {"kind": "entity", "entity_id": "pad_A"}}, "walk"))
    while (await robot.call("runtime.state", {}))["runtime"].get("active_action", {}).get("action_id") != "walk":
        await asyncio.sleep(0.05)
    await robot.call("runtime.cancel", {"options": {"action_id": "cancel-active"}})
    ended = await walk
    expect(ended["status"] == "failed" and ended["error"]["code"] == "CANCELLED", f"the walk ended otherwise: {ended}")
    tell("walk cancelled")

    before = (await robot.call("runtime.state", {}))["robot"]["pose"]["position"]
    await ask("POST", f"{path}/semantic-command", {"command": "backward"})
    after = (await robot.call("runtime.state", {}))["robot"]["pose"]["position"]
    tell(f"semantic command moved it by {sum((a - b) ** 2 for a, b in zip(after, before)) ** 0.5:.2f} m")
    expect(before != after, "it stands where it stood")
    nod = {"skill": "set_head", "parameters": {"pitch": 0.2}, "action_id": "nod"}
    over_http = await ask("POST", f"{path}/session/command", nod)
    expect(over_http == await robot.invoke("set_head", {"pitch": 0.2}, "nod"), "the two ways tell of different actions")

    watcher = await ask("POST", f"{path}/session/participant-token", {"participant_identity": "watcher", "ttl_seconds": 10**6})
    expect(watcher["room_name"] == session["room_name"], "another room")
    put_out = asyncio.get_running_loop().create_future()
    room.on("disconnected", lambda *_: put_out.done() or put_out.set_result(None))
    await ask("DELETE", f"{path}/session", expected=204)
    await asyncio.wait_for(put_out, 10)
    await ask("POST", f"{path}/session/participant-token", {"participant_identity": "watcher"}, expected=409)
    tell("session deleted")


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else ".simplesim/local.json", encoding="utf-8") as file:
        asyncio.run(main(json.load(file)))
