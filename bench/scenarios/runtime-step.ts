/**
 * A step of our world – drive, gait, belt, bookkeeping – against a bare Rapier step of the same world. Blocks alternate; each bare block starts
 * from a snapshot of the state our block started from, so both step the same bodies and contacts.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { createCore } from '../../src/runtime/core.ts';
import { runtimeOver } from '../../src/runtime/runtime.ts';
import { type Comparison, figuresOf } from '../statistics.ts';

const BLOCKS = 120;
const WARM_UP_BLOCKS = 20;
const STEPS_PER_BLOCK = 120;

export async function benchRuntimeStep(): Promise<Comparison> {
  await RAPIER.init();
  let lastId = 0;
  let nowMs = 0;
  const core = createCore({
    rapier: RAPIER,
    seed: 1,
    productVersion: 'bench',
    newActionId: () => {
      lastId += 1;
      return `bench-${lastId}`;
    },
    startCapture: () => {},
    onAction: () => {},
  });
  const runtime = runtimeOver(core);
  const samples = { ours: [] as number[], bare: [] as number[] };
  for (let block = 0; block < BLOCKS + WARM_UP_BLOCKS; block += 1) {
    // The robot walks in a circle all the time: the dearest ordinary step.
    runtime.handle(
      {
        requestId: String(block),
        method: 'runtime.tools_call',
        payload: JSON.stringify({ name: 'set_velocity', input: { vx: 0.3, wz: 0.8, duration_s: 3 } }),
        callerIdentity: 'bench',
        nowMs,
      },
      () => {},
    );
    const bare = RAPIER.World.restoreSnapshot(core.world.physics.takeSnapshot());
    const oursStartedAtMs = performance.now();
    for (let step = 0; step < STEPS_PER_BLOCK; step += 1) {
      nowMs += 1000 / 120;
      runtime.step(nowMs);
    }
    const oursMs = performance.now() - oursStartedAtMs;
    const bareStartedAtMs = performance.now();
    for (let step = 0; step < STEPS_PER_BLOCK; step += 1) bare.step();
    const bareMs = performance.now() - bareStartedAtMs;
    bare.free();
    if (block < WARM_UP_BLOCKS) continue;
    samples.ours.push((oursMs * 1000) / STEPS_PER_BLOCK);
    samples.bare.push((bareMs * 1000) / STEPS_PER_BLOCK);
  }
  return {
    name: 'runtime step / bare Rapier step',
    unit: 'µs',
    ours: figuresOf(samples.ours),
    bare: figuresOf(samples.bare),
    target: 1.2,
  };
}
