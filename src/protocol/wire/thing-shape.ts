import type { Vec3 } from './geometry.ts';
import { CUBE_EDGE_M } from './scene.ts';

/**
 * The shape of a movable thing, metres, in its own frame: centre at the origin, z up. A cylinder stands on its end. A container
 * is open at the top and has a floor and four walls, all of one thickness.
 */
export type ThingShape =
  | { readonly kind: 'box' /** Full extents. */; readonly size: Vec3 }
  | { readonly kind: 'cylinder'; readonly radiusM: number; readonly heightM: number }
  | { readonly kind: 'container' /** Full outer extents. */; readonly size: Vec3; readonly wallM: number };

export const THING_SHAPE_KINDS = ['box', 'cylinder', 'container'] as const satisfies readonly ThingShape['kind'][];

/** The category of the cubes, and of nothing else. */
export const CUBE_CATEGORY = 'cube';
/** The shape of every thing of the category `cube`, and its other properties. */
export const CUBE_SHAPE: ThingShape = { kind: 'box', size: [CUBE_EDGE_M, CUBE_EDGE_M, CUBE_EDGE_M] };
export const CUBE_MASS_KG = 0.4;
export const THING_FRICTION = 0.9;

/**
 * Limits for the measures of a thing. Below them physics is not realistic; beyond them a thing cannot be handled. Closing palms
 * press some millimetres into a thing, and would come out on the other side of a thinner wall.
 */
export const THING_LIMITS = {
  edgeM: { min: 0.02, max: 1 },
  wallM: { min: 0.015, max: 0.05 },
  massKg: { min: 0.02, max: 20 },
  friction: { min: 0.1, max: 2 },
  categoryCharacters: 32,
} as const;

/** Returns the full extents of a shape along its own axes, metres. */
export function sizeOf(shape: ThingShape): Vec3 {
  return shape.kind === 'cylinder' ? [2 * shape.radiusM, 2 * shape.radiusM, shape.heightM] : shape.size;
}

/** A box within a thing, in its frame, metres: its centre and its full extents. */
export interface BoxPart {
  readonly centre: Vec3;
  readonly size: Vec3;
}

/** Returns the floor of a container and its four walls, which meet without overlapping. */
export function containerParts([x, y, z]: Vec3, wallM: number): readonly BoxPart[] {
  const [heightM, upM] = [z - wallM, wallM / 2];
  const [acrossX, acrossY] = [(x - wallM) / 2, (y - wallM) / 2];
  const inner = x - 2 * wallM;
  return [
    { centre: [0, 0, (wallM - z) / 2], size: [x, y, wallM] },
    { centre: [acrossX, 0, upM], size: [wallM, y, heightM] },
    { centre: [-acrossX, 0, upM], size: [wallM, y, heightM] },
    { centre: [0, acrossY, upM], size: [inner, wallM, heightM] },
    { centre: [0, -acrossY, upM], size: [inner, wallM, heightM] },
  ];
}

export const isCubeShape = (shape: ThingShape): boolean =>
  shape === CUBE_SHAPE || (shape.kind === 'box' && shape.size.every((edgeM) => edgeM === CUBE_EDGE_M));

/** Returns the fault of a thing's properties, with its path and what would be right; null for valid properties. */
export function thingProblem(thing: {
  shape: ThingShape;
  category: string;
  massKg: number;
  friction: number;
}): { path: string; reason: string } | null {
  const { shape, category, massKg, friction } = thing;
  const { edgeM, wallM, massKg: masses, friction: frictions, categoryCharacters } = THING_LIMITS;
  for (const [axis, lengthM] of sizeOf(shape).entries()) {
    const path = shape.kind !== 'cylinder' ? `shape.size[${axis}]` : axis === 2 ? 'shape.heightM' : 'shape.radiusM';
    if (!isWithin(lengthM, edgeM)) return { path, reason: `the thing must be ${edgeM.min} to ${edgeM.max} m along each axis` };
  }
  if (shape.kind === 'container') {
    const [x, y, z] = shape.size;
    const most = Math.min(wallM.max, x / 4, y / 4, z / 2);
    if (!isWithin(shape.wallM, { min: wallM.min, max: most }))
      return { path: 'shape.wallM', reason: `the walls of this container must be ${wallM.min} to ${most} m thick` };
  }
  if (!isWithin(massKg, masses)) return { path: 'massKg', reason: `the mass must be ${masses.min} to ${masses.max} kg` };
  if (!isWithin(friction, frictions))
    return { path: 'friction', reason: `the friction must be ${frictions.min} to ${frictions.max}` };
  if (category.length === 0 || category.length > categoryCharacters)
    return { path: 'category', reason: `the category must have 1 to ${categoryCharacters} characters` };
  if (category === CUBE_CATEGORY && !isCubeShape(shape))
    return {
      path: 'category',
      reason: `a thing of the category "${CUBE_CATEGORY}" is a box of ${CUBE_EDGE_M} m along each axis`,
    };
  return null;
}

const isWithin = (value: number, { min, max }: { min: number; max: number }): boolean => value >= min && value <= max;
