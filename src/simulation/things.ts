import * as portable from '../common/portable-math.ts';
import { SLOT_AIR_M } from '../protocol/files/scene-limits.ts';
import type { Quat, Vec3 } from '../protocol/wire/geometry.ts';
import { STEP_S } from '../protocol/wire/limits.ts';
import { CUBE_EDGE_M, type ThingColour } from '../protocol/wire/scene.ts';
import { CUBE_CATEGORY, CUBE_MASS_KG, CUBE_SHAPE, THING_FRICTION, type ThingShape } from '../protocol/wire/thing-shape.ts';
import * as groups from './collision-groups.ts';
import { floorExtents, halfHeightM } from './extents.ts';
import { requireFinite, requireSimulated } from './finite.ts';
import { carriedThings } from './load.ts';
import { isOverPad, padOf, pads, slots } from './scene.ts';
import type { SceneDefinition, ThingAtStart } from './scene-definition.ts';
import type { SimWorld } from './sim-world.ts';
import { startRow } from './start-row.ts';
import type { Thing, ThingCarrier, ThingsState } from './thing.ts';
import { createThing } from './thing-bodies.ts';
import type { Looks } from './variation/lay-out.ts';
import { thingsAtStart } from './variation/things-at-start.ts';

/** A movable thing as other modules read it. */
export interface ThingView {
  entityId: string;
  colour: ThingColour;
  shape: ThingShape;
  category: string;
  /** Whether it is one of the cubes, and so of their shape. */
  isCube: boolean;
  massKg: number;
  /** From its centre to its highest and to its lowest point as it lies, metres. */
  halfHeightM: number;
  position: Vec3;
  orientation: Quat;
  linearSpeedMps: number;
  angularSpeedRps: number;
  held: boolean;
  /** Whether the hands carry it: it is held, or lies in what is held. */
  carried: boolean;
  /** The pad it rests on; null on the floor, in the hands or in motion. */
  parentPadId: string | null;
  /** The slot of that pad it rests in; null between slots. */
  slotIndex: number | null;
  atRest: boolean;
}

/** A thing slower than this for `REST_STEPS` is at rest. */
const REST_LINEAR_MPS = 0.01;
const REST_ANGULAR_RPS = 0.05;
const REST_STEPS = 12;
const RESTING_LOOK_STEPS = 8;
/** A resting thing whose centre is this close to a slot is in it: across and in height. */
const IN_SLOT_M = 0.05;
const IN_SLOT_HEIGHT_M = 0.03;
const TAKES_SLOT_HEIGHT_M = 0.1;
/** How much lower than upright on the pad's surface a centre may be and still rest on the pad. */
const SINK_M = 0.01;

/**
 * A fast thing ends a step no deeper than this inside of what it meets: physics foresees the contacts of the rest of its way. One that falls from the hands moves
 * 34 mm in a step. It sees no more, because it would swerve from a wall beside its way.
 */
const MOST_SUNK_M = 0.008;

const _update_vector = { x: 0, y: 0, z: 0 };
const _update_rotation = { x: 0, y: 0, z: 0, w: 1 };

/** Returns a world without things. */
export const createThings = (): ThingsState => ({ all: [], byId: new Map(), nextNumber: 0 });

/** Adds a cube under the next id, upright, its centre at `position` (world). */
export function addCube(world: SimWorld, colour: ThingColour, position: Vec3): Thing {
  const traits = { shape: CUBE_SHAPE, category: CUBE_CATEGORY, massKg: CUBE_MASS_KG, friction: THING_FRICTION };
  return createThing(world, { entityId: nextCubeId(world.things), colour, ...traits }, position, 0);
}

/**
 * Adds a thing of a scene.
 * @throws RangeError when its measures are invalid, or its id is taken
 */
function addThing(world: SimWorld, thing: ThingAtStart, colour: ThingColour): Thing {
  const { id, shape, category, massKg = CUBE_MASS_KG, friction = THING_FRICTION, position, yawRad = 0 } = thing;
  const entityId = id ?? nextCubeId(world.things);
  return createThing(world, { entityId, colour, shape, category, massKg, friction }, position, yawRad);
}

function nextCubeId(things: ThingsState): string {
  const entityId = cubeId(things.nextNumber);
  things.nextNumber += 1;
  return entityId;
}

/** Puts the scene's own things, the cubes in the colours of the seed unless they keep their own, where they are at the start. They rest there. */
export function fill(world: SimWorld): void {
  for (const thing of colouredThings(world.scene, world.seed)) noteRest(world, addThing(world, thing, thing.colour));
}

