import { beforeEach, describe, expect, it } from 'vitest';
import { createSignedQueue, type SignedQueueDeps } from '../../../src/runtime/host/signed-queue.ts';
import type { FromSimulation } from '../../../src/runtime/host/sim-messages.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import type { RuntimeCall } from '../../../src/runtime/runtime-call.ts';
import { createForge, pairOf, ROBOT, SESSION, START_MS } from '../../protocol/helpers/forge.ts';
import { createFakeRuntime } from '../../viewer/fake-runtime.ts';

const forge = createForge();
let nowMs = START_MS;
beforeEach(() => {
  nowMs = START_MS;
});

function createQueue(deps: Partial<SignedQueueDeps> = {}) {
  const handled: RuntimeCall[] = [];
  const queue = createSignedQueue({
    trustedKeys: () => forge.trusted,
    robotId: ROBOT,
    session: SESSION,
    nowMs: () => nowMs,
    handle: (call, reply) => {
      handled.push(call);
      reply(`{"handled":${handled.length}}`);
    },
    ...deps,
  });
  const call = (payload: string, callerIdentity = 'somebody'): RuntimeCall => ({
    requestId: 'r',
    method: 'runtime.forward_envelope',
    payload,
    callerIdentity,
    nowMs,
  });
  return {
    handled,
    queue,
    ask: (
      envelope: unknown,
      caller?: string,
    ): Promise<{ status?: string; error?: { code: string; details?: object }; handled?: number }> =>
      new Promise((resolve) => queue.receive(call(JSON.stringify({ envelope }), caller), (text) => resolve(JSON.parse(text)))),
    askText: (payload: string): Promise<{ error?: { code: string } }> =>
      new Promise((resolve) => queue.receive(call(payload), (text) => resolve(JSON.parse(text)))),
  };
}

const drive = (vx: number) => ({ method: 'runtime.tools_call', payload: { name: 'set_velocity', input: { vx } } });

describe('the handler of signed calls', () => {
  it('passes on the call with its holder, and returns its reply', async () => {
    const { ask, handled } = createQueue();
    expect(await ask(forge.envelope({ call: drive(0.5) }))).toEqual({ handled: 1 });
    expect(handled).toEqual([
      {
        requestId: 'r',
        method: 'runtime.tools_call',
        payload: '{"name":"set_velocity","input":{"vx":0.5}}',
        callerIdentity: 'somebody',
        nowMs: START_MS,
        signedBy: { holder: 'tester', grantId: 'grant-1' },
      },
    ]);
  });

  it('opens strictly in the order of arrival, including rejected envelopes', async () => {
    const { ask, handled } = createQueue();
    const answered: number[] = [];
    const asked = Array.from({ length: 40 }, (_, i) => {
      // A rejection at the first look must not overtake a signature that is being checked; nor may a new grant be overtaken.
      const fields = { call: drive(i), ...(i % 3 === 0 ? { grant: forge.grant({ jti: `order-${i}` }) } : {}) };
      const envelope = i % 5 === 4 ? 'no base64!' : forge.envelope(fields);
      return ask(envelope).then(() => answered.push(i));
    });
    await Promise.all(asked);
    expect(answered).toEqual(Array.from({ length: 40 }, (_, i) => i));
    const driven = handled.map(({ payload }) => JSON.parse(payload).input.vx);
    expect(driven).toEqual(answered.filter((i) => i % 5 !== 4));
  });

  it('rejects with the code of the reason, and passes on nothing', async () => {
    const { ask, askText, handled } = createQueue();
    const codes = async (envelope: unknown) => (await ask(envelope)).error?.code;
    expect(await codes('')).toBe('ENVELOPE_MALFORMED');
    expect(await codes(5)).toBe('ENVELOPE_MALFORMED');
    expect(await codes(forge.envelope({}, {}, pairOf().privateKey))).toBe('ENVELOPE_WRONG_KEY');
    expect(await codes(forge.envelope({ robot_id: 'x' }))).toBe('ENVELOPE_WRONG_ROBOT');
    expect((await askText('{'))?.error?.code).toBe('ENVELOPE_MALFORMED');
    expect((await askText(''))?.error?.code).toBe('ENVELOPE_MALFORMED');
    expect((await askText(JSON.stringify({ envelope: 'x'.repeat(20_000) })))?.error?.code).toBe('PAYLOAD_TOO_LARGE');
    expect(handled).toEqual([]);
  });

  it('counts the time that an envelope waits: one that is opened too late is stale', async () => {
    const { ask, handled } = createQueue();
    const answer = ask(forge.envelope());
    nowMs += 7_001;
    expect(await answer).toMatchObject({ error: { code: 'ENVELOPE_STALE' } });
    expect(handled).toEqual([]);
  });

  it('continues after a called function that throws, answers for it, and answers once whatever that function does', async () => {
    let count = 0;
    const { ask } = createQueue({
      handle: (_call, reply) => {
        count += 1;
        if (count === 1) throw new Error('secret');
        reply('{"handled":2}');
        reply('{"handled":3}');
        if (count === 2) throw new Error('secret');
      },
    });
    const answers = await Promise.all([ask(forge.envelope()), ask(forge.envelope()), ask(forge.envelope())]);
    expect(answers).toMatchObject([{ error: { code: 'INTERNAL' } }, { handled: 2 }, { handled: 2 }]);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  it('continues after a caller whose reply cannot be delivered', async () => {
    const { queue, ask } = createQueue();
    const payload = JSON.stringify({ envelope: forge.envelope() });
    queue.receive({ requestId: 'r', method: 'runtime.forward_envelope', payload, callerIdentity: 'c', nowMs }, () => {
      throw new Error('gone');
    });
    expect(await ask(forge.envelope())).toEqual({ handled: 2 });
  });

  it('keeps a bounded queue: envelopes beyond it are rejected at once', async () => {
    const { ask, handled } = createQueue();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => ask(forge.envelope({ call: drive(i + 1) }), `caller-${i % 5}`)),
    );
    expect(answers.filter(({ error }) => error?.code === 'NOT_READY')).toHaveLength(300 - 256);
    expect(handled).toHaveLength(256);
  });

  it('keeps room for others: a flood of a participant without a grant does not block the holder’s stop', async () => {
    const { ask } = createQueue();
    const flood = Array.from({ length: 300 }, () => ask('no base64!', 'flooder'));
    expect(await ask(forge.envelope(), 'holder')).toEqual({ handled: 1 });
    const codes = (await Promise.all(flood)).map(({ error }) => error?.code);
    expect(codes.filter((code) => code === 'NOT_READY')).toHaveLength(300 - 64);
    // A call that was read makes room again.
    expect(await ask('no base64!', 'flooder')).toMatchObject({ error: { code: 'ENVELOPE_MALFORMED' } });
  });
});

