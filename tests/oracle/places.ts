import type { Pad, SceneLayout, Slot } from '../../src/protocol/wire/scene.ts';
import { apart, leanRad, type MovableTruth, type Truth } from './truth.ts';

/** The places of cubes, judged from the wire's own `scene_layout` and from the bodies. */

export const EDGE_M = 0.15;

const STILL_MPS = 0.02;
const STILL_RPS = 0.1;

export const isStill = (thing: MovableTruth): boolean =>
  thing.joints === 0 && thing.linearMps < STILL_MPS && thing.angularRps < STILL_RPS;

const within = (pad: Pad, { x, y }: { x: number; y: number }): boolean =>
  Math.abs(x - pad.position[0]) <= pad.size[0] / 2 && Math.abs(y - pad.position[1]) <= pad.size[1] / 2;

/** The pad on whose surface, or on whose cubes, this one lies still; null on the floor, in motion and in the hands. */
export function restingPad(layout: SceneLayout, truth: Truth, thing: MovableTruth): Pad | null {
  if (!isStill(thing)) return null;
  const pad = layout.pads.find((candidate) => within(candidate, thing) && thing.z > candidate.position[2]);
  return pad && isSupported(truth, thing, pad.position[2]) ? pad : null;
}

/** Returns whether something carries this cube: the surface, or another cube directly under it. */
export function isSupported(truth: Truth, thing: MovableTruth, surfaceZ: number): boolean {
  const bottom = thing.z - EDGE_M / 2;
  if (Math.abs(bottom - surfaceZ) < 0.01) return true;
  // A cube that leans on others is higher than flat and lower than on top of them.
  if (leanRad(thing) > 0.1 && bottom - surfaceZ < 0.05) return true;
  return [...truth.things.values()].some(
    (other) =>
      other.id !== thing.id &&
      Math.abs(thing.z - other.z - EDGE_M) < 0.02 &&
      Math.max(Math.abs(thing.x - other.x), Math.abs(thing.y - other.y)) < EDGE_M,
  );
}

/** The cube that lies on this one, if any. */
export const onTop = (truth: Truth, thing: MovableTruth): MovableTruth | null =>
  [...truth.things.values()].find(
    (other) =>
      other.id !== thing.id &&
      other.z - thing.z > 0.1 &&
      other.z - thing.z < 0.2 &&
      Math.abs(other.x - thing.x) < EDGE_M &&
      Math.abs(other.y - thing.y) < EDGE_M,
  ) ?? null;

/** The slot in which a cube lies, if it lies in one. */
export const slotOf = (layout: SceneLayout, padId: string, thing: MovableTruth): Slot | null =>
  layout.slots.find(
    ({ pad_id, position: [x, y, z] }) =>
      pad_id === padId && Math.hypot(thing.x - x, thing.y - y) < 0.05 && Math.abs(thing.z - z) < 0.03,
  ) ?? null;

/** Returns whether another cube, except the held one, is within this distance of a point. */
export const crowding = (
  truth: Truth,
  point: { x: number; y: number; z: number },
  withinM: number,
  except: readonly string[],
): MovableTruth | null =>
  [...truth.things.values()].find((thing) => thing.joints === 0 && !except.includes(thing.id) && apart(thing, point) < withinM) ??
  null;

/** Returns whether this cube is part of the row that the belt moves. */
export function isOnBelt(layout: SceneLayout, { x, y, z }: MovableTruth): boolean {
  const belt = layout.obstacles.find(({ obstacle_id }) => obstacle_id === 'belt');
  if (!belt) return false;
  const { position } = belt.pose;
  const inside = Math.abs(x - position[0]) < belt.size[0] / 2 && Math.abs(y - position[1]) < belt.size[1] / 2 + 0.3;
  return inside && Math.abs(z - (position[2] + belt.size[2] / 2 + EDGE_M / 2)) < 0.05;
}
