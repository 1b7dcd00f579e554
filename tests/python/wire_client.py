"""A client of the platform that uses only the wire contract, without the project's own library.

Works with LiveKit's Python SDK 0.22 and 1.2. Reads the connection from PLATFORM_RCS_URL, PLATFORM_API_KEY and ROBOT_ID, or from the
JSON file named as its argument (fields rcs_url, api_key, robot_id). Prints one JSON line for each check and a last line with
the counts. Exits with 1 if a check failed. Never prints a credential.
"""

import asyncio
import contextlib
import hashlib
import json
import math
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from importlib.metadata import version

from livekit import rtc

PROBE_EVERY_S = 0.5
PROBE_TIMEOUT_S = 5.0
# A tab that has just been opened needs time to load.
READY_WITHIN_S = float(os.environ.get("READY_WITHIN_S", "60"))
CAPTURE_TOPIC = "platform.camera_capture"
# A reply can get lost, and SDK 0.22 gives up a call that is not acknowledged within 2 s. Calls with an id, and calls that
# change nothing, are repeated.
ASK_AGAIN_FOR_S = 30.0
LOST = (rtc.RpcError.ErrorCode.CONNECTION_TIMEOUT, rtc.RpcError.ErrorCode.RESPONSE_TIMEOUT)
ERROR_STAGES = {"input", "readiness", "control", "precondition", "planning", "execution", "postcondition", "runtime"}


