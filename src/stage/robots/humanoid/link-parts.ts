import { ROOT_LINK } from '../../../protocol/robots/humanoid.ts';
import type { Part } from '../../geometry/paint.ts';
import * as arms from './arms.ts';
import * as legs from './legs.ts';
import * as trunk from './trunk.ts';

const SIDES: readonly ['right' | 'left', arms.Side][] = [
  ['right', -1],
  ['left', 1],
];

/** Returns a builder for the parts of every link that has any, each in its link's own frame. */
export function linkParts(): ReadonlyMap<string, () => Part[]> {
  const parts = new Map<string, () => Part[]>([
    [ROOT_LINK, trunk.pelvisParts],
    ['torso', trunk.torsoParts],
    ['neck', trunk.neckParts],
    ['head', trunk.headParts],
  ]);
  for (const [name, side] of SIDES) {
    parts.set(`${name}_hip_pitch_link`, () => legs.hipPitchParts(side));
    parts.set(`${name}_hip_roll_link`, legs.hipRollParts);
    parts.set(`${name}_hip_yaw_link`, legs.thighParts);
    parts.set(`${name}_knee_link`, () => legs.shankParts(side));
    parts.set(`${name}_ankle_pitch_link`, legs.anklePitchParts);
    parts.set(`${name}_ankle_roll_link`, legs.footParts);
    parts.set(`${name}_shoulder_pitch_link`, () => arms.shoulderPitchParts(side));
    parts.set(`${name}_shoulder_roll_link`, () => arms.shoulderRollParts(side));
    parts.set(`${name}_shoulder_yaw_link`, () => arms.upperArmParts(side));
    parts.set(`${name}_elbow_link`, arms.forearmParts);
    parts.set(`${name}_wrist_yaw_link`, () => arms.handParts(side));
  }
  return parts;
}
