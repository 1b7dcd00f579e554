import type { Quat, Vec3 } from '../../../../protocol/wire/geometry.ts';
import { carriedPadId, type Furniture, furnitureOf, type ScenePlace } from '../../../../protocol/wire/place.ts';
import type { RenderState } from '../../../../protocol/wire/render-state.ts';
import { ROBOT_ENTITY_ID } from '../../../../protocol/wire/scene.ts';
import { type EntityBox, entityBox } from '../../../../stage/entity-box.ts';

/** The target under a pointer: an object with an id, or a place on the floor (world frame, metres). */
export type Picked = { kind: 'entity'; id: string } | { kind: 'floor'; at: readonly [number, number] };

/** A half-line in the world. The direction need not have length 1. */
export interface Ray {
  origin: Vec3;
  direction: Vec3;
}

/** Margin that makes small objects easier to hit, metres. */
const GENEROUS_M = 0.02;
/** The plate of a sign above its post, which is the visible part for people. */
const SIGN_PLATE_M = { widthM: 0.32, aboveM: 0.34 };

/** A box that represents an id. */
export interface Target {
  id: string;
  box: EntityBox;
}

/**
 * Returns the targets of a layout. The carrier of a pad represents it: a pallet, its sign, the belt. Walls are only the edge of
 * the scene.
 */
export function fixedTargets(layout: ScenePlace): readonly Target[] {
  const targets: Target[] = [];
  for (const { obstacle_id: id } of layout.obstacles) {
    const piece = furnitureOf(layout, id);
    if (piece?.kind === 'wall') continue;
    const box = entityBox(id, null, layout);
    if (box) targets.push({ id: padIdOf(piece) ?? id, box: piece?.kind === 'sign' ? withPlate(box) : box });
  }
  for (const { pad_id: id } of layout.pads) {
    const box = entityBox(id, null, layout);
    if (box && !targets.some((target) => target.id === id)) targets.push({ id, box });
  }
  return targets;
}

/** Returns the pad that a piece of furniture carries or, for a sign, names. */
const padIdOf = (piece: Furniture | null): string | null => (piece?.kind === 'sign' ? piece.padId : carriedPadId(piece));

function withPlate({ centre, orientation, size }: EntityBox): EntityBox {
  const { widthM, aboveM } = SIGN_PLATE_M;
  const footZ = centre[2] - size[2] / 2;
  // People point at the plate on top of the post, not at the post.
  const plateZ = footZ + size[2] + aboveM / 2;
  return { centre: [centre[0], centre[1], plateZ], orientation, size: [widthM, widthM, aboveM] };
}

/**
 * Returns the first object that a ray meets.
 * @param fixed from `fixedTargets` of the layout
 * @returns null if that is neither an entity nor the floor
 */
export function pick(ray: Ray, state: RenderState | null, layout: ScenePlace, fixed: readonly Target[]): Picked | null {
  let nearest = Number.POSITIVE_INFINITY;
  let id: string | null = null;
  const offer = (target: Target, grownM: number) => {
    const distance = distanceToBox(ray, target.box, grownM);
    if (distance === null || distance >= nearest) return;
    nearest = distance;
    id = target.id;
  };
  for (const target of fixed) offer(target, 0);
  for (const { entityId } of state?.things ?? []) {
    const box = entityBox(entityId, state, layout);
    if (box) offer({ id: entityId, box }, GENEROUS_M);
  }
  const robot = entityBox(ROBOT_ENTITY_ID, state, layout);
  if (robot) offer({ id: ROBOT_ENTITY_ID, box: robot }, 0);
  const floor = distanceToFloor(ray);
  if (floor !== null && floor < nearest) {
    const x = ray.origin[0] + ray.direction[0] * floor;
    const y = ray.origin[1] + ray.direction[1] * floor;
    const { min, max } = layout.bounds;
    return x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] ? { kind: 'floor', at: [x, y] } : null;
  }
  return id === null ? null : { kind: 'entity', id };
}

/** Returns the boxes that hide labels behind them: tall objects, and the robot at its current position. */
export function blockersOf(tall: readonly Target[], state: RenderState | null, layout: ScenePlace): readonly Target[] {
  const box = entityBox(ROBOT_ENTITY_ID, state, layout);
  return box ? [...tall, { id: ROBOT_ENTITY_ID, box }] : tall;
}

/** Returns whether a part of the place is between an eye and a point. @param blockers boxes that hide objects behind them */
export function isHidden(eye: Vec3, point: Vec3, blockers: readonly Target[], pointId: string): boolean {
  const direction: Vec3 = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
  return blockers.some((blocker) => {
    if (blocker.id === pointId) return false;
    const share = distanceToBox({ origin: eye, direction }, blocker.box, 0);
    return share !== null && share < 1;
  });
}

function distanceToFloor({ origin, direction }: Ray): number | null {
  if (direction[2] >= 0 || origin[2] <= 0) return null;
  return -origin[2] / direction[2];
}

/**
 * Returns the distance along a ray, in lengths of its direction, at which it enters a box; null when it misses the box or starts
 * inside.
 */
export function distanceToBox(
  { origin, direction }: Ray,
  { centre, orientation, size }: EntityBox,
  grownM: number,
): number | null {
  const from = turnedBack([origin[0] - centre[0], origin[1] - centre[1], origin[2] - centre[2]], orientation);
  const way = turnedBack(direction, orientation);
  let enter = Number.NEGATIVE_INFINITY;
  let leave = Number.POSITIVE_INFINITY;
  for (const axis of [0, 1, 2] as const) {
    const half = size[axis] / 2 + grownM;
    if (Math.abs(way[axis]) < 1e-12) {
      if (Math.abs(from[axis]) > half) return null;
      continue;
    }
    const a = (-half - from[axis]) / way[axis];
    const b = (half - from[axis]) / way[axis];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter > 0 && enter <= leave ? enter : null;
}

/** Returns a vector in the frame of a quaternion's rotation. */
function turnedBack([x, y, z]: Vec3, [qx, qy, qz, qw]: Quat): Vec3 {
  // v' = v + 2 q × (q × v + w v), with the conjugate.
  const [ax, ay, az] = [-qx, -qy, -qz];
  const cx = ay * z - az * y + qw * x;
  const cy = az * x - ax * z + qw * y;
  const cz = ax * y - ay * x + qw * z;
  return [x + 2 * (ay * cz - az * cy), y + 2 * (az * cx - ax * cz), z + 2 * (ax * cy - ay * cx)];
}
