import { describe, expect, it } from 'vitest';
import { JOINT_COUNT, JOINTS } from '../../../src/protocol/robots/humanoid.ts';
import { FRAMES_LENGTH, frameOffset, updateFrames } from '../../../src/simulation/humanoid/kinematics.ts';
import { LEG_REACH_M, legIndex, solveLeg } from '../../../src/simulation/humanoid/leg-ik.ts';
import { hipPoint } from '../../../src/simulation/humanoid/stance.ts';
import { setYawPitchFrame } from '../../../src/simulation/rotation.ts';
import { seeded } from '../../oracle/chance.ts';

const solveFrom = (pelvisPitch: number, side: 0 | 1, foot: Float64Array) => {
  const frames = new Float64Array(FRAMES_LENGTH);
  setYawPitchFrame(frames, 0, 0.7, pelvisPitch, 0.2, -0.3, 0.6);
  const joints = new Float64Array(JOINT_COUNT);
  const hip = new Float64Array(3);
  hipPoint(hip, frames, side);
  const exact = solveLeg(joints, legIndex(side), frames, hip, foot, 0);
  return { exact, joints };
};

describe('leg IK', () => {
  it('leg IK returns the angles of 500 seeded legs within their limits (seed 7)', () => {
    const random = seeded(7);
    for (let n = 0; n < 500; n += 1) {
      const side = n % 2 === 0 ? 0 : 1;
      const pelvisPitch = random() - 0.3;
      const frames = new Float64Array(FRAMES_LENGTH);
      setYawPitchFrame(frames, 0, 0.7, pelvisPitch, 0.2, -0.3, 0.6);
      const joints = new Float64Array(JOINT_COUNT);
      for (let i = 0; i < 6; i += 1) {
        const spec = JOINTS[legIndex(side) + i];
        if (!spec) throw new Error('no joint');
        // Knees straighter than this are outside the solver's range, and so are ankles that fold the shank beyond the level sole.
        const knee = joints[legIndex(side) + 3] ?? 0;
        const minRad = spec.name.endsWith('knee')
          ? 0.35
          : spec.name.endsWith('ankle_pitch')
            ? Math.max(spec.minRad, -1.3 - knee / 2)
            : spec.minRad;
        const maxRad = spec.name.endsWith('ankle_pitch') ? Math.min(spec.maxRad, 1.3 - knee / 2) : spec.maxRad;
        joints[legIndex(side) + i] = minRad + (0.02 + 0.96 * random()) * (maxRad - minRad);
      }
      updateFrames(frames, joints);
      const o = frameOffset(side === 0 ? 'right_ankle_roll_link' : 'left_ankle_roll_link');
      const solved = solveFrom(pelvisPitch, side, frames.slice(o, o + 12));
      expect(solved.exact).toBe(true);
      for (let i = 0; i < 6; i += 1) {
        expect(solved.joints[legIndex(side) + i]).toBeCloseTo(joints[legIndex(side) + i] ?? Number.NaN, 7);
      }
    }
  });

  it('leg IK reports a foot that is too far, and stretches towards it within the limits', () => {
    const foot = new Float64Array(12);
    setYawPitchFrame(foot, 0, 0.7, 0, 0.2, -0.3, 0.6 - LEG_REACH_M - 0.2);
    const { exact, joints } = solveFrom(0, 0, foot);
    expect(exact).toBe(false);
    for (let i = 0; i < 6; i += 1) {
      const spec = JOINTS[i];
      expect(joints[i]).toBeGreaterThanOrEqual(spec?.minRad ?? Number.NaN);
      expect(joints[i]).toBeLessThanOrEqual(spec?.maxRad ?? Number.NaN);
    }
  });
});
