/** Checks the state hash itself: every number of the world, perturbed alone, must change it. */
import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import { stateHash } from '../../src/simulation/world.ts';
import { createStage, type Stage } from './replay-log.ts';

type Plain = Record<string, unknown>;

/** Numbers that follow from others, or that no step reads: `path` within the world, and why it may be omitted. */
const LEFT_OUT: readonly { path: RegExp; why: string }[] = [
  { path: /^simTimeS$/, why: 'the step, in seconds' },
  { path: /^seed$/, why: 'what it did shows in the generator' },
  { path: /^body\.(palmCentres|frames|rootPose|palms|povCamera)\./, why: 'made from the joints in each step' },
  { path: /^grasp\.hold\.(thing|carrier)\b/, why: 'counted among the cubes and bodies' },
  {
    path: /^(fixtures\.\d+\.(kind|definition|hood|row|places|beltOrigin)|things\.byId)\b/,
    why: 'the row is in the cubes, the rest never changes',
  },
  {
    path: /^(robot|scene|rapier|physics|colliderIds|events)\b/,
    why: 'the kind of robot, the place, the library, handles, and what is told and forgotten',
  },
  { path: /\.(rigidBody|colliders?|runningBelt)\b/, why: 'perturbed as bodies of the physics world' },
  {
    path: /^things\.all\.\d+\.(entityId|colour)$|^colourMode$/,
    why: 'texts: ids by number and order, colours below, and what cameras draw',
  },
  {
    path: /^things\.all\.\d+\.(shape|category|isCube|massKg|friction|beyondCubeM)\b/,
    why: 'a thing keeps its make, which of cubes is one for all; tests/simulation/things.test.ts compares others',
  },
];

let stage: Stage;

/** A world in full activity: a cube in the hands, the head turned, the base walking, the belt running, one cube spoiled. */
beforeAll(async () => {
  await RAPIER.init();
  stage = createStage(RAPIER, 5);
  const call = (name: string, input: unknown) =>
    stage.call({ method: 'runtime.tools_call', payload: { name, input }, caller: 'judge' });
  call('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } });
  call('set_head', { yaw: 0.5, pitch: 0.4 });
  for (let step = 0; step < 1_200 && !stage.ends.includes('pick_entity done'); step += 1) stage.step();
  expect(stage.ends).toContain('pick_entity done');
  call('set_velocity', { vx: -0.7, wz: 0.4, duration_s: 10 });
  for (let step = 0; step < 40; step += 1) stage.step();
});

/** Every number, flag and null of plain data, by path. */
function* leaves(value: Plain, path = ''): Generator<{ path: string; holder: Plain; key: string }> {
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    if (LEFT_OUT.some((rule) => rule.path.test(here))) continue;
    if (typeof inner === 'object' && inner !== null) {
      if (!(inner instanceof Set || inner instanceof Map)) yield* leaves(inner as Plain, here);
    } else yield { path: here, holder: value, key };
  }
}

/** Texts and nulls have few meaningful values. */
const OTHER_TEXTS: Record<string, string> = {
  none: 'belt',
  belt: 'hands',
  hands: 'none',
  swing: 'grip',
  grip: 'swing',
  world: 'base',
  base: 'world',
};

function otherThan(value: unknown, key: string): unknown {
  if (key === 'restsOnPadId') return value === 'pad_B' ? 'pad_C' : 'pad_B';
  if (typeof value === 'number') return value === 0 ? 1e-9 : value * (1 + 2 ** -40) + (Number.isInteger(value) ? 1 : 0);
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? OTHER_TEXTS[value] : 0;
}

test('P12 each number of the world alone changes the state hash', () => {
  const { world } = stage.core;
  const before = stateHash(world);
  const unseen: string[] = [];
  let count = 0;
  for (const { path, holder, key } of leaves(world as unknown as Plain)) {
    const value = holder[key];
    holder[key] = otherThan(value, key);
    if (Object.is(holder[key], value)) continue;
    if (stateHash(world) === before) unseen.push(path);
    holder[key] = value;
    count += 1;
  }
  expect(unseen).toEqual([]);
  expect(count).toBeGreaterThan(350);
  expect(stateHash(world)).toBe(before);
});

test('P12 each moving body of the physics world, nudged alone, changes the state hash', () => {
  const { world } = stage.core;
  const unseen: string[] = [];
  let bodies = 0;
  world.physics.forEachRigidBody((body) => {
    if (body.isFixed()) return;
    bodies += 1;
    const nudges: Record<string, [() => { x: number; y: number; z: number; w?: number }, (value: never) => void]> = {
      translation: [() => body.translation(), (value) => body.setTranslation(value, false)],
      linvel: [() => body.linvel(), (value) => body.setLinvel(value, false)],
      angvel: [() => body.angvel(), (value) => body.setAngvel(value, false)],
    };
    for (const [what, [read, write]] of Object.entries(nudges)) {
      // A kinematic body's velocity follows from its next place.
      if (what !== 'translation' && !body.isDynamic()) continue;
      const was = { ...read() };
      const before = stateHash(world);
      write({ ...was, x: was.x + 1e-4 } as never);
      const after = stateHash(world);
      if (read().x !== was.x && after === before) unseen.push(`${what} of body ${body.handle}`);
      write(was as never);
    }
  });
  expect(unseen).toEqual([]);
  // Base, seven cubes and those that came, two palms, the belt, the hands' carrier.
  expect(bodies).toBeGreaterThan(11);
});

test('P12 the generator, the count and a colour change the state hash', () => {
  const { world } = stage.core;
  const { benchmark, random, things } = world;
  const [thing] = things.all;
  if (!thing) throw new Error('no cubes');
  const before = stateHash(world);
  for (const set of [benchmark.alreadyThere, benchmark.spoiled]) {
    set.add(thing.entityId);
    expect(stateHash(world)).not.toBe(before);
    set.delete(thing.entityId);
  }
  for (let word = 0; word < 4; word += 1) {
    random.state[word] = (random.state[word] ?? 0) ^ 1;
    expect(stateHash(world)).not.toBe(before);
    random.state[word] = (random.state[word] ?? 0) ^ 1;
  }
  const was = thing.colour;
  Object.assign(thing, { colour: was === 'red' ? 'green' : 'red' });
  expect(stateHash(world)).not.toBe(before);
  Object.assign(thing, { colour: was });
  expect(stateHash(world)).toBe(before);
});
