import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emergencyStops } from '../../src/control-service/db/schema.ts';
import { LatchedStops } from '../../src/control-service/operations/latched-stops.ts';
import { reissuePin } from '../../src/control-service/operations/pin-life.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { pressOf } from '../../src/protocol/wire/emergency-stop.ts';
import { unsignedStop } from '../../src/protocol/wire/emergency-stop-errors.ts';
import { createSignedQueue } from '../../src/runtime/host/signed-queue.ts';
import { encodeGuard } from '../../src/runtime/reply.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let id: string;

// The service waits by the clock of the test, so that the test runs without real delays.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs: number) => {
    service.clock.advanceMs(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
  },
}));

/** A runtime as the service sees it: it latches each press that it receives, and a person releases it. */
class FakeRuntime {
  latched: { by: string; since_ms: number; reason: string | null } | null = null;
  pressIds: string[] = [];
  released: string[] = [];
  stands = true;
  presses = 0;

  answer = ({ method, payload }: RpcCall): string => {
    if (method === 'runtime.state') {
      const release = { at_ms: 1, press_ids: this.released, place: 'robot_page' };
      return JSON.stringify({ robot: { extra: { emergency_stop: this.latched, emergency_release: release } } });
    }
    if (method !== 'runtime.emergency_stop') return '{}';
    return this.press(payload);
  };

  press(payload: string): string {
    const { press_id: pressId, reason = null } = JSON.parse(payload) as { press_id: string; reason?: string };
    this.presses += 1;
    this.pressIds.push(pressId);
    this.latched ??= { by: 'control-service', since_ms: 1, reason };
    const said = { emergency_stop: this.latched, stands: this.stands, after_ms: 300, held_entity_ids: [] };
    const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 301, duration_ms: 300 };
    const error = { code: 'NOT_AT_GOAL', message: 'It moves.', details: said };
    return JSON.stringify(this.stands ? { status: 'done', result: said, meta } : { status: 'failed', error, meta });
  }

  /** A person at the page releases it. */
  release(): void {
    this.released = [...this.pressIds];
    this.pressIds = [];
    this.latched = null;
  }
}

let runtime: FakeRuntime;
const press = (body?: unknown, prefix = '/rcs', key?: string) =>
  service.send('POST', `${prefix}/v1/robots/${id}/emergency-stop`, {
    ...(body === undefined ? {} : { body }),
    ...(key ? { key } : {}),
  });
const inRoom = () => pressOf([...service.sfu.rooms.values()].at(-1) ?? '');

