import { halfHeightM } from './extents.ts';
import { conjugate, difference, rotate } from './quaternion.ts';
import type { Thing, ThingsState } from './thing.ts';

/** A thing in a container is at least this far below its rim, and may lie so much into its floor, metres. */
const IN_M = 0.005;
/** A load that fills a container leans over its walls by so much at most, metres. */
const OVER_RIM_M = 0.05;
/** The cosine of the lean from which on a container counts as tipped over. */
const UPRIGHT_COS = 0.7;

type Container = Pick<Thing, 'shape' | 'position' | 'rotation'>;
type Vector = Thing['position'];

const NOTHING: ReadonlySet<Thing> = new Set();

/** Returns what the hands carry: the held thing and all that lies in it or leans over its rim, so that a load does not count as an obstacle. */
export function carriedThings({ all }: Pick<ThingsState, 'all'>): ReadonlySet<Thing> {
  const held = all.find(({ carrier }) => carrier === 'hands');
  if (!held) return NOTHING;
  const carried = new Set([held]);
  // A set iteration includes what is added meanwhile: a box in the crate, and its contents.
  for (const outer of carried) {
    if (outer.shape.kind !== 'container') continue;
    for (const thing of all) if (!carried.has(thing) && isLoadOf(thing, outer)) carried.add(thing);
  }
  return carried;
}

function isLoadOf(thing: Thing, outer: Thing): boolean {
  if (rotate(outer.rotation, { x: 0, y: 0, z: 1 }).z < UPRIGHT_COS) return false;
  return isWithinWalls(thing.position, halfHeightM(thing, thing.rotation), outer, OVER_RIM_M);
}

/**
 * Returns whether a thing's centre is within the walls of a container that stands upright, and its underside between floor and rim.
 * @param beyondM it may be this much farther out, and higher
 */
export function isWithinWalls(
  centre: Vector,
  halfHeightM: number,
  { shape, position, rotation }: Container,
  beyondM = 0,
): boolean {
  if (shape.kind !== 'container') return false;
  const { x, y, z } = rotate(conjugate(rotation), difference(centre, position));
  const [halfX, halfY, halfZ] = [shape.size[0] / 2 - shape.wallM, shape.size[1] / 2 - shape.wallM, shape.size[2] / 2];
  const isBetween = Math.abs(x) < halfX + beyondM && Math.abs(y) < halfY + beyondM;
  const bottomM = z - halfHeightM;
  return isBetween && bottomM < halfZ - IN_M + beyondM && bottomM > shape.wallM - halfZ - IN_M;
}
