/** The oracle detects a number that is not finite wherever it is planted. */

import { describe, expect, it } from 'vitest';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';
import { notFinite } from './finite.ts';
import { readTruth } from './truth.ts';
import { createWitness } from './witness.ts';

const NAN = Number.NaN;
const PLANTED: readonly [what: string, plant: (t: TestRuntime) => unknown, seen: RegExp][] = [
  ['the pose of the base', (t) => Object.assign(t.core.world.base.pose, { yawRad: NAN }), /base\.pose\.yawRad is NaN/],
  [
    'the command of the base',
    (t) => Object.assign(t.core.world.base.command, { vx: Number.POSITIVE_INFINITY }),
    /base\.command\.vx is Infinity/,
  ],
  ['a joint', (t) => t.core.world.body.jointPositions.fill(NAN, 20, 21), /body\.jointPositions is NaN/],
  ['a foot', (t) => Object.assign(humanoidOf(t.core.world).gait.feet[1], { zM: NAN }), /gait\.feet\.1\.zM is NaN/],
  ['a palm', (t) => t.core.world.grasp.palms.left.rigidBody.setTranslation({ x: NAN, y: 0, z: 0 }, true), /a body .* is NaN/],
  [
    'a cube that physics has taken out',
    (t) => t.core.world.things.all[2]?.rigidBody.setEnabled(false),
    /cube_2 is no longer simulated/,
  ],
];

describe('the oracle', () => {
  it.each(PLANTED)('detects a lost number in %s', async (_what, plant, seen) => {
    const t = await createTestRuntime();
    t.advance(3);
    expect(notFinite(t.core)).toEqual([]);
    const witness = createWitness(t.core);
    plant(t);
    expect(notFinite(t.core).join('; ')).toMatch(seen);
    expect(() => witness.mark()).toThrow(seen);
  });

  it('detects in the same step every lost number that a reading has', async () => {
    const [one, other] = [await createTestRuntime(), await createTestRuntime()];
    one.core.world.body.jointPositions[3] = NAN;
    expect(() => readTruth(one.core, null)).toThrow(/jointPositions is NaN/);
    other.core.world.base.rigidBody.setEnabled(false);
    expect(() => readTruth(other.core, null)).toThrow(/the base is no longer simulated/);
  });
});
