import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, it } from 'vitest';
import * as grasp from '../../src/simulation/grasp.ts';
import { keepWorld, restoreWorld } from '../../src/simulation/kept-world.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import * as things from '../../src/simulation/things.ts';
import { disposeWorld, stateHash, stepWorld } from '../../src/simulation/world.ts';
import { createChance } from '../oracle/chance.ts';
import { isGripped, thingTruth } from '../oracle/thing-truth.ts';
import { box, container, standing, TABLE_M } from '../simulation/things-scene.ts';
import { play, runtimeWith } from './handling.ts';
import { randomRound } from './handling-rounds.ts';
import { entity, type TestRuntime } from './test-runtime.ts';

const heldIn = (t: TestRuntime): string[] => t.read('runtime.state').robot.held_entity_ids;

describe('P7 a stop in the middle of handling a thing', () => {
  const seeds = Array.from({ length: 12 }, (_, seed) => seed);
  it.each(seeds)('after a stop, the hands report what they hold and can do the same again (seed %i)', async (seed) => {
    const round = randomRound(seed);
    const chance = createChance(5_000 + seed);
    const t = await runtimeWith(round.robotId, round.things);
    t.advance(60);
    if (t.invoke('go_to', entity(round.take)).status !== 'done') return;
    for (const [name, input] of [
      ['pick_entity', entity(round.take)],
      ['place_entity', entity('pad_1')],
    ] as const) {
      const call = t.start(name, input);
      t.advance(chance.below(300));
      const wasOver = call.replies > 0;
      expect(t.invoke('cancel', {}).status).toBe('done');
      const reply = t.finish(call);
      if (!wasOver) expect(['CANCELLED', undefined]).toContain(reply.error?.code);
      const isHeld = isGripped(t.core, thingTruth(t.core, round.take));
      expect(heldIn(t), `${name} was cancelled`).toEqual(isHeld ? [round.take] : []);
      expect(t.core.fault).toBeNull();
    }
    // Whatever the stop left, the next calls end in a named way with correct replies.
    const again = heldIn(t).length > 0 ? t.invoke('place_entity', entity('pad_1')) : t.invoke('pick_entity', entity(round.take));
    expect(again.status === 'done' || typeof again.error.code === 'string').toBe(true);
    const isHeld = isGripped(t.core, thingTruth(t.core, round.take));
    expect(heldIn(t)).toEqual(isHeld ? [round.take] : []);
  });
});

describe('P12 the same seed and the same calls', () => {
  it('the same seed and calls give the same hash at every step with things of every shape', async () => {
    const hashes = async (): Promise<string[]> => {
      const t = await runtimeWith('humanoid', randomRound(7).things);
      const found: string[] = [];
      for (const [name, input] of [
        ['go_to', entity('it')],
        ['pick_entity', entity('it')],
        ['go_to', entity('plate')],
        ['place_entity', entity('plate')],
      ] as const) {
        const call = t.start(name, input);
        while (call.replies === 0) {
          t.advance();
          found.push(stateHash(t.core.world));
        }
      }
      return found;
    };
    expect(await hashes()).toEqual(await hashes());
  });
});

describe('a kept world with a full container in the hands', () => {
  it('a kept world with a full container continues exactly as without keeping it, and the thing is still held', async () => {
    const placed = [
      standing('bin', container(0.25, 0.25, 0.15), [-1.62, 0], { onM: TABLE_M, massKg: 0.6 }),
      standing('in_it', box(0.08, 0.08, 0.08), [-1.62, 0], { onM: TABLE_M + 0.015, massKg: 0.2 }),
    ];
    const t = await runtimeWith('humanoid', placed);
    t.advance(60);
    expect(t.invoke('go_to', entity('bin')).status).toBe('done');
    expect(t.invoke('pick_entity', entity('bin')).status).toBe('done');
    const { world } = t.core;
    const restored = restoreWorld(RAPIER, structuredClone(keepWorld(world)), new Scenes());
    if (!restored.ok) throw new Error(restored.reason);
    expect(grasp.heldEntityId(restored.world)).toBe('bin');
    for (let step = 0; step < 240; step += 1) {
      stepWorld(world);
      stepWorld(restored.world);
      expect(stateHash(restored.world)).toBe(stateHash(world));
    }
    const at = things.find(restored.world, 'in_it')?.position[2] ?? 0;
    expect(at).toBeGreaterThan(0.8);
    disposeWorld(restored.world);
  });
});

describe('P2 hands that are not around the whole of a thing', () => {
  it('a wall of a container between two palms does not count as holding the container', async () => {
    const t = await runtimeWith('picker', [standing('bin', container(0.3, 0.3, 0.2, 0.03), [0, -0.6], { massKg: 1 })]);
    t.advance(60);
    expect(t.invoke('go_to', entity('bin')).status).toBe('done');
    const { world } = t.core;
    const { hands } = world.robot;
    // Across the wall on the left side, one palm inside and one outside.
    const bin = thingTruth(t.core, 'bin');
    const { yawRad } = world.base.pose;
    const [x, y, z] = bin.centre;
    const off = 0.135;
    const centre = (raiseM: number) => [x - Math.sin(yawRad) * off, y + Math.cos(yawRad) * off, z + 0.08 + raiseM] as const;
    const there = hands.moveTo(world.body, { centre: centre(0.15), yawRad, openingM: 0.1, closesToM: 0.06 });
    for (let step = 0; there && step < 240; step += 1) t.advance();
    const down = hands.moveTo(world.body, { centre: centre(0), yawRad, openingM: 0.1, closesToM: 0.06 });
    expect(there && down).toBe(true);
    t.advance(240);
    hands.setOpening(world.body, 0.02, 0.5);
    let touched = false;
    for (let step = 0; step < 120; step += 1) {
      t.advance();
      const touch = grasp.touching(world, 'bin');
      touched ||= touch.right && touch.left;
      expect(grasp.attach(world, 'bin')).toBe(false);
    }
    expect(touched).toBe(true);
  });
});

it('P3 a thing that is carried over a table pushes nothing off it', async () => {
  const tall = standing('it', box(0.12, 0.12, 0.4), [0, -0.4], { massKg: 0.8 });
  const onTable = [0, 0.3, 0.6].map((y, k) =>
    standing(`cup_${k}`, box(0.08, 0.08, 0.14), [1.62, y], { onM: TABLE_M, massKg: 0.2 }),
  );
  const end = await play({
    robotId: 'humanoid',
    things: [tall, ...onTable],
    take: 'it',
    put: { kind: 'slot', padId: 'pad_2', index: 1 },
  });
  expect([end.placed?.status, end.lies]).toEqual(['done', []]);
});
