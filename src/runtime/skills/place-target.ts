import type { RuntimeError } from '../../protocol/error-codes.ts';
import * as errors from '../../protocol/error-texts.ts';
import type { Vec3 } from '../../protocol/geometry.ts';
import { REACH_M } from '../../protocol/limits.ts';
import { carrierOf, type FurnitureKind } from '../../protocol/place.ts';
import * as portable from '../../protocol/portable-math.ts';
import { CUBE_EDGE_M, type Pad, type Slot } from '../../protocol/scene.ts';
import type { PlaceTarget } from '../../protocol/skills.ts';
import * as base from '../../simulation/base.ts';
import * as cubes from '../../simulation/cubes.ts';
import * as scene from '../../simulation/scene.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import { turnedBack, turnOf } from '../../simulation/turned-box.ts';
import { distanceToBase, unknownEntity } from '../entities.ts';
import { headingOf } from './headings.ts';
import { faceYaws, isUpright } from './stances.ts';

/** A place where the held cube may be put, with the headings of the hands to choose from. */
export interface Place {
  label: string;
  padId: string | null;
  slot: number | null;
  /** The place where the cube's centre is to rest, world frame. */
  centre: Vec3;
  gripYaws: readonly number[];
}

/** A pose's height may differ by this much from the height at which the cube rests there. */
const HEIGHT_SLACK_M = 0.05;
/** A cube nearer than this leaves no room for another at any heading. */
const ROOM_M = CUBE_EDGE_M * Math.SQRT2;
/** Faces of pads are aligned with the world's axes. */
const PAD_YAWS = faceYaws(0);

type Places = { ok: true; places: Place[] } | { ok: false; error: RuntimeError };
const refused = (error: RuntimeError): Places => ({ ok: false, error });

/** Returns what is wrong with a target whatever the robot does: ids, indices and heights that the scene does not have. */
export function checkTarget(world: SimWorld, target: PlaceTarget | undefined): RuntimeError | null {
  switch (target?.kind) {
    case undefined:
      return null;
    case 'entity':
      return checkPad(world, target.entity_id);
    case 'slot': {
      const problem = checkPad(world, target.pad_id);
      if (problem) return problem;
      const count = scene.slots(world, target.pad_id).length;
      if (target.index < count) return null;
      return errors.invalidInput(
        `"input.target.index" must be a whole number from 0 to ${count - 1}, for ${target.pad_id} has ${count} slots; it is ${target.index}.`,
        { path: 'input.target.index', allowed: { minimum: 0, maximum: count - 1 } },
      );
    }
    case 'pose':
      return checkPose(world, target.pose.position);
  }
}

function checkPad(world: SimWorld, padId: string): RuntimeError | null {
  const unknown = unknownEntity(world, padId, ['pad']);
  if (unknown) return unknown;
  if (scene.padOf(world, padId)) return null;
  const padIds = scene.pads(world).map((pad) => pad.pad_id);
  return errors.invalidInput(`"input.target" must name a pad: ${padIds.join(', ')}; ${padId} is none.`, {
    path: 'input.target',
    allowed: { enum: padIds },
  });
}

function checkPose(world: SimWorld, [x, y, z]: Vec3): RuntimeError | null {
  const { bounds } = world.scene.layout;
  if (x < bounds.min[0] || x > bounds.max[0] || y < bounds.min[1] || y > bounds.max[1]) return null;
  const support = supportAt(world, x, y);
  if (Math.abs(z - support.centreZ) <= HEIGHT_SLACK_M) return null;
  const restsAt = support.centreZ.toFixed(3);
  return errors.invalidInput(
    `"input.target.pose.position[2]" must be ${restsAt}, where the centre of a cube on ${support.on} is; it is ${z}. ${HEIGHT_SLACK_M} m more or less will do.`,
    {
      path: 'input.target.pose.position[2]',
      allowed: { minimum: support.centreZ - HEIGHT_SLACK_M, maximum: support.centreZ + HEIGHT_SLACK_M },
    },
  );
}

