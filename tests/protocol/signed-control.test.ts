import { createHmac, createPublicKey, verify as verifySignature } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createControlKeyPair,
  createEnvelopeMemory,
  createReplayMemory,
  issueGrant,
  openEnvelope,
  sealEnvelope,
} from '../../src/protocol/signed/signed-control.ts';
import { ERROR_CODES } from '../../src/protocol/wire/error-codes.ts';
import { base64, createForge, jwsOf, pairOf, ROBOT, SESSION, START_MS } from './helpers/forge.ts';

const forge = createForge();
let nowMs = START_MS;
let memory = createEnvelopeMemory(START_MS);
beforeEach(() => {
  nowMs = START_MS;
  memory = createEnvelopeMemory(START_MS);
});

const open = (envelope: string, more: Partial<Parameters<typeof openEnvelope>[1]> = {}) =>
  openEnvelope(envelope, {
    trustedKeys: () => forge.trusted,
    robotId: ROBOT,
    session: SESSION,
    nowMs: () => nowMs,
    memory,
    ...more,
  });
const codeOf = async (envelope: string, more: Parameters<typeof open>[1] = {}): Promise<string> => {
  const opened = await open(envelope, more);
  return opened.ok ? 'ok' : opened.error.code;
};

const DRIVE = { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 0.3 } } };

describe('a valid envelope', () => {
  it('a valid envelope opens to the call with holder, grant id and sequence', async () => {
    const call = { method: 'runtime.cancel', payload: { options: { action_id: 'Ä-1' } } };
    expect(await open(forge.envelope({ seq: 7, call }))).toEqual({
      ok: true,
      call: { method: 'runtime.cancel', payload: '{"options":{"action_id":"Ä-1"}}' },
      holder: 'tester',
      grantId: 'grant-1',
      sequence: 7,
    });
  });

  it('a valid envelope opens to the call as it was sealed, including names that every object has', async () => {
    const payload = JSON.parse('{"name":"stop","input":{"__proto__":1},"__proto__":{"name":"set_velocity"},"constructor":2}');
    const opened = await open(forge.envelope({ call: { method: 'runtime.tools_call', payload } }));
    expect(opened.ok && opened.call.payload).toBe(JSON.stringify(payload));
  });

  it.each(['EdDSA', 'Ed25519'])('a valid envelope may name its algorithm %s', async (alg) => {
    expect(await codeOf(forge.envelope({ grant: forge.grant({}, { alg }) }, { alg }))).toBe('ok');
  });

  it('a valid envelope may come from a machine whose clock is 2 s off, and live 5 s', async () => {
    nowMs = START_MS + 7_000;
    expect(await codeOf(forge.envelope())).toBe('ok');
    nowMs = START_MS;
    expect(await codeOf(forge.envelope({ iat: START_MS / 1000 + 2, exp: START_MS / 1000 + 7 }))).toBe('ok');
  });

  it('a valid envelope is opened with any of several trusted keys, with or without a key id', async () => {
    const other = pairOf().jwk;
    const { kid: _, ...unnamed } = forge.service.jwk;
    expect(await codeOf(forge.envelope(), { trustedKeys: () => ({ keys: [other, unnamed] }) })).toBe('ok');
    expect(await codeOf(forge.envelope({ grant: forge.grant({}, { kid: undefined }) }))).toBe('ok');
  });

  it('a valid envelope results from sealEnvelope with a grant of issueGrant, and Node’s own check accepts its signature', async () => {
    const { privateKey, publicKey } = await createControlKeyPair();
    const times = { issuedAtS: START_MS / 1000, expiresAtS: START_MS / 1000 + 60 };
    const signer = { privateKey: forge.service.privateKey.export({ format: 'jwk' }) as never, kid: forge.service.jwk.kid };
    const grant = await issueGrant({ grantId: 'g', holder: 'h', robotId: ROBOT, session: SESSION, publicKey, ...times }, signer);
    const order = { robotId: ROBOT, session: SESSION, sequence: 1, grant, nowMs: START_MS + 123.4 };
    const payload = { name: 'set_velocity', input: { vx: 0.5, note: 'schräg ☂' } };
    const request = await sealEnvelope({ ...order, call: { method: 'runtime.tools_call', payload } }, privateKey);
    const { envelope } = JSON.parse(request) as { envelope: string };
    const [header = '', claims = '', signature = ''] = Buffer.from(envelope, 'base64').toString().split('.');
    const key = createPublicKey({ key: publicKey as never, format: 'jwk' });
    expect(verifySignature(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    nowMs = START_MS + 200;
    const opened = await open(envelope);
    expect(opened).toMatchObject({ ok: true, holder: 'h', grantId: 'g', sequence: 1 });
    expect(opened.ok && JSON.parse(opened.call.payload)).toEqual(payload);
  });

  it('a sealed envelope never exceeds the size of one RPC, because a larger one is rejected', async () => {
    const { privateKey } = await createControlKeyPair();
    const order = { robotId: ROBOT, session: SESSION, sequence: 1, grant: forge.grant(), nowMs };
    const sealed = (length: number) =>
      sealEnvelope({ ...order, call: { method: 'runtime.tools_call', payload: { name: 'x'.repeat(length) } } }, privateKey);
    expect((await sealed(6_000)).length).toBeLessThanOrEqual(15_360);
    await expect(sealed(9_000)).rejects.toThrow(RangeError);
  });
});

describe('INVALID_INPUT', () => {
  it.each(['NaN', 'Infinity', '-Infinity'])(
    'a call that contains %s, as Python writes it, is rejected with that number',
    async (number) => {
      const call = { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 4711 } } };
      const claims = JSON.stringify(forge.claims({ call })).replace('4711', number);
      const opened = await open(base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, claims, forge.holder.privateKey)));
      expect(opened).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
      expect(opened.ok || opened.error.message).toContain(`holds ${number}, which is not JSON`);
    },
  );

  it('INVALID_INPUT is reported after the signature check, and uses up no sequence number', async () => {
    const call = { method: 'runtime.tools_call', payload: { name: 'set_head', input: { yaw: 4711, note: 'NaN, "Infinity"' } } };
    const sealed = (key = forge.holder.privateKey) =>
      base64(
        jwsOf(
          { alg: 'EdDSA', typ: 'control-envelope+jwt' },
          JSON.stringify(forge.claims({ seq: 9, call })).replace('4711', '[NaN,-Infinity,1]'),
          key,
        ),
      );
    expect(await codeOf(sealed(pairOf().privateKey))).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(sealed())).toBe('INVALID_INPUT');
    expect(await codeOf(forge.envelope({ seq: 9 }))).toBe('ok');
  });

  it.each(['1e999', '-1e999'])(
    '%s does not count as an absent field, which would make it a drive without its end',
    async (number) => {
      const call = {
        method: 'runtime.tools_call',
        payload: { name: 'set_velocity', input: { vx: 1 }, options: { deadline_s: 4711 } },
      };
      const claims = JSON.stringify(forge.claims({ call })).replace('4711', number);
      const opened = await open(base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, claims, forge.holder.privateKey)));
      expect(opened).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
    },
  );

  it('INVALID_INPUT is not reported for claims around the call', async () => {
    const claims = JSON.stringify(forge.claims({ seq: 4711 })).replace('4711', 'NaN');
    const envelope = base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, claims, forge.holder.privateKey));
    expect(await codeOf(envelope)).toBe('ENVELOPE_MALFORMED');
  });
});

