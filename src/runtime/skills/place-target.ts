import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { EntityKind } from '../../protocol/wire/entity-kind.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { REACH_M } from '../../protocol/wire/limits.ts';
import { carrierOf, type FurnitureKind } from '../../protocol/wire/place.ts';
import { CUBE_EDGE_M, type Pad, type Slot } from '../../protocol/wire/scene.ts';
import type { PlaceTarget } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import { floorExtents, HALF_CUBE_DIAGONAL_M, halfHeightM } from '../../simulation/extents.ts';
import * as scene from '../../simulation/scene.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import { turnedBack, turnOf } from '../../simulation/turned-box.ts';
import { distanceToBase, kindOf, unknownEntity } from '../entities.ts';
import { faceYaws, rotated } from './grips.ts';
import { headingOf } from './headings.ts';
import type { HeldFor } from './held-for.ts';
import type { OnThing, Place } from './place.ts';
import { placesOnThing, surfaceOf } from './place-on-thing.ts';
import { isUpright } from './stances.ts';

/** A pose's height may differ by this much from the height at which the thing rests there. */
const HEIGHT_SLACK_M = 0.05;
/** Distance below which a cube leaves no room for another at any heading. */
const ROOM_M = CUBE_EDGE_M * Math.SQRT2;
/** Faces of pads are aligned with the world's axes. */
const PAD_YAWS = faceYaws(0);

type Places = { ok: true; places: Place[] } | { ok: false; error: RuntimeError };
const refused = (error: RuntimeError): Places => ({ ok: false, error });