describe('P7: a stop has room in a full queue', () => {
  const STOPS = [
    ['stop', { method: 'runtime.tools_call', payload: { name: 'stop', input: {} } }],
    ['a zero velocity', drive(0)],
    ['a cancel', { method: 'runtime.cancel', payload: { options: { action_id: 'cancel-active' } } }],
  ] as const;

  it.each(STOPS)('a stop has room in a queue filled by the same participant: %s', async (_, call) => {
    const { ask, handled } = createQueue();
    const flood = Array.from({ length: 100 }, (_each, i) => ask(forge.envelope({ call: drive(i + 1) }), 'one'));
    // Behind the one that is being opened.
    expect(await ask(forge.envelope({ call }), 'one')).toMatchObject({ handled: 2 });
    const refused = (await Promise.all(flood)).filter(({ error }) => error?.code === 'NOT_READY');
    expect(refused).toHaveLength(100 - 64);
    expect(refused[0]).toMatchObject({ error: { details: { reason: 'crowded' } } });
    expect(handled.at(-1)?.payload).toBe(JSON.stringify(call.payload));
  });

  it.each(STOPS)('a stop has room in a queue filled by all participants: %s', async (_, call) => {
    const { ask } = createQueue();
    const flood = Array.from({ length: 300 }, (_each, i) => ask(forge.envelope({ call: drive(i + 1) }), `caller-${i % 5}`));
    // Every other turn is for stops: it is behind the one that is being opened.
    expect(await ask(forge.envelope({ call }), 'holder')).toMatchObject({ handled: 2 });
    await Promise.all(flood);
  });

  it('a stop is served before the turns of two hundred others, although each of them claims to have one', async () => {
    const { ask } = createQueue();
    const forged = forge.envelope({}, {}, pairOf().privateKey);
    const flood = Array.from({ length: 200 }, (_each, i) => ask(forge.envelope({ call: drive(i + 1) }), `caller-${i}`));
    const fakes = Array.from({ length: 3 }, (_each, i) => ask(forged, `forger-${i}`));
    // Stops take turns as well, and between any two of them another call is served.
    const { handled } = (await ask(forge.envelope(), 'holder')) as { handled: number };
    expect(handled).toBeLessThanOrEqual(2 + fakes.length);
    await Promise.all([...flood, ...fakes]);
  });

  it('room for a stop cannot be used up by envelopes that only claim to contain one', async () => {
    const { ask, handled } = createQueue();
    const forged = forge.envelope({}, {}, pairOf().privateKey);
    const flood = Array.from({ length: 600 }, (_, i) => ask(forged, `flooder-${i % 4}`));
    expect(await ask(forge.envelope(), 'holder')).toMatchObject({ handled: 1 });
    const codes = (await Promise.all(flood)).map(({ error }) => error?.code);
    expect(codes.filter((code) => code === 'ENVELOPE_WRONG_KEY').length).toBeLessThanOrEqual(4 * 128);
    expect(handled).toHaveLength(1);
  });

  it('a stop has room for any number of holders', async () => {
    const { ask } = createQueue();
    const sealedBy = (call: object): string => {
      const { privateKey, jwk } = pairOf();
      const grant = forge.grant({ cnf: { jwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x } } });
      return forge.envelope({ call, grant }, {}, privateKey);
    };
    for (let i = 0; i < 256; i += 1) expect(await ask(sealedBy(drive(1)))).toMatchObject({ handled: i + 1 });
    expect(await ask(sealedBy(drive(1)))).toMatchObject({ error: { code: 'NOT_READY', details: { reason: 'crowded' } } });
    for (const [, call] of STOPS) expect(await ask(sealedBy(call))).toHaveProperty('handled');
  });
});