describe('ENVELOPE_MALFORMED', () => {
  const unsigned = (alg: string, sign: (input: string) => string): string => {
    const [header, claims] = [{ alg, typ: 'control-envelope+jwt' }, forge.claims()].map((value) =>
      Buffer.from(JSON.stringify(value)).toString('base64url'),
    );
    return base64(`${header}.${claims}.${sign(`${header}.${claims}`)}`);
  };
  it.each([
    ['nothing', ''],
    ['no base64', 'ä'],
    ['base64 without its padding', base64('a')],
    ['base64url', forge.jws()],
    ['one more layer', base64(forge.envelope())],
    ['no signature', base64('e30.e30.')],
    ['two parts', base64('e30.e30')],
    ['no JSON', base64(jwsOf('x', 'y', forge.holder.privateKey))],
    ['null', base64(jwsOf('null', 'null', forge.holder.privateKey))],
    ['a list', base64(jwsOf('[]', '[]', forge.holder.privateKey))],
    ['another type', forge.envelope({}, { typ: 'control-grant+jwt' })],
    ['no type', forge.envelope({}, { typ: undefined })],
    ['a header with more members', forge.envelope({}, { crit: ['b64'], b64: false })],
    ['a key of its own', forge.envelope({}, { jwk: pairOf().jwk })],
    ['algorithm none', unsigned('none', () => 'AA')],
    [
      'HS256 with the public key',
      unsigned('HS256', (text) => createHmac('sha256', forge.holder.jwk.x).update(text).digest('base64url')),
    ],
    ['ES256', forge.envelope({}, { alg: 'ES256' })],
    ['more claims', forge.envelope({ admin: true })],
    ['no call', forge.envelope({ call: undefined })],
    ['a method that commands nothing', forge.envelope({ call: { method: 'runtime.state', payload: {} } })],
    ['an envelope in an envelope', forge.envelope({ call: { method: 'runtime.forward_envelope', payload: {} } })],
    ['a payload that is text', forge.envelope({ call: { method: 'runtime.cancel', payload: '{}' } })],
    ['sequence 0', forge.envelope({ seq: 0 })],
    ['sequence -1', forge.envelope({ seq: -1 })],
    ['sequence 1.5', forge.envelope({ seq: 1.5 })],
    ['a sequence beyond what is counted exactly', forge.envelope({ seq: 2 ** 53 })],
    ['a sequence as text', forge.envelope({ seq: '1' })],
    ['no expiry', forge.envelope({ exp: undefined })],
    ['a life of more than 5 s', forge.envelope({ exp: START_MS / 1000 + 5.1 })],
    ['an end before its issue', forge.envelope({ exp: START_MS / 1000 - 1 })],
    ['no grant', forge.envelope({ grant: undefined })],
    ['a grant that is not a JWS', forge.envelope({ grant: 'x' })],
    ['a grant of another type', forge.envelope({ grant: forge.grant({}, { typ: 'JWT' }) })],
    ['a grant without a key', forge.envelope({ grant: forge.grant({ cnf: undefined }) })],
    [
      'a grant with a key of another kind',
      forge.envelope({ grant: forge.grant({ cnf: { jwk: { kty: 'EC', crv: 'P-256', x: '' } } }) }),
    ],
    [
      'a call nested deep',
      base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, '['.repeat(5_000), forge.holder.privateKey)),
    ],
  ])('%s', async (_, envelope) => {
    const opened = await open(envelope);
    expect(opened).toMatchObject({ ok: false, error: { code: 'ENVELOPE_MALFORMED' } });
  });

  it('ENVELOPE_MALFORMED is reported for a grant that contains an invalid JSON number', async () => {
    const grant = jwsOf(
      { alg: 'EdDSA', typ: 'control-grant+jwt' },
      JSON.stringify({ ...forge.grantClaims(), more: 4711 }).replace('4711', 'NaN'),
      forge.service.privateKey,
    );
    expect(await codeOf(forge.envelope({ grant }))).toBe('ENVELOPE_MALFORMED');
  });

  it('stray bits in the base64 of a valid envelope do not make a second valid envelope', async () => {
    const jws = forge.jws();
    const last = jws.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const stray = alphabet[alphabet.indexOf(last) + 1];
    expect(await codeOf(base64(`${jws.slice(0, -1)}${stray}`))).toBe('ENVELOPE_MALFORMED');
    expect(await codeOf(base64(jws))).toBe('ok');
  });
});

