import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { MethodName } from '../../../src/protocol/wire/methods.ts';
import {
  createOperatorSigner,
  type OperatorSigner,
  type OperatorSignerDeps,
  type SealedCall,
} from '../../../src/viewer/engine/visitor/operator-signer.ts';

const NOW_MS = 1_800_000_000_000;
const GRANT = { grant: 'grant', robot_id: 'r1', session: 'room-1' };
const pose = { name: 'set_upper_body', input: {} };
const done = { status: 'done' };
const outOfOrder = { status: 'failed', error: { code: 'ENVELOPE_OUT_OF_ORDER' } };

interface Sealed {
  seq: number;
  iat: number;
  robot_id: string;
  call: { method: string };
}
function opened({ payload }: SealedCall): Sealed {
  const { envelope } = JSON.parse(payload) as { envelope: string };
  return decodeJwt(Buffer.from(envelope, 'base64').toString()) as unknown as Sealed;
}

const deps: OperatorSignerDeps = {
  epochMs: () => NOW_MS,
  nowMs: () => 0,
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
  fetchGrant: async () => null,
};
const put = (
  signer: OperatorSigner,
  method: MethodName,
  payload: Readonly<Record<string, unknown>>,
  send: (call: SealedCall) => Promise<unknown>,
) => signer.send({ to: 'rcw-r1', method, payload, timeoutMs: 1_000, send });

function createFixture() {
  const signer = createOperatorSigner(deps);
  signer.adopt(GRANT);
  /** Envelopes in transit, each answered by the test. */
  const under: { sealed: Sealed; answer: (reply: unknown) => void }[] = [];
  const send = (call: SealedCall) =>
    new Promise<unknown>((answer) => {
      under.push({ sealed: opened(call), answer });
    });
  const until = async (count: number) => {
    while (under.length < count) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { signer, under, send, until };
}

describe('the signature of an operator’s page', () => {
  test('an operator’s page signs every command, numbered in order, and sends reads unsigned', async () => {
    const { signer, under, send, until } = createFixture();
    const calls = [1, 2, 3].map(() => put(signer, 'runtime.tools_call', pose, send));
    await until(3);
    expect(under.map(({ sealed }) => sealed.seq)).toEqual([1, 2, 3]);
    expect(under[0]?.sealed).toMatchObject({ robot_id: 'r1', call: { method: 'runtime.tools_call' } });
    for (const { answer } of under) answer(done);
    expect(await Promise.all(calls)).toEqual([done, done, done]);
    const read = await put(signer, 'runtime.state', {}, async (call) => call);
    expect(read).toEqual({ method: 'runtime.state', payload: '{}' });
  });

  test('a pose that a newer pose overtakes in the network ends nothing: the newer pose has its own answer', async () => {
    const { signer, under, send, until } = createFixture();
    const [older, newer] = [put(signer, 'runtime.tools_call', pose, send), put(signer, 'runtime.tools_call', pose, send)];
    await until(2);
    under[1]?.answer(done);
    under[0]?.answer(outOfOrder);
    expect(await older).toBe(done);
    expect(await newer).toBe(done);
    expect(under).toHaveLength(2);
  });

  test('a stop that was overtaken is sealed again until it is accepted; a drive that a stop overtook is not', async () => {
    const { signer, under, send, until } = createFixture();
    const drive = put(signer, 'runtime.tools_call', { name: 'set_velocity', input: { vx: 1 } }, send);
    const stop = put(signer, 'runtime.tools_call', { name: 'stop', input: {} }, send);
    await until(2);
    under[0]?.answer(outOfOrder);
    expect(await drive).toBe(outOfOrder);
    under[1]?.answer(outOfOrder);
    await until(3);
    expect(under[2]?.sealed.seq).toBe(3);
    under[2]?.answer(done);
    expect(await stop).toBe(done);
  });

  test('the clock of the robot is learnt from a rejection', async () => {
    const { signer, under, send, until } = createFixture();
    const call = put(signer, 'runtime.tools_call', pose, send);
    await until(1);
    under[0]?.answer({ status: 'failed', error: { code: 'ENVELOPE_STALE', details: { now_ms: NOW_MS + 60_000 } } });
    await until(2);
    expect(under[1]?.sealed.iat).toBe((NOW_MS + 60_000) / 1000);
    under[1]?.answer(done);
    expect(await call).toBe(done);
  });

  test('a missing or expired grant is requested, but not before each command', async () => {
    const asked: number[] = [];
    let nowMs = 0;
    let grant: typeof GRANT | null = null;
    const signer = createOperatorSigner({
      ...deps,
      nowMs: () => nowMs,
      async fetchGrant() {
        asked.push(nowMs);
        return grant;
      },
    });
    const methods: string[] = [];
    const send = async ({ method }: SealedCall) => {
      methods.push(method);
      return methods.length === 4 ? { status: 'failed', error: { code: 'GRANT_EXPIRED' } } : done;
    };
    for (const afterMs of [0, 1_000, 2_000, 5_000]) {
      nowMs = afterMs;
      if (afterMs === 2_000) grant = GRANT;
      await put(signer, 'runtime.tools_call', pose, send);
    }
    expect(asked).toEqual([0, 2_000, 5_000]);
    const [plain, sealed] = ['runtime.tools_call', 'runtime.forward_envelope'];
    expect(methods).toEqual([plain, plain, sealed, sealed, sealed]);
  });

  test('nothing is signed without a grant, and the robot reports why it rejects the call', async () => {
    const signer = createOperatorSigner(deps);
    const sent = await put(signer, 'runtime.tools_call', pose, async (call) => call);
    expect(sent).toEqual({ method: 'runtime.tools_call', payload: JSON.stringify(pose) });
    expect(await signer.publicKey()).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
  });
});
