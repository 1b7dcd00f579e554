import type RAPIER from '@dimforge/rapier3d-compat';
import type { PlanarPose } from '../protocol/wire/geometry.ts';
import { STEP_S } from '../protocol/wire/limits.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../protocol/wire/robot.ts';
import { START_SCENE_ID } from '../protocol/wire/scene-ids.ts';
import * as base from './base.ts';
import * as benchmark from './benchmark.ts';
import * as collection from './collection.ts';
import { requireFinite, requireFiniteBody } from './finite.ts';
import * as fixtures from './fixtures.ts';
import * as grasp from './grasp.ts';
import { GRAVITY_MPS2 } from './gravity.ts';
import { stepPhysics } from './physics-step.ts';
import { createRandom } from './random.ts';
import { robotById } from './robots.ts';
import * as rolling from './rolling.ts';
import { Scenes } from './scene.ts';
import type { SceneDefinition } from './scene-definition.ts';
import type { SimWorld } from './sim-world.ts';
import { addStatics } from './statics.ts';
import { stillClockOf } from './still-clock.ts';
import * as things from './things.ts';

export { renderState } from './render.ts';
export { stateHash } from './state-hash.ts';

/**
 * The size of things for the engine, metres: its contact distances are shares of it. Things foresee contacts a fiftieth of it ahead, and
 * they may sink into each other by a two-hundredth. With the engine's own 1 m, a can that falls 12 mm beside a wall is pushed away in the air.
 */
const LENGTH_UNIT_M = 0.1;

/**
 * How stiff things are to each other. With the engine's own 30 Hz, five books in a pile sink 4 mm into each other, and a tower of ten cubes sways
 * until it falls. What stands fixed has 60 Hz: with as much, something light under something heavy is pressed through the floor.
 */
const CONTACT_FREQUENCY_HZ = 50;

export interface WorldOptions {
  /** Seed of every generator in the world; its lower 32 bits count. */
  seed: number;
  /** The scenes that `sceneId` may name. @default the built-in ones */
  scenes?: Scenes;
  /** @default `START_SCENE_ID` */
  sceneId?: string;
  /** @default the humanoid */
  robotId?: RobotId;
  /** The robot's start pose. @default the scene's spawn */
  startPose?: PlanarPose;
}

/**
 * Builds a world at step 0: things in their slots, the robot standing. Equal options give equal worlds.
 * @param rapier the initialised physics library
 * @throws RangeError when there is no scene of that id; NotFiniteError for a start pose that is not finite
 */
export function createWorld(
  rapier: typeof RAPIER,
  { scenes = new Scenes(), sceneId = START_SCENE_ID, ...options }: WorldOptions,
): SimWorld {
  const scene = scenes.byId(sceneId);
  if (!scene) throw new RangeError(`There is no scene '${sceneId}'.`);
  return createWorldOf(rapier, scene, options);
}

/**
 * Same as `createWorld`, for a scene that need not have an id here. It must not be changed afterwards.
 * @throws NotFiniteError for a start pose that is not finite
 */
export function createWorldOf(
  rapier: typeof RAPIER,
  scene: SceneDefinition,
  options: Omit<WorldOptions, 'scenes' | 'sceneId'>,
): SimWorld {
  const start = options.startPose ?? scene.spawn;
  requireFinite('the start pose', start.x, start.y, start.yawRad);
  stillClockOf(rapier);
  const physics = new rapier.World({ x: 0, y: 0, z: -GRAVITY_MPS2 });
  physics.timestep = STEP_S;
  physics.lengthUnit = LENGTH_UNIT_M;
  physics.integrationParameters.contact_natural_frequency = CONTACT_FREQUENCY_HZ;
  const colliderIds = addStatics(rapier, physics, scene);
  const robot = robotById(options.robotId ?? DEFAULT_ROBOT_ID);
  const body = robot.create(start, scene.layout.obstacles);
  const world: SimWorld = {
    rapier,
    physics,
    step: 0,
    simTimeS: 0,
    seed: options.seed,
    scene,
    random: createRandom(options.seed),
    base: base.createBase(rapier, physics, start, robot),
    robot,
    body,
    things: things.createThings(),
    fixtures: fixtures.createFixtures(rapier, physics, scene),
    grasp: grasp.createGrasp(rapier, physics, body),
    benchmark: benchmark.createBenchmark(scene),
    collection: collection.createCollection(scene),
    colourMode: 'natural',
    colliderIds,
    events: [],
  };
  fixtures.fill(world);
  things.fill(world);
  return world;
}

/**
 * Moves the world on by one fixed step of `STEP_S`.
 * @throws NotFiniteError when a number of base, body or things is not finite; the world is broken then, and its readable values
 * are the earlier ones
 */
export function stepWorld(world: SimWorld): void {
  world.events.length = 0;
  // 1. Fixtures: a belt decides how fast its rubber runs and under which cubes.
  fixtures.beforeStep(world, STEP_S);
  // 2. The base is pushed towards its commanded velocity.
  base.drive(world.base, world.robot, STEP_S);
  rolling.resistRolling(world, STEP_S);
  // 3. Physics moves everything.
  stepPhysics(world.rapier, world.physics);
  world.step += 1;
  world.simTimeS = world.step * STEP_S;
  // 4. The results of physics for base and fixtures are read back.
  base.stopAtJammed(world);
  base.readBack(world.base);
  fixtures.afterStep(world);
  // 5. The body follows the base: gait, arms, head.
  world.robot.step(world.body, {
    base: world.base.pose,
    velocityBody: world.base.velocity,
    obstacles: world.scene.layout.obstacles,
    isHolding: world.grasp.hold !== null,
    dtS: STEP_S,
  });
  requireFiniteBody(world);
  // 6. Things: poses, rest, and whether the hands still hold theirs.
  things.update(world);
  grasp.checkHold(world);
  // 7. The palms, and the thing they hold, get their place for the next physics step.
  grasp.move(world, STEP_S);
  // 8. The count of sorted cubes.
  benchmark.update(world);
}

/** Frees the physics world's memory; the world is unusable afterwards. */
export function disposeWorld(world: SimWorld): void {
  world.physics.free();
}
