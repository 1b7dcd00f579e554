import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import RAPIER from '@dimforge/rapier3d-compat';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import { createCore, type RuntimeCore } from '../../src/runtime/core.ts';
import { type Runtime, runtimeOver } from '../../src/runtime/runtime.ts';
import { SIMULATOR_CONTRACT } from '../../src/runtime/simulator-contract.ts';

/** A runtime in process whose robot walks, and a copy of its physics for comparison. */
export interface WalkingCore {
  core: RuntimeCore;
  /** A call, answered before it returns. */
  ask(method: string, request: object): void;
  /** Returns how long this many steps of the runtime took. */
  stepsMs(count: number): number;
  /** Returns how long this many steps of plain Rapier took, from the current state of the runtime. */
  bareStepsMs(count: number): number;
  dispose(): void;
}

/** A separate, unmodified copy of the engine, which reads its clock. */
async function bareEngine(): Promise<typeof RAPIER> {
  const script = createRequire(import.meta.url)
    .resolve('@dimforge/rapier3d-compat')
    .replace(/\.cjs$/, '.mjs');
  const { default: bare } = (await import(`${pathToFileURL(script)}?bare`)) as { default: typeof RAPIER };
  await bare.init();
  return bare;
}

export async function createWalkingCore(): Promise<WalkingCore> {
  const [bareRapier] = await Promise.all([bareEngine(), RAPIER.init()]);
  let lastId = 0;
  let nowMs = 0;
  const core = createCore(
    {
      rapier: RAPIER,
      seed: 1,
      productVersion: 'bench',
      newActionId: () => {
        lastId += 1;
        return `bench-${lastId}`;
      },
      startCapture: () => {},
      onAction: () => {},
    },
    SIMULATOR_CONTRACT,
  );
  const runtime: Runtime = runtimeOver(core);
  let calls = 0;
  return {
    core,
    ask(method, request) {
      calls += 1;
      runtime.handle(
        { requestId: String(calls), method, payload: JSON.stringify(request), callerIdentity: 'bench', nowMs },
        () => {},
      );
    },
    stepsMs(count) {
      const startedAtMs = performance.now();
      for (let step = 0; step < count; step += 1) {
        nowMs += STEP_S * 1_000;
        runtime.step(nowMs);
      }
      return performance.now() - startedAtMs;
    },
    bareStepsMs(count) {
      const bare = bareRapier.World.restoreSnapshot(core.world.physics.takeSnapshot());
      const startedAtMs = performance.now();
      for (let step = 0; step < count; step += 1) bare.step();
      const tookMs = performance.now() - startedAtMs;
      bare.free();
      return tookMs;
    },
    dispose: () => runtime.dispose(),
  };
}

/** The robot walks in a circle: the most expensive ordinary step. A timed velocity, which ends automatically. */
export const walkInCircle = ({ ask }: WalkingCore, forS: number): void =>
  ask('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.3, wz: 0.8, duration_s: forS } });
