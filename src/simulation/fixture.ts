import type RAPIER from '@dimforge/rapier3d-compat';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import type { FixtureRender } from '../protocol/wire/render-state.ts';
import type { Obstacle, ThingColour } from '../protocol/wire/scene.ts';
import type { SceneDefinition } from './scene-definition.ts';
import type { SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';

/** A standing collider of a fixture, with its box turned back: metres, world frame. */
export interface StandingPart {
  centre: readonly number[];
  size: readonly number[];
  collisionGroups: number;
}

/** A cube that a fixture begins with, upright; its centre in the world, metres. */
export interface CubeAtStart {
  colour: ThingColour;
  position: Vec3;
}

/** A fixture's version of a box of the layout: the groups that the box itself meets, and further parts that stand there. */
export interface StandingBox {
  collisionGroups: number;
  parts: readonly StandingPart[];
}

/**
 * The functions of a kind of fixture. A fixture is a part of the place that moves on its own: it has a step, a part of the state
 * hash, numbers of its own and a look. Its state is plain data, and part of the world's.
 */
export interface FixtureKind<Definition, State, Kept> {
  /** Returns its version of a box of the layout, or null for a box that is not its own. */
  standing(definition: Definition, obstacle: Obstacle): StandingBox | null;
  /** Returns the cubes that `fill` adds to a world of this seed, in that order. */
  cubesAtStart(scene: SceneDefinition, definition: Definition, seed: number): CubeAtStart[];
  /** Puts its moving parts into the physics world. */
  create(rapier: typeof RAPIER, physics: RAPIER.World, scene: SceneDefinition, definition: Definition): State;
  /** Adds its first things to a world that has just been built. */
  fill(world: SimWorld, fixture: State): void;
  beforeStep(world: SimWorld, fixture: State, dtS: number): void;
  afterStep(fixture: State): void;
  /** Yields all of its changing numbers, for the state hash. */
  numbers(fixture: State): Iterable<number>;
  /** Returns whether this thing is on it, or carried on by it. */
  carries(fixture: State, thing: Thing): boolean;
  /** Returns whether it can have moved a thing that it carries from one place to another. @param slackM smaller differences do not count */
  explains(fixture: State, from: Vec3, to: Vec3, slackM: number): boolean;
  /** Returns whether a thing at this point is invisible. */
  hides(fixture: State, point: Vec3): boolean;
  /** Returns the data that a picture needs of it. */
  render(fixture: State): FixtureRender;
  /** Returns its state as data that can be cloned by structure. */
  keep(fixture: State): Kept;
  /** Returns the state as it was kept. @throws Error when something is missing */
  restore(kept: Kept, definition: Definition, parts: RestoredParts): State;
}

/** The parts from which a kept fixture is put together. */
export interface RestoredParts {
  scene: SceneDefinition;
  /** @throws Error when there is none */
  bodyOf(handle: number): RAPIER.RigidBody;
  /** @throws Error when there is none */
  thingOf(entityId: string): Thing;
}
