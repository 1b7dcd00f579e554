import type RAPIER from '@dimforge/rapier3d-compat';
import type { Vec3 } from '../protocol/geometry.ts';
import type { FixtureRender } from '../protocol/render-state.ts';
import type { Obstacle } from '../protocol/scene.ts';
import type { Cube } from './cubes.ts';
import type { SceneDefinition } from './scene.ts';
import type { SimWorld } from './world.ts';

/** A collider of a fixture that stands still, when its box is turned back: metres, world frame. */
export interface StandingPart {
  centre: readonly number[];
  size: readonly number[];
  collisionGroups: number;
}

/** What a fixture makes of a box of the layout: whom the box itself meets, and what stands there besides. */
export interface StandingBox {
  collisionGroups: number;
  parts: readonly StandingPart[];
}

/**
 * What a kind of fixture does. A fixture is a part of the place that moves by itself: it has a step, a part of the state hash, numbers of
 * its own and a look. Its state is plain data, and part of the world's.
 */
export interface FixtureKind<Definition, State, Kept> {
  /** What it makes of a box of the layout, or null for a box that is none of its. */
  standing(definition: Definition, obstacle: Obstacle): StandingBox | null;
  /** Puts what moves of it into the physics world. */
  create(rapier: typeof RAPIER, physics: RAPIER.World, scene: SceneDefinition, definition: Definition): State;
  /** Its first things, in a world that has just been built. */
  fill(world: SimWorld, fixture: State): void;
  beforeStep(world: SimWorld, fixture: State, dtS: number): void;
  afterStep(fixture: State): void;
  /** All of it that changes, for the state hash. */
  numbers(fixture: State): Iterable<number>;
  /** Is this thing on it, or carried on by it? */
  carries(fixture: State, cube: Cube): boolean;
  /** Can it have moved a thing that it carries from one place to another? @param slackM smaller differences do not count */
  explains(fixture: State, from: Vec3, to: Vec3, slackM: number): boolean;
  /** Is this a point where nobody can see a thing? */
  hides(fixture: State, point: Vec3): boolean;
  /** What a picture needs of it. */
  render(fixture: State): FixtureRender;
  /** As data that can be cloned by structure. */
  keep(fixture: State): Kept;
  /** As it was kept. @throws Error when something is missing */
  restore(kept: Kept, definition: Definition, parts: RestoredParts): State;
}

/** What a kept fixture is put together from. */
export interface RestoredParts {
  scene: SceneDefinition;
  /** @throws Error when there is none */
  bodyOf(handle: number): RAPIER.RigidBody;
  /** @throws Error when there is none */
  cubeOf(entityId: string): Cube;
}
