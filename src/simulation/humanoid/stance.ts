import { cos, sin } from '../../common/portable-math.ts';
import { ANKLE_HEIGHT_M, HIP_OFFSET } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose, Vec3 } from '../../protocol/wire/geometry.ts';

/** Of a foot from the middle of the body, standing. */
export const STANCE_HALF_WIDTH_M = 0.095;
/** How far the toes of a standing robot point outward. */
const TOE_OUT_RAD = 0.12;

/** +1 for the left foot (1), −1 for the right (0): the sign of its y in the base frame. */
export const sideSign = (side: 0 | 1): 1 | -1 => (side === 0 ? -1 : 1);

/** Where a foot is, world frame: its ankle joint above a flat sole. */
export interface FootPlace {
  xM: number;
  yM: number;
  zM: number;
  yawRad: number;
}

/** A foot's place in the neutral stance of a base pose. */
export function neutralFoot(base: PlanarPose, side: 0 | 1, halfWidthM = STANCE_HALF_WIDTH_M): FootPlace {
  const lateralM = sideSign(side) * halfWidthM;
  return {
    xM: base.x - sin(base.yawRad) * lateralM,
    yM: base.y + cos(base.yawRad) * lateralM,
    zM: ANKLE_HEIGHT_M,
    yawRad: base.yawRad + sideSign(side) * TOE_OUT_RAD,
  };
}

/** Centres of the hip joints in the pelvis frame, right and left. */
const HIPS: readonly [Vec3, Vec3] = [
  [HIP_OFFSET[0], -HIP_OFFSET[1], HIP_OFFSET[2]],
  [HIP_OFFSET[0], HIP_OFFSET[1], HIP_OFFSET[2]],
];

/** Writes the centre of a hip joint, in the frame that the pelvis frame at 0 of `frames` is measured in. */
export function hipPoint(out: Float64Array, frames: Float64Array, side: 0 | 1): void {
  const hip = HIPS[side];
  for (let row = 0; row < 3; row += 1) {
    const r = 3 * row;
    out[row] =
      (frames[r] as number) * hip[0] +
      (frames[r + 1] as number) * hip[1] +
      (frames[r + 2] as number) * hip[2] +
      (frames[9 + row] as number);
  }
}