describe.each(DATABASES)('the emergency stop over HTTP, on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
    id = created.body.result.id;
    await service.send('POST', `/v1/robots/${id}/session`);
    runtime = new FakeRuntime();
    service.sfu.identities = ['client:abc', `simplesim:${id}`];
    service.sfu.answer = runtime.answer;
    service.sfu.failing.clear();
  });
  afterAll(() => service.close());

  it('a press latches the robot, reaches the runtime and the room, and reports that the robot stands, on both faces', async () => {
    const answer = await press({ reason: 'smoke' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        robot_id: id,
        emergency_stop: { by: expect.stringContaining('over HTTP'), reason: 'smoke' },
        stands: true,
        runtimes: [{ identity: `simplesim:${id}`, stands: true, after_ms: 300, problem: null }],
      },
    });
    expect(inRoom()).toMatchObject({ reason: 'smoke', press_id: runtime.pressIds[0] });
    const again = await press({ reason: 'another' }, '');
    expect(again.body).toMatchObject({ code: 'ok', result: { emergency_stop: answer.body.emergency_stop, stands: true } });
    expect(inRoom()).toMatchObject({ reason: 'smoke', press_id: runtime.pressIds[1] });
  });

  it.each([undefined, {}, { reason: null }, { reason: 7 }, { reason: 'a\0b' }, { reason: 'x'.repeat(10_000) }])(
    'a press stops the robot despite any mistake in its body: %j',
    async (body) => {
      expect(await press(body)).toMatchObject({ status: 200, body: { stands: true } });
    },
  );

  it('a press is allowed to the owner of the robot, and to no other account', async () => {
    expect((await press({}, '', service.keys[1])).body.code).toBe('robot.not_found');
    expect(runtime.presses).toBe(0);
    expect((await service.send('POST', `/v1/robots/${id}/emergency-stop`, { key: null })).status).toBe(401);
  });

  it('a press is accepted however many requests the account has in progress', async () => {
    const { settings } = service.deps;
    service.deps.settings = { ...settings, accountLimits: { ...settings.accountLimits, requestsAtOnce: 0 } };
    try {
      expect((await service.send('GET', '/v1/robots')).status).toBe(429);
      expect((await press()).status).toBe(200);
    } finally {
      service.deps.settings = settings;
    }
  });

  it('a press latches a robot without a session, and the next session opens stopped', async () => {
    await service.send('DELETE', `/v1/robots/${id}/session`);
    expect(await press()).toMatchObject({ status: 200, body: { stands: null, runtimes: [] } });
    const session = await service.send('POST', `/rcs/v1/robots/${id}/session`, { body: { worker_names: [] } });
    expect(session.body.room_metadata.emergency_stop).toMatchObject({ by: expect.stringContaining('over HTTP') });
    expect(inRoom()).not.toBeNull();
  });

  it('a press stays when the robot gets another owner, without its author and reason', async () => {
    const [one, other] = service.keys;
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'm' });
    const path = `/v1/robots/${robot.id}`;
    const claim = async (key: string, pin: string) =>
      (await service.send('POST', `${path}/claim`, { key, body: { pin_code: pin } })).status;
    expect(await claim(one, pinCode)).toBe(200);
    await service.send('POST', `${path}/emergency-stop`, { key: one, body: { reason: 'a patient fell' } });
    expect((await service.send('DELETE', path, { key: one })).status).toBe(204);
    expect(JSON.stringify(await service.deps.db.select().from(emergencyStops))).not.toContain('patient');
    // The state after a press that came while the robot was released.
    await service.deps.db.update(emergencyStops).set({ reason: 'a patient fell', pressedBy: 'client:Ann' });
    expect(await claim(other, (await reissuePin(service.deps, robot.id)) ?? '')).toBe(200);
    const reported = { by: 'an account that owned it before', reason: null };
    const session = await service.send('POST', `/rcs${path}/session`, { key: other, body: { worker_names: [] } });
    expect(session.body.room_metadata.emergency_stop).toMatchObject(reported);
    const own = await service.send('POST', `${path}/emergency-stop`, { key: other, body: { reason: 'mine' } });
    expect(own.body.result.emergency_stop).toMatchObject(reported);
  });

  it('a press reports that the stop is unconfirmed if the robot still moves, or its runtime is silent or has no such call', async () => {
    runtime.stands = false;
    expect((await press()).body).toMatchObject({
      stands: false,
      runtimes: [{ problem: expect.stringContaining('still moves') }],
    });
    service.sfu.answer = () => Promise.reject(new SfuError('rpc_no_reply', 'The participant did not answer in time.'));
    expect((await press()).body).toMatchObject({
      stands: false,
      runtimes: [{ problem: expect.stringContaining('does not answer') }],
    });
    service.sfu.answer = () => Promise.reject(new SfuError('rpc_unknown_method', 'No.'));
    expect((await press()).body).toMatchObject({
      stands: false,
      runtimes: [{ problem: expect.stringContaining('no emergency stop') }],
    });
    service.sfu.failing.add('listParticipants');
    expect((await press()).body).toMatchObject({ stands: false, runtimes: [{ problem: expect.stringContaining('SFU') }] });
    expect(inRoom()).not.toBeNull();
  });

  it('a press is repeated until a runtime that is still loading accepts it', async () => {
    let asked = 0;
    service.sfu.answer = (call) => {
      asked += 1;
      return asked < 5 ? '{"status":"failed","error":{"code":"NOT_READY","message":"Loading."}}' : runtime.answer(call);
    };
    expect((await press()).body).toMatchObject({ stands: true });
  });

  it('a press is signed if the runtime accepts only signed control', async () => {
    const opened: string[] = [];
    const [room = ''] = service.sfu.rooms.keys();
    const queue = createSignedQueue({
      robotId: id,
      session: room,
      trustedKeys: () => service.sfu.control.keys,
      nowMs: service.clock.nowMs,
      handle: ({ method, payload, signedBy }, reply) => {
        opened.push(`${method} of ${signedBy?.holder}`);
        reply(runtime.press(payload));
      },
    });
    service.sfu.identities = [`rcw-${id}`];
    service.sfu.answer = ({ method, payload, identity }) => {
      if (method !== 'runtime.forward_envelope') return encodeGuard(unsignedStop());
      return new Promise((resolve) =>
        queue.receive({ requestId: 'r', method, payload, callerIdentity: identity, nowMs: service.clock.nowMs() }, resolve),
      );
    };
    expect((await press({ reason: 'smoke' })).body).toMatchObject({ stands: true });
    expect(opened).toEqual(['runtime.emergency_stop of control-service']);
  });

  it('a press is sealed again, with pauses, for a runtime that never accepts its envelopes in order', async () => {
    let calls = 0;
    service.sfu.answer = ({ method }) => {
      calls += 1;
      if (calls > 1_000) throw new SfuError('rpc_no_reply', 'Far too many.');
      const code = method === 'runtime.forward_envelope' ? 'ENVELOPE_OUT_OF_ORDER' : 'PERMISSION_DENIED';
      return JSON.stringify({ status: 'failed', error: { code, message: `It says ${code}.` } });
    };
    expect((await press()).body).toMatchObject({ stands: false, runtimes: [{ problem: 'It says ENVELOPE_OUT_OF_ORDER.' }] });
    // Eight seconds, with pauses of 0.1 s.
    expect(calls).toBeLessThan(90);
  });

  it.each([
    ['of a runtime', 'answer', { identity: expect.stringContaining('simplesim:') }],
    ['of the room', 'listIdentities', { identity: '' }],
  ] as const)('a fault of the service itself is logged without its text, not reported as silence %s', async (_of, call, who) => {
    service.sfu[call] = () => {
      throw new TypeError('a secret');
    };
    const { body } = await press();
    expect(body).toMatchObject({
      stands: false,
      runtimes: [{ ...who, problem: expect.stringContaining('fault of the service') }],
    });
    expect(service.log).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'unforeseen_error', robot_id: id, error: 'TypeError' }),
    );
    expect(JSON.stringify([service.log, body])).not.toContain('a secret');
  });

  it('a thousand presses at once are merged into few, and each is answered', async () => {
    const startMs = service.clock.nowMs();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => press()));
    expect(answers.every(({ status, body }) => status === 200 && body.stands)).toBe(true);
    // Measured by the clock of the test, which each wait between two presses advances.
    expect(runtime.presses).toBeLessThanOrEqual(1 + (service.clock.nowMs() - startMs) / 250);
    expect(runtime.presses).toBeLessThan(500);
  });

  it('a press that comes while another is being delivered is a separate press', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isFirst = true;
    service.sfu.answer = async (call) => {
      if (isFirst && call.method === 'runtime.emergency_stop') {
        isFirst = false;
        const answer = runtime.answer(call);
        await held;
        return answer;
      }
      return runtime.answer(call);
    };
    const first = press();
    await vi.waitFor(() => expect(runtime.presses).toBe(1));
    // A person releases the first press while it is still being delivered; the second must survive that.
    runtime.release();
    const second = press();
    letGo();
    await Promise.all([first, second]);
    expect(runtime.latched).not.toBeNull();
  });
});

