/** How late steps are made while callers make calls without pause, because calls and steps share a thread. */
import { STEP_S, STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import { createSimulationHost } from '../../src/runtime/host/simulation-host.ts';
import { type Runtime, runtimeOver } from '../../src/runtime/runtime.ts';
import type { Scenario } from '../scenario.ts';
import { figuresOf } from '../statistics.ts';
import { createWalkingCore } from './walking-core.ts';

/** A second of the world. */
const STEPS = STEPS_PER_SECOND;
const CALLERS = 8;
/** 50 calls a second of each. */
const CALL_EVERY_MS = 20;
const STEP_MS = STEP_S * 1_000;

export const ticks: Scenario<'ticks'> = {
  name: 'ticks',
  rounds: { smoke: 1, full: 30 },
  warmUpRounds: { smoke: 0, full: 2 },
  async open() {
    const walking = await createWalkingCore();
    const runtime = runtimeOver(walking.core);
    const empty: Runtime = { ...runtime, step: () => {}, handle: (_call, reply) => reply('{}') };
    return {
      round: async () => ({ loaded: { bare: await latenessMs(empty), ours: await latenessMs(runtime) } }),
      close: async () => runtime.dispose(),
    };
  },
};

/** The 99th of 100 steps, sorted by their delay. */
async function latenessMs(runtime: Runtime): Promise<number> {
  const lateMs: number[] = [];
  const startedAtMs = performance.now();
  let made = 0;
  const host = createSimulationHost({
    runtime: {
      ...runtime,
      step(nowMs) {
        lateMs.push(performance.now() - startedAtMs - made * STEP_MS);
        made += 1;
        runtime.step(nowMs);
        if (made === STEPS) host.stop();
      },
    },
    post: () => {},
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    hidden: false,
    headless: true,
  });
  let calls = 0;
  const callers = Array.from({ length: CALLERS }, (_, caller) =>
    setInterval(() => {
      calls += 1;
      host.receive({
        kind: 'call',
        callId: calls,
        requestId: `${calls}`,
        method: 'runtime.state',
        payload: '{}',
        callerIdentity: `caller-${caller}`,
      });
    }, CALL_EVERY_MS),
  );
  await host.run();
  for (const caller of callers) clearInterval(caller);
  return figuresOf(lateMs).p99;
}
