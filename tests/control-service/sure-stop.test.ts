/**
 * A stop over HTTP is never lost: the service with a runtime that accepts signed calls only, behind a network that
 * reorders the packets in transit.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCaller } from '../../src/control-service/accounts.ts';
import type { Caller } from '../../src/control-service/caller.ts';
import { sessionCommand } from '../../src/control-service/operations/commands.ts';
import { createService } from '../../src/control-service/service.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { createSignedQueue, type SignedQueue } from '../../src/runtime/host/signed-queue.ts';
import { STANDING } from '../runtime/rcw/rcw-runtime.ts';
import { faceClient } from './helpers/faces.ts';
import { startTestService, type TestService } from './helpers/service.ts';

type Velocity = { vx?: number };

let service: TestService;
let id: string;
/** The velocity that the robot holds, and the commands that it received, in their order. */
let heldMps: number;
let carriedOut: string[];
let holders: Set<string>;
let queue: SignedQueue;
/** Returns the fate of a call in transit; null lets it pass. */
let onWay: (call: RpcCall) => Promise<unknown> | null;
let random: () => number;

beforeAll(async () => {
  service = await startTestService();
  // On a busy machine an answer may take longer than a robot's.
  service.deps.settings = { ...service.deps.settings, slotMaxMs: 60_000 };
});
beforeEach(async () => {
  await service.reset();
  id = (await faceClient('library', () => service).createRobot()).id;
  await service.send('POST', `/v1/robots/${id}/session`);
  service.sfu.identities = [`rcw-${id}`];
  heldMps = 0;
  carriedOut = [];
  holders = new Set();
  queue = openQueue();
  random = seeded(7);
  onWay = () => delay(random() * 6);
  service.sfu.answer = async (call) => {
    await onWay(call);
    const reply = await answer(call);
    return reply;
  };
});
afterAll(() => service.close());

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const wait = () => new Promise((resolve) => setImmediate(resolve));

function openQueue(): SignedQueue {
  const [[session, metadata] = ['', '{}']] = service.sfu.rooms;
  return createSignedQueue({
    trustedKeys: () => JSON.parse(metadata).control_keys,
    robotId: id,
    session,
    nowMs: () => service.clock.nowMs(),
    handle({ payload, signedBy }, reply) {
      const { name, input, options } = JSON.parse(payload);
      holders.add(String(signedBy?.grantId));
      if (name === 'set_velocity') heldMps = (input as Velocity).vx ?? 0;
      if (name === 'stop') heldMps = 0;
      carriedOut.push(options.action_id);
      const meta = { action_id: options.action_id, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
      reply(JSON.stringify({ status: 'done', result: {}, meta }));
    },
  });
}

const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: false };
const refusal = (code: string, more = {}) =>
  JSON.stringify({ status: 'failed', error: { code, message: 'No.', details: { ...details, ...more } } });

async function answer({ method, payload, identity }: RpcCall): Promise<string> {
  if (method === 'runtime.tools_call') return refusal('PERMISSION_DENIED');
  const call = { requestId: 'r', method, payload, callerIdentity: identity, nowMs: service.clock.nowMs() };
  return new Promise((resolve) => queue.receive(call, resolve));
}

const command = (body: object) => service.send('POST', `/rcs/v1/robots/${id}/session/command`, { body });
const drive = (vx: number, actionId?: string) =>
  command({ skill: 'set_velocity', parameters: { vx }, ...(actionId === undefined ? {} : { action_id: actionId }) });
const pose = () => command({ skill: 'set_upper_body', parameters: STANDING });
const plainCalls = () => service.sfu.calls.filter(({ method }) => method === 'runtime.tools_call').length;

const STOPS: [string, object][] = [
  ['stop', { skill: 'stop' }],
  ['a zero velocity', { skill: 'set_velocity', parameters: { vx: 0, vy: 0 } }],
];

describe('P7: a stop over HTTP', () => {
  it.each(STOPS)('%s beside arm poses is carried out, 20 of 20, seed 7', async (_, stop) => {
    for (let round = 0; round < 20; round += 1) {
      expect((await drive(0.3)).status).toBe(200);
      expect(heldMps).toBe(0.3);
      const poses = [pose(), pose()];
      const stopping = command(stop);
      await delay(random() * 4);
      poses.push(pose(), pose());
      expect(await stopping).toMatchObject({ status: 200, body: { status: 'done' } });
      expect(heldMps).toBe(0);
      await Promise.all(poses);
    }
  });

  it('a stop is followed by no velocity that was made before it, wherever that velocity was, seed 7', async () => {
    await pose();
    for (let round = 0; round < 10; round += 1) {
      const drives = Array.from({ length: 4 }, (_, i) => drive(0.1 + i));
      await delay(random() * 12);
      expect(await command({ skill: 'stop' })).toMatchObject({ status: 200 });
      const answers = await Promise.all(drives);
      expect(heldMps).toBe(0);
      // Each command was either carried out or certainly not; no outcome is unknown.
      for (const { status, body } of answers) expect([200, body.code === 'command.overtaken' ? 409 : 'told']).toContain(status);
    }
  });

  it('a stop does not wait for commands whose answers are late', async () => {
    await pose();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    onWay = () => held;
    const waiting = [drive(0.1), drive(0.2), pose(), pose()];
    // The first of each kind.
    while (service.sfu.calls.length < 2 + 2) await wait();
    onWay = () => null;
    expect(await command({ skill: 'stop', action_id: 'stop' })).toMatchObject({ status: 200 });
    release();
    await Promise.all(waiting);
    expect(heldMps).toBe(0);
  });

  it('a stop is sent again until it is answered, whatever came later', async () => {
    await drive(0.3);
    let lost = 0;
    onWay = async ({ method, payload }) => {
      if (method !== 'runtime.forward_envelope' || !saysStop(payload) || lost >= 3) return;
      lost += 1;
      await pose();
      throw new SfuError('rpc_no_reply', 'late');
    };
    expect(await command({ skill: 'stop', action_id: 'stop' })).toMatchObject({ status: 200, body: { status: 'done' } });
    expect([lost, heldMps]).toEqual([3, 0]);
  });

  it('a stop is sent again if the runtime had no room for it', async () => {
    await drive(0.3);
    let refused = 0;
    const plain = service.sfu.answer;
    service.sfu.answer = async (call) => {
      if (!saysStop(call.payload) || refused >= 2) return plain(call);
      refused += 1;
      return refusal('NOT_READY', { reason: 'crowded' });
    };
    expect(await command({ skill: 'stop' })).toMatchObject({ status: 200, body: { status: 'done' } });
    expect([refused, heldMps]).toEqual([2, 0]);
  });

  it('a stop is delivered although its caller has disconnected', async () => {
    await drive(0.3);
    const caller = (await findCaller(service.deps.db, service.clock.nowMs(), service.keys[0])) as Caller;
    const gone = new AbortController();
    let lost = false;
    onWay = async ({ payload }) => {
      if (lost || !saysStop(payload)) return;
      lost = true;
      gone.abort();
      throw new SfuError('rpc_no_reply', 'late');
    };
    const stopping = sessionCommand(service.deps, caller, id, { skill: 'stop' }, gone.signal);
    expect(await stopping).toMatchObject({ status: 'done' });
    expect([lost, heldMps]).toEqual([true, 0]);
  });
});