describe('ENVELOPE_WRONG_KEY', () => {
  const stranger = pairOf();
  it('ENVELOPE_WRONG_KEY is reported for an envelope signed with a key other than that of its grant', async () => {
    expect(await codeOf(forge.envelope({}, {}, stranger.privateKey))).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(forge.envelope({}, {}, forge.service.privateKey))).toBe('ENVELOPE_WRONG_KEY');
  });
  it('ENVELOPE_WRONG_KEY is reported for a grant that the holder has made himself, whatever key he names', async () => {
    expect(await codeOf(forge.envelope({ grant: forge.grant({}, {}, stranger.privateKey) }))).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(forge.envelope({ grant: forge.grant({}, { kid: 'x' }) }))).toBe('ENVELOPE_WRONG_KEY');
  });
  it('ENVELOPE_WRONG_KEY is reported while no key is trusted, and for a grant whose key is not trusted any more', async () => {
    expect(await codeOf(forge.envelope(), { trustedKeys: () => null })).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(forge.envelope(), { trustedKeys: () => ({ keys: [] }) })).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(forge.envelope())).toBe('ok');
    expect(await codeOf(forge.envelope(), { trustedKeys: () => ({ keys: [stranger.jwk] }) })).toBe('ENVELOPE_WRONG_KEY');
  });
  it('ENVELOPE_WRONG_KEY is reported for claims that were changed after signing', async () => {
    const [header, , signature] = forge.jws().split('.');
    const changed = Buffer.from(JSON.stringify(forge.claims())).toString('base64url');
    expect(await codeOf(base64(`${header}.${changed}.${signature}`))).toBe('ENVELOPE_WRONG_KEY');
  });
  it('ENVELOPE_WRONG_KEY is reported before any fault of robot, time and number in an unsigned envelope', async () => {
    const wrong = { robot_id: 'other', session: 'other', iat: 1, exp: 2 };
    expect(await codeOf(forge.envelope(wrong, {}, stranger.privateKey))).toBe('ENVELOPE_WRONG_KEY');
  });
});

