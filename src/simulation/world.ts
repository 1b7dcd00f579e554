import type RAPIER from '@dimforge/rapier3d-compat';
import type { PlanarPose } from '../protocol/geometry.ts';
import { STEP_S } from '../protocol/limits.ts';
import type { ColourMode } from '../protocol/render-state.ts';
import { DEFAULT_ROBOT_ID, type RobotId } from '../protocol/robot.ts';
import { START_SCENE_ID } from '../protocol/scene-ids.ts';
import * as base from './base.ts';
import * as benchmark from './benchmark.ts';
import * as collection from './collection.ts';
import * as cubes from './cubes.ts';
import { requireFinite, requireFiniteBody } from './finite.ts';
import * as fixtures from './fixtures.ts';
import * as grasp from './grasp.ts';
import { GRAVITY_MPS2 } from './gravity.ts';
import { stepPhysics } from './physics-step.ts';
import { createRandom, type Random } from './random.ts';
import type { Robot, RobotBody } from './robot.ts';
import { robotById } from './robots.ts';
import { type SceneDefinition, sceneById } from './scene.ts';
import { addStatics } from './statics.ts';

export { cameraViews, renderState } from './render.ts';
export { stateHash } from './state-hash.ts';

/** The initialised physics library, as its loader hands it in. */
export type Physics = typeof RAPIER;

/** An event of a step that nobody asked for. */
export type SimEvent = { type: 'dropped'; entityId: string } | { type: 'cube_entered'; entityId: string };

/** The physical world: plain data, moved on only by `stepWorld`. */
export interface SimWorld {
  readonly rapier: typeof RAPIER;
  readonly physics: RAPIER.World;
  /** Steps since the start, and the simulated time they make. */
  step: number;
  simTimeS: number;
  readonly seed: number;
  readonly scene: SceneDefinition;
  readonly random: Random;
  readonly base: base.BaseState;
  readonly robot: Robot;
  /** The robot's body: its joints and their drives. */
  readonly body: RobotBody;
  readonly cubes: cubes.CubesState;
  readonly fixtures: readonly fixtures.Fixture[];
  readonly grasp: grasp.GraspState;
  readonly benchmark: benchmark.BenchmarkState;
  readonly collection: collection.CollectionState;
  colourMode: ColourMode;
  /** Obstacle or entity that a collider stands for, by collider handle. */
  readonly colliderIds: Map<number, string>;
  /** The events of the last step; the next one clears them. */
  readonly events: SimEvent[];
}

export interface WorldOptions {
  /** Seed of every generator in the world; its lower 32 bits count. */
  seed: number;
  /** @default `START_SCENE_ID` */
  sceneId?: string;
  /** @default the humanoid */
  robotId?: RobotId;
  /** The robot's start pose. @default the scene's spawn */
  startPose?: PlanarPose;
}

/**
 * Builds a world at step 0: cubes in their slots, the robot standing. Equal options give equal worlds.
 * @param rapier the initialised physics library
 * @throws RangeError when there is no scene of that id; NotFiniteError for a start pose that is not finite
 */
export function createWorld(rapier: typeof RAPIER, { sceneId = START_SCENE_ID, ...options }: WorldOptions): SimWorld {
  const scene = sceneById(sceneId);
  if (!scene) throw new RangeError(`There is no scene '${sceneId}'.`);
  return createWorldOf(rapier, scene, options);
}

/**
 * Same as `createWorld`, for a scene that need not have an id here. Nobody may write to it afterwards.
 * @throws NotFiniteError for a start pose that is not finite
 */
export function createWorldOf(rapier: typeof RAPIER, scene: SceneDefinition, options: Omit<WorldOptions, 'sceneId'>): SimWorld {
  const start = options.startPose ?? scene.spawn;
  requireFinite('the start pose', start.x, start.y, start.yawRad);
  const physics = new rapier.World({ x: 0, y: 0, z: -GRAVITY_MPS2 });
  physics.timestep = STEP_S;
  const colliderIds = addStatics(rapier, physics, scene);
  const robot = robotById(options.robotId ?? DEFAULT_ROBOT_ID);
  const body = robot.create(start);
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
    cubes: cubes.createCubes(),
    fixtures: fixtures.createFixtures(rapier, physics, scene),
    grasp: grasp.createGrasp(rapier, physics, body),
    benchmark: benchmark.createBenchmark(scene),
    collection: collection.createCollection(scene),
    colourMode: 'natural',
    colliderIds,
    events: [],
  };
  fixtures.fill(world);
  cubes.fill(world);
  return world;
}

/**
 * Moves the world on by one fixed step of `STEP_S`.
 * @throws NotFiniteError when a number of base, body or cubes is not finite; the world is broken then, and its readable values
 * are the earlier ones
 */
export function stepWorld(world: SimWorld): void {
  world.events.length = 0;
  // 1. Fixtures: a belt decides how fast its rubber runs and under which cubes.
  fixtures.beforeStep(world, STEP_S);
  // 2. The base is pushed towards its commanded velocity.
  base.drive(world.base, world.robot, STEP_S);
  // 3. Physics moves everything.
  stepPhysics(world.physics);
  world.step += 1;
  world.simTimeS = world.step * STEP_S;
  // 4. The results of physics for base and fixtures are read back.
  base.readBack(world.base);
  fixtures.afterStep(world);
  // 5. The body follows the base: gait, arms, head.
  world.robot.step(world.body, { base: world.base.pose, velocityBody: world.base.velocity, dtS: STEP_S });
  requireFiniteBody(world);
  // 6. Cubes: poses, rest, and whether the hands still hold theirs.
  cubes.update(world);
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
