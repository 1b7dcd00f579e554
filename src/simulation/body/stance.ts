import type { PlanarPose } from '../../protocol/geometry.ts';
import { ANKLE_HEIGHT_M } from '../../protocol/robot-model.ts';
import type { FootState } from './gait-state.ts';

/** Of a foot from the middle of the body, standing. */
export const STANCE_HALF_WIDTH_M = 0.095;
/** How far the toes of a standing robot point outward. */
export const TOE_OUT_RAD = 0.12;

/** +1 for the left foot (1), −1 for the right (0): the sign of its y in the base frame. */
export const sideSign = (side: 0 | 1): 1 | -1 => (side === 0 ? -1 : 1);

/** A planted foot in the neutral stance of a base pose. */
export function neutralFoot(base: PlanarPose, side: 0 | 1, halfWidthM = STANCE_HALF_WIDTH_M): FootState {
  const lateralM = sideSign(side) * halfWidthM;
  return {
    xM: base.x - Math.sin(base.yawRad) * lateralM,
    yM: base.y + Math.cos(base.yawRad) * lateralM,
    zM: ANKLE_HEIGHT_M,
    yawRad: base.yawRad + sideSign(side) * TOE_OUT_RAD,
    pitchRad: 0,
    planted: true,
  };
}