describe('P7: a stop is served before the other calls of its carrier that wait', () => {
  const POSE = { r_arm: [0, 0, 0, 0, 0], l_arm: [0, 0, 0, 0, 0] };
  const skill = (name: string, input: object = {}) => ({ method: 'runtime.tools_call', payload: { name, input } });
  const cancel = (id: string) => ({ method: 'runtime.cancel', payload: { options: { action_id: id } } });
  const names = (handled: readonly RuntimeCall[]) => handled.map(({ payload }) => JSON.parse(payload).name);
  const overtaken = {
    error: { code: 'ENVELOPE_OUT_OF_ORDER', details: { reason: 'overtaken', attempted: false, world_changed: 'no' } },
  };

  it.each([
    ['stop', skill('stop')],
    ['a zero velocity', drive(0)],
    ['a cancel of whatever is active', cancel('cancel-active')],
    ['a cancel that names nothing', { method: 'runtime.cancel', payload: {} }],
  ])('%s goes first, and a waiting call that would undo it is rejected with the reason', async (_, stop) => {
    const { ask, handled } = createQueue();
    const first = ask(forge.envelope({ seq: 1, call: drive(0.1) }));
    const behind = [
      ask(forge.envelope({ seq: 2, call: drive(0.2) })),
      ask(forge.envelope({ seq: 3, call: skill('set_upper_body', POSE) })),
      ask(forge.envelope({ seq: 4, call: skill('dance') })),
    ];
    const stopped = ask(forge.envelope({ seq: 5, call: stop }));
    const later = ask(forge.envelope({ seq: 6, call: drive(0.3) }));
    expect(await first).toEqual({ handled: 1 });
    expect(await stopped).toEqual({ handled: 2 });
    for (const answer of await Promise.all(behind)) {
      expect(answer).toMatchObject(overtaken);
      expect((answer.error as { message?: string }).message).toMatch(/stop.*not carried out/);
    }
    // The call behind it is carried out.
    expect(await later).toEqual({ handled: 3 });
    expect(handled.map(({ payload }) => payload)).toEqual(
      [drive(0.1), stop, drive(0.3)].map(({ payload }) => JSON.stringify(payload)),
    );
  });

  it('a waiting call of another key is rejected too, because its numbers do not show the order', async () => {
    const { ask, handled } = createQueue();
    const { privateKey, jwk } = pairOf();
    const grant = forge.grant({ cnf: { jwk: { kty: jwk.kty, crv: jwk.crv, x: jwk.x } } });
    const first = ask(forge.envelope({ seq: 1, call: drive(0.1) }));
    const other = ask(forge.envelope({ seq: 900, call: drive(0.2), grant }, {}, privateKey));
    const stopped = ask(forge.envelope({ seq: 2, call: skill('stop') }));
    expect(await Promise.all([first, stopped])).toEqual([{ handled: 1 }, { handled: 2 }]);
    expect(await other).toMatchObject(overtaken);
    expect(names(handled)).toEqual(['set_velocity', 'stop']);
  });

  it('reads and other stops are not affected by it, and each number still counts once', async () => {
    const { ask, handled } = createQueue();
    const again = forge.envelope({ seq: 2, call: skill('get_state') });
    const asked = [
      ask(forge.envelope({ seq: 1, call: drive(0.1) })),
      ask(again),
      ask(forge.envelope({ seq: 3, call: cancel('one-action') })),
      ask(again),
      ask(forge.envelope({ seq: 4, call: skill('stop') })),
      ask(forge.envelope({ seq: 5, call: drive(0) })),
    ];
    expect((await Promise.all(asked)).map(({ handled: place, error }) => place ?? error?.code)).toEqual([
      1,
      4,
      5,
      'ENVELOPE_REPLAYED',
      2,
      3,
    ]);
    expect(names(handled)).toEqual(['set_velocity', 'stop', 'set_velocity', 'get_state', undefined]);
  });

  it('a cancel of one action is served after the call that may have begun it', async () => {
    const { ask, handled } = createQueue();
    const asked = [
      ask(forge.envelope({ seq: 1, call: drive(0.1) })),
      ask(forge.envelope({ seq: 2, call: drive(0.2) })),
      ask(forge.envelope({ seq: 3, call: cancel('walk') })),
    ];
    expect(await Promise.all(asked)).toEqual([{ handled: 1 }, { handled: 2 }, { handled: 3 }]);
    expect(handled[2]?.method).toBe('runtime.cancel');
  });

  it('an unsigned stop overtakes nothing, nor does one of another carrier', async () => {
    const { ask, handled } = createQueue();
    const asked = [
      ask(forge.envelope({ seq: 1, call: drive(0.1) }), 'holder'),
      ask(forge.envelope({ seq: 2, call: drive(0.2) }), 'holder'),
      ask(forge.envelope({ seq: 3, call: drive(0.3) }), 'holder'),
      ask(forge.envelope({ seq: 4, call: skill('stop') }, {}, pairOf().privateKey), 'holder'),
      ask(forge.envelope({ seq: 4, call: skill('stop') }, {}, pairOf().privateKey), 'stranger'),
    ];
    const answers = await Promise.all(asked);
    expect(answers.map(({ handled: place, error }) => place ?? error?.code)).toEqual([
      1,
      2,
      3,
      'ENVELOPE_WRONG_KEY',
      'ENVELOPE_WRONG_KEY',
    ]);
    expect(names(handled)).toEqual(['set_velocity', 'set_velocity', 'set_velocity']);
  });

  it('the order of stops is forgotten once the queue is empty', async () => {
    const { ask } = createQueue();
    const asked = [1, 2].map((seq) => ask(forge.envelope({ seq, call: drive(seq) })));
    asked.push(ask(forge.envelope({ seq: 3, call: skill('stop') })));
    await Promise.all(asked);
    for (const seq of [4, 5, 6]) expect(await ask(forge.envelope({ seq, call: drive(0.5) }))).toHaveProperty('handled');
    expect(await ask(forge.envelope({ seq: 5, call: skill('get_state') }))).toMatchObject({
      error: { code: 'ENVELOPE_REPLAYED' },
    });
  });
});

