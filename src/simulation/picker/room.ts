import { cos, sin } from '../../common/portable-math.ts';
import { FINGER_HALF_M, HAND_DROP_M, MAST_X_M } from '../../protocol/robots/picker.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { floorExtents, halfHeightM } from '../extents.ts';
import { carriedThings } from '../load.ts';
import { fixedFootprints, type Point, pointDistance, segmentDistance } from '../navigation/footprints.ts';
import type { GripPose, Surroundings } from '../robot.ts';

/** Half the width and half the height of the boom, with a little air. */
const BOOM_HALF_M = 0.05;
/** The fingers reach this far below their middle, less a little slack for what they stand over. */
const FINGER_BELOW_M = 0.045;
/** A thing this near to the grip's middle is the one that is taken. */
const TAKEN_M = 0.06;

/**
 * Returns whether boom or hand would be inside of something with the gripper at a grip: they reach over things, never through them.
 * A thing that is taken or carried does not count.
 */
export function meetsScene({ scene: { layout }, things }: Surroundings, base: PlanarPose, grip: GripPose): boolean {
  const [x, y, z] = grip.centre;
  const hand: Point = { x, y };
  const mast: Point = { x: base.x + MAST_X_M * cos(base.yawRad), y: base.y + MAST_X_M * sin(base.yawRad) };
  const boomM = z + HAND_DROP_M;
  const handRadiusM = grip.openingM / 2 + 2 * FINGER_HALF_M;
  const meets = (bottomM: number, topM: number, fromBoom: () => number, fromHand: () => number): boolean =>
    (bottomM < boomM + BOOM_HALF_M && topM > boomM - BOOM_HALF_M && fromBoom() < BOOM_HALF_M) ||
    (bottomM < boomM && topM > z - FINGER_BELOW_M && fromHand() < handRadiusM);
  const footprints = fixedFootprints(layout);
  const isInObstacle = layout.obstacles.some(({ pose, size }, index) => {
    const footprint = footprints[index];
    if (!footprint) return false;
    const [middleM, halfM] = [pose.position[2], size[2] / 2];
    return meets(
      middleM - halfM,
      middleM + halfM,
      () => segmentDistance(mast, hand, footprint),
      () => pointDistance(hand, footprint),
    );
  });
  if (isInObstacle) return true;
  const carried = carriedThings(things);
  return things.all.some((thing) => {
    const { entityId: id, position: p, rotation } = thing;
    const half = halfHeightM(thing, rotation);
    if (carried.has(thing) || p.z - half > boomM + BOOM_HALF_M || p.z + half < boomM - BOOM_HALF_M) return false;
    if (Math.abs(p.x - x) < TAKEN_M && Math.abs(p.y - y) < TAKEN_M) return false;
    const [extentX, extentY] = floorExtents(thing, rotation);
    const box = { minX: p.x - extentX, maxX: p.x + extentX, minY: p.y - extentY, maxY: p.y + extentY };
    return segmentDistance(mast, hand, { id, ...box, turned: null }) < BOOM_HALF_M;
  });
}