describe('robot, session and time', () => {
  const nowS = START_MS / 1000;
  it('ENVELOPE_WRONG_ROBOT: the envelope, or its grant, names another robot', async () => {
    expect(await codeOf(forge.envelope({ robot_id: 'other' }))).toBe('ENVELOPE_WRONG_ROBOT');
    expect(await codeOf(forge.envelope({ grant: forge.grant({ robot_id: 'other' }) }))).toBe('ENVELOPE_WRONG_ROBOT');
  });
  it('ENVELOPE_WRONG_SESSION: the envelope, or its grant, names another session', async () => {
    expect(await codeOf(forge.envelope({ session: 'other' }))).toBe('ENVELOPE_WRONG_SESSION');
    expect(await codeOf(forge.envelope({ grant: forge.grant({ session: 'other' }) }))).toBe('ENVELOPE_WRONG_SESSION');
  });
  it('ENVELOPE_STALE: expired beyond the tolerance, with the clock of the runtime in the details', async () => {
    nowMs = START_MS + 7_001;
    expect(await open(forge.envelope())).toMatchObject({
      error: { code: 'ENVELOPE_STALE', details: { reason: 'expired', now_ms: nowMs, stage: 'control', attempted: false } },
    });
  });
  it('ENVELOPE_STALE: issued in the future', async () => {
    const envelope = forge.envelope({ iat: nowS + 2.002, exp: nowS + 4 });
    expect(await open(envelope)).toMatchObject({ error: { code: 'ENVELOPE_STALE', details: { reason: 'from_the_future' } } });
  });
  it('ENVELOPE_STALE: issued before this runtime began, which remembers no numbers from then', async () => {
    memory = createEnvelopeMemory(START_MS + 1);
    nowMs = START_MS + 10;
    expect(await open(forge.envelope())).toMatchObject({
      error: { code: 'ENVELOPE_STALE', details: { reason: 'before_start' } },
    });
  });
  it('GRANT_EXPIRED: the grant has ended, to the millisecond', async () => {
    const grant = forge.grant({ exp: nowS + 1 });
    nowMs = START_MS + 999;
    expect(await codeOf(forge.envelope({ grant }))).toBe('ok');
    nowMs = START_MS + 1_000;
    expect(await codeOf(forge.envelope({ grant }))).toBe('GRANT_EXPIRED');
  });
});

