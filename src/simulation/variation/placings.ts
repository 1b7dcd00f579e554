import * as portable from '../../common/portable-math.ts';
import type { Placing } from '../../protocol/files/variation-file.ts';
import { degToRad, type Vec3, wrapRad } from '../../protocol/wire/geometry.ts';
import { FACING_WITHIN_DEG, PLACINGS } from '../../protocol/wire/placings.ts';
import { nextFloat, type Random } from '../random.ts';
import type { ThingAtStart } from '../scene-definition.ts';
import { bottomOf, gapM, reachOf, topOf } from '../solids.ts';
import { halfHeightM, outerSolid } from '../thing-solids.ts';
import { type FloorPlan, insideOf } from './floor-plan.ts';

/** Left begins this far from level. */
const LEFT_M = 0.05;
/** The tolerance of headings: one that was drawn at the limit still counts. */
const ANGLE_SLACK_RAD = 1e-6;

/** Returns whether an entry gives the place of a thing, and not its relation to another. */
export const isPlacing = ({ is }: Placing): boolean => PLACINGS.some((one) => one === is);

/** Draws a place for the middle of a thing; null when what it is to be on or in is not there. */
export function sampleIn(plan: FloorPlan, { is, of }: Placing, { shape }: ThingAtStart, random: Random): Vec3 | null {
  const [u, v] = [nextFloat(random), nextFloat(random)];
  const region = is === 'in' ? plan.region(of) : null;
  if (region) {
    const xs = region.polygon.map(([x]) => x);
    const ys = region.polygon.map(([, y]) => y);
    const [minX, minY] = [Math.min(...xs), Math.min(...ys)];
    return [minX + u * (Math.max(...xs) - minX), minY + v * (Math.max(...ys) - minY), halfHeightM(shape)];
  }
  const place = is === 'in' ? insideOf(plan.thing(of)) : plan.solid(of);
  if (place === null) return null;
  const { halfX, halfY } = reachOf(place);
  const underZ = is === 'in' ? bottomOf(place) : topOf(place);
  return [place.centre[0] + (2 * u - 1) * halfX, place.centre[1] + (2 * v - 1) * halfY, underZ + halfHeightM(shape)];
}

/** Heading from a thing to the middle of another, radians; null while that has no place. */
export function headingTo(plan: FloorPlan, { position }: ThingAtStart, of: string): number | null {
  const other = plan.solid(of);
  return other && portable.atan2(other.centre[1] - position[1], other.centre[0] - position[0]);
}

/** Returns whether a relation holds. @param given the thing, where it is to be tried; otherwise where it has been put */
export function holds(plan: FloorPlan, entry: Placing, given: ThingAtStart | null = plan.thing(entry.thing)): boolean {
  const other = plan.solid(entry.of);
  if (!given || !other) return false;
  const [dx, dy] = [given.position[0] - other.centre[0], given.position[1] - other.centre[1]];
  switch (entry.is) {
    case 'near':
      return portable.hypot(dx, dy) <= (entry.within_m ?? 0);
    case 'clear_of':
      return gapM(outerSolid(given), other) >= (entry.least_m ?? 0);
    case 'left_of': {
      // As the robot looks at the spawn.
      const { yawRad } = plan.scene.spawn;
      return dy * portable.cos(yawRad) - dx * portable.sin(yawRad) >= LEFT_M;
    }
    case 'facing': {
      const wanted = headingTo(plan, given, entry.of) ?? 0;
      const offRad = Math.abs(wrapRad((given.yawRad ?? 0) - wanted));
      return offRad <= degToRad(entry.within_deg ?? FACING_WITHIN_DEG) + ANGLE_SLACK_RAD;
    }
    default:
      return true;
  }
}
