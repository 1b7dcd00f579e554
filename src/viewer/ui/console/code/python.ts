import { type CodeFacts, oneLine, pictureOf } from './code-facts.ts';

/** Calls that a worker takes signed only. */
const MOVES_BODY = /^(?:set_velocity|stop|set_upper_body|runtime\.cancel)$/;
const SIGNED_ONLY = `
This robot takes what moves it signed, and this program does not sign: the call is refused with PERMISSION_DENIED.
examples/python/flow_signed.py shows how to sign.
`;

/** The call as a whole Python program over the wire alone: LiveKit's SDK and HTTP, nothing of ours. */
export function pythonProgram(facts: CodeFacts): string {
  const isPicture = facts.callable.kind === 'picture';
  const method = facts.callable.kind === 'skill' ? 'runtime.tools_call' : facts.callable.id;
  return `"""${oneLine(facts.callable.title).replaceAll('"', "'").replaceAll('\\', '')}.

    pip install httpx livekit
    PLATFORM_RCS_URL=http://localhost:8080/rcs PLATFORM_API_KEY=... python3 call.py

With \`npm start\` both values stand in .simplesim/local.json.
${facts.profile === 'worker' && MOVES_BODY.test(facts.callable.id) ? SIGNED_ONLY : ''}"""

import asyncio
import json
import os
${facts.callable.kind === 'skill' ? 'import uuid\n' : ''}
import httpx
from livekit import rtc

RCS_URL = os.environ.get("PLATFORM_RCS_URL", "http://localhost:8080/rcs")
API_KEY = os.environ["PLATFORM_API_KEY"]
METHOD = ${literal(method)}
REQUEST = ${requestOf(facts)}
RESPONSE_TIMEOUT_S = ${responseTimeoutS(facts)}


async def main():
    headers = {"Authorization": f"Bearer {API_KEY}"}
    async with httpx.AsyncClient(base_url=f"{RCS_URL}/v1", headers=headers, timeout=60) as http:
${robotLines(facts.robotId)}
        answer = await http.post(f"/robots/{robot_id}/session", json={"worker_names": []})
        answer.raise_for_status()
        session = answer.json()
    room = rtc.Room()
${isPicture ? PICTURE_BEFORE : ''}    await room.connect(session["livekit_url"], session["participant_token"], rtc.RoomOptions(auto_subscribe=False))
    try:
        reply = await call(room, await robot_in(room))
        print(json.dumps(reply, indent=2))
${isPicture ? pictureAfter(facts.input) : ''}    finally:
        await room.disconnect()


async def robot_in(room):
    """Identity of the robot: the participant called simplesim, as soon as it is in the room."""
    while True:
        for identity in list(room.remote_participants):
            if identity == "simplesim" or identity.startswith(("simplesim-", "simplesim:")):
                return identity
        await asyncio.sleep(0.2)


async def call(room, robot):
    reply = await room.local_participant.perform_rpc(
        destination_identity=robot, method=METHOD, payload=json.dumps(REQUEST), response_timeout=RESPONSE_TIMEOUT_S
    )
    return json.loads(reply)


asyncio.run(main())
`;
}

const robotLines = (robotId: string | null): string =>
  robotId === null
    ? `        robots = await http.get("/robots")
        robots.raise_for_status()
        robot_id = robots.json()["robots"][0]["id"]`
    : `        robot_id = ${literal(robotId)}`;

function requestOf({ callable, input, options }: CodeFacts): string {
  if (callable.kind === 'picture') {
    const { camera, size } = pictureOf(input);
    const selector = { kind: 'id', id: camera };
    return literal({ selector, options: size, stream: { id: 'picture', topic: 'platform.camera_capture' } });
  }
  if (callable.kind === 'read') return literal(input ?? {});
  // With an id of its own the same call may be sent again when a reply gets lost: it never runs twice.
  const { action_id, ...rest } = options;
  const more = Object.entries(rest).map(([key, value]) => `, ${literal(key)}: ${literal(value)}`);
  const id = action_id === undefined ? 'str(uuid.uuid4())' : literal(action_id);
  return `{
    "name": ${literal(callable.id)},
    "input": ${literal(input ?? {})},
    "options": {"action_id": ${id}${more.join('')}},
}`;
}

/** A deadline of its own, and time for the reply. */
const responseTimeoutS = ({ options }: CodeFacts): number =>
  typeof options.deadline_s === 'number' ? Math.ceil(options.deadline_s) + 10 : 120;

const PICTURE_BEFORE = `    picture = asyncio.get_running_loop().create_future()

    async def receive(reader):
        picture.set_result(b"".join([chunk async for chunk in reader]))

    tasks = []
    room.register_byte_stream_handler(
        "platform.camera_capture", lambda reader, _identity: tasks.append(asyncio.create_task(receive(reader)))
    )
`;

const pictureAfter = (input: unknown): string => `        if reply["status"] == "done":
            data = await asyncio.wait_for(picture, 30)
            with open(${literal(`${pictureOf(input).camera}.jpg`)}, "wb") as file:
                file.write(data)
`;

/** A value as a Python literal. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, inner]) => `${literal(key)}: ${literal(inner)}`)
      .join(', ')}}`;
  // JSON's escapes of text are Python's too, surrogate pairs excepted, which JSON.stringify leaves as characters.
  return JSON.stringify(value);
}
