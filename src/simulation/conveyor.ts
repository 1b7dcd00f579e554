import type RAPIER from '@dimforge/rapier3d-compat';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import { CUBE_EDGE_M, type Obstacle, type Slot, THING_COLOURS } from '../protocol/wire/scene.ts';
import * as groups from './collision-groups.ts';
import type { CubeAtStart, FixtureKind, StandingBox } from './fixture.ts';
import { nextInt } from './random.ts';
import { rigidBodyNumbers } from './rigid-body-numbers.ts';
import type { PalmCentre } from './robot.ts';
import type { ConveyorDefinition, SceneDefinition } from './scene-definition.ts';
import type { Conveyor, SimWorld } from './sim-world.ts';
import { startRow } from './start-row.ts';
import type { Thing } from './thing.ts';
import { addCube, noteRest, setCarrier } from './things.ts';
import { turnedBack, turnOf } from './turned-box.ts';

/** A conveyor of a kept world; its body by the handle in the kept physics. */
export interface KeptConveyor {
  kind: 'conveyor';
  bodyHandle: number;
  speedMps: number;
  travelM: number;
  /** Ids of the row. */
  row: string[];
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
const HOOD_SHELL_M = 0.02;

const _velocity_vector = { x: 0, y: 0, z: 0 };

export const conveyorKind: FixtureKind<ConveyorDefinition, Conveyor, KeptConveyor> = {
  standing,
  cubesAtStart,
  create(rapier, physics, scene, definition) {
    const { halfWidthM, minY, maxY, surfaceZ } = definition;
    const origin = originOf(definition);
    const runningBelt = physics.createRigidBody(
      rapier.RigidBodyDesc.kinematicVelocityBased().setTranslation(origin.x, origin.y, origin.z),
    );
    physics.createCollider(
      rapier.ColliderDesc.cuboid(halfWidthM, (maxY - minY) / 2, surfaceZ / 2)
        .setFriction(BELT_FRICTION)
        .setCollisionGroups(groups.BELT_MOVING_GROUP),
      runningBelt,
    );
    return conveyorAround(runningBelt, scene, definition);
  },
  fill,
  beforeStep,
  /** The rubber is a loop, so its body is put back. */
  afterStep({ speedMps, runningBelt, beltOrigin }) {
    if (speedMps > 0) runningBelt.setTranslation(beltOrigin, false);
  },
  *numbers({ speedMps, travelM, row, runningBelt }) {
    yield* [speedMps, travelM, row.length];
    yield* rigidBodyNumbers(runningBelt);
  },
  /** A cube that is being carried on rests on no pad in the meantime. */
  carries: ({ definition, row }, cube) =>
    cube.restsOnPadId === definition.padId || (cube.carrier === 'belt' && row.includes(cube)),
  /** It carries along -y, level and straight. */
  explains: (_conveyor, from, to, slackM) =>
    Math.abs(to[0] - from[0]) <= slackM && to[1] < from[1] && Math.abs(to[2] - from[2]) <= slackM,
  hides: ({ hood }, point) => hood !== null && isUnder(hood, point),
  render: ({ definition, travelM }) => ({ kind: 'conveyor', id: definition.beltObstacleId, travelM }),
  keep: ({ runningBelt, speedMps, travelM, row }) => ({
    kind: 'conveyor',
    bodyHandle: runningBelt.handle,
    speedMps,
    travelM,
    row: row.map(({ entityId }) => entityId),
  }),
  restore: ({ bodyHandle, speedMps, travelM, row }, definition, { scene, bodyOf, thingOf }) => ({
    ...conveyorAround(bodyOf(bodyHandle), scene, definition),
    speedMps,
    travelM,
    row: row.map(thingOf),
  }),
};

/** The conveyor, standing and empty, of a belt that is in the physics world. */
function conveyorAround(runningBelt: RAPIER.RigidBody, { layout }: SceneDefinition, definition: ConveyorDefinition): Conveyor {
  const places = layout.slots.filter((slot) => slot.pad_id === definition.padId);
  const hood = layout.obstacles.find(({ obstacle_id }) => obstacle_id === definition.hoodObstacleId) ?? null;
  const beltOrigin = originOf(definition);
  return { kind: 'conveyor', definition, hood, runningBelt, places, beltOrigin, speedMps: 0, travelM: 0, row: [] };
}

const originOf = ({ centreX, minY, maxY, surfaceZ }: ConveyorDefinition) => ({
  x: centreX,
  y: (minY + maxY) / 2,
  z: surfaceZ / 2,
});

/** Returns the belt's standing body, as things that do not run on it meet it, and the hood: for the robot a box, for cubes a shell that they come out of. */
function standing({ beltObstacleId, hoodObstacleId, surfaceZ }: ConveyorDefinition, obstacle: Obstacle): StandingBox | null {
  if (obstacle.obstacle_id === beltObstacleId) return { collisionGroups: groups.BELT_STILL_GROUP, parts: [] };
  if (obstacle.obstacle_id !== hoodObstacleId) return null;
  const parts = hoodShell(obstacle, surfaceZ).map((part) => ({ ...part, collisionGroups: groups.HOOD_SHELL_GROUP }));
  return { collisionGroups: groups.HOOD_BOX_GROUP, parts };
}

/** Sides, roof and back of the hood above the belt; its front (-y) is where cubes come out. */
function hoodShell(hood: Obstacle, surfaceZ: number): { centre: number[]; size: number[] }[] {
  const [x, y] = hood.pose.position;
  const [sizeX, sizeY] = hood.size;
  const top = hood.pose.position[2] + hood.size[2] / 2;
  const z = (surfaceZ + top) / 2;
  const heightM = top - surfaceZ;
  const t = HOOD_SHELL_M;
  const side = (sign: number) => ({ centre: [x + (sign * (sizeX - t)) / 2, y, z], size: [t, sizeY, heightM] });
  return [
    side(-1),
    side(1),
    { centre: [x, y, top - t / 2], size: [sizeX, sizeY, t] },
    { centre: [x, y + (sizeY - t) / 2, z], size: [sizeX, t, heightM] },
  ];
}

/** A new cube under the infeed's hood cannot be seen from anywhere. */
function isUnder(hood: Obstacle, [x, y]: Vec3): boolean {
  const { position } = hood.pose;
  const at = turnedBack(turnOf(hood), { x, y });
  return Math.abs(at.x - position[0]) < hood.size[0] / 2 && Math.abs(at.y - position[1]) < hood.size[1] / 2;
}

/** Puts the first cubes of the world's seed into their slots. */
function fill(world: SimWorld, conveyor: Conveyor): void {
  for (const { colour, position } of cubesAtStart(world.scene, conveyor.definition, world.seed)) {
    const cube = addCube(world, colour, position);
    noteRest(world, cube);
    conveyor.row.push(cube);
  }
  assignSlots(conveyor);
}

/** The first cubes of a seed, each in its slot. */
function cubesAtStart({ layout }: SceneDefinition, { startColours, padId }: ConveyorDefinition, seed: number): CubeAtStart[] {
  const places = layout.slots.filter((slot) => slot.pad_id === padId);
  return startRow(startColours, seed).flatMap((colour, index) => {
    const slot = places[index];
    return slot ? [{ colour, position: slot.position }] : [];
  });
}

function assignSlots({ row }: Conveyor): void {
  row.forEach((cube, index) => {
    cube.rowSlot = index;
  });
}

/** Decides before the physics step which cubes have left the row, which enter, and how fast the rubber runs. */
function beforeStep(world: SimWorld, conveyor: Conveyor, dtS: number): void {
  const { places, definition } = conveyor;
  if (conveyor.row.some((cube) => hasLeftRow(definition, cube))) {
    for (const cube of conveyor.row) if (hasLeftRow(definition, cube)) leaveRow(cube);
    conveyor.row.splice(0, conveyor.row.length, ...conveyor.row.filter((cube) => cube.rowSlot !== null));
    assignSlots(conveyor);
  }
  for (const cube of world.things.all) {
    const restsOnBelt = cube.restsOnPadId === definition.padId && !hasLeftRow(definition, cube);
    if (cube.rowSlot === null && restsOnBelt) joinRow(conveyor, cube);
  }
  const handOver = isHandOver(world, definition);
  if (conveyor.row.length < places.length && !handOver) feed(world, conveyor);

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

function setSpeed(conveyor: Conveyor, speedMps: number): void {
  if (conveyor.speedMps === speedMps) return;
  conveyor.speedMps = speedMps;
  _velocity_vector.y = -speedMps;
  conveyor.runningBelt.setLinvel(_velocity_vector, true);
}

const slotY = (places: readonly Slot[], { rowSlot, position }: Thing): number => places[rowSlot ?? -1]?.position[1] ?? position.y;

function hasLeftRow({ centreX, halfWidthM, minY, maxY, surfaceZ }: ConveyorDefinition, { position }: Thing): boolean {
  const heightM = position.z - surfaceZ - CUBE_EDGE_M / 2;
  return Math.abs(position.x - centreX) > halfWidthM || position.y < minY || position.y > maxY || Math.abs(heightM) > LIFTED_M;
}

function leaveRow(cube: Thing): void {
  cube.rowSlot = null;
  if (cube.carrier === 'belt') setCarrier(cube, 'none');
}

/** Adds a cube that was put on the belt to the row, between its neighbours. */
function joinRow(conveyor: Conveyor, cube: Thing): void {
  conveyor.row.push(cube);
  conveyor.row.sort((one, other) => one.position.y - other.position.y);
  assignSlots(conveyor);
}

/** Returns whether a palm is where it could meet things that move on the belt. */
function isHandOver({ body: { palmCentres } }: SimWorld, definition: ConveyorDefinition): boolean {
  return isOver(palmCentres.right, definition) || isOver(palmCentres.left, definition);
}

function isOver({ x, y, z }: PalmCentre, { centreX, minY, maxY, surfaceZ }: ConveyorDefinition): boolean {
  return Math.abs(x - centreX) < HAND_BESIDE_M && y > minY && y < maxY && z < surfaceZ + HAND_HEIGHT_M;
}

/** A new cube under the hood, when there is room: a fresh id, a colour by chance. */
function feed(world: SimWorld, conveyor: Conveyor): void {
  const { infeedY, centreX, surfaceZ } = conveyor.definition;
  const last = conveyor.row.at(-1);
  if (last && last.position.y > infeedY - INFEED_CLEAR_M) return;
  const colour = THING_COLOURS[nextInt(world.random, THING_COLOURS.length)] ?? 'red';
  const cube = addCube(world, colour, [centreX, infeedY, surfaceZ + CUBE_EDGE_M / 2]);
  conveyor.row.push(cube);
  assignSlots(conveyor);
  world.events.push({ type: 'cube_entered', entityId: cube.entityId });
}
