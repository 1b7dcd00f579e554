import { describe, expect, it } from 'vitest';
import { createSignedQueue } from '../../src/runtime/host/signed-queue.ts';
import type { ControlTrust } from '../../src/runtime/host/sim-messages.ts';
import type { RuntimeCall } from '../../src/runtime/runtime-call.ts';
import { roomKeys } from '../../src/viewer/engine/page-signer.ts';
import { createSignedLine } from '../../src/viewer/engine/signed-line.ts';

const NOW_MS = 1_760_000_000_000;
const HERE = { robotId: 'r1', session: 'room-1' };

/** A page’s signed connection, and a robot that trusts the keys of the page’s last message. */
function pageAndRobot() {
  const reported: ControlTrust[] = [];
  let report: (trust: ControlTrust) => void = () => undefined;
  const line = createSignedLine({
    holder: 'viewer',
    nowMs: () => NOW_MS,
    report: (trust) => {
      reported.push(trust);
      report(trust);
    },
  });
  const trusted = () => new Promise<ControlTrust>((resolve) => (report = resolve));
  const reached: RuntimeCall[] = [];
  const send = (request: { method: string; payload: string }, trust: ControlTrust) =>
    new Promise<string>((resolve) => {
      const queue = createSignedQueue({
        trustedKeys: () => trust.keys,
        robotId: trust.robotId,
        session: trust.session,
        nowMs: () => NOW_MS,
        handle: (call, reply) => {
          reached.push(call);
          reply('{"status":"done"}');
        },
      });
      queue.receive({ requestId: 'q', callerIdentity: 'viewer', nowMs: NOW_MS, ...request }, resolve);
    });
  return { line, reported, trusted, reached, send };
}

describe('the page signs commands to its own robot', () => {
  it('a skill is sent in an envelope that its robot opens unchanged', async () => {
    const { line, trusted, reached, send } = pageAndRobot();
    const known = trusted();
    line.enter(HERE, '');
    const request = await line.wrap('runtime.tools_call', { name: 'stop', input: {} });
    expect(request.method).toBe('runtime.forward_envelope');
    expect(await send(request, await known)).toBe('{"status":"done"}');
    expect(reached[0]).toMatchObject({
      method: 'runtime.tools_call',
      payload: '{"name":"stop","input":{}}',
      signedBy: { holder: 'viewer' },
    });
  });

  it.each(['runtime.state', 'runtime.tools_list', 'runtime.cameras_capture'] as const)('%s is sent unsigned', async (method) => {
    const { line } = pageAndRobot();
    line.enter(HERE, '');
    expect(await line.wrap(method, { a: 1 })).toEqual({ method, payload: '{"a":1}' });
  });

  it('the robot of another page rejects the envelope', async () => {
    const mine = pageAndRobot();
    const others = pageAndRobot();
    const known = others.trusted();
    mine.line.enter(HERE, '');
    others.line.enter(HERE, '');
    const request = await mine.line.wrap('runtime.tools_call', { name: 'stop' });
    expect(await others.send(request, await known)).toContain('ENVELOPE_WRONG_KEY');
    expect(others.reached).toEqual([]);
  });

  it('a different room has a different key, and the old key is not trusted there', async () => {
    const { line, reported, trusted, send } = pageAndRobot();
    let known = trusted();
    line.enter(HERE, '');
    await known;
    const old = await line.wrap('runtime.tools_call', { name: 'stop' });
    known = trusted();
    line.enter({ robotId: 'r1', session: 'room-2' }, '');
    const trust = await known;
    expect(trust.session).toBe('room-2');
    expect(await send(old, trust)).toContain('ENVELOPE_WRONG_KEY');
    expect(reported).toHaveLength(2);
  });

  it('a call is sent unsigned if nothing can be signed, and the robot reports why it rejects it', async () => {
    const line = createSignedLine({
      holder: 'viewer',
      nowMs: () => NOW_MS,
      report: () => undefined,
      createSigner: () => Promise.reject(new Error('no WebCrypto')),
    });
    line.enter(HERE, '');
    expect(await line.wrap('runtime.tools_call', { name: 'stop' })).toEqual({
      method: 'runtime.tools_call',
      payload: '{"name":"stop"}',
    });
  });
});

describe('the keys of the control service in the room’s metadata', () => {
  const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'k' };

  it('the keys of the control service in the metadata of the room are trusted beside the page’s own key', async () => {
    const { line, trusted } = pageAndRobot();
    const known = trusted();
    line.enter(HERE, JSON.stringify({ robot_id: 'r1', control_keys: { keys: [KEY] } }));
    expect((await known).keys.keys.map(({ kid }) => kid)).toEqual(['page', 'k']);
  });

  it.each(['', 'null', '[]', '{', '{"control_keys": 3}', '{"control_keys": {"keys": [{"kty": "RSA"}]}}'])(
    'the metadata %j contains no keys',
    (metadata) => {
      expect(roomKeys(metadata)).toEqual({ keys: [] });
    },
  );
});
