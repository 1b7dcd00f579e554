import type RAPIER from '@dimforge/rapier3d-compat';
import { CUBE_EDGE_M } from '../protocol/robot-model.ts';
import { CUBE_COLOURS, type Slot } from '../protocol/scene.ts';
import * as groups from './collision-groups.ts';
import { addCube, type Cube, noteRest, setCarrier } from './cubes.ts';
import { nextInt } from './random.ts';
import type { ConveyorDefinition, SceneDefinition } from './scene.ts';
import { startRow } from './start-row.ts';
import type { SimWorld } from './world.ts';

/**
 * The belt keeps its row closed up: when a cube is taken, those behind it move up and a new one comes from under the hood.
 * It is an accumulating conveyor: rubber runs under the cubes that have a place to go to, and stands under the others. In
 * physics that is a still belt and a running one in the same place; a cube touches the one or the other.
 * It waits while a hand is over it.
 */
export interface ConveyorState {
  readonly runningBelt: RAPIER.RigidBody;
  /** The slots of the source pad, the one at the near end first. */
  readonly places: readonly Slot[];
  readonly beltOrigin: { x: number; y: number; z: number };
  speedMps: number;
  /** Metres the rubber has run since the start. */
  travelM: number;
  /** Cubes of the row, the one at slot 0 first. */
  readonly row: Cube[];
}

const TOP_SPEED_MPS = 0.45;
const ACCELERATION_MPS2 = 1.2;
/** Braking starts from this, a little less than the belt can do, so that cubes stop in their slots. */
const BRAKING_MPS2 = 0.9;
/** Near the slot the speed falls in proportion to the way left, per second: no overshoot within a step. */
const CREEP_PER_S = 20;
/** A cube closer than this to its slot is there. */
const AT_SLOT_M = 0.0005;
/** A standing cube that is farther than this from its slot is moved up. */
const OFF_SLOT_M = 0.004;
/** A new cube needs this much free belt before the infeed's middle. */
const INFEED_CLEAR_M = 0.45;
/** A hand this close to the row's middle line, and lower than a cube held in it could pass over the row, stops the belt. */
const HAND_BESIDE_M = CUBE_EDGE_M / 2 + 0.03;
const HAND_HEIGHT_M = 0.3;
/** A cube this far above its resting height has left the row. */
const LIFTED_M = 0.05;
const BELT_FRICTION = 0.9;

const _velocity_vector = { x: 0, y: 0, z: 0 };

/** Puts the running belt into the physics world. */
export function createConveyor(rapier: typeof RAPIER, physics: RAPIER.World, scene: SceneDefinition): ConveyorState {
  const { halfWidthM, minY, maxY, surfaceZ } = scene.conveyor;
  const beltOrigin = originOf(scene);
  const runningBelt = physics.createRigidBody(
    rapier.RigidBodyDesc.kinematicVelocityBased().setTranslation(beltOrigin.x, beltOrigin.y, beltOrigin.z),
  );
  physics.createCollider(
    rapier.ColliderDesc.cuboid(halfWidthM, (maxY - minY) / 2, surfaceZ / 2)
      .setFriction(BELT_FRICTION)
      .setCollisionGroups(groups.BELT_MOVING_GROUP),
    runningBelt,
  );
  return createConveyorAround(runningBelt, scene);
}

/** The conveyor, standing and empty, of a belt that is in the physics world. */
export function createConveyorAround(runningBelt: RAPIER.RigidBody, scene: SceneDefinition): ConveyorState {
  const places = scene.layout.slots.filter((slot) => slot.pad_id === scene.conveyor.padId);
  return { runningBelt, places, beltOrigin: originOf(scene), speedMps: 0, travelM: 0, row: [] };
}

const originOf = ({ conveyor: { centreX, minY, maxY, surfaceZ } }: SceneDefinition) => ({
  x: centreX,
  y: (minY + maxY) / 2,
  z: surfaceZ / 2,
});

/** Puts the first cubes of the world's seed into their slots. */
export function fillRow(world: SimWorld): void {
  startRow(world.scene.startColours, world.seed).forEach((colour, index) => {
    const slot = world.conveyor.places[index];
    if (!slot) return;
    const cube = addCube(world, colour, slot.position);
    noteRest(world, cube);
    world.conveyor.row.push(cube);
  });
  assignSlots(world);
}

function assignSlots({ conveyor }: SimWorld): void {
  conveyor.row.forEach((cube, index) => {
    cube.rowSlot = index;
  });
}

