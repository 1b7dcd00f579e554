import type { SceneLayout } from '../../src/protocol/wire/scene.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import { GridOracle } from '../simulation/grid-oracle.ts';
import { crowding, isStill, onTop } from './places.ts';
import { leanRad, planar, type Truth, turnRad } from './truth.ts';

/**
 * Requests that are clearly possible: well inside every limit, with room all round. Other requests may succeed or be rejected; of
 * these, at most one in a hundred may fail.
 */

const REACH_M = 1.19;
/** Free floor round a place to stand: the robot and a hand's breadth. */
const STANDING_M = 0.32;
const WALKING_M = 0.3;

const standingPlaces = (point: { x: number; y: number }, yawRad: number, distancesM: readonly number[]) =>
  [0, 1, 2, 3].flatMap((quarter) => {
    const heading = yawRad + (quarter * Math.PI) / 2;
    return distancesM.map((distanceM) => ({
      x: point.x - distanceM * Math.cos(heading),
      y: point.y - distanceM * Math.sin(heading),
    }));
  });

/** Returns whether the base can walk to one of these with clearance on both sides. */
function reachesOneOf(core: RuntimeCore, truth: Truth, places: readonly { x: number; y: number }[], radiusM: number): boolean {
  const grid = new GridOracle(core.world, 0.1, radiusM);
  const open = places.filter((place) => grid.isFree(place));
  if (open.length === 0) return false;
  const lengths = grid.lengthsFrom(truth.robot);
  return open.some((place) => Number.isFinite(lengths.get(grid.snap(place))));
}

export function pickIsFeasible(core: RuntimeCore, truth: Truth, id: string): boolean {
  const thing = truth.things.get(id);
  if (!thing || truth.held.length > 0 || !isStill(thing) || leanRad(thing) > 0.1) return false;
  if (planar(thing, truth.robot) > REACH_M || onTop(truth, thing) || crowding(truth, thing, 0.34, [id])) return false;
  return reachesOneOf(core, truth, standingPlaces(thing, turnRad(thing), [0.46, 0.56]), STANDING_M);
}

export function slotIsFeasible(core: RuntimeCore, layout: SceneLayout, truth: Truth, padId: string, index: number): boolean {
  const slot = layout.slots.find((candidate) => candidate.pad_id === padId && candidate.index === index);
  const pad = layout.pads.find(({ pad_id }) => pad_id === padId);
  const [held] = truth.held;
  if (!slot || !pad || held === undefined) return false;
  const [x, y, z] = slot.position;
  if (planar({ x, y }, truth.robot) > REACH_M) return false;
  const below = [...truth.things.values()].find(
    (thing) => Math.hypot(thing.x - x, thing.y - y) < 0.03 && Math.abs(z - thing.z - 0.15) < 0.02,
  );
  const onSurface = Math.abs(z - pad.position[2] - 0.075) < 0.01;
  if (!onSurface && !(below && isStill(below))) return false;
  if (crowding(truth, { x, y, z }, 0.3, [held, ...(onSurface || !below ? [] : [below.id])])) return false;
  const distancesM = pad.role === 'destination' ? [0.52, 0.6, 0.7] : [0.46, 0.56];
  return reachesOneOf(core, truth, standingPlaces({ x, y }, 0, distancesM), 0.22);
}

export function poseIsFeasible(core: RuntimeCore, truth: Truth, goal: { x: number; y: number }): boolean {
  const clearM = truth.held.length > 0 ? 0.5 : WALKING_M;
  return reachesOneOf(core, truth, [goal], clearM);
}
