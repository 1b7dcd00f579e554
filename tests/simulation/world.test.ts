import { describe, expect, it } from 'vitest';
import { cameraView } from '../../src/protocol/wire/capture-frame.ts';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import { sceneLayoutSchema } from '../../src/protocol/wire/scene.ts';
import * as base from '../../src/simulation/base.ts';
import * as benchmark from '../../src/simulation/benchmark.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import * as scene from '../../src/simulation/scene.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { renderState, stateHash, stepWorld } from '../../src/simulation/world.ts';
import { putCube, step, withWorld } from './test-world.ts';

/** Drives about and moves the arms, by a seed, for some steps: the same calls for the same seed. */
function* script(world: SimWorld, seed: number, steps: number): Generator<void> {
  const random = createRandom(seed);
  const spread = (limit: number) => (nextFloat(random) * 2 - 1) * limit;
  for (let i = 0; i < steps; i++) {
    if (i % 97 === 0) base.setCommand(world, { vx: spread(1.5), vy: spread(0.8), wz: spread(1.5) });
    if (i % 701 === 0) manipulator.carry(humanoidOf(world));
    if (i % 701 === 350) manipulator.stow(humanoidOf(world));
    stepWorld(world);
    yield;
  }
}

const run = (world: SimWorld, seed: number, steps: number): string[] => {
  const hashes: string[] = [];
  for (const _ of script(world, seed, steps)) if (world.step % 500 === 0) hashes.push(stateHash(world));
  return hashes;
};

describe('the world', () => {
  it('P12: gives the same hashes over 10,000 steps for the same seed and calls, and others for others', () => {
    const first = withWorld({ seed: 3 }, (world) => run(world, 8, 10_000));
    expect(first.length).toBe(20);
    expect(new Set(first).size).toBe(20);
    expect(withWorld({ seed: 3 }, (world) => run(world, 8, 10_000))).toEqual(first);
    expect(withWorld({ seed: 3 }, (world) => run(world, 9, 500))).not.toEqual(first.slice(0, 1));
    expect(withWorld({ seed: 4 }, (world) => run(world, 8, 500))).not.toEqual(first.slice(0, 1));
  }, 120_000);

  it('P12: two worlds that step alternately do not disturb each other', () => {
    const alone = withWorld({ seed: 3 }, (world) => run(world, 8, 2000));
    withWorld({ seed: 3 }, (one) =>
      withWorld({ seed: 77 }, (other) => {
        const otherScript = script(other, 5, 2000);
        const hashes: string[] = [];
        for (const _ of script(one, 8, 2000)) {
          otherScript.next();
          if (one.step % 500 === 0) hashes.push(stateHash(one));
        }
        expect(hashes).toEqual(alone);
      }),
    );
  });

  it('the world counts steps and time exactly', () => {
    withWorld({}, (world) => {
      step(world, 7200);
      expect(world.step).toBe(7200);
      expect(world.simTimeS).toBe(7200 * STEP_S);
      expect(world.physics.timestep).toBe(Math.fround(1 / 120));
    });
  });

  it('the world rejects an unknown scene', () => {
    expect(() => withWorld({ sceneId: 'moon' }, () => undefined)).toThrow("There is no scene 'moon'.");
    expect(scene.builtInScene('constructor')).toBeNull();
  });
});