class Api:
    """The library face of the control service."""

    def __init__(self, rcs_url, api_key):
        self._root = rcs_url.rstrip("/")
        self._api_key = api_key

    def __call__(self, method, path, body=None):
        """Returns (status, answer); the answer of an empty body is `None`."""
        headers = {"Authorization": f"Bearer {self._api_key}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self._root}/v1{path}", data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as refused:
            text = refused.read()
            return refused.code, json.loads(text) if text else None


class Runtime:
    """The robot's room, and the runtime in it."""

    def __init__(self):
        self._room = rtc.Room()
        self._identity = None
        self._captures = {}
        self._readers = set()
        # The number of lost replies since the start.
        self.lost = 0
        self._room.register_byte_stream_handler(CAPTURE_TOPIC, self._on_stream)

    async def join(self, url, token):
        await self._room.connect(url, token, rtc.RoomOptions(auto_subscribe=False))

    async def leave(self):
        await self._room.disconnect()

    async def find(self):
        """Asks every candidate for its skills, every 0.5 s, until one answers. Returns the skills."""
        deadline = time.monotonic() + READY_WITHIN_S
        last = "no participant named simplesim"
        while time.monotonic() < deadline:
            for identity in list(self._room.remote_participants):
                if identity != "simplesim" and not identity.startswith(("simplesim-", "simplesim:")):
                    continue
                try:
                    reply = json.loads(await self._perform(identity, "runtime.tools_list", "{}", PROBE_TIMEOUT_S))
                except rtc.RpcError as error:
                    last = f"{identity}: {error.code} {error.message}"
                    continue
                if isinstance(reply, list):
                    self._identity = identity
                    return identity, reply
                last = f"{identity}: {reply.get('error', {}).get('message')}"
            await asyncio.sleep(PROBE_EVERY_S)
        raise AssertionError(f"no runtime was ready within {READY_WITHIN_S:.0f} s ({last})")

    async def call(self, method, payload, timeout_s=10.0):
        return json.loads(await self.call_text(method, json.dumps(payload), timeout_s))

    async def call_text(self, method, text, timeout_s=10.0):
        give_up = time.monotonic() + ASK_AGAIN_FOR_S
        while True:
            try:
                return await self._perform(self._identity, method, text, timeout_s)
            except rtc.RpcError as error:
                if error.code not in LOST or time.monotonic() > give_up:
                    raise
                self.lost += 1

    async def skill(self, name, parameters, timeout_s=60.0, **options):
        options.setdefault("action_id", str(uuid.uuid4()))
        return await self.call("runtime.tools_call", {"name": name, "input": parameters, "options": options}, timeout_s)

    async def capture(self, camera, options, timeout_s=20.0):
        """Returns (reply, bytes, attributes of the stream)."""
        stream_id = str(uuid.uuid4())
        arrived = self._captures[stream_id] = asyncio.Queue()
        lost_before = self.lost
        request = {"selector": {"kind": "id", "id": camera}, "options": options, "stream": {"id": stream_id, "topic": CAPTURE_TOPIC}}
        try:
            reply = await self.call("runtime.cameras_capture", request, timeout_s)
            if reply["status"] != "done":
                return reply, b"", {}
            data, attributes = await asyncio.wait_for(arrived.get(), timeout_s)
            # A request whose reply was lost was repeated, and each request has its own picture. The right one has the length
            # that the reply states.
            while self.lost > lost_before and len(data) != reply["result"]["payload"]["byte_length"]:
                data, attributes = await asyncio.wait_for(arrived.get(), timeout_s)
            return reply, data, attributes
        finally:
            del self._captures[stream_id]

    async def _perform(self, identity, method, payload, timeout_s):
        return await self._room.local_participant.perform_rpc(
            destination_identity=identity, method=method, payload=payload, response_timeout=timeout_s
        )

    def _on_stream(self, reader, _identity):
        task = asyncio.create_task(self._read(reader))
        self._readers.add(task)
        task.add_done_callback(self._readers.discard)

    async def _read(self, reader):
        data = b"".join([chunk async for chunk in reader])
        attributes = dict(reader.info.attributes or {})
        arrived = self._captures.get(attributes.get("request_id", reader.info.name))
        if arrived is not None:
            arrived.put_nowait((data, attributes))


class Checks:
    """Runs checks one after the other and reports the result of each."""

    def __init__(self, runtime):
        self.passed = 0
        self.failed = 0
        self._runtime = runtime

    @contextlib.asynccontextmanager
    async def check(self, name):
        facts = {}
        started = time.monotonic()
        lost_before = self._runtime.lost
        try:
            yield facts
        except Exception as error:  # After any error, the other checks still run.
            self.failed += 1
            facts |= self._lost_since(lost_before)
            problem = f"{type(error).__name__}: {error}"
            self._tell(check=name, ok=False, ms=elapsed_ms(started), problem=problem[:500], **facts)
        else:
            self.passed += 1
            facts |= self._lost_since(lost_before)
            self._tell(check=name, ok=True, ms=elapsed_ms(started), **facts)

    def _lost_since(self, before):
        lost = self._runtime.lost - before
        return {"lost_replies": lost} if lost else {}

    @staticmethod
    def _tell(**facts):
        print(json.dumps(facts), flush=True)


def elapsed_ms(started):
    return round(1000 * (time.monotonic() - started))


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_done(reply):
    expect(reply.get("status") == "done", f"not done: {reply.get('error')}")
    expect("error" not in reply, "done with an error")
    meta = reply["meta"]
    for field in ("started_at_ms", "finished_at_ms", "duration_ms"):
        expect(isinstance(meta[field], int), f"meta.{field} is {meta[field]!r}, not an integer")
    return reply["result"]


def expect_failed(reply, code):
    error = reply.get("error", {})
    expect(reply.get("status") == "failed" and error.get("code") == code, f"not {code}: {json.dumps(reply)[:300]}")
    expect(isinstance(error["message"], str) and error["message"] != "", "an error without a sentence")
    details = error["details"]
    expect(details["stage"] in ERROR_STAGES, f"stage is {details['stage']!r}")
    expect(isinstance(details["attempted"], bool) and isinstance(details["retryable"], bool), "attempted or retryable is not boolean")
    expect(details["world_changed"] in ("no", "yes", "unknown"), "world_changed is not one of the three")
    return error


def expect_guard(reply, code):
    error = expect_failed(reply, code)
    expect("meta" not in reply, "a guard with meta")
    expect(error["details"]["attempted"] is False, "a guard that was attempted")
    return error


async def check_runtime(checks, runtime):
    async with checks.check("set_head turns the head by the radians asked for") as facts:
        result = expect_done(await runtime.skill("set_head", {"yaw": 0.3, "pitch": 0.2}))
        facts["measured"] = result["measured"]
        for axis, asked in (("yaw", 0.3), ("pitch", 0.2)):
            expect(abs(result["measured"][axis] - asked) <= math.radians(1) + 1e-6, f"{axis} is {result['measured'][axis]}")

    async with checks.check("the same action_id brings the stored result"):
        action_id = str(uuid.uuid4())
        first = await runtime.skill("set_head", {"yaw": 0.0, "pitch": 0.0}, action_id=action_id)
        again = await runtime.skill("set_head", {"yaw": 0.0, "pitch": 0.0}, action_id=action_id)
        expect_done(first)
        expect(again["meta"] == first["meta"], "the second call was another action")

    async with checks.check("runtime.state has the robot") as facts:
        state = await runtime.call("runtime.state", {})
        expect(isinstance(state["timestamp"]["step"], int), "no step")
        expect(state["robot"]["held_entity_ids"] == [], "held_entity_ids is not []")
        expect(state["runtime"]["status"] in ("ready", "busy"), f"status is {state['runtime']['status']}")
        facts["position"] = state["robot"]["pose"]["position"]

    async with checks.check("runtime.scene_state has cubes, and takes a filter") as facts:
        scene = await runtime.call("runtime.scene_state", {})
        cubes = {id for id, entity in scene["entities"].items() if entity["kind"] == "cube"}
        facts["cubes"] = len(cubes)
        expect("cube_0" in cubes, f"no cube_0 in {sorted(scene['entities'])}")
        one = await runtime.call("runtime.scene_state", {"entity_ids": ["cube_0"]})
        expect(set(one["entities"]) == {"cube_0"}, f"the filter let through {sorted(one['entities'])}")

    async with checks.check("go_to a pose a step away ends there, with the error inside the tolerance") as facts:
        state = await runtime.call("runtime.state", {})
        x, y, z = state["robot"]["pose"]["position"]
        # Moves back from the belt, which is in front of the robot at the start.
        pose = {"frame_id": "world", "position": [x - 0.4, y, z], "yaw_deg": 90}
        result = expect_done(await runtime.skill("go_to", {"target": {"kind": "pose", "pose": pose}}))
        facts["position_error_m"], facts["yaw_error_deg"] = result["position_error_m"], result["yaw_error_deg"]
        expect(result["position_error_m"] <= 0.05 and abs(result["yaw_error_deg"]) <= 2, "outside the tolerance")

    for name, parameters, code in (
        ("an unknown skill", ("fly", {}), "UNKNOWN_SKILL"),
        ("a wrong type", ("set_head", {"yaw": "left"}), "INVALID_INPUT"),
        ("an unknown field", ("set_head", {"yaw": 0, "roll": 1}), "INVALID_INPUT"),
        ("a missing field", ("go_to", {}), "INVALID_INPUT"),
        ("an angle out of range", ("set_head", {"yaw": 1e9}), "INVALID_INPUT"),
        ("an unknown entity", ("go_to", {"target": {"kind": "entity", "entity_id": "no_such"}}), "UNKNOWN_ENTITY"),
    ):
        async with checks.check(f"{name} is refused with {code}"):
            expect_guard(await runtime.skill(*parameters), code)

    for name, value in (("NaN", math.nan), ("Infinity", math.inf)):
        async with checks.check(f"{name}, as Python writes it, is refused with INVALID_INPUT"):
            expect_guard(await runtime.skill("set_velocity", {"vx": value}), "INVALID_INPUT")

    for name, text in (("text that is not JSON", "{'vx': 1}"), ("a list", "[]"), ("null", "null")):
        async with checks.check(f"{name} as a payload is refused with INVALID_INPUT"):
            expect_guard(json.loads(await runtime.call_text("runtime.tools_call", text)), "INVALID_INPUT")

    async with checks.check("an empty payload of a read counts as {}"):
        expect("robot" in json.loads(await runtime.call_text("runtime.state", "")), "no state")

    async with checks.check("cancelling with nothing active is ACTION_NOT_FOUND"):
        expect_guard(await runtime.call("runtime.cancel", {"options": {"action_id": "cancel-active"}}), "ACTION_NOT_FOUND")

    async with checks.check("a walk is cancelled: both calls bring its end") as facts:
        action_id = str(uuid.uuid4())
        target = {"kind": "entity", "entity_id": "pad_B"}
        walk = asyncio.create_task(runtime.skill("go_to", {"target": target}, action_id=action_id))
        while (await runtime.call("runtime.action", {"action_id": action_id})).get("error", {}).get("code") == "ACTION_NOT_FOUND":
            await asyncio.sleep(0.02)
        started = time.monotonic()
        cancelled = await runtime.call("runtime.cancel", {"options": {"action_id": action_id}})
        facts["stop_ms"] = elapsed_ms(started)
        expect_failed(cancelled, "CANCELLED")
        expect(cancelled["meta"]["action_id"] == action_id, "another action was cancelled")
        expect(await walk == cancelled, "the two replies differ")

    for camera in ("pov", "topdown"):
        async with checks.check(f"a picture from {camera} arrives whole") as facts:
            reply, data, attributes = await runtime.capture(camera, {"width": 640, "height": 360, "quality": 0.7})
            result = expect_done(reply)
            facts["bytes"] = len(data)
            expect(data[:3] == b"\xff\xd8\xff", f"it begins with {data[:3].hex()}")
            expect(result["payload"]["byte_length"] == len(data) == int(attributes["byte_length"]), "the lengths differ")
            expect(attributes["sha256"] == hashlib.sha256(data).hexdigest(), "the hashes differ")
            expect((result["frame"]["width"], result["frame"]["height"]) == (640, 360), "another size")
            expect(jpeg_size(data) == (640, 360), f"the picture itself is {jpeg_size(data)}")

    async with checks.check("an unknown camera is refused with UNKNOWN_CAMERA"):
        reply, _, _ = await runtime.capture("back", {})
        expect_failed(reply, "UNKNOWN_CAMERA")

    async with checks.check("runtime.forward_envelope is refused with PERMISSION_DENIED"):
        expect_guard(await runtime.call("runtime.forward_envelope", {"envelope": "AA=="}), "PERMISSION_DENIED")

    async with checks.check("a method that is not there is LiveKit's own refusal"):
        try:
            await runtime.call("runtime.no_such_method", {})
        except rtc.RpcError as error:
            expect(error.code == rtc.RpcError.ErrorCode.UNSUPPORTED_METHOD, f"code {error.code}")
        else:
            raise AssertionError("it was answered")


def jpeg_size(data):
    """Returns (width, height) from the first frame header of a JPEG (ITU T.81, B.2.2), or None."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def read_connection(arguments):
    if len(arguments) > 1:
        with open(arguments[1], encoding="utf-8") as file:
            local = json.load(file)
        return local["rcs_url"], local["api_key"], local["robot_id"]
    return os.environ["PLATFORM_RCS_URL"], os.environ["PLATFORM_API_KEY"], os.environ["ROBOT_ID"]


async def main():
    rcs_url, api_key, robot_id = read_connection(sys.argv)
    api = Api(rcs_url, api_key)
    runtime = Runtime()
    checks = Checks(runtime)
    session = None

    async with checks.check("a wrong key is 401"):
        status, answer = await asyncio.to_thread(Api(rcs_url, "sk_live_wrong"), "GET", "/robots")
        expect(status == 401 and isinstance(answer["message"], str), f"{status}")

    async with checks.check("the robot can be read") as facts:
        status, robot = await asyncio.to_thread(api, "GET", f"/robots/{robot_id}")
        expect(status == 200 and robot["id"] == robot_id, f"{status}")
        facts["type"] = robot["type"]

    async with checks.check("a session opens, and gives a place in its room"):
        status, session = await asyncio.to_thread(api, "POST", f"/robots/{robot_id}/session", {"worker_names": []})
        expect(status in (200, 201), f"{status}: {session}" if status >= 400 else f"{status}")
        expect(session["room_metadata"]["robot_id"] == robot_id, "it is another robot's")

    found = False
    async with checks.check("the runtime is found by its name and lists its skills") as facts:
        facts["livekit"] = version("livekit")
        await runtime.join(session["livekit_url"], session["participant_token"])
        facts["identity"], skills = await runtime.find()
        names = {skill["name"] for skill in skills}
        facts["skills"] = len(names)
        expect({"set_velocity", "go_to", "pick_entity", "place_entity", "set_head"} <= names, f"only {sorted(names)}")
        expect(all(isinstance(skill["input_schema"], dict) for skill in skills), "a skill without a schema")
        found = True
    if found:
        await check_runtime(checks, runtime)
    # The session stays open, because the viewer is in its room.
    await runtime.leave()

    print(json.dumps({"passed": checks.passed, "failed": checks.failed}), flush=True)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