/** Before the physics step: who has left the row, who comes, and how fast the rubber runs. */
export function beforeStep(world: SimWorld, dtS: number): void {
  const { conveyor } = world;
  const { places } = conveyor;
  if (conveyor.row.some((cube) => hasLeftRow(world, cube))) {
    for (const cube of conveyor.row) if (hasLeftRow(world, cube)) leaveRow(cube);
    conveyor.row.splice(0, conveyor.row.length, ...conveyor.row.filter((cube) => cube.rowSlot !== null));
    assignSlots(world);
  }
  for (const cube of world.cubes.all) {
    const restsOnBelt = cube.restsOnPadId === world.scene.conveyor.padId && !hasLeftRow(world, cube);
    if (cube.rowSlot === null && restsOnBelt) joinRow(world, cube);
  }
  const handOver = isHandOver(world);
  if (conveyor.row.length < places.length && !handOver) feed(world);

  let leastRemainingM = Number.POSITIVE_INFINITY;
  for (const cube of conveyor.row) {
    const remainingM = cube.position.y - slotY(places, cube);
    if (cube.carrier === 'none' && remainingM > OFF_SLOT_M && !handOver) setCarrier(cube, 'belt');
    else if (cube.carrier === 'belt' && remainingM < AT_SLOT_M) setCarrier(cube, 'none');
    if (cube.carrier === 'belt') leastRemainingM = Math.min(leastRemainingM, remainingM);
  }
  if (leastRemainingM === Number.POSITIVE_INFINITY) leastRemainingM = 0;
  const wantedMps = handOver
    ? 0
    : Math.min(TOP_SPEED_MPS, Math.sqrt(2 * BRAKING_MPS2 * leastRemainingM), CREEP_PER_S * leastRemainingM);
  setSpeed(conveyor, nextSpeed(conveyor.speedMps, wantedMps, dtS));
  if (conveyor.speedMps === 0 && handOver) {
    for (const cube of conveyor.row) if (cube.carrier === 'belt') setCarrier(cube, 'none');
  }
  conveyor.travelM += conveyor.speedMps * dtS;
}

const nextSpeed = (speedMps: number, wantedMps: number, dtS: number): number => {
  const changeMps = ACCELERATION_MPS2 * dtS;
  return Math.min(Math.max(wantedMps, speedMps - 2 * changeMps), speedMps + changeMps);
};

function setSpeed(conveyor: ConveyorState, speedMps: number): void {
  if (conveyor.speedMps === speedMps) return;
  conveyor.speedMps = speedMps;
  _velocity_vector.y = -speedMps;
  conveyor.runningBelt.setLinvel(_velocity_vector, true);
}

/** After the physics step: the rubber is a loop, so its body is where it was. */
export function afterStep({ conveyor }: SimWorld): void {
  if (conveyor.speedMps > 0) conveyor.runningBelt.setTranslation(conveyor.beltOrigin, false);
}

const slotY = (places: readonly Slot[], { rowSlot, position }: Cube): number => places[rowSlot ?? -1]?.position[1] ?? position.y;

function hasLeftRow({ scene }: SimWorld, { position }: Cube): boolean {
  const { centreX, halfWidthM, minY, maxY, surfaceZ } = scene.conveyor;
  const heightM = position.z - surfaceZ - CUBE_EDGE_M / 2;
  return Math.abs(position.x - centreX) > halfWidthM || position.y < minY || position.y > maxY || Math.abs(heightM) > LIFTED_M;
}

function leaveRow(cube: Cube): void {
  cube.rowSlot = null;
  if (cube.carrier === 'belt') setCarrier(cube, 'none');
}

/** A cube that somebody put down on the belt takes its place between its neighbours. */
function joinRow(world: SimWorld, cube: Cube): void {
  world.conveyor.row.push(cube);
  world.conveyor.row.sort((one, other) => one.position.y - other.position.y);
  assignSlots(world);
}

/** Is a palm where it could meet what moves on the belt? */
function isHandOver({ body: { palmCentres }, scene: { conveyor } }: SimWorld): boolean {
  const [rightX = 0, rightY = 0, rightZ = 0, leftX = 0, leftY = 0, leftZ = 0] = palmCentres;
  return isOver(rightX, rightY, rightZ, conveyor) || isOver(leftX, leftY, leftZ, conveyor);
}

function isOver(x: number, y: number, z: number, { centreX, minY, maxY, surfaceZ }: ConveyorDefinition): boolean {
  return Math.abs(x - centreX) < HAND_BESIDE_M && y > minY && y < maxY && z < surfaceZ + HAND_HEIGHT_M;
}

/** A new cube under the hood, when there is room: a fresh id, a colour by chance. */
function feed(world: SimWorld): void {
  const { infeedY, centreX, surfaceZ } = world.scene.conveyor;
  const last = world.conveyor.row.at(-1);
  if (last && last.position.y > infeedY - INFEED_CLEAR_M) return;
  const colour = CUBE_COLOURS[nextInt(world.random, CUBE_COLOURS.length)] ?? 'red';
  const cube = addCube(world, colour, [centreX, infeedY, surfaceZ + CUBE_EDGE_M / 2]);
  world.conveyor.row.push(cube);
  assignSlots(world);
  world.events.push({ type: 'cube_entered', entityId: cube.entityId });
}