/** Returns the surface that a cube put down here would rest on, and the height of its centre. Obstacles that are not pads are left to `occupant`. */
function supportAt(world: SimWorld, x: number, y: number): { on: string; padId: string | null; centreZ: number } {
  const pad = scene.pads(world).find((candidate) => scene.isOverPad(candidate, x, y));
  let top = { on: pad?.pad_id ?? 'the floor', topZ: pad?.position[2] ?? 0 };
  for (const { entityId, position, held } of cubes.list(world)) {
    const near = portable.hypot(position[0] - x, position[1] - y) < CUBE_EDGE_M / 3;
    if (!held && near && position[2] + CUBE_EDGE_M / 2 > top.topZ) top = { on: entityId, topZ: position[2] + CUBE_EDGE_M / 2 };
  }
  return { on: top.on, padId: pad?.pad_id ?? null, centreZ: top.topZ + CUBE_EDGE_M / 2 };
}

/** Returns the places that a target stands for, best first, that are near enough and free; or why there is none. */
export function placesFor(world: SimWorld, target: PlaceTarget | undefined): Places {
  switch (target?.kind) {
    case undefined:
      return nearestPallet(world);
    case 'entity': {
      const pad = scene.padOf(world, target.entity_id);
      if (!pad) return refused(errors.unknownEntity(target.entity_id, []));
      const distanceM = distanceToPad(world, pad);
      if (distanceM > REACH_M) return refused(errors.notNearPallet({ [pad.pad_id]: distanceM }, liesOn(world)));
      return onPad(world, pad);
    }
    case 'slot':
      return inSlot(world, target.pad_id, target.index);
    case 'pose':
      return atPose(world, target.pose);
  }
}

function nearestPallet(world: SimWorld): Places {
  const pallets = scene
    .pads(world)
    .filter((pad) => pad.role === 'destination')
    .map((pad) => ({ pad, distanceM: distanceToPad(world, pad) }));
  const [nearest] = [...pallets].sort((a, b) => a.distanceM - b.distanceM);
  if (nearest && nearest.distanceM <= REACH_M) return onPad(world, nearest.pad);
  const distancesM = Object.fromEntries(pallets.map(({ pad, distanceM }) => [pad.pad_id, distanceM]));
  return refused(errors.notNearPallet(distancesM, liesOn(world)));
}

/** A pallet is what the sentence speaks of anyway. */
const CARRIER_WORDS: Partial<Record<FurnitureKind, string>> = { table: 'on a table', belt: 'on the belt' };

/** Returns the words for what a pad lies on. */
const liesOn =
  ({ scene: { furniture } }: SimWorld) =>
  (padId: string): string => {
    const carrier = carrierOf({ furniture }, padId);
    return carrier === null ? 'on the floor' : (CARRIER_WORDS[carrier.kind] ?? '');
  };

/** Returns the distance from the base to a pad, metres: to its centre, or to the nearest slot of a long one, which is worked at from beside each of them. */
function distanceToPad(world: SimWorld, pad: Pad): number {
  if (scene.approachOf(world, pad.pad_id)?.kind !== 'beside') return distanceToBase(world, pad.position);
  return Math.min(...scene.slots(world, pad.pad_id).map((slot) => distanceToBase(world, slot.position)));
}

function onPad(world: SimWorld, pad: Pad): Places {
  const free = scene
    .slots(world, pad.pad_id)
    .filter((slot) => cubes.slotOccupant(world, pad.pad_id, slot.index) === null && missingSupport(world, slot) === null)
    .filter((slot) => distanceToBase(world, slot.position) <= REACH_M)
    .sort((a, b) => a.position[2] - b.position[2] || distanceToBase(world, a.position) - distanceToBase(world, b.position));
  return free.length === 0 ? refused(errors.noFreeSlot(pad.pad_id)) : { ok: true, places: free.map(slotPlace) };
}

