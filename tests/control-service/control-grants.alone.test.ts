import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createControlAuthority } from '../../src/control-service/control-authority.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { createSignedQueue } from '../../src/runtime/host/signed-queue.ts';
import { base64, jwsOf, pairOf } from '../protocol/helpers/forge.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

const META = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };

let service: TestService;

// The service waits by the clock of the test, so that the test runs without real delays.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    service.clock.advanceMs(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
    return value;
  },
}));

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

const metadata = () => JSON.parse([...service.sfu.rooms.values()][0] ?? '{}');
const holder = pairOf();
const { kid: _, ...PUBLIC_KEY } = holder.jwk;

describe.each(FACES)('a control grant, $face face', ({ face }) => {
  const { send, read, createRobot } = faceClient(face, () => service);
  const path = (id: string) => `/v1/robots/${id}/session/control-grant`;
  async function openRobot(): Promise<string> {
    const { id } = await createRobot();
    await send('POST', `/v1/robots/${id}/session`);
    return id;
  }

  it('a grant is signed with the key in the room’s metadata, as Node’s own verification confirms', async () => {
    const id = await openRobot();
    const { grant } = read('grant', await send('POST', path(id), { public_key: PUBLIC_KEY }));
    const [header, claims, signature] = grant.split('.');
    const { keys } = metadata().control_keys;
    const key = createPublicKey({ key: keys[0], format: 'jwk' });
    expect(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'control-grant+jwt',
      kid: keys[0].kid,
    });
  });

  it('a grant lasts an hour by default, and names a holder', async () => {
    const id = await openRobot();
    const granted = read('grant', await send('POST', path(id), { public_key: PUBLIC_KEY, holder: null, ttl_seconds: null }));
    expect(granted.expires_at).toBe(new Date(START_MS + 3_600_000).toISOString());
    expect(JSON.parse(Buffer.from(granted.grant.split('.')[1], 'base64url').toString()).sub).toBe('client');
  });

  it('a grant opens what its holder sends, and nothing of another robot or of the next session', async () => {
    const id = await openRobot();
    const granted = read('grant', await send('POST', path(id), { public_key: { ...PUBLIC_KEY, use: 'sig' } }));
    const { keys } = metadata().control_keys;
    const codeFor = (robotId: string, session: string): Promise<string> => {
      const queue = createSignedQueue({
        trustedKeys: () => ({ keys }),
        robotId,
        session,
        nowMs: () => START_MS,
        handle: (_call, reply) => reply('{"error":{"code":"handled"}}'),
      });
      const claims = {
        robot_id: robotId,
        session,
        seq: 1,
        iat: START_MS / 1000,
        exp: START_MS / 1000 + 5,
        call: { method: 'runtime.cancel', payload: {} },
        grant: granted.grant,
      };
      const envelope = base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, claims, holder.privateKey));
      const payload = JSON.stringify({ envelope });
      const call = { requestId: 'r', method: 'runtime.forward_envelope', payload, callerIdentity: 'c', nowMs: START_MS };
      return new Promise((resolve) => queue.receive(call, (text) => resolve(JSON.parse(text).error.code)));
    };
    expect(await codeFor(id, granted.session)).toBe('handled');
    expect(await codeFor('another', granted.session)).toBe('ENVELOPE_WRONG_ROBOT');
    await send('DELETE', `/v1/robots/${id}/session`);
    await send('POST', `/v1/robots/${id}/session`);
    const [next] = service.sfu.rooms.keys();
    expect(next).not.toBe(granted.session);
    expect(await codeFor(id, next ?? '')).toBe('ENVELOPE_WRONG_SESSION');
  });

  it('a grant is issued only to the owner of the robot, and only for an open session', async () => {
    const { id } = await createRobot();
    const body = { public_key: PUBLIC_KEY };
    expect(await send('POST', path(id), body)).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
    await send('POST', `/v1/robots/${id}/session`);
    expect(await send('POST', path(id), body, service.keys[1])).toMatchObject({ status: 404, body: { code: 'robot.not_found' } });
    expect(await send('POST', path(id), body, null)).toMatchObject({ status: 401 });
  });

  it('a grant is refused for anything but a public Ed25519 key, and for the name of the service', async () => {
    const id = await openRobot();
    const privateJwk = holder.privateKey.export({ format: 'jwk' });
    const bodies: [unknown, string][] = [
      [{}, 'public_key must be an Ed25519 public key'],
      [{ public_key: 'x' }, 'public_key must be an Ed25519 public key'],
      [{ public_key: { ...PUBLIC_KEY, crv: 'Ed448' } }, 'public_key.crv'],
      [{ public_key: { ...PUBLIC_KEY, x: `${PUBLIC_KEY.x}A` } }, 'public_key.x'],
      [{ public_key: privateJwk }, 'holds the private key'],
      [{ public_key: PUBLIC_KEY, holder: 'control-service' }, 'holder must not be'],
      [{ public_key: PUBLIC_KEY, ttl_seconds: 0 }, 'ttl_seconds must be a whole number'],
    ];
    for (const [body, problem] of bodies) {
      const answer = await send('POST', path(id), body);
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        400,
        'request.invalid',
        expect.stringContaining(problem),
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(String(privateJwk.d));
    }
  });
});

