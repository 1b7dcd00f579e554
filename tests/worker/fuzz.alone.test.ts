/** Nonsensical calls to the worker process over a real SFU: no call ends the process, and each gets exactly one reply. */
import { Room, RpcError } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../../src/control-service/process-lock.ts';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { fitsRpc } from '../../src/protocol/wire/json.ts';
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';
import { watchRooms } from '../client-models/watch-rpc.ts';
import { createChance } from '../oracle/chance.ts';
import { STANDING } from '../runtime/rcw/rcw-runtime.ts';
import { strangePayload } from '../runtime/rcw/strange-calls.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

/** Left out: after an emergency stop the robot rejects commands until a person releases it. */
const FUZZED = METHOD_NAMES.filter((method) => method !== 'runtime.emergency_stop');

const CALLS = 2_000;
const AT_ONCE = 16;
/** LiveKit's own answers to a call that it does not carry: the request is too large, and the caller must split it. */
const REQUEST_TOO_LARGE = 1402;
/** LiveKit's answer at the robot if it could not read the request. */
const NOT_READ = 1500;

let sfu: Sfu;
let worker: WorkerProcess;
let room: Room;

const tokenFor = async (identity: string): Promise<string> => {
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: 3_600 });
  token.addGrant({ roomJoin: true, room: 'fuzz', canPublishData: true, canSubscribe: true });
  return token.toJwt();
};

watchRooms();

beforeAll(async () => {
  sfu = await startSfu({ port: 0 });
  const key = encodeRoomKey({ sfuUrl: sfu.url, token: await tokenFor('rcw-fuzzed') });
  worker = runWorker(['--log', 'json', '--seed', '1'], { RCW_ROOM_KEY: key, RCW_RSL_REQUIRED: 'false' });
  await Promise.all([worker.logged('robot_ready'), worker.logged('robot_joined')]);
  room = new Room();
  await room.connect(sfu.url, await tokenFor('client:stranger'), { autoSubscribe: false, dynacast: false });
}, 300_000);
afterAll(async () => {
  await room?.disconnect();
  killWorkers();
  await sfu?.stop();
});

async function call(method: string, payload: string): Promise<string> {
  const request = { destinationIdentity: 'rcw-fuzzed', method, payload, responseTimeout: 30_000 };
  const reply = await room.localParticipant?.performRpc(request);
  return reply ?? '';
}

/** Returns the outcome of a call: a readable reply, or LiveKit's refusal of the request. Fails on anything else. */
async function outcome(method: string, payload: string): Promise<'replied' | 'not carried'> {
  try {
    const reply = await call(method, payload);
    expect(fitsRpc(reply)).toBe(true);
    expect(JSON.parse(reply)).toBeTypeOf('object');
    return 'replied';
  } catch (error) {
    if (error instanceof RpcError && error.code === REQUEST_TOO_LARGE && !fitsRpc(payload)) return 'not carried';
    throw error;
  }
}

it('keeps the robot available to others while one participant floods it with calls, and logs which participant commanded it', async () => {
  const other = new Room();
  await other.connect(sfu.url, await tokenFor('viewer'), { autoSubscribe: false, dynacast: false });
  const ask = (from: Room, method: string, payload: unknown): Promise<{ status?: string; error?: { code: string } }> =>
    (from.localParticipant as NonNullable<Room['localParticipant']>)
      .performRpc({ destinationIdentity: 'rcw-fuzzed', method, payload: JSON.stringify(payload), responseTimeout: 30_000 })
      .then((text) => JSON.parse(text));
  const skill = (name: string) => ({ name, input: name === 'set_velocity' ? { vx: 0.2 } : {} });
  const commanded = worker.logged('robot_commanded');
  expect(await ask(other, 'runtime.tools_call', skill('set_velocity'))).toMatchObject({ status: 'done' });
  expect(await commanded).toMatchObject({ caller: 'viewer', caller_kind: 'participant', skill: 'set_velocity' });
  const flood = Array.from({ length: 600 }, () => ask(other, 'runtime.state', {}));
  // A busy machine may find the body late (NOT_READY), but no rate limit precedes a stop.
  expect((await ask(room, 'runtime.tools_call', skill('stop'))).error?.code).not.toBe('BUSY');
  for (const reply of await Promise.all(flood)) {
    if (reply.error) expect(reply).toMatchObject({ status: 'failed', error: { code: 'BUSY' } });
    else expect(runtimeStateSchema.safeParse(reply).error).toBeUndefined();
  }
  expect((await ask(other, 'runtime.tools_call', skill('stop'))).error?.code).not.toBe('BUSY');
  await other.disconnect();
}, 120_000);

it('rejects a call that is small in transit and huge when unpacked, before it unpacks it', async () => {
  const error = await call('runtime.state', 'a'.repeat(8_000_000)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: NOT_READ });
  // A call that is merely too large gets an answer that explains this.
  expect(JSON.parse(await call('runtime.state', 'a'.repeat(40_000)))).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
});

it.each([7])(`${CALLS} malformed calls are answered and end nothing; seed %i`, async (seed) => {
  const pid = Number((await worker.logged('robot_starts')).pid);
  const chance = createChance(seed);
  const calls = Array.from({ length: CALLS }, () => ({
    method: chance.float() < 0.7 ? 'runtime.tools_call' : chance.oneOf(FUZZED),
    payload: strangePayload(chance),
  }));
  const count = { replied: 0, 'not carried': 0 };
  const caller = async (): Promise<void> => {
    for (let next = calls.pop(); next; next = calls.pop()) count[await outcome(next.method, next.payload)] += 1;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  expect(count.replied + count['not carried']).toBe(CALLS);
  expect(count.replied).toBeGreaterThan(CALLS / 2);
  expect(isAlive(pid)).toBe(true);
  expect(worker.log.filter(({ level }) => level === 'error')).toEqual([]);
  // The robot works as it did before the calls.
  const stop = JSON.stringify({ name: 'stop', input: {} });
  expect(JSON.parse(await call('runtime.tools_call', stop))).toMatchObject({ status: 'done' });
});

it('keeps a velocity running and lets the arms go limp under a load of calls, because the watchdog runs separately', async () => {
  const invoke = async (name: string, input: object) =>
    JSON.parse(await call('runtime.tools_call', JSON.stringify({ name, input })));
  let isOver = false;
  const load = async (): Promise<void> => {
    while (!isOver) await call('runtime.scene_state', '{}');
  };
  const loads = Array.from({ length: 8 }, load);
  try {
    expect(await invoke('set_velocity', { vx: 0.05 })).toMatchObject({ status: 'done' });
    expect(await invoke('set_upper_body', STANDING)).toMatchObject({ status: 'done' });
    const control = async () => JSON.parse(await call('runtime.state', '{}')).robot.extra.control;
    const limp = async (): Promise<boolean> => (await control()).upper_body.mode === 'damp';
    while (!(await limp()));
    expect(await control()).toMatchObject({ velocity_holds: true, upper_body: { mode: 'damp' } });
    expect(await invoke('stop', {})).toMatchObject({ status: 'done' });
    expect(await control()).toMatchObject({ velocity_holds: false, upper_body: { mode: 'policy' } });
  } finally {
    // Otherwise the load continues into a room that is closed.
    isOver = true;
  }
  await Promise.all(loads);
});