describe('the warehouse', () => {
  it('the warehouse has its pads, its slots and the robot’s start where programs expect them', () => {
    withWorld({}, (world) => {
      const layout = scene.layout(world);
      expect(sceneLayoutSchema.safeParse(layout).success).toBe(true);
      const pads = Object.fromEntries(layout.pads.map((pad) => [pad.pad_id, [...pad.position.slice(0, 2), pad.color, pad.role]]));
      expect(pads).toEqual({
        pad_A: [1.4, 0, undefined, 'source'],
        pad_B: [-1.4, -5.5, 'red', 'destination'],
        pad_C: [3.2, 1.6, 'green', 'destination'],
        pad_D: [3.2, -5.5, 'blue', 'destination'],
        pad_E: [-2.8, 0.8, 'yellow', 'destination'],
      });
      expect(scene.slots(world, 'pad_A').map((slot) => slot.position)).toEqual(
        [-1.8, -1.2, -0.6, 0, 0.6, 1.2, 1.8].map((y) => [1.4, y, 0.65]),
      );
      expect(base.pose(world)).toEqual({ x: 0.405, y: -1.497, yawRad: 0 });
      expect(new Set(layout.obstacles.map((obstacle) => obstacle.obstacle_id)).size).toBe(layout.obstacles.length);
    });
  });

  it('the warehouse leaves aisles of 1.2 m between racks and all else, and 1.3 m round each pallet', () => {
    withWorld({}, (world) => {
      const { obstacles } = scene.layout(world);
      const gap = (a: (typeof obstacles)[number], b: (typeof obstacles)[number]): number => {
        const apart = (axis: 0 | 1) =>
          Math.max(0, Math.abs(a.pose.position[axis] - b.pose.position[axis]) - (a.size[axis] + b.size[axis]) / 2);
        return Math.hypot(apart(0), apart(1));
      };
      const isFurniture = (id: string) => id.startsWith('rack') || id === 'belt' || id === 'infeed';
      for (const a of obstacles) {
        for (const b of obstacles) {
          if (a === b) continue;
          if (a.obstacle_id.startsWith('pallet') && b.obstacle_id.startsWith('rack')) {
            expect([a.obstacle_id, b.obstacle_id, gap(a, b) > 1.3 - 1e-9]).toEqual([a.obstacle_id, b.obstacle_id, true]);
          }
          // Racks of one row, and racks at their wall, are adjacent; everything else is an aisle apart.
          if (a.obstacle_id.startsWith('rack') && isFurniture(b.obstacle_id) && gap(a, b) > 0.5) {
            expect([a.obstacle_id, b.obstacle_id, gap(a, b) > 1.2 - 1e-9]).toEqual([a.obstacle_id, b.obstacle_id, true]);
          }
        }
      }
    });
  });

  it('the warehouse has the whole floor, every pad and every sign inside the topdown camera at 16:9', () => {
    withWorld({}, (world) => {
      const { position, orientation } = cameraView(renderState(world), 'topdown');
      expect(orientation).toEqual([1, 0, 0, 0]);
      const { bounds, obstacles } = scene.layout(world);
      const isIn = (x: number, y: number, z: number): boolean => {
        const halfHeight = (position[2] - z) * Math.tan(Math.PI / 6);
        return Math.abs(y - position[1]) < halfHeight && Math.abs(x - position[0]) < (halfHeight * 16) / 9;
      };
      for (const x of [bounds.min[0], bounds.max[0]])
        for (const y of [bounds.min[1], bounds.max[1]]) expect([x, y, isIn(x, y, 0)]).toEqual([x, y, true]);
      for (const { obstacle_id, pose, size } of obstacles.filter((each) => each.obstacle_id.startsWith('sign')))
        expect([obstacle_id, isIn(pose.position[0], pose.position[1], size[2])]).toEqual([obstacle_id, true]);
      for (const pad of scene.pads(world)) {
        for (const signX of [-1, 1]) {
          for (const signY of [-1, 1]) {
            const depth = position[2] - pad.position[2] - 0.3;
            const halfHeight = depth * Math.tan(Math.PI / 6);
            const x = pad.position[0] + (signX * pad.size[0]) / 2 - position[0];
            const y = pad.position[1] + (signY * pad.size[1]) / 2 - position[1];
            expect(Math.abs(y)).toBeLessThan(halfHeight);
            expect(Math.abs(x)).toBeLessThan((halfHeight * 16) / 9);
          }
        }
      }
    });
  });

  it('pictures get a copy that later steps do not change', () => {
    withWorld({}, (world) => {
      const picture = renderState(world);
      const before = structuredClone(picture);
      base.setCommand(world, { vx: -1, vy: 0, wz: 1 });
      putCube(world, 'cube_0', -3, -4, 0.5);
      step(world, 120);
      expect(picture).toEqual(before);
      expect(renderState(world)).not.toEqual(before);
      expect(picture.things.length).toBe(7);
    });
  });
});

describe('the count of sorted cubes', () => {
  it('the count includes the cubes that rest on pallets at present, by colour, and those that fell on the floor', () => {
    withWorld({}, (world) => {
      // cube_4 is red, cube_1 green, cube_0 blue.
      putCube(world, 'cube_4', -1.4, -5.5, 0.2);
      putCube(world, 'cube_1', -1.1, -5.5, 0.2);
      putCube(world, 'cube_0', -3, -4, 0.1);
      step(world, 240);
      expect(benchmark.counts(world)).toEqual({
        enabled: true,
        correct_count: 1,
        wrong_count: 1,
        spoiled_count: 1,
        pallet_stack_counts: { pad_B: 1, pad_C: 0, pad_D: 0, pad_E: 0 },
        collect: true,
        collected_count: 0,
      });
      benchmark.configure(world, {});
      expect(benchmark.counts(world)).toMatchObject({ correct_count: 0, wrong_count: 0, spoiled_count: 0 });
      step(world, 240);
      expect(benchmark.counts(world)).toMatchObject({ correct_count: 0, wrong_count: 0, spoiled_count: 0 });
      benchmark.configure(world, { enabled: false });
      expect(benchmark.counts(world).enabled).toBe(false);
    });
  });

  it('arming with a seed makes the colours of new cubes repeat', () => {
    const colours = (before: number) =>
      withWorld({ seed: before }, (world) => {
        benchmark.configure(world, { seed: 42 });
        for (const index of [0, 1, 2]) {
          putCube(world, `cube_${index}`, -3 + index, -3.6, 0.1);
          step(world, 500);
        }
        return world.things.all.slice(7).map((thing) => thing.colour);
      });
    expect(colours(1).length).toBe(3);
    expect(colours(1)).toEqual(colours(2));
  });
});