describe('the latches of service and runtimes', () => {
  let stops: LatchedStops;
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    await service.reset();
    const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
    id = created.body.result.id;
    await service.send('POST', `/v1/robots/${id}/session`);
    runtime = new FakeRuntime();
    service.sfu.identities = [`simplesim:${id}`];
    service.sfu.answer = runtime.answer;
    service.sfu.failing.clear();
    stops = new LatchedStops(service.deps);
  });
  afterAll(() => service.close());

  it('a release by a person at the page also lifts the service’s latch, and stops no other runtime later', async () => {
    await press();
    await stops.tick();
    expect(inRoom()).not.toBeNull();
    runtime.release();
    await stops.tick();
    expect(inRoom()).toBeNull();
    expect(service.log).toContainEqual(
      expect.objectContaining({
        event: 'emergency_stop_released',
        robot: 'Ada',
        pressed_by: 'over HTTP',
        place: 'robot_page',
      }),
    );
    await stops.tick();
    expect(runtime.latched).toBeNull();
  });

  it('a press that came after the release stays latched, and is delivered', async () => {
    await press();
    runtime.release();
    await press();
    runtime.latched = null;
    await stops.tick();
    expect(inRoom()).not.toBeNull();
    expect(runtime.latched).not.toBeNull();
  });

  it('if two runtimes are in the room, both must be released', async () => {
    const other = new FakeRuntime();
    service.sfu.identities = [`simplesim:${id}`, `rcw-${id}`];
    service.sfu.answer = (call) => (call.identity.startsWith('rcw') ? other : runtime).answer(call);
    expect((await press()).body.runtimes).toHaveLength(2);
    runtime.release();
    await stops.tick();
    expect(inRoom()).not.toBeNull();
    other.release();
    await stops.tick();
    expect(inRoom()).toBeNull();
  });

  it('a press that a service stored before it died is delivered to runtime and room by the next instance', async () => {
    service.sfu.failing.add('listParticipants').add('ensureRoom');
    expect((await press()).body).toMatchObject({ stands: false });
    expect([runtime.presses, inRoom()]).toEqual([0, null]);
    service.sfu.failing.clear();
    await new LatchedStops(service.deps).tick();
    expect(runtime.latched).not.toBeNull();
    expect(inRoom()).not.toBeNull();
  });

  it('an SFU that restarted gets the room with the latch in it', async () => {
    await press();
    service.sfu.rooms.clear();
    await reopenRooms(service.deps);
    expect(inRoom()).toMatchObject({ press_id: runtime.pressIds[0] });
  });

  it('an instance sends no agent for a latch, because two instances would send it twice', async () => {
    await service.send('POST', `/v1/robots/${id}/session`, { body: { worker_names: ['rcw'] } });
    service.sfu.rooms.clear();
    service.sfu.dispatched.length = 0;
    await Promise.all([press(), stops.tick()]);
    await stops.tick();
    expect(service.sfu.dispatched).toEqual([]);
    expect(inRoom()).not.toBeNull();
    await reopenRooms(service.deps);
    expect(service.sfu.dispatched.map(({ agentName }) => agentName)).toEqual(['rcw']);
  });

  it('a runtime that returns without the press receives it', async () => {
    await press();
    runtime = new FakeRuntime();
    service.sfu.answer = runtime.answer;
    await stops.tick();
    expect(runtime.latched).not.toBeNull();
  });

  it('the API has no request that releases the stop', async () => {
    await press();
    for (const method of ['DELETE', 'PATCH', 'PUT', 'GET'])
      expect((await service.send(method, `/v1/robots/${id}/emergency-stop`)).status).toBe(405);
    await service.send('DELETE', `/v1/robots/${id}/session`);
    await service.send('POST', `/v1/robots/${id}/session`);
    expect(inRoom()).not.toBeNull();
  });
});
