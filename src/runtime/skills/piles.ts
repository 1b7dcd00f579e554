import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { floorExtents } from '../../simulation/extents.ts';
import { isWithinWalls } from '../../simulation/load.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import { lieOfView, rotated } from './grips.ts';

/** Determines which things lie on or in others, from their positions in the simulated world. */

/** A thing whose underside is this near to another's top lies on it, if it is over it. */
const ON_BELOW_M = 0.03;
const ON_ABOVE_M = 0.05;

/** Returns the thing that lies on top of another, or null. What lies in a container does not lie on it. */
export function thingOn(world: SimWorld, lower: things.ThingView): things.ThingView | null {
  return things.list(world).find((upper) => !upper.held && upper !== lower && liesOn(upper, lower)) ?? null;
}

function liesOn(upper: things.ThingView, lower: things.ThingView): boolean {
  const [ux, uy, uz] = upper.position;
  const [lx, ly, lz] = lower.position;
  if (upper.isCube && lower.isCube) return uz - lz > 0.1 && uz - lz < 0.2 && Math.abs(ux - lx) < 0.15 && Math.abs(uy - ly) < 0.15;
  if (upper.entityId === lower.entityId) return false;
  const gapM = uz - upper.halfHeightM - (lz + lower.halfHeightM);
  if (gapM < -ON_BELOW_M || gapM > ON_ABOVE_M || isInside(upper, lower)) return false;
  const [upperX, upperY] = extentsOf(upper);
  const [lowerX, lowerY] = extentsOf(lower);
  return Math.abs(ux - lx) < upperX + lowerX && Math.abs(uy - ly) < upperY + lowerY;
}

function extentsOf(thing: things.ThingView): [number, number] {
  const { shape, rotation } = rotated(thing);
  return floorExtents({ shape, isCube: thing.isCube }, rotation);
}

/** Returns whether a thing's centre is in a container that stands upright, and its underside below the rim. */
export function isInside(thing: things.ThingView, outer: things.ThingView): boolean {
  if (outer.shape.kind !== 'container' || !lieOfView(outer)?.isUp) return false;
  return isWithinWalls(pointOf(thing.position), thing.halfHeightM, { ...rotated(outer), position: pointOf(outer.position) });
}

const pointOf = ([x, y, z]: Vec3) => ({ x, y, z });

/** Returns the mass that the hands lift with a thing: its own and that of its contents, kilograms. */
export function loadKg(world: SimWorld, thing: things.ThingView): number {
  const contents = things.list(world).filter((other) => other.entityId !== thing.entityId && isInside(other, thing));
  return contents.reduce((sum, { massKg }) => sum + massKg, thing.massKg);
}