describe('a command that was overtaken', () => {
  it('a command that is overtaken before it starts is refused, and is not sent after the stop', async () => {
    let stopping: Promise<unknown> | null = null;
    onWay = async () => {
      // The first plain call, which will be refused.
      if (stopping !== null) return;
      stopping = command({ skill: 'stop' });
      while (carriedOut.length === 0) await wait();
    };
    expect(await drive(0.3, 'overtaken')).toMatchObject({
      status: 409,
      body: { code: 'command.overtaken', details: { action_id: 'overtaken' } },
    });
    expect(await stopping).toMatchObject({ status: 200 });
    expect([heldMps, carriedOut.includes('overtaken')]).toEqual([0, false]);
  });

  it('a velocity that a pose overtakes is still carried out, because a pose moves other parts', async () => {
    await pose();
    let lost = false;
    onWay = async (call) => {
      if (lost || !says(call.payload, 'set_velocity')) return;
      lost = true;
      await pose();
      throw new SfuError('rpc_no_reply', 'late');
    };
    expect(await drive(0.3)).toMatchObject({ status: 200 });
    expect([lost, heldMps]).toEqual([true, 0.3]);
  });
});

describe('callers beside each other', () => {
  it.each([2, 16])('%i callers: each velocity is carried out, and the latest remains, seed 7', async (callers) => {
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let i = 1; i <= 48 / callers; i += 1) statuses.push((await drive(caller + i / 100)).status);
      }),
    );
    expect(statuses).toEqual(Array(48).fill(200));
    expect((await drive(9)).status).toBe(200);
    expect(heldMps).toBe(9);
  });

  it('of velocities in transit together, the one that was made last stays in force, seed 7', async () => {
    await pose();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([drive(0.1), drive(0.2), drive(0.3)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(heldMps).toBe(0.3);
    }
  });
});

describe('the signature of the service', () => {
  it('the service signs with one key, however many commands it sends', async () => {
    onWay = () => null;
    for (let i = 0; i < 3; i += 1) await Promise.all(Array.from({ length: 10 }, () => pose()));
    expect(await command({ skill: 'stop' })).toMatchObject({ status: 200, body: { status: 'done' } });
    expect(holders.size).toBe(1);
  });

  it('the service asks each runtime once whether it requires signatures, and signs later calls at once', async () => {
    for (let i = 0; i < 5; i += 1) await drive(0.1);
    expect(plainCalls()).toBe(1);
    // Another process under the same name: it has forgotten all sequence numbers and accepts nothing from before its start.
    service.clock.advanceMs(3_000);
    queue = openQueue();
    service.sfu.joins.set(`rcw-${id}`, 2);
    for (let i = 0; i < 5; i += 1) expect((await drive(0.1)).status).toBe(200);
    expect(plainCalls()).toBe(2);
    expect(holders.size).toBe(1);
  });

  it('the service renews its signature’s grant before it ends', async () => {
    await drive(0.1);
    service.clock.advanceMs(7 * 3_600_000);
    expect(await drive(0.2)).toMatchObject({ status: 200, body: { status: 'done' } });
    expect(holders.size).toBe(2);
  });

  it('each instance has its own signing key, also after a restart, and instances work in parallel', async () => {
    const caller = (await findCaller(service.deps.db, service.clock.nowMs(), service.keys[0])) as Caller;
    const instances = [service.deps, createService(service.deps), createService(service.deps)];
    const ends = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        sessionCommand(instances[i % 3] as typeof service.deps, caller, id, { skill: 'set_upper_body', parameters: STANDING }),
      ),
    );
    expect(ends.filter(({ status }) => status === 'done')).toHaveLength(30);
    expect(holders.size).toBe(3);
  });
});

/** Returns whether this is an envelope around a call of the skill. */
function says(payload: string, skill: string): boolean {
  const { envelope } = JSON.parse(payload) as { envelope?: string };
  if (envelope === undefined) return false;
  const claims = Buffer.from(envelope, 'base64').toString().split('.')[1] ?? '';
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).call.payload.name === skill;
}
const saysStop = (payload: string): boolean => says(payload, 'stop');