describe('sequence', () => {
  it('ENVELOPE_REPLAYED: the same envelope again', async () => {
    const envelope = forge.envelope();
    expect(await codeOf(envelope)).toBe('ok');
    expect(await codeOf(envelope)).toBe('ENVELOPE_REPLAYED');
    expect(await codeOf(envelope)).toBe('ENVELOPE_REPLAYED');
  });
  it('ENVELOPE_REPLAYED: another envelope of the same number', async () => {
    expect(await codeOf(forge.envelope({ seq: 5 }))).toBe('ok');
    expect(await codeOf(forge.envelope({ seq: 5, call: { method: 'runtime.cancel', payload: {} } }))).toBe('ENVELOPE_REPLAYED');
  });
  it('ENVELOPE_OUT_OF_ORDER: lower than an accepted number; reported once, then it is a replay', async () => {
    const late = forge.envelope({ seq: 8, call: DRIVE });
    expect(await codeOf(forge.envelope({ seq: 9 }))).toBe('ok');
    expect(await codeOf(late)).toBe('ENVELOPE_OUT_OF_ORDER');
    expect(await codeOf(late)).toBe('ENVELOPE_REPLAYED');
    expect(await codeOf(forge.envelope({ seq: 10 }))).toBe('ok');
  });
  it.each([
    ['stop', { method: 'runtime.tools_call', payload: { name: 'stop', input: {} } }],
    ['a zero velocity', { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 0 } } }],
    ['a cancel', { method: 'runtime.cancel', payload: { options: { action_id: 'a' } } }],
  ])('P7: takes %s that was overtaken in transit, once', async (_, call) => {
    const late = forge.envelope({ seq: 8, call });
    expect(await codeOf(forge.envelope({ seq: 9, call: DRIVE }))).toBe('ok');
    expect(await codeOf(late)).toBe('ok');
    expect(await codeOf(late)).toBe('ENVELOPE_REPLAYED');
    // The runtime cannot know whether a number from so long ago was used before.
    expect(await codeOf(forge.envelope({ seq: 400, call: DRIVE }))).toBe('ok');
    expect(await codeOf(forge.envelope({ seq: 7, call }))).toBe('ENVELOPE_OUT_OF_ORDER');
  });
  it('sequence numbers count separately for each key', async () => {
    const other = pairOf();
    expect(await codeOf(forge.envelope({ seq: 9 }))).toBe('ok');
    const grant = forge.grant({ jti: 'grant-2', cnf: { jwk: other.jwk } });
    expect(await codeOf(forge.envelope({ seq: 1, grant }, {}, other.privateKey))).toBe('ok');
  });
  it('sequence numbers continue over a renewal: a delayed velocity under the old grant is rejected after a stop under the new one', async () => {
    const renewed = forge.grant({ jti: 'grant-2' });
    expect(await codeOf(forge.envelope({ seq: 4 }))).toBe('ok');
    expect(await codeOf(forge.envelope({ seq: 6, grant: renewed }))).toBe('ok');
    expect(await codeOf(forge.envelope({ seq: 5, call: DRIVE }))).toBe('ENVELOPE_OUT_OF_ORDER');
    expect(await codeOf(forge.envelope({ seq: 6 }))).toBe('ENVELOPE_REPLAYED');
    expect(await codeOf(forge.envelope({ seq: 7, grant: renewed }))).toBe('ok');
  });
  it('an envelope that is rejected for another reason does not use up its sequence number', async () => {
    expect(await codeOf(forge.envelope({ seq: 3 }, {}, pairOf().privateKey))).toBe('ENVELOPE_WRONG_KEY');
    expect(await codeOf(forge.envelope({ seq: 3, robot_id: 'other' }))).toBe('ENVELOPE_WRONG_ROBOT');
    expect(await codeOf(forge.envelope({ seq: 3 }))).toBe('ok');
  });

  it('sequence numbers are judged like by a full list of all used numbers, seed 7', () => {
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    const memoryOfAll = new Map<string, number[]>();
    const replay = createReplayMemory();
    for (let i = 0; i < 4_000; i += 1) {
      const grant = `g${random(5)}`;
      const before = memoryOfAll.get(grant) ?? [];
      const highest = Math.max(0, ...before.slice(-300));
      const sequence = Math.max(1, highest + random(12) - 5);
      const expected = before.includes(sequence) ? 'replayed' : sequence < highest ? 'out_of_order' : 'new';
      expect([sequence, replay.take(grant, sequence, i)]).toEqual([sequence, expected]);
      memoryOfAll.set(grant, [...before.slice(-1_000), sequence]);
    }
  });
  it('the memory of keys is bounded, forgets only keys whose envelopes are stale, and rejects more', () => {
    const replay = createReplayMemory(100);
    for (let i = 0; i < 100; i += 1) expect(replay.take(`g${i}`, 1, i)).toBe('new');
    expect(replay.take('more', 1, 9_000)).toBe('too_many_keys');
    // g0 was silent for longer than an envelope can live; it is displaced, and g1 is not.
    expect(replay.take('more', 1, 9_001)).toBe('new');
    expect(replay.take('g1', 1, 9_001)).toBe('replayed');
    for (let i = 0; i < 20_000; i += 1) replay.take(`n${i}`, 1, 20_000 + i * 200);
    expect(replay.size).toBeLessThanOrEqual(100);
  });
});

it('P7: there is room for the stop of any holder, however many send calls at the same time', () => {
  const replay = createReplayMemory(100);
  for (let i = 0; i < 100; i += 1) expect(replay.take(`g${i}`, 1, i)).toBe('new');
  expect(replay.take('more', 1, 200)).toBe('too_many_keys');
  for (let i = 0; i < 1_000; i += 1) expect(replay.take(`stopping${i}`, 2, 200, true)).toBe('new');
  // A command sealed before it does not follow it.
  expect(replay.take('stopping0', 1, 201)).toBe('out_of_order');
  expect(replay.take('stopping999', 1, 201)).toBe('too_many_keys');
  expect(replay.take('stopping0', 2, 201, true)).toBe('replayed');
  expect(replay.size).toBeLessThan(500);
  expect(replay.take('late', 1, 20_000)).toBe('new');
  expect(replay.size).toBeLessThanOrEqual(100);
});

it('every rejection of an envelope has the stage control, was not attempted and changed nothing', async () => {
  const codes = Object.keys(ERROR_CODES).filter((code) => /^ENVELOPE_|^GRANT_/.test(code));
  expect(codes).toHaveLength(8);
  for (const code of codes) expect(ERROR_CODES[code as 'GRANT_EXPIRED']).toMatchObject({ stage: 'control' });
  const opened = await open('x');
  expect(opened).toMatchObject({ error: { details: { stage: 'control', attempted: false, world_changed: 'no' } } });
});
