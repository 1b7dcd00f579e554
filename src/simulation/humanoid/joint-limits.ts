import { clamp } from '../../common/clamp.ts';
import { JOINTS } from '../../protocol/robots/humanoid.ts';

/** Stores a joint's angle, clamped to the joint's limits; returns whether it was within them. */
export function putWithinLimits(jointPositions: Float64Array, joint: number, rad: number): boolean {
  const spec = JOINTS[joint];
  if (!spec) throw new Error(`There is no joint ${joint}.`);
  const kept = clamp(rad, spec.minRad, spec.maxRad);
  jointPositions[joint] = kept;
  return kept === rad;
}
