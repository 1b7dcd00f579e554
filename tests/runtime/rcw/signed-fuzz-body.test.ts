/** Strange calls with valid signatures, and spoiled envelopes, through the handler to a worker that has a body. */
import { expect, it } from 'vitest';
import { createSignedQueue } from '../../../src/runtime/host/signed-queue.ts';
import { createChance } from '../../oracle/chance.ts';
import { base64, createForge, jwsOf, pairOf, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';
import { robotTruth } from '../oracle.ts';
import { control, createRcw } from './rcw-runtime.ts';
import { strangePayload } from './strange-calls.ts';

const CALLS = 1_000;
const BATCH = 40;

/** A worker behind a handler; its clock is that of the runtime, the handler's stands still. */
async function createSignedRcw(seed: number) {
  const forge = createForge(seed);
  const t = await createRcw(true);
  t.advance(120);
  const queue = createSignedQueue({
    trustedKeys: () => forge.trusted,
    robotId: ROBOT,
    session: SESSION,
    nowMs: () => START_MS,
    handle: (call, reply) => t.runtime.handle({ ...call, nowMs: t.nowMs }, reply),
  });
  const replies = new Map<string, string[]>();
  /** Settles with the first reply; further replies are counted. */
  const ask = (id: string, envelope: string): Promise<void> =>
    new Promise((resolve) => {
      replies.set(id, []);
      const payload = JSON.stringify({ envelope });
      queue.receive({ requestId: id, method: 'runtime.forward_envelope', payload, callerIdentity: 'fuzz', nowMs: 0 }, (text) => {
        replies.get(id)?.push(text);
        resolve();
      });
    });
  const codeOf = (id: string): string | undefined => JSON.parse(replies.get(id)?.[0] ?? '{}').error?.code;
  const command = async (name: string, input: object): Promise<string> => {
    const id = `${name} ${replies.size}`;
    const asked = ask(id, forge.envelope({ call: { method: 'runtime.tools_call', payload: { name, input } } }));
    // The handler reads it before the body can act on it.
    while (replies.get(id)?.length === 0) {
      t.advance();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await asked;
    return JSON.parse(replies.get(id)?.[0] ?? '{}').status;
  };
  return { forge, t, ask, codeOf, command, replies };
}

it.each([1, 2])(
  `${CALLS} spoiled envelopes around a valid velocity move nothing and are answered once each; seed %i`,
  async (seed) => {
    const chance = createChance(seed);
    const { forge, t, ask, codeOf, command, replies } = await createSignedRcw(seed);
    const stranger = pairOf();
    const call = { method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx: 0.5 } } };
    const ways: (() => string)[] = [
      () => {
        const bytes = Buffer.from(forge.jws({ call }));
        const at = chance.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
        return bytes.toString('base64');
      },
      () => {
        const text = forge.envelope({ call });
        return text.slice(0, chance.below(text.length));
      },
      () => forge.envelope({ call }, {}, stranger.privateKey),
      () => forge.envelope({ call, robot_id: 'other' }),
      () => forge.envelope({ call, session: 'other' }),
      () => forge.envelope({ call, iat: START_MS / 1000 - 60, exp: START_MS / 1000 - 55 }),
      () => forge.envelope({ call, seq: chance.oneOf([0, -1, 1.5, null, '7']) }),
      () => forge.envelope({ call, grant: forge.grant({ cnf: { jwk: stranger.jwk } }) }),
      () => forge.envelope({ call }, { alg: chance.oneOf(['none', 'HS256', 'ES256']) }),
      () => forge.envelope({ call: { ...call, method: chance.oneOf(['runtime.state', 'runtime.forward_envelope', '']) } }),
      () =>
        base64(jwsOf({ alg: 'EdDSA', typ: 'control-envelope+jwt' }, strangePayload(chance).slice(0, 4_000), stranger.privateKey)),
    ];
    const before = robotTruth(t.core);
    for (let from = 0; from < CALLS; from += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, i) => ask(`${from + i}`, chance.oneOf(ways)()));
      await Promise.all(batch);
      t.advance();
    }
    for (const [id, texts] of replies) {
      expect([id, texts.length]).toEqual([id, 1]);
      expect([id, codeOf(id)]).toEqual([id, expect.stringMatching(/^ENVELOPE_(?!REPLAYED|OUT_OF_ORDER)|^PAYLOAD_TOO_LARGE$/)]);
    }
    expect(robotTruth(t.core).position).toEqual(before.position);
    expect(control(t).velocity_holds).toBe(false);
    expect(t.faults).toEqual([]);
    expect(await command('set_velocity', { vx: 0.3 })).toBe('done');
    expect(control(t).velocity_holds).toBe(true);
    expect(await command('stop', {})).toBe('done');
  },
);

it.each([3, 4])(
  `${CALLS} strange calls in valid envelopes are answered once each, break nothing, and a stop ends them; seed %i`,
  async (seed) => {
    const chance = createChance(seed);
    const { forge, t, ask, command, replies } = await createSignedRcw(seed);
    const codes = new Set<string>();
    let sealed = 0;
    while (sealed < CALLS) {
      const batch: Promise<void>[] = [];
      while (batch.length < BATCH) {
        let payload: unknown;
        try {
          payload = JSON.parse(strangePayload(chance));
        } catch {
          // JSON text is not sealed: the content of an envelope was read as JSON.
          continue;
        }
        // A payload too large for one call never leaves a client.
        if (JSON.stringify(payload).length > 6_000) continue;
        const method = chance.happens(0.9) ? 'runtime.tools_call' : 'runtime.cancel';
        batch.push(ask(`${sealed}`, forge.envelope({ call: { method, payload } })));
        sealed += 1;
      }
      // An accepted call is answered by the steps that follow.
      let isDone = false;
      const all = Promise.all(batch).then(() => {
        isDone = true;
      });
      // A busy machine may take any time for the signatures: the test's own timeout is the limit.
      while (!isDone) {
        t.advance();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await all;
    }
    for (const [id, texts] of replies) {
      expect([id, texts.length]).toEqual([id, 1]);
      const { status, error } = JSON.parse(texts[0] ?? '');
      expect([id, status]).toEqual([id, expect.stringMatching(/^(done|failed)$/)]);
      codes.add(error?.code ?? 'done');
    }
    // The fuzz reaches the body as well as the checks.
    expect([...codes]).toEqual(expect.arrayContaining(['done', 'ENVELOPE_MALFORMED', 'INVALID_INPUT']));
    expect([...codes]).not.toContain('INTERNAL');
    expect(t.faults).toEqual([]);
    const { position } = robotTruth(t.core);
    expect(Object.values(position).every(Number.isFinite)).toBe(true);
    expect(await command('stop', {})).toBe('done');
    expect(control(t).velocity_holds).toBe(false);
  },
);