/**
 * Returns the scene's own things as a world of this seed begins with them, the cubes in the colours of the seed unless they keep their own.
 * @param looks as for `drawLayout`
 * @throws UnmetVariationError as `thingsAtStart`
 */
export function colouredThings(scene: SceneDefinition, seed: number, looks?: Looks): ThingAtStart[] {
  const things = thingsAtStart(scene, seed, looks);
  const cubes = things.filter(({ category, keepsColour }) => category === CUBE_CATEGORY && keepsColour !== true);
  const colours = startRow(
    cubes.map(({ colour }) => colour),
    seed,
  );
  const coloured = new Map(cubes.map((thing, index) => [thing, colours[index] ?? thing.colour]));
  return things.map((thing) => ({ ...thing, colour: coloured.get(thing) ?? thing.colour }));
}

/** Takes a thing out of the physics world and the list of things; things that lay on it or leant against it wake up. Its id is never given again. */
export function removeThing(world: SimWorld, thing: Thing): void {
  const { things, physics, colliderIds } = world;
  for (const { handle } of thing.colliders) colliderIds.delete(handle);
  physics.removeRigidBody(thing.rigidBody);
  things.all.splice(things.all.indexOf(thing), 1);
  things.byId.delete(thing.entityId);
}

export const cubeId = (number: number): string => `cube_${number}`;

/** Ids as `cubeId` writes them: without leading zeros. */
const CUBE_ID = /^cube_(0|[1-9]\d*)$/;

/** Returns whether there has ever been a thing of this id in this world. */
export function hasBeenGiven({ things, scene }: SimWorld, entityId: string): boolean {
  if (scene.things.some(({ id }) => id === entityId)) return true;
  const number = CUBE_ID.exec(entityId)?.[1];
  return number !== undefined && Number(number) < things.nextNumber;
}

/** Hands a thing over to another carrier; this decides which things it touches. */
export function setCarrier(thing: Thing, carrier: ThingCarrier): void {
  if (thing.carrier === carrier) return;
  thing.carrier = carrier;
  thing.restSteps = 0;
  thing.restsOnPadId = null;
  const group = { none: groups.FREE_THING_GROUP, belt: groups.CONVEYED_THING_GROUP, hands: groups.HELD_THING_GROUP }[carrier];
  for (const collider of thing.colliders) collider.setCollisionGroups(group);
  thing.rigidBody.wakeUp();
}

/**
 * Copies pose and speed of every thing that is awake, and records which things have come to rest where.
 * @throws NotFiniteError when physics has lost one; its earlier numbers stay
 */
export function update(world: SimWorld): void {
  for (const thing of world.things.all) {
    const { rigidBody } = thing;
    if (rigidBody.isSleeping()) {
      thing.linearSpeedMps = 0;
      thing.angularSpeedRps = 0;
      if (thing.restSteps < REST_STEPS) noteRest(world, thing);
      continue;
    }
    requireSimulated(thing.entityId, rigidBody);
    rigidBody.linvel(_update_vector);
    const linearSpeedMps = portable.hypot(_update_vector.x, _update_vector.y, _update_vector.z);
    rigidBody.angvel(_update_vector);
    const angularSpeedRps = portable.hypot(_update_vector.x, _update_vector.y, _update_vector.z);
    requireFinite(thing.entityId, linearSpeedMps, angularSpeedRps);
    const foreseenM = linearSpeedMps * STEP_S - MOST_SUNK_M;
    if (foreseenM > 0 || thing.linearSpeedMps * STEP_S > MOST_SUNK_M) rigidBody.setSoftCcdPrediction(Math.max(0, foreseenM));
    thing.linearSpeedMps = linearSpeedMps;
    thing.angularSpeedRps = angularSpeedRps;
    const still = thing.carrier === 'none' && thing.linearSpeedMps < REST_LINEAR_MPS && thing.angularSpeedRps < REST_ANGULAR_RPS;
    // A thing that rests without sleeping creeps less than a millimetre between two looks.
    if (!still || thing.restSteps < REST_STEPS || world.step % RESTING_LOOK_STEPS === 0) {
      readPose(thing);
    }
    if (!still) {
      thing.restSteps = 0;
      thing.restsOnPadId = null;
    } else if (thing.restSteps < REST_STEPS) {
      thing.restSteps += 1;
      if (thing.restSteps === REST_STEPS) noteRest(world, thing);
    } else if (world.step % RESTING_LOOK_STEPS === 0) {
      // A creeping thing never stops resting, and yet comes to lie elsewhere.
      noteRest(world, thing);
    }
  }
}