describe('the key of the service', () => {
  it('the service key is the same on every instance with one secret, differs between secrets, and does not reveal the secret', () => {
    const [one, same, other] = ['a', 'a', 'b'].map((secret) => createControlAuthority(secret).keys.keys[0]);
    expect(one).toEqual(same);
    expect(other?.x).not.toBe(one?.x);
    expect(one?.kid).not.toBe(other?.kid);
    expect(Object.keys(one ?? {}).sort()).toEqual(['crv', 'kid', 'kty', 'x']);
  });

  it('the service key is written again into a room that predates a change of the secret', async () => {
    const { id } = await faceClient('library', () => service).createRobot();
    await service.send('POST', `/v1/robots/${id}/session`);
    const [room = ''] = service.sfu.rooms.keys();
    service.sfu.rooms.set(room, JSON.stringify({ ...metadata(), control_keys: { keys: [] } }));
    await service.send('POST', `/v1/robots/${id}/session/control-grant`, { body: { public_key: PUBLIC_KEY } });
    expect(metadata().control_keys.keys).toHaveLength(1);
  });
});

describe('commands of the service to a worker that takes signed calls only', () => {
  let id: string;
  /** The commands that the worker carried out, and the name under which each came. */
  let carriedOut: [string, Record<string, unknown>, string | undefined][];
  let clockAheadMs: number;
  let answerOf: (name: string) => object;

  beforeEach(async () => {
    id = (await faceClient('library', () => service).createRobot()).id;
    await service.send('POST', `/v1/robots/${id}/session`);
    service.sfu.identities = [`rcw-${id}`];
    carriedOut = [];
    clockAheadMs = 0;
    answerOf = () => ({ status: 'done', meta: META });
    const [session = ''] = service.sfu.rooms.keys();
    const queue = createSignedQueue({
      trustedKeys: () => metadata().control_keys,
      robotId: id,
      session,
      nowMs: () => service.clock.nowMs() + clockAheadMs,
      handle: ({ payload, signedBy }, reply) => {
        const { name, input } = JSON.parse(payload);
        carriedOut.push([name, input, signedBy?.holder]);
        reply(JSON.stringify(answerOf(name)));
      },
    });
    const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: false };
    const refusal = { status: 'failed', error: { code: 'PERMISSION_DENIED', message: 'Signed control is on.', details } };
    service.sfu.answer = ({ method, payload, identity }: RpcCall) => {
      if (method === 'runtime.manifest') return '{"profile":"worker"}';
      if (method === 'runtime.tools_call') return JSON.stringify(refusal);
      const call = { requestId: 'r', method, payload, callerIdentity: identity, nowMs: service.clock.nowMs() };
      return new Promise((resolve) => queue.receive(call, resolve));
    };
  });
  const command = (body: object) => service.send('POST', `/rcs/v1/robots/${id}/session/command`, { body });
  const semantic = (name: string) => service.send('POST', `/v1/robots/${id}/semantic-command`, { body: { command: name } });

  it('a session command arrives in an envelope of the service', async () => {
    const answer = await command({ skill: 'get_state', parameters: { a: 1 }, action_id: 'a' });
    expect(answer).toMatchObject({ status: 200, body: { status: 'done' } });
    expect(carriedOut).toEqual([['get_state', { a: 1 }, 'control-service']]);
  });

  it.each([
    ['forward', { vx: 0.5 }],
    ['left', { vy: 0.4 }],
    ['turn-left', { vyaw: 0.8 }],
  ])('the semantic command %s is a velocity and then a stop, both signed', async (name, velocity) => {
    expect(await semantic(name)).toMatchObject({ status: 200, body: { code: 'ok' } });
    expect(carriedOut).toEqual([
      ['set_velocity', velocity, 'control-service'],
      ['stop', {}, 'control-service'],
    ]);
    // The service learned from the refusal of the first plain call.
    expect(service.sfu.calls.map(({ method }) => method)).toEqual([
      'runtime.tools_call',
      'runtime.forward_envelope',
      'runtime.forward_envelope',
    ]);
  });

  it('a tab that stands in for a worker is driven like one, by its manifest and not by its name', async () => {
    service.sfu.identities = [`simplesim:${id}`];
    expect(await semantic('turn-right')).toMatchObject({ status: 200 });
    expect(carriedOut.map(([name, input]) => [name, input])).toEqual([
      ['set_velocity', { vyaw: -0.8 }],
      ['stop', {}],
    ]);
  });

  it('a worker with a wrong clock gets envelopes by its own clock', async () => {
    clockAheadMs = -90_000;
    const [session = ''] = service.sfu.rooms.keys();
    const queue = createSignedQueue({
      trustedKeys: () => metadata().control_keys,
      robotId: id,
      session,
      nowMs: () => service.clock.nowMs() + clockAheadMs,
      handle: ({ payload }, reply) => {
        carriedOut.push([JSON.parse(payload).name, {}, 'x']);
        reply('{"status":"done","meta":{"action_id":"a"}}');
      },
    });
    const plain = service.sfu.answer;
    service.sfu.answer = (call) =>
      call.method === 'runtime.forward_envelope'
        ? new Promise((resolve) => queue.receive({ ...call, requestId: 'r', callerIdentity: 'c', nowMs: 0 }, resolve))
        : plain(call);
    expect(await semantic('forward')).toMatchObject({ status: 200 });
    expect(carriedOut.map(([name]) => name)).toEqual(['set_velocity', 'stop']);
  });

  it('a call without a reply is sealed again, and never sent twice in the same envelope', async () => {
    const plain = service.sfu.answer;
    const sent: string[] = [];
    service.sfu.answer = async (call) => {
      const answer = await plain(call);
      if (call.method !== 'runtime.forward_envelope') return answer;
      sent.push(call.payload);
      if (sent.length < 3) throw new SfuError('rpc_no_reply', 'late');
      return answer;
    };
    expect(await command({ skill: 'stop', action_id: 'same' })).toMatchObject({ status: 200, body: { status: 'done' } });
    expect(new Set(sent).size).toBe(3);
  });

  it('a stop that the worker does not carry out is reported as robot.not_stopped', async () => {
    const failed = { status: 'failed', error: { code: 'NOT_READY', message: 'No body.', details: {} } };
    answerOf = (name) => (carriedOut.length === 1 && name === 'set_velocity' ? { status: 'done', meta: META } : failed);
    expect(await semantic('forward')).toMatchObject({ status: 502, body: { code: 'robot.not_stopped' } });
    expect(carriedOut.map(([name]) => name)).toEqual(['set_velocity', 'stop', 'set_velocity']);
  });

  it('the refusal of a worker that takes no envelopes of ours is passed on', async () => {
    service.sfu.answer = ({ method }) =>
      JSON.stringify({
        status: 'failed',
        error: { code: method === 'runtime.tools_call' ? 'PERMISSION_DENIED' : 'METHOD_NOT_FOUND', message: method },
      });
    expect(await command({ skill: 'stop' })).toMatchObject({
      status: 200,
      body: { error: { code: 'PERMISSION_DENIED', message: 'runtime.tools_call' } },
    });
  });

  it('a command that is too large after sealing is refused with a full sentence', async () => {
    const answer = await command({ skill: 'stop', parameters: { text: 'x'.repeat(9_000) } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid', message: expect.stringContaining('signed') } });
    expect(carriedOut).toEqual([]);
  });
});