describe('a host with signed control', () => {
  function createHost(signed: boolean) {
    const { runtime, fake } = createFakeRuntime();
    const posted: FromSimulation[] = [];
    const host = createSimulationHost({
      runtime,
      post: (message) => posted.push(message),
      sleep: async () => undefined,
      monotonicMs: () => nowMs - START_MS,
      wallMs: () => nowMs,
      hidden: true,
      ...(signed ? { signedControl: { trustedKeys: () => forge.trusted, robotId: ROBOT, session: SESSION } } : {}),
    });
    const receive = (method: string, payload: string) =>
      host.receive({ kind: 'call', callId: 1, requestId: 'r', method, payload, callerIdentity: 'c' });
    const replied = async () => {
      while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { fake, posted, receive, replied };
  }
  const calls = (log: readonly unknown[][]) => log.filter(([what]) => what === 'handle').map(([, call]) => call);

  it('a host with signed control opens envelopes, and passes on every other call unchanged', async () => {
    const { fake, posted, receive, replied } = createHost(true);
    receive('runtime.state', '{}');
    expect(calls(fake.log)).toMatchObject([{ method: 'runtime.state' }]);
    posted.length = 0;
    receive('runtime.forward_envelope', JSON.stringify({ envelope: forge.envelope({ call: drive(1) }) }));
    await replied();
    expect(calls(fake.log)[1]).toMatchObject({
      method: 'runtime.tools_call',
      signedBy: { holder: 'tester', grantId: 'grant-1' },
      callerIdentity: 'c',
    });
    expect(posted).toMatchObject([{ kind: 'reply', callId: 1 }]);
  });

  it('a host without trust leaves the method to the runtime, which rejects it', () => {
    const { fake, receive } = createHost(false);
    receive('runtime.forward_envelope', '{"envelope":"x"}');
    expect(calls(fake.log)).toMatchObject([{ method: 'runtime.forward_envelope', payload: '{"envelope":"x"}' }]);
  });

  it('P13: reports a freeze that came while the signature was checked before it carries out the call', async () => {
    const { fake, receive, posted, replied } = createHost(true);
    receive('runtime.forward_envelope', JSON.stringify({ envelope: forge.envelope({ call: drive(1) }) }));
    nowMs += 3_000;
    await replied();
    while (!posted.some(({ kind }) => kind === 'reply')) await new Promise((resolve) => setImmediate(resolve));
    expect(fake.log.map(([what]) => what)).toEqual(['noteSuspended', 'handle']);
  });
});