function readPose({ entityId, rigidBody, position, rotation }: Thing): void {
  rigidBody.translation(_update_vector);
  rigidBody.rotation(_update_rotation);
  const { x, y, z, w } = _update_rotation;
  requireFinite(entityId, _update_vector.x, _update_vector.y, _update_vector.z);
  requireFinite(entityId, x, y, z, w);
  position.x = _update_vector.x;
  position.y = _update_vector.y;
  position.z = _update_vector.z;
  rotation.x = x;
  rotation.y = y;
  rotation.z = z;
  rotation.w = w;
}

/** Records that a thing rests where it is, as when it was made exactly in its place. A thing that is held or carried on does not rest. */
export function noteRest(world: SimWorld, thing: Thing): void {
  if (thing.carrier !== 'none') return;
  thing.restSteps = REST_STEPS;
  thing.restsOnPadId = supportingPad(world, thing);
}

/** Returns the pad under a thing, directly or through others on it; null when its centre is beside every pad or below their surface. */
export function supportingPad(
  world: Pick<SimWorld, 'scene'>,
  thing: Pick<Thing, 'shape' | 'isCube' | 'position' | 'rotation'>,
): string | null {
  const { x, y, z } = thing.position;
  const halfM = halfHeightM(thing, thing.rotation);
  const pad = pads(world).find((candidate) => isOverPad(candidate, x, y) && z >= candidate.position[2] + halfM - SINK_M);
  return pad?.pad_id ?? null;
}

/** Returns whether a thing has not moved for `REST_STEPS`. */
export const isAtRest = (thing: Thing): boolean => thing.restSteps >= REST_STEPS;

/** Returns all things of the physics world, in the order in which they came. */
export function list(world: SimWorld): ThingView[] {
  const carried = carriedThings(world.things);
  return world.things.all.map((thing) => view(world, thing, carried));
}

/** The thing of this id, or null. */
export function find(world: SimWorld, entityId: string): ThingView | null {
  const thing = world.things.byId.get(entityId);
  return thing ? view(world, thing, carriedThings(world.things)) : null;
}

function view(world: SimWorld, thing: Thing, carried: ReadonlySet<Thing>): ThingView {
  const { position: p, rotation: r } = thing;
  return {
    entityId: thing.entityId,
    colour: thing.colour,
    shape: thing.shape,
    category: thing.category,
    isCube: thing.isCube,
    massKg: thing.massKg,
    halfHeightM: halfHeightM(thing, r),
    position: [p.x, p.y, p.z],
    orientation: [r.x, r.y, r.z, r.w],
    linearSpeedMps: thing.linearSpeedMps,
    angularSpeedRps: thing.angularSpeedRps,
    held: thing.carrier === 'hands',
    carried: carried.has(thing),
    parentPadId: thing.restsOnPadId,
    slotIndex: thing.restsOnPadId === null ? null : slotIndexOf(world, thing, thing.restsOnPadId),
    atRest: isAtRest(thing),
  };
}

function slotIndexOf(world: SimWorld, thing: Thing, padId: string): number | null {
  const { position } = thing;
  // A slot's position is where the centre of a cube is; that of a higher or a lower thing is as much higher or lower.
  const higherM = halfHeightM(thing, thing.rotation) - CUBE_EDGE_M / 2;
  const slot = slots(world, padId).find(
    ({ position: [x, y, z] }) =>
      portable.hypot(position.x - x, position.y - y) < IN_SLOT_M && Math.abs(position.z - z - higherM) < IN_SLOT_HEIGHT_M,
  );
  return slot?.index ?? null;
}

/**
 * Returns the thing, apart from what is carried, that leaves no room for another in this slot; null when the slot is free or unknown.
 * @param room half the width and depth of what is to come there, along the world's axes. @default those of a cube
 */
export function slotOccupant(
  world: SimWorld,
  padId: string,
  index: number,
  room: readonly [number, number] = [CUBE_EDGE_M / 2, CUBE_EDGE_M / 2],
): string | null {
  const slot = padOf(world, padId) && slots(world, padId).find((candidate) => candidate.index === index);
  if (!slot) return null;
  const [x, y, z] = slot.position;
  const [halfX, halfY] = [room[0] + SLOT_AIR_M, room[1] + SLOT_AIR_M];
  const carried = carriedThings(world.things);
  const occupant = world.things.all.find((thing) => {
    const { position: p, rotation } = thing;
    const higherM = Math.max(0, halfHeightM(thing, rotation) - CUBE_EDGE_M / 2);
    if (carried.has(thing) || Math.abs(p.z - z) >= TAKES_SLOT_HEIGHT_M + higherM) return false;
    const [extentX, extentY] = floorExtents(thing, rotation);
    return Math.abs(p.x - x) < halfX + extentX && Math.abs(p.y - y) < halfY + extentY;
  });
  return occupant?.entityId ?? null;
}
