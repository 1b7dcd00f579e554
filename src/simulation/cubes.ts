import type { Quat, Vec3 } from '../protocol/geometry.ts';
import * as portable from '../protocol/portable-math.ts';
import { CUBE_EDGE_M, type CubeColour } from '../protocol/scene.ts';
import { SLOT_AIR_M } from '../protocol/scene-limits.ts';
import { CUBE_CATEGORY, CUBE_MASS_KG, CUBE_SHAPE, THING_FRICTION, type ThingShape } from '../protocol/thing-shape.ts';
import * as groups from './collision-groups.ts';
import { floorExtents, halfHeightM } from './extents.ts';
import { requireFinite, requireSimulated } from './finite.ts';
import { carriedThings } from './load.ts';
import { isOverPad, padOf, pads, slots } from './scene.ts';
import type { ThingAtStart } from './scene-definition.ts';
import type { SimWorld } from './sim-world.ts';
import { startRow } from './start-row.ts';
import type { Thing, ThingCarrier, ThingsState } from './thing.ts';
import { createThing } from './things.ts';
import { thingsAtStart } from './variation/things-at-start.ts';

/** A movable thing as other modules read it. */
export interface CubeView {
  entityId: string;
  colour: CubeColour;
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

/** A cube slower than this for `REST_STEPS` is at rest. */
const REST_LINEAR_MPS = 0.01;
const REST_ANGULAR_RPS = 0.05;
const REST_STEPS = 12;
const RESTING_LOOK_STEPS = 8;
/** A resting cube whose centre is this close to a slot is in it: across and in height. */
const IN_SLOT_M = 0.05;
const IN_SLOT_HEIGHT_M = 0.03;
const TAKES_SLOT_HEIGHT_M = 0.1;
/** How much lower than upright on the pad's surface a centre may be and still rest on the pad. */
const SINK_M = 0.01;

const _update_vector = { x: 0, y: 0, z: 0 };
const _update_rotation = { x: 0, y: 0, z: 0, w: 1 };

export const createCubes = (): ThingsState => ({ all: [], byId: new Map(), nextNumber: 0 });

/** Adds a cube under the next id, upright, its centre at `position` (world). */
export function addCube(world: SimWorld, colour: CubeColour, position: Vec3): Thing {
  const traits = { shape: CUBE_SHAPE, category: CUBE_CATEGORY, massKg: CUBE_MASS_KG, friction: THING_FRICTION };
  return createThing(world, { entityId: nextCubeId(world.cubes), colour, ...traits }, position, 0);
}

/**
 * Adds a thing of a scene.
 * @throws RangeError when its measures are none of a thing, or its id is taken
 */
function addThing(world: SimWorld, thing: ThingAtStart, colour: CubeColour): Thing {
  const { id, shape, category, massKg = CUBE_MASS_KG, friction = THING_FRICTION, position, yawRad = 0 } = thing;
  const entityId = id ?? nextCubeId(world.cubes);
  return createThing(world, { entityId, colour, shape, category, massKg, friction }, position, yawRad);
}

function nextCubeId(cubes: ThingsState): string {
  const entityId = cubeId(cubes.nextNumber);
  cubes.nextNumber += 1;
  return entityId;
}

/** Puts the scene's own things, the cubes in the colours of the seed unless they keep their own, where they are at the start. They rest there. */
export function fill(world: SimWorld): void {
  const things = thingsAtStart(world.scene, world.seed);
  const cubes = things.filter(({ category, keepsColour }) => category === CUBE_CATEGORY && keepsColour !== true);
  const colours = startRow(
    cubes.map(({ colour }) => colour),
    world.seed,
  );
  const coloured = new Map(cubes.map((thing, index) => [thing, colours[index] ?? thing.colour]));
  for (const thing of things) noteRest(world, addThing(world, thing, coloured.get(thing) ?? thing.colour));
}

/** Takes a cube out of the physics world and the list of cubes; things that lay on it or leant against it wake up. Its id is never given again. */
export function removeCube(world: SimWorld, cube: Thing): void {
  const { cubes, physics, colliderIds } = world;
  for (const { handle } of cube.colliders) colliderIds.delete(handle);
  physics.removeRigidBody(cube.rigidBody);
  cubes.all.splice(cubes.all.indexOf(cube), 1);
  cubes.byId.delete(cube.entityId);
}

const cubeId = (number: number): string => `cube_${number}`;

/** Ids as `cubeId` writes them: without leading zeros. */
const CUBE_ID = /^cube_(0|[1-9]\d*)$/;

/** Tells whether there has ever been a thing of this id in this world. */
export function hasBeenGiven({ cubes, scene }: SimWorld, entityId: string): boolean {
  if (scene.things.some(({ id }) => id === entityId)) return true;
  const number = CUBE_ID.exec(entityId)?.[1];
  return number !== undefined && Number(number) < cubes.nextNumber;
}

/** Hands a cube over to another carrier; this decides which things it touches. */
export function setCarrier(cube: Thing, carrier: ThingCarrier): void {
  if (cube.carrier === carrier) return;
  cube.carrier = carrier;
  cube.restSteps = 0;
  cube.restsOnPadId = null;
  const group = { none: groups.FREE_CUBE_GROUP, belt: groups.CONVEYED_CUBE_GROUP, hands: groups.HELD_CUBE_GROUP }[carrier];
  for (const collider of cube.colliders) collider.setCollisionGroups(group);
  cube.rigidBody.wakeUp();
}

/**
 * Copies pose and speed of every cube that is awake, and records which cubes have come to rest where.
 * @throws NotFiniteError when physics has lost one; its earlier numbers stay
 */
export function update(world: SimWorld): void {
  for (const cube of world.cubes.all) {
    const { rigidBody } = cube;
    if (rigidBody.isSleeping()) {
      cube.linearSpeedMps = 0;
      cube.angularSpeedRps = 0;
      if (cube.restSteps < REST_STEPS) noteRest(world, cube);
      continue;
    }
    requireSimulated(cube.entityId, rigidBody);
    rigidBody.linvel(_update_vector);
    const linearSpeedMps = portable.hypot(_update_vector.x, _update_vector.y, _update_vector.z);
    rigidBody.angvel(_update_vector);
    const angularSpeedRps = portable.hypot(_update_vector.x, _update_vector.y, _update_vector.z);
    requireFinite(cube.entityId, linearSpeedMps, angularSpeedRps);
    cube.linearSpeedMps = linearSpeedMps;
    cube.angularSpeedRps = angularSpeedRps;
    const still = cube.carrier === 'none' && cube.linearSpeedMps < REST_LINEAR_MPS && cube.angularSpeedRps < REST_ANGULAR_RPS;
    // A cube that rests without sleeping creeps less than a millimetre between two looks.
    if (!still || cube.restSteps < REST_STEPS || world.step % RESTING_LOOK_STEPS === 0) {
      readPose(cube);
    }
    if (!still) {
      cube.restSteps = 0;
      cube.restsOnPadId = null;
    } else if (cube.restSteps < REST_STEPS) {
      cube.restSteps += 1;
      if (cube.restSteps === REST_STEPS) noteRest(world, cube);
    } else if (world.step % RESTING_LOOK_STEPS === 0) {
      // A creeping cube never stops resting, and yet comes to lie elsewhere.
      noteRest(world, cube);
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

/** Records that a cube rests where it is, as when it was made exactly in its place. A cube that is held or carried on does not rest. */
export function noteRest(world: SimWorld, cube: Thing): void {
  if (cube.carrier !== 'none') return;
  cube.restSteps = REST_STEPS;
  cube.restsOnPadId = supportingPad(world, cube);
}

/** Returns the pad under a thing, directly or through others on it; null when its centre is beside every pad or below their surface. */
function supportingPad(world: SimWorld, cube: Thing): string | null {
  const { x, y, z } = cube.position;
  const halfM = halfHeightM(cube, cube.rotation);
  const pad = pads(world).find((candidate) => isOverPad(candidate, x, y) && z >= candidate.position[2] + halfM - SINK_M);
  return pad?.pad_id ?? null;
}

export const isAtRest = (cube: Thing): boolean => cube.restSteps >= REST_STEPS;

/** Returns all cubes of the physics world, in the order in which they came. */
export function list(world: SimWorld): CubeView[] {
  const carried = carriedThings(world.cubes);
  return world.cubes.all.map((cube) => view(world, cube, carried));
}

/** The cube of this id, or null. */
export function find(world: SimWorld, entityId: string): CubeView | null {
  const cube = world.cubes.byId.get(entityId);
  return cube ? view(world, cube, carriedThings(world.cubes)) : null;
}

function view(world: SimWorld, cube: Thing, carried: ReadonlySet<Thing>): CubeView {
  const { position: p, rotation: r } = cube;
  return {
    entityId: cube.entityId,
    colour: cube.colour,
    shape: cube.shape,
    category: cube.category,
    isCube: cube.isCube,
    massKg: cube.massKg,
    halfHeightM: halfHeightM(cube, r),
    position: [p.x, p.y, p.z],
    orientation: [r.x, r.y, r.z, r.w],
    linearSpeedMps: cube.linearSpeedMps,
    angularSpeedRps: cube.angularSpeedRps,
    held: cube.carrier === 'hands',
    carried: carried.has(cube),
    parentPadId: cube.restsOnPadId,
    slotIndex: cube.restsOnPadId === null ? null : slotIndexOf(world, cube, cube.restsOnPadId),
    atRest: isAtRest(cube),
  };
}

function slotIndexOf(world: SimWorld, cube: Thing, padId: string): number | null {
  const { position } = cube;
  // A slot's position is where the centre of a cube is; that of a higher or a lower thing is as much higher or lower.
  const higherM = halfHeightM(cube, cube.rotation) - CUBE_EDGE_M / 2;
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
  const carried = carriedThings(world.cubes);
  const occupant = world.cubes.all.find((cube) => {
    const { position: p, rotation } = cube;
    const higherM = Math.max(0, halfHeightM(cube, rotation) - CUBE_EDGE_M / 2);
    if (carried.has(cube) || Math.abs(p.z - z) >= TAKES_SLOT_HEIGHT_M + higherM) return false;
    const [extentX, extentY] = floorExtents(cube, rotation);
    return Math.abs(p.x - x) < halfX + extentX && Math.abs(p.y - y) < halfY + extentY;
  });
  return occupant?.entityId ?? null;
}
