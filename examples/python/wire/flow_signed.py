"""A physical robot's contract over the wire alone: signed control, a velocity that holds, arms that go limp.

    pip install httpx livekit pyjwt cryptography
    python3 examples/python/wire/flow_signed.py .simplesim/local.json

It makes a robot, opens its session and prints a link: the tab that opens it is a robot that takes signed commands only, as the physical
one does. It is driven and stopped, waves, and all is cleared away. The envelope is described in docs/protocol.md, "Signed control";
what is safe on such a robot in docs/physical-robot.md. Nothing of the project's own library is used.
"""

import asyncio
import base64
import json
import math
import sys
import time
import uuid

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from livekit import rtc

from flow import Robot, done, expect, room_key, tell

STANDING = {"r_arm": [0.35, 0.18, 0.0, -0.87, 0.0], "l_arm": [-0.35, -0.18, 0.0, 0.87, 0.0]}
ZERO = {"vx": 0.0, "vy": 0.0, "vyaw": 0.0}
# At five a second the arms would be limp; ten are the floor, and leave room for a packet that comes late.
POSES_PER_S = 20
# So long an envelope is good, and no longer: what was held back must not move the robot any more.
ENVELOPE_LIFE_S = 5


class Signer:
    """Somebody with a key of their own. Its private half stays here."""

    def __init__(self):
        self._key = Ed25519PrivateKey.generate()
        self._grant = None
        self._sequence = 0

    async def get_grant(self, ask, path):
        """Leave to command this robot in this session, for an hour; ask for another one before that is over."""
        jwk = jwt.algorithms.OKPAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        key = {name: jwk[name] for name in ("kty", "crv", "x")}
        self._grant = await ask("POST", f"{path}/session/control-grant", {"public_key": key, "holder": "flow_signed.py"})

    def seal(self, method, payload):
        """The request of runtime.forward_envelope around one call. A call that is repeated needs an envelope of its own, too."""
        self._sequence += 1
        now = time.time()
        claims = {
            "robot_id": self._grant["robot_id"],
            "session": self._grant["session"],
            "seq": self._sequence,
            "iat": now,
            "exp": now + ENVELOPE_LIFE_S,
            "call": {"method": method, "payload": payload},
            "grant": self._grant["grant"],
        }
        token = jwt.encode(claims, self._key, algorithm="EdDSA", headers={"typ": "control-envelope+jwt"})
        return {"envelope": base64.b64encode(token.encode()).decode()}


class SignedRobot:
    """The same robot, commanded in envelopes."""

    def __init__(self, robot, signer):
        self._robot = robot
        self._signer = signer

    async def invoke(self, skill, params, timeout_s=10):
        """The ended action. Sent once: what became of a call without a reply stands in the state."""
        request = {"name": skill, "input": params, "options": {"action_id": str(uuid.uuid4())}}
        envelope = self._signer.seal("runtime.tools_call", request)
        return await self._robot.call("runtime.forward_envelope", envelope, timeout_s, ask_again_for_s=0)

    async def wave(self, poses):
        """Sends pose after pose by the clock. No packet waits for the reply to the one before."""
        done(await self.invoke("stop", {}))
        replies = []
        try:
            start = time.monotonic()
            for count, pose in enumerate(poses, start=1):
                replies.append(asyncio.create_task(self.invoke("set_upper_body", pose)))
                await asyncio.sleep(max(0.0, start + count / POSES_PER_S - time.monotonic()))
        finally:
            replies.append(asyncio.create_task(self.invoke("set_upper_body", STANDING)))
            await asyncio.sleep(1 / POSES_PER_S)
            done(await self.invoke("set_velocity", ZERO))
        for reply in replies:
            ended = await reply
            # Packets that are under way together may overtake one another; the robot takes none behind a later one.
            if ended.get("error", {}).get("code") != "ENVELOPE_OUT_OF_ORDER":
                done(ended)
        return len(replies)


async def main(local):
    headers = {"Authorization": f"Bearer {local['api_key']}"}
    async with httpx.AsyncClient(base_url=f"{local['rcs_url']}/v1", headers=headers, timeout=60) as http:

        async def ask(method, path, body=None, expected=200):
            answer = await http.request(method, path, json=body)
            expect(answer.status_code == expected, f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            return answer.json() if answer.content else None

        created = await ask("POST", "/robots", {"name": "Talos", "model": "simplesim-humanoid-1", "type": "virtual"})
        robot_id = created["robot"]["id"]
        tell(f"robot {robot_id}")
        room = rtc.Room()
        try:
            await drive(ask, f"/robots/{robot_id}", robot_id, local["viewer_url"], room)
        finally:
            await room.disconnect()
            await ask("DELETE", f"/robots/{robot_id}", expected=204)
        tell("robot deleted")


async def drive(ask, path, robot_id, viewer_url, room):
    session = await ask("POST", f"{path}/session", {"worker_names": []})
    # The identity says which contract the tab keeps: rcw is the physical robot's.
    viewer = {"participant_identity": f"rcw-{robot_id}", "ttl_seconds": 14_400}
    place = await ask("POST", f"{path}/session/participant-token", viewer)
    tell(f"open {viewer_url}/?key={room_key(place)}&profile=worker")

    plain = Robot(room, "rcw")
    await room.connect(session["livekit_url"], session["participant_token"], rtc.RoomOptions(auto_subscribe=False))
    skills = await plain.discover_skills()
    tell(f"skills {', '.join(sorted(skills))}")
    refused = await plain.invoke("stop", {})
    expect(refused["error"]["code"] == "PERMISSION_DENIED", f"an unsigned call was not refused: {refused}")

    signer = Signer()
    await signer.get_grant(ask, path)
    robot = SignedRobot(plain, signer)
    before = await position_of(plain)
    try:
        # It has no duration: the robot drives on until it is told otherwise, whatever becomes of this program.
        done(await robot.invoke("set_velocity", {"vx": 0.3}))
        await asyncio.sleep(2)
    finally:
        done(await robot.invoke("stop", {}))
    stopped = await position_of(plain)
    tell(f"drove {math.dist(before, stopped):.2f} m")
    expect(math.dist(before, stopped) > 0.1, "it did not move")
    await asyncio.sleep(1)
    expect(math.dist(stopped, await position_of(plain)) < 0.05, "it did not stop")

    once = signer.seal("runtime.tools_call", {"name": "stop", "input": {}})
    done(await plain.call("runtime.forward_envelope", once))
    again = await plain.call("runtime.forward_envelope", once)
    expect(again["error"]["code"] == "ENVELOPE_REPLAYED", f"an envelope was taken twice: {again}")

    raised = {"r_arm": [-1.2, 0.2, 0.0, -0.9, 0.0], "l_arm": STANDING["l_arm"]}
    poses = [{**raised, "r_arm": [*raised["r_arm"][:4], 0.5 * math.sin(i / 3)]} for i in range(2 * POSES_PER_S)]
    tell(f"waved with {await robot.wave(poses)} poses")

    await ask("DELETE", f"{path}/session", expected=204)
    tell("session deleted")


async def position_of(robot):
    return (await robot.call("runtime.state", {}))["robot"]["pose"]["position"]


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else ".simplesim/local.json", encoding="utf-8") as file:
        asyncio.run(main(json.load(file)))
