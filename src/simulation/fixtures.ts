import type RAPIER from '@dimforge/rapier3d-compat';
import type { Vec3 } from '../protocol/wire/geometry.ts';
import type { FixtureRender } from '../protocol/wire/render-state.ts';
import type { Obstacle } from '../protocol/wire/scene.ts';
import { conveyorKind, type KeptConveyor } from './conveyor.ts';
import type { CubeAtStart, FixtureKind, RestoredParts, StandingBox } from './fixture.ts';
import type { FixtureDefinition, SceneDefinition } from './scene-definition.ts';
import type { Conveyor, Fixture, SimWorld } from './sim-world.ts';
import type { Thing } from './thing.ts';

export type KeptFixture = KeptConveyor;

type AnyKind = FixtureKind<FixtureDefinition, Fixture, KeptFixture>;

const KINDS: Readonly<Record<Fixture['kind'], AnyKind>> = { conveyor: conveyorKind };

const kindOf = ({ kind }: { kind: Fixture['kind'] }): AnyKind => KINDS[kind];

/** Returns the scene's fixtures' version of a box of the layout; null for a box that belongs to none of them. */
export function standing({ fixtures }: SceneDefinition, obstacle: Obstacle): StandingBox | null {
  for (const definition of fixtures) {
    const box = kindOf(definition).standing(definition, obstacle);
    if (box) return box;
  }
  return null;
}

/** Puts the scene's fixtures into the physics world, in the scene's order. */
export const createFixtures = (rapier: typeof RAPIER, physics: RAPIER.World, scene: SceneDefinition): Fixture[] =>
  scene.fixtures.map((definition) => kindOf(definition).create(rapier, physics, scene, definition));

/** Returns the cubes that the fixtures of a scene begin with, in the order in which `fill` adds them. */
export const cubesAtStart = (scene: SceneDefinition, seed: number): CubeAtStart[] =>
  scene.fixtures.flatMap((definition) => kindOf(definition).cubesAtStart(scene, definition, seed));

/** Puts their first things into a world that has just been built. */
export function fill(world: SimWorld): void {
  for (const fixture of world.fixtures) kindOf(fixture).fill(world, fixture);
}

/** Lets every fixture decide how it moves in the coming step. @param dtS simulated seconds of that step */
export function beforeStep(world: SimWorld, dtS: number): void {
  for (const fixture of world.fixtures) kindOf(fixture).beforeStep(world, fixture, dtS);
}

/** Lets every fixture take note of the step that has passed. */
export function afterStep({ fixtures }: SimWorld): void {
  for (const fixture of fixtures) kindOf(fixture).afterStep(fixture);
}

/** Yields all of their changing numbers, for the state hash. */
export function* numbers({ fixtures }: SimWorld): Generator<number> {
  for (const fixture of fixtures) yield* kindOf(fixture).numbers(fixture);
}

/** Returns the fixture that a thing is on, or that carries it on; null when there is none. */
export const carrierOf = ({ fixtures }: SimWorld, thing: Thing): Fixture | null =>
  fixtures.find((fixture) => kindOf(fixture).carries(fixture, thing)) ?? null;

/** Returns whether this fixture can have moved a carried thing from one place to another. World frame, metres. */
export const explains = (fixture: Fixture, from: Vec3, to: Vec3, slackM: number): boolean =>
  kindOf(fixture).explains(fixture, from, to, slackM);

/** Returns whether a fixture hides a thing here. */
export const hide = ({ fixtures }: SimWorld, point: Vec3): boolean =>
  fixtures.some((fixture) => kindOf(fixture).hides(fixture, point));

/** Returns what is drawn of the fixtures, in the order of the scene. */
export const render = ({ fixtures }: SimWorld): FixtureRender[] => fixtures.map((fixture) => kindOf(fixture).render(fixture));

/** Returns what is kept of the fixtures over a reload, in the order of the scene. */
export const keep = ({ fixtures }: SimWorld): KeptFixture[] => fixtures.map((fixture) => kindOf(fixture).keep(fixture));

/** Restores the fixtures of a kept world, in the scene's order. @throws Error when they differ from the scene's, or something is missing */
export function restore(kept: readonly KeptFixture[], parts: RestoredParts): Fixture[] {
  const { fixtures } = parts.scene;
  if (kept.length !== fixtures.length) throw new Error('The fixtures are not those of the scene.');
  return fixtures.map((definition, index) => {
    const one = kept[index];
    if (one?.kind !== definition.kind) throw new Error('A fixture of the kept world is of another kind.');
    return kindOf(definition).restore(one, definition, parts);
  });
}

/** The conveyors of a world. */
export const conveyors = ({ fixtures }: SimWorld): Conveyor[] => fixtures.filter(({ kind }) => kind === 'conveyor');