/** Returns the error of a target that is invalid in any state of the robot: ids, indices and heights that the scene lacks. */
export function checkTarget(world: SimWorld, target: PlaceTarget | undefined): RuntimeError | null {
  switch (target?.kind) {
    case undefined:
      return null;
    case 'entity':
      // On a cube there is room for one more only in a slot or at a pose.
      return kindOf(world, target.entity_id) === 'object' ? null : checkPad(world, target.entity_id, ['object']);
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

/** @param others kinds that are accepted as well */
function checkPad(world: SimWorld, padId: string, others: readonly EntityKind[] = []): RuntimeError | null {
  const unknown = unknownEntity(world, padId, ['pad', ...others]);
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
  const support = supportAt(world, x, y, heldHalfM(world));
  if (Math.abs(z - support.centreZ) <= HEIGHT_SLACK_M) return null;
  const restsAt = support.centreZ.toFixed(3);
  return errors.invalidInput(
    `"input.target.pose.position[2]" must be ${restsAt}, where the centre of ${heldText(world)} on ${support.on} is; it is ${z}. ${HEIGHT_SLACK_M} m more or less will do.`,
    {
      path: 'input.target.pose.position[2]',
      allowed: { minimum: support.centreZ - HEIGHT_SLACK_M, maximum: support.centreZ + HEIGHT_SLACK_M },
    },
  );
}

/** Half the height of the held thing; of a cube when the hands are empty. */
function heldHalfM({ grasp: { hold } }: SimWorld): number {
  return hold ? halfHeightM(hold.thing, hold.thing.rotation) : CUBE_EDGE_M / 2;
}

const heldText = ({ grasp: { hold } }: SimWorld): string => (hold && !hold.thing.isCube ? hold.thing.entityId : 'a cube');

/**
 * Returns the surface that a thing put down here would rest on, and the height of its centre. Obstacles that are not pads are
 * left to `occupant`.
 * @param halfM half the height of the thing
 */
function supportAt(
  world: SimWorld,
  x: number,
  y: number,
  halfM: number,
): { on: string; onThing: OnThing | null; padId: string | null; centreZ: number } {
  const pad = scene.pads(world).find((candidate) => scene.isOverPad(candidate, x, y));
  let top: { on: string; topZ: number; onThing: OnThing | null } = {
    on: pad?.pad_id ?? 'the floor',
    topZ: pad?.position[2] ?? 0,
    onThing: null,
  };
  for (const thing of things.list(world)) {
    const { entityId, position, carried } = thing;
    if (carried) continue;
    if (!thing.isCube) {
      const surface = surfaceOf(thing, [x, y]);
      if (surface && surface.topZ > top.topZ)
        top = { on: entityId, topZ: surface.topZ, onThing: { entityId, isInside: surface.isInside } };
      continue;
    }
    const near = portable.hypot(position[0] - x, position[1] - y) < CUBE_EDGE_M / 3;
    if (near && position[2] + CUBE_EDGE_M / 2 > top.topZ)
      top = { on: entityId, topZ: position[2] + CUBE_EDGE_M / 2, onThing: null };
  }
  return { on: top.on, onThing: top.onThing, padId: pad?.pad_id ?? null, centreZ: top.topZ + halfM };
}

/** Returns the free places of a target within reach, best first; or the reason why there is none. */
export function placesFor(world: SimWorld, target: PlaceTarget | undefined, held: HeldFor): Places {
  switch (target?.kind) {
    case undefined:
      return nearestPallet(world, held);
    case 'entity': {
      const pad = scene.padOf(world, target.entity_id);
      const thing = pad ? null : things.find(world, target.entity_id);
      if (thing) return placesOnThing(world, thing, held);
      if (!pad) return refused(errors.unknownEntity(target.entity_id, []));
      const distanceM = distanceToPad(world, pad);
      if (distanceM > REACH_M) return refused(errors.notNearPallet({ [pad.pad_id]: distanceM }, liesOn(world)));
      return onPad(world, pad, held);
    }
    case 'slot':
      return inSlot(world, target.pad_id, target.index, held);
    case 'pose':
      return atPose(world, target.pose, held);
  }
}

function nearestPallet(world: SimWorld, held: HeldFor): Places {
  const pallets = scene
    .pads(world)
    .filter((pad) => pad.role === 'destination')
    .map((pad) => ({ pad, distanceM: distanceToPad(world, pad) }));
  const [nearest] = [...pallets].sort((a, b) => a.distanceM - b.distanceM);
  if (nearest && nearest.distanceM <= REACH_M) return onPad(world, nearest.pad, held);
  const distancesM = Object.fromEntries(pallets.map(({ pad, distanceM }) => [pad.pad_id, distanceM]));
  return refused(errors.notNearPallet(distancesM, liesOn(world)));
}

/** A pallet is missing here, because the sentence names it anyway. */
const CARRIER_TEXTS: Partial<Record<FurnitureKind, string>> = { table: 'on a table', belt: 'on the belt' };

/** Returns the words for what a pad lies on. */
const liesOn =
  ({ scene: { furniture } }: SimWorld) =>
  (padId: string): string => {
    const carrier = carrierOf({ furniture }, padId);
    return carrier === null ? 'on the floor' : (CARRIER_TEXTS[carrier.kind] ?? '');
  };

/**
 * Returns the distance from the base to a pad, metres: to its centre, or to the nearest slot of a long one, which is worked at
 * from beside each of them.
 */
function distanceToPad(world: SimWorld, pad: Pad): number {
  if (scene.approachOf(world, pad.pad_id)?.kind !== 'beside') return distanceToBase(world, pad.position);
  return Math.min(...scene.slots(world, pad.pad_id).map((slot) => distanceToBase(world, slot.position)));
}

function onPad(world: SimWorld, pad: Pad, held: HeldFor): Places {
  const free = scene
    .slots(world, pad.pad_id)
    .filter((slot) => occupantOf(world, pad.pad_id, slot.index, held) === null && missingSupport(world, slot) === null)
    .map((slot) => ({ slot, distanceM: distanceToBase(world, slot.position) }))
    .sort((a, b) => a.slot.position[2] - b.slot.position[2] || a.distanceM - b.distanceM);
  const near = free.filter(({ distanceM }) => distanceM <= REACH_M);
  if (near.length > 0) return { ok: true, places: near.map(({ slot }) => slotPlace(slot, held)) };
  const [nearest] = free.sort((a, b) => a.distanceM - b.distanceM);
  if (!nearest) return refused(errors.noFreeSlot(pad.pad_id));
  const [x, y] = nearest.slot.position;
  return refused(errors.freeSlotTooFar(pad.pad_id, nearest.slot.index, [x, y], nearest.distanceM));
}

/** Returns what leaves no room for the held thing in a slot, turned either way; null when there is room. */
const occupantOf = (world: SimWorld, padId: string, index: number, { floorHalfM }: HeldFor): string | null =>
  things.slotOccupant(world, padId, index, [floorHalfM, floorHalfM]);

/** Returns the place in a slot. The centre of a thing taller than a cube lies higher by the difference of their half heights. */
const slotPlace = ({ pad_id, index, position: [x, y, z] }: Slot, { halfHeightM }: HeldFor): Place => ({
  label: `slot ${index} of ${pad_id}`,
  padId: pad_id,
  slot: index,
  on: null,
  centre: [x, y, z + (halfHeightM - CUBE_EDGE_M / 2)],
  gripYaws: PAD_YAWS,
});

function inSlot(world: SimWorld, padId: string, index: number, held: HeldFor): Places {
  const slot = scene.slots(world, padId).find((candidate) => candidate.index === index);
  if (!slot) return refused(errors.unknownEntity(padId, []));
  const distanceM = distanceToBase(world, slot.position);
  if (distanceM > REACH_M) {
    const [x, y] = slot.position;
    const pad = scene.padOf(world, padId);
    // If the robot is already at the pad, the advice to go there does not help.
    if (pad && distanceToPad(world, pad) <= REACH_M) return refused(errors.slotTooFar(padId, index, [x, y], distanceM));
    return refused(errors.notNearPallet({ [padId]: distanceM }, liesOn(world)));
  }
  const occupant = occupantOf(world, padId, index, held);
  if (occupant !== null) return refused(errors.targetOccupied(`slot ${index} of ${padId}`, occupant));
  const below = missingSupport(world, slot);
  if (below !== null) return refused(errors.slotUnsupported(padId, index, below, things.slotOccupant(world, padId, below)));
  return { ok: true, places: [slotPlace(slot, held)] };
}

/** Returns the slot right under this one if no cube lies flat in it; null if the slot is on the pad or on such a cube. */
function missingSupport(world: SimWorld, slot: Slot): number | null {
  const [x, y, z] = slot.position;
  const below = scene
    .slots(world, slot.pad_id)
    .find(({ position: [bx, by, bz] }) => portable.hypot(bx - x, by - y) < 0.01 && z - bz > 0.1 && z - bz < 0.2);
  if (!below) return null;
  const carries = things
    .list(world)
    .some(
      ({ isCube, parentPadId, slotIndex, orientation }) =>
        isCube && parentPadId === slot.pad_id && slotIndex === below.index && isUpright(orientation),
    );
  return carries ? null : below.index;
}

function atPose(world: SimWorld, pose: Extract<PlaceTarget, { kind: 'pose' }>['pose'], held: HeldFor): Places {
  const [x, y] = pose.position;
  const { bounds, obstacles } = world.scene.layout;
  if (x < bounds.min[0] || x > bounds.max[0] || y < bounds.min[1] || y > bounds.max[1])
    return refused(errors.goalOutside(x, y, bounds));
  const distanceM = distanceToBase(world, [x, y]);
  if (distanceM > REACH_M) return refused(errors.placeTooFar(distanceM));
  const support = supportAt(world, x, y, held.halfHeightM);
  const bottomZ = support.centreZ - held.halfHeightM;
  // A place in a container is one among those in it.
  if (support.onThing?.isInside) return placesIn(world, support.onThing.entityId, held, [x, y]);
  const inTheWay = things.list(world).find((thing) => {
    const { position } = thing;
    if (thing.carried || position[2] + thing.halfHeightM <= bottomZ + 0.02) return false;
    const apartM = portable.hypot(position[0] - x, position[1] - y);
    return thing.isCube && held.way.isCube ? apartM < ROOM_M : !areApart(thing, [x, y], held);
  });
  if (inTheWay) return refused(errors.targetOccupied('the place', inTheWay.entityId));
  const half = held.floorHalfM;
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
    places: [
      { label: 'the place', padId: support.padId, slot: null, on: support.onThing, centre: [x, y, support.centreZ], gripYaws },
    ],
  };
}

/** Returns whether the held thing has room beside another at a point of the floor plane, in any orientation. */
function areApart(thing: things.ThingView, [x, y]: readonly [number, number], { floorHalfM, way }: HeldFor): boolean {
  const { shape, rotation } = rotated(thing);
  const [extentX, extentY] = floorExtents({ shape, isCube: thing.isCube }, rotation);
  const [dx, dy] = [Math.abs(thing.position[0] - x) - extentX, Math.abs(thing.position[1] - y) - extentY];
  const roomM = way.isCube ? HALF_CUBE_DIAGONAL_M : floorHalfM * Math.SQRT2;
  return portable.hypot(Math.max(0, dx), Math.max(0, dy)) >= roomM;
}

/** Returns the one place in a container at a point of the floor plane. */
function placesIn(world: SimWorld, containerId: string, held: HeldFor, point: readonly [number, number]): Places {
  const container = things.find(world, containerId);
  return container ? placesOnThing(world, container, held, point) : refused(errors.unknownEntity(containerId, []));
}
