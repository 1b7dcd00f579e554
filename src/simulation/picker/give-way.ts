import { cos, sin } from '../../common/portable-math.ts';
import { FINGER_HALF_M, HAND_DROP_M, MAST_X_M } from '../../protocol/robots/picker.ts';
import { giveWay } from '../give-way.ts';
import type { BodyInput } from '../robot.ts';
import { createNearBoxes, depthInBoxesM, findNearBoxes } from '../room-beside.ts';
import type { BaseGrip } from './arm.ts';
import { baseGripOf } from './frames.ts';
import type { PickerBody } from './state.ts';

/** The boom reaches no farther than this from the middle of the base. */
const REACH_M = 0.75;
/** The middle of the boom and the fingers keep this far from what stands fixed, and a driven base is looked at this far ahead. */
const AIR_M = 0.04;
const AHEAD_S = 0.1;
const BELOW_FINGERS_M = 0.05;
const LOOKS = [0.5, 0.75, 1];

const _near = createNearBoxes();

const between = (from: BaseGrip, to: BaseGrip, share: number): BaseGrip => ({
  x: from.x + share * (to.x - from.x),
  y: from.y + share * (to.y - from.y),
  z: from.z + share * (to.z - from.z),
  yawRad: from.yawRad + share * (to.yawRad - from.yawRad),
  openingM: from.openingM,
});

/**
 * Returns the grip that the empty gripper takes, base frame, when the base moves it: drawn in as far as it takes to keep out of what stands fixed. A gripper
 * that works in the world, or holds something, has a place to be.
 * @param stowed where it is drawn in all the way
 */
export function gripGivingWay(
  body: PickerBody,
  stowed: BaseGrip,
  { base, velocityBody: { vx, vy }, obstacles, isHolding, dtS }: BodyInput,
): BaseGrip {
  const wanted = baseGripOf(body);
  const isFree = body.frame === 'base';
  const isStowed = wanted.x === stowed.x && wanted.y === stowed.y;
  if ((!isFree || isHolding || isStowed) && body.giveWay.value === 0) return wanted;
  findNearBoxes(_near, obstacles, base.x, base.y, REACH_M);
  const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
  const depthAtM = (x: number, y: number, z: number): number => {
    const [aheadM, leftM] = [x + vx * AHEAD_S, y + vy * AHEAD_S];
    return depthInBoxesM(_near, base.x + c * aheadM - s * leftM, base.y + s * aheadM + c * leftM, z);
  };
  const depthM = (share: number): number => {
    if (isHolding || _near.at.length === 0) return Number.NEGATIVE_INFINITY;
    const { x, y, z, yawRad, openingM } = between(wanted, stowed, share);
    const asideM = openingM / 2 + FINGER_HALF_M;
    const [acrossX, acrossY] = [-sin(yawRad) * asideM, cos(yawRad) * asideM];
    const boomM = LOOKS.map((look) => depthAtM(MAST_X_M + look * (x - MAST_X_M), look * y, z + HAND_DROP_M));
    const fingersM = [-1, 1].map((side) => depthAtM(x + side * acrossX, y + side * acrossY, z - BELOW_FINGERS_M));
    return Math.max(...boomM, ...fingersM, depthAtM(x, y, z)) + (isFree ? AIR_M : 0);
  };
  giveWay(body.giveWay, depthM, dtS);
  return body.giveWay.value === 0 ? wanted : between(wanted, stowed, body.giveWay.value);
}
