/**
 * A step of our world – drive, gait, belt, bookkeeping – against a bare Rapier step (`World.step`) of the same world. Blocks alternate; each
 * bare block starts from a snapshot of the state our block started from, so both step the same bodies and contacts.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { CUBE_EDGE_M } from '../../src/protocol/robot-model.ts';
import { CUBE_COLOURS } from '../../src/protocol/scene.ts';
import { createCore, type RuntimeCore } from '../../src/runtime/core.ts';
import { runtimeOver } from '../../src/runtime/runtime.ts';
import { addCube } from '../../src/simulation/cubes.ts';
import { type Comparison, figuresOf } from '../statistics.ts';

const BLOCKS = 120;
const WARM_UP_BLOCKS = 20;
const STEPS_PER_BLOCK = 120;
const LOOSE_CUBES = 30;
/** Two rows of loose cubes on the floor, round the side of the robot's circle that is away from the belt; it walks into the inner one. */
const RING = { x: 0.4, y: -1.12, innerM: 0.66, outerM: 0.84, fromRad: Math.PI / 3, spanRad: (4 / 3) * Math.PI };

export async function benchRuntimeStep(): Promise<Comparison[]> {
  await RAPIER.init();
  return [
    compare('quiet world (7 cubes at rest), walking', () => {}),
    compare(`busy world (${LOOSE_CUBES} loose cubes kept awake, robot walking among them)`, scatterCubes),
  ];
}

function scatterCubes({ world }: RuntimeCore): void {
  for (let i = 0; i < LOOSE_CUBES; i += 1) {
    const angle = RING.fromRad + (RING.spanRad * Math.floor(i / 2)) / (LOOSE_CUBES / 2);
    const radiusM = i % 2 === 0 ? RING.innerM : RING.outerM;
    const colour = CUBE_COLOURS[i % CUBE_COLOURS.length] ?? 'red';
    addCube(world, colour, [RING.x + radiusM * Math.cos(angle), RING.y + radiusM * Math.sin(angle), CUBE_EDGE_M / 2]);
  }
}

function compare(name: string, prepare: (core: RuntimeCore) => void): Comparison {
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
  prepare(core);
  const loose = core.world.cubes.all.slice(core.world.conveyor.row.length);
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
    // A body falls asleep after two seconds of rest, a block is one.
    for (const { rigidBody } of loose) rigidBody.wakeUp();
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
  runtime.dispose();
  return {
    name: `runtime step / bare Rapier step, ${name}`,
    unit: 'µs',
    ours: figuresOf(samples.ours),
    bare: figuresOf(samples.bare),
    target: 1.2,
  };
}