const slotPlace = ({ pad_id, index, position }: Slot): Place => ({
  label: `slot ${index} of ${pad_id}`,
  padId: pad_id,
  slot: index,
  centre: position,
  gripYaws: PAD_YAWS,
});

function inSlot(world: SimWorld, padId: string, index: number): Places {
  const slot = scene.slots(world, padId).find((candidate) => candidate.index === index);
  if (!slot) return refused(errors.unknownEntity(padId, []));
  const distanceM = distanceToBase(world, slot.position);
  if (distanceM > REACH_M) return refused(errors.notNearPallet({ [padId]: distanceM }, liesOn(world)));
  const occupant = cubes.slotOccupant(world, padId, index);
  if (occupant !== null) return refused(errors.targetOccupied(`slot ${index} of ${padId}`, occupant));
  const below = missingSupport(world, slot);
  if (below !== null) return refused(errors.slotUnsupported(padId, index, below, cubes.slotOccupant(world, padId, below)));
  return { ok: true, places: [slotPlace(slot)] };
}

/** Returns the slot right under this one when no cube lies flat in it; null when the slot lies on the pad or on such a cube. */
function missingSupport(world: SimWorld, slot: Slot): number | null {
  const [x, y, z] = slot.position;
  const below = scene
    .slots(world, slot.pad_id)
    .find(({ position: [bx, by, bz] }) => portable.hypot(bx - x, by - y) < 0.01 && z - bz > 0.1 && z - bz < 0.2);
  if (!below) return null;
  const carries = cubes
    .list(world)
    .some(
      ({ parentPadId, slotIndex, orientation }) =>
        parentPadId === slot.pad_id && slotIndex === below.index && isUpright(orientation),
    );
  return carries ? null : below.index;
}

function atPose(world: SimWorld, pose: Extract<PlaceTarget, { kind: 'pose' }>['pose']): Places {
  const [x, y] = pose.position;
  const { bounds, obstacles } = world.scene.layout;
  if (x < bounds.min[0] || x > bounds.max[0] || y < bounds.min[1] || y > bounds.max[1])
    return refused(errors.goalOutside(x, y, bounds));
  const distanceM = distanceToBase(world, [x, y]);
  if (distanceM > REACH_M) return refused(errors.placeTooFar(distanceM));
  const support = supportAt(world, x, y);
  const bottomZ = support.centreZ - CUBE_EDGE_M / 2;
  const cube = cubes.list(world).find(({ held, position }) => {
    return !held && position[2] + CUBE_EDGE_M / 2 > bottomZ + 0.02 && portable.hypot(position[0] - x, position[1] - y) < ROOM_M;
  });
  if (cube) return refused(errors.targetOccupied('the place', cube.entityId));
  const half = CUBE_EDGE_M / 2;
  const obstacle = obstacles.find((box) => {
    const { position } = box.pose;
    const { size } = box;
    const turn = turnOf(box);
    const middle = turnedBack(turn, { x, y });
    // The cube's corners stand out towards a turned box.
    const outM = turn === null ? half : half * (Math.abs(turn.cos) + Math.abs(turn.sin));
    const beside = Math.abs(middle.x - position[0]) < size[0] / 2 + outM && Math.abs(middle.y - position[1]) < size[1] / 2 + outM;
    return beside && position[2] + size[2] / 2 > bottomZ + 0.01;
  });
  if (obstacle) return refused(errors.targetOccupied('the place', obstacle.obstacle_id));
  const at = base.pose(world);
  const yaw = headingOf(pose);
  const gripYaws = yaw === null ? [portable.atan2(y - at.y, x - at.x), ...faceYaws(0)] : faceYaws(yaw);
  return {
    ok: true,
    places: [{ label: 'the place', padId: support.padId, slot: null, centre: [x, y, support.centreZ], gripYaws }],
  };
}
