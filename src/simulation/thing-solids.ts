import * as portable from '../common/portable-math.ts';
import { radToDeg, type Vec3 } from '../protocol/wire/geometry.ts';
import { sizeOf, type ThingShape } from '../protocol/wire/thing-shape.ts';
import type { ThingAtStart } from './scene-definition.ts';
import { boxSolid, cylinderSolid, type Solid } from './solids.ts';
import { partsOf } from './thing-bodies.ts';

/** A thing as it stands upright somewhere. */
export type Placed = Pick<ThingAtStart, 'shape' | 'position' | 'yawRad'>;

/** Returns the solid that a thing fills, a container with what would be in it. */
export const outerSolid = ({ shape, position, yawRad = 0 }: Placed): Solid =>
  shape.kind === 'cylinder'
    ? cylinderSolid(position, shape.radiusM, shape.heightM)
    : boxSolid(position, shape.size, radToDeg(yawRad));

/** Returns the solid parts of a thing: one, or floor and walls of a container. */
export function solidsOf(thing: Placed): Solid[] {
  const { shape, position, yawRad = 0 } = thing;
  if (shape.kind !== 'container') return [outerSolid(thing)];
  const [cos, sin] = [portable.cos(yawRad), portable.sin(yawRad)];
  return partsOf(shape).flatMap((part) => {
    if (part.kind !== 'box') return [];
    const [x, y, z] = part.centre;
    const centre: Vec3 = [position[0] + cos * x - sin * y, position[1] + sin * x + cos * y, position[2] + z];
    const [halfX, halfY, halfZ] = part.half;
    return [boxSolid(centre, [2 * halfX, 2 * halfY, 2 * halfZ], radToDeg(yawRad))];
  });
}

/** Half of a shape's height, metres. */
export const halfHeightM = (shape: ThingShape): number => sizeOf(shape)[2] / 2;
