/** Motions worth looking at: each is played on the real runtime and recorded frame by frame. */

import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import * as joints from '../../src/simulation/humanoid/joint-arms.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { addCube } from '../../src/simulation/things.ts';
import { renderState } from '../../src/simulation/world.ts';
import { atPose, entity, startAt, type TestRuntime } from '../../tests/runtime/test-runtime.ts';

/** Simulated steps per second. */
const RATE = 120;

export interface Motion {
  name: string;
  /** Seconds between recorded frames. */
  everyS: number;
  frames: number;
  /** Brings the robot to where the motion begins, and begins it. Frames are recorded from then on. */
  begin(): Promise<TestRuntime>;
  /** Makes further calls at moments of the motion, in seconds after its beginning. */
  later?: readonly { atS: number; act(t: TestRuntime): void }[];
}

const velocity = (t: TestRuntime, [vx, vy]: readonly [number, number], wz = 0, durationS = 20): void =>
  void t.start('set_velocity', { vx, vy, wz, duration_s: durationS });

/** Walks for a while before the frames begin. */
async function walking([vx, vy]: readonly [number, number], wz = 0, warmUpS = 2): Promise<TestRuntime> {
  const t = await startAt(vx < 0 ? 3 : -3.8, -3.4, 0);
  velocity(t, [vx, vy], wz);
  t.advance(Math.round(warmUpS * RATE));
  return t;
}

async function beforeCube(x: number, y: number, z: number, yawRad = 0): Promise<{ t: TestRuntime; id: string }> {
  const t = await startAt(x - 0.46, y, 0);
  const thing = addCube(t.core.world, 'yellow', [x, y, z]);
  thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(yawRad / 2), w: Math.cos(yawRad / 2) }, true);
  t.advance(60);
  return { t, id: thing.entityId };
}

export const MOTIONS: readonly Motion[] = [
  { name: 'walk-0.3', everyS: 0.08, frames: 12, begin: () => walking([0.3, 0]) },
  { name: 'walk-0.8', everyS: 0.06, frames: 12, begin: () => walking([0.8, 0], 0, 1.5) },
  { name: 'walk-1.5', everyS: 0.045, frames: 12, begin: () => walking([1.5, 0], 0, 1.6) },
  { name: 'backwards', everyS: 0.07, frames: 12, begin: () => walking([-0.6, 0], 0, 1) },
  { name: 'sideways', everyS: 0.07, frames: 12, begin: () => walking([0, 0.5], 0, 1.2) },
  { name: 'turn', everyS: 0.1, frames: 12, begin: () => walking([0, 0], 1.2, 1) },
  {
    name: 'start-stop',
    everyS: 0.14,
    frames: 16,
    begin: async () => {
      const t = await startAt(-3.8, -3.4, 0);
      velocity(t, [1, 0], 0, 1.2);
      return t;
    },
  },
  {
    name: 'pick-belt',
    everyS: 0.12,
    frames: 14,
    begin: async () => {
      const t = await startAt(0.94, -1.8, 0);
      t.start('pick_entity', entity('cube_0'));
      return t;
    },
  },
  {
    name: 'pick-floor',
    everyS: 0.15,
    frames: 14,
    begin: async () => {
      const { t, id } = await beforeCube(-0.5, -1.5, 0.075);
      t.start('pick_entity', entity(id));
      return t;
    },
  },
  {
    name: 'pick-pallet',
    everyS: 0.15,
    frames: 14,
    begin: async () => {
      const t = await startAt(-1.4, -4.88, -90);
      const thing = addCube(t.core.world, 'yellow', [-1.4, -5.32, 0.195]);
      t.advance(60);
      t.start('pick_entity', entity(thing.entityId));
      return t;
    },
  },
  {
    name: 'place-pallet',
    everyS: 0.13,
    frames: 14,
    begin: async () => {
      const t = await startAt(0.94, -1.8, 0);
      t.invoke('pick_entity', entity('cube_0'));
      t.invoke('go_to', entity('pad_D'));
      t.start('place_entity', entity('pad_D'));
      return t;
    },
  },
  {
    name: 'carry',
    everyS: 0.06,
    frames: 12,
    begin: async () => {
      const t = await startAt(0.94, -1.8, 0);
      t.invoke('pick_entity', entity('cube_0'));
      velocity(t, [-0.4, 0], 0.8);
      t.advance(2 * RATE);
      velocity(t, [0.8, 0]);
      t.advance(RATE);
      return t;
    },
  },
  {
    name: 'look-at',
    everyS: 0.1,
    frames: 12,
    begin: async () => {
      const t = await startAt(-1, -1.5, 0);
      t.start('look_at', atPose(-1, 0.5, 0.4));
      return t;
    },
    later: [{ atS: 0.6, act: (t) => void t.start('look_at', atPose(-2.5, -3, 0.4)) }],
  },
  {
    name: 'arms-commanded',
    everyS: 0.06,
    frames: 12,
    begin: async () => {
      const t = await startAt(-3.8, -3.4, 0);
      joints.command(humanoidOf(t.core.world), [-1.3, 0.2, 0.3, -0.6, 0.5, 0.2, -1.4, 0, 0.9, 0]);
      return t;
    },
    later: [{ atS: 0.5, act: (t) => joints.giveBack(humanoidOf(t.core.world)) }],
  },
  {
    name: 'arms-limp',
    everyS: 0.1,
    frames: 14,
    begin: async () => {
      const t = await startAt(-3.8, -3.4, 0);
      joints.command(humanoidOf(t.core.world), [-1.5, 0.1, 0, -0.4, 0, 0.5, -1.5, 0, 0.5, 0]);
      t.advance(RATE);
      joints.limp(humanoidOf(t.core.world));
      return t;
    },
  },
  {
    name: 'arms-limp-in',
    everyS: 0.1,
    frames: 14,
    begin: async () => {
      const t = await startAt(-3.8, -3.4, 0);
      joints.command(humanoidOf(t.core.world), [-1.4, -0.5, 0.6, -1.2, 0, 1.4, 0.5, -0.6, 1.2, 0]);
      t.advance(RATE);
      joints.limp(humanoidOf(t.core.world));
      return t;
    },
  },
  {
    name: 'cancel-pick',
    everyS: 0.12,
    frames: 14,
    begin: async () => {
      const { t, id } = await beforeCube(-0.5, -1.5, 0.075);
      t.start('pick_entity', entity(id), { action_id: 'stopped' });
      return t;
    },
    later: [
      { atS: 0.35, act: (t) => void t.send('runtime.cancel', { options: { action_id: 'stopped' } }) },
      { atS: 0.9, act: (t) => void t.start('go_to', atPose(-1.6, -1.5)) },
    ],
  },
];

/** Plays a motion and records its frames. */
export async function play({ begin, everyS, frames, later = [] }: Motion): Promise<{ t: TestRuntime; kept: RenderState[] }> {
  const t = await begin();
  const kept: RenderState[] = [];
  const last = Math.round(everyS * RATE) * (frames - 1);
  for (let step = 0; step <= last; step += 1) {
    for (const { atS, act } of later) if (Math.round(atS * RATE) === step) act(t);
    if (step % Math.round(everyS * RATE) === 0) kept.push(renderState(t.core.world));
    t.advance();
  }
  return { t, kept };
}
