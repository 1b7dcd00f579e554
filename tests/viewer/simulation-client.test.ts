import { afterEach, describe, expect, it, vi } from 'vitest';
import { guardSchema } from '../../src/protocol/wire/action.ts';
import type { FromSimulation, ToSimulation } from '../../src/runtime/host/sim-messages.ts';
import { type SimulationEvent, startSimulation } from '../../src/viewer/engine/simulation-client.ts';

function createClient() {
  const sent: ToSimulation[] = [];
  const events: SimulationEvent[] = [];
  let deliver = (..._messages: FromSimulation[]): void => {};
  let crash = (): void => {};
  const port = {
    terminated: false,
    postMessage: (message: ToSimulation) => void sent.push(message),
    addEventListener(type: 'message' | 'error', listener: ((event: MessageEvent<FromSimulation[]>) => void) | (() => void)) {
      if (type === 'error') crash = listener as () => void;
      else
        deliver = (...data) =>
          (listener as (event: MessageEvent<FromSimulation[]>) => void)({ data } as MessageEvent<FromSimulation[]>);
    },
    terminate() {
      port.terminated = true;
    },
  };
  const contract = { task: null, profile: 'simulator', signedControlRequired: true } as const;
  const options = {
    seed: 1,
    sceneId: 'warehouse' as const,
    robotId: 'humanoid' as const,
    productVersion: '0.1.0',
    storedResults: [],
    hidden: false,
    owner: 'owner',
    keep: { place: null, isMine: false, isFresh: false, wasThere: false, goneAtMs: null, forget: [] },
    ...contract,
  };
  let failing: string | null = null;
  const onEvent = (event: SimulationEvent): void => {
    if (event.kind === failing) throw new Error(event.kind);
    events.push(event);
  };
  const client = startSimulation(options, onEvent, port);
  const failAt = (kind: SimulationEvent['kind']): void => {
    failing = kind;
  };
  return {
    client,
    sent,
    events,
    port,
    failAt,
    deliver: (...messages: FromSimulation[]) => deliver(...messages),
    crash: () => crash(),
  };
}

const call = (requestId: string) => ({ requestId, method: 'runtime.state', payload: '{}', callerIdentity: 'c' });

describe("the page's side of the simulation", () => {
  it('returns each reply to its own caller, in any order of arrival', async () => {
    const { client, sent, deliver } = createClient();
    const [one, two] = [client.call(call('one')), client.call(call('two'))];
    const ids = sent.flatMap((message) => (message.kind === 'call' ? [message.callId] : []));
    deliver({ kind: 'reply', callId: ids[1] ?? -1, text: 'second' });
    deliver({ kind: 'reply', callId: ids[0] ?? -1, text: 'first' });
    expect([await one, await two]).toEqual(['first', 'second']);
  });

  it('processes messages of one packet in order, and a failing message keeps no reply from its caller', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
    const { client, sent, events, deliver, failAt } = createClient();
    const reply = client.call(call('one'));
    const callId = sent.flatMap((message) => (message.kind === 'call' ? [message.callId] : []))[0] ?? -1;
    failAt('progress');
    deliver(
      { kind: 'suspended', gapMs: 1 },
      { kind: 'progress', fraction: 1 },
      { kind: 'suspended', gapMs: 2 },
      { kind: 'reply', callId, text: 'answered' },
    );
    expect(await reply).toBe('answered');
    expect(events).toEqual([
      { kind: 'suspended', gapMs: 1 },
      { kind: 'suspended', gapMs: 2 },
    ]);
    expect(reported).toEqual([new Error('progress')]);
    vi.unstubAllGlobals();
  });

  it('answers every open and every later call when the worker dies', async () => {
    const { client, events, port, crash } = createClient();
    const open = client.call(call('open'));
    crash();
    for (const text of [await open, await client.call(call('later'))]) {
      expect(guardSchema.parse(JSON.parse(text)).error).toMatchObject({
        code: 'INTERNAL',
        details: { world_changed: 'unknown' },
      });
    }
    expect(events).toEqual([{ kind: 'failed', message: expect.stringContaining('Reload the page') }]);
    expect(port.terminated).toBe(true);
  });

  describe('watching for signs of life of the worker', () => {
    afterEach(() => void vi.useRealTimers());

    it('a worker that hangs counts as broken, but not a worker that loads or sends messages', () => {
      vi.useFakeTimers();
      const { events, port, deliver } = createClient();
      const failures = () => events.filter(({ kind }) => kind === 'failed').length;
      vi.advanceTimersByTime(120_000);
      expect(failures()).toBe(0);
      deliver({ kind: 'ready' });
      for (let spoken = 0; spoken < 20; spoken += 1) {
        vi.advanceTimersByTime(5_000);
        deliver({ kind: 'suspended', gapMs: 1 });
      }
      expect(failures()).toBe(0);
      vi.advanceTimersByTime(60_000);
      expect(failures()).toBe(1);
      expect(port.terminated).toBe(true);
    });
  });
});
