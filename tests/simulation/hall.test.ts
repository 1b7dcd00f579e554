import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import { lookingAt } from '../../src/simulation/looking-at.ts';
import * as planner from '../../src/simulation/navigation/planner.ts';
import { rotate } from '../../src/simulation/quaternion.ts';
import { cameraIdsOf, slots } from '../../src/simulation/scene.ts';
import { startRow } from '../../src/simulation/start-row.ts';
import * as things from '../../src/simulation/things.ts';
import { renderState, stateHash } from '../../src/simulation/world.ts';
import { step, withWorld } from './test-world.ts';

const SEEDS = [1, 2, 3, 42, 2 ** 31];

describe('the hall', () => {
  it.each(SEEDS)('the hall of seed %i starts with six cubes at rest in the slots of the first table', (seed) => {
    withWorld({ sceneId: 'hall', seed }, (world) => {
      const reported = () => things.list(world).map(({ parentPadId, slotIndex, atRest }) => ({ parentPadId, slotIndex, atRest }));
      const expected = Array.from({ length: 6 }, (_, slotIndex) => ({ parentPadId: 'pad_1', slotIndex, atRest: true }));
      expect(reported()).toEqual(expected);
      step(world, 240);
      expect(reported()).toEqual(expected);
    });
  });

  it('the hall has other colours for other seeds, and the scene’s own for seed 1', () => {
    const colours = (seed: number) =>
      withWorld({ sceneId: 'hall', seed }, (world) =>
        things
          .list(world)
          .map(({ colour }) => colour)
          .join(),
      );
    expect(colours(1)).toBe('red,green,blue,yellow,red,green');
    expect(colours(2)).not.toBe(colours(1));
  });

  it('P12 moves the same for the same seed', () => {
    const hash = (seed: number): string =>
      withWorld({ sceneId: 'hall', seed }, (world) => {
        world.base.command.vx = 0.4;
        world.base.command.wz = 0.3;
        step(world, 360);
        return stateHash(world);
      });
    expect(hash(7)).toBe(hash(7));
    expect(hash(7)).not.toBe(hash(8));
  });

  it('the hall has a path from the spawn to both sides of each table and to each side of the marked place', () => {
    withWorld({ sceneId: 'hall' }, (world) => {
      for (const [x, y] of [
        [-2.3, 0],
        [-1.1, 0],
        [1.1, 0],
        [2.3, 0],
        [0, 0.9],
        [0, 2.3],
        [0.7, 1.6],
      ] as const)
        expect(planner.planPath(world, world.scene.spawn, { x, y }).kind, `${x}, ${y}`).toBe('path');
    });
  });

  it('the hall is drawn with all of its cameras, and without fixtures', () => {
    withWorld({ sceneId: 'hall' }, (world) => {
      const state = renderState(world);
      expect(Object.keys(state.cameras)).toEqual(cameraIdsOf(world));
      expect(state.fixtures).toEqual([]);
      expect(slots(world, 'pad_3')).toHaveLength(4);
    });
  });
});

describe('a camera that looks at a point', () => {
  it.each<[Vec3, Vec3]>([
    [
      [0, 0, 1],
      [2, 0, 1],
    ],
    [
      [-3, -2, 3],
      [1, 1, 0.5],
    ],
    [
      [2, -1, 0.2],
      [-1, 1, 2],
    ],
  ])('a camera from %j to %j has its target in the middle of its picture, the picture upright', (from, at) => {
    const [x, y, z, w] = lookingAt(from, at);
    const forward = rotate({ x, y, z, w }, { x: 0, y: 0, z: 1 });
    const length = Math.hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
    expect(forward.x).toBeCloseTo((at[0] - from[0]) / length, 9);
    expect(forward.y).toBeCloseTo((at[1] - from[1]) / length, 9);
    expect(forward.z).toBeCloseTo((at[2] - from[2]) / length, 9);
    const right = rotate({ x, y, z, w }, { x: 1, y: 0, z: 0 });
    expect(right.z).toBeCloseTo(0, 9);
    expect(rotate({ x, y, z, w }, { x: 0, y: 1, z: 0 }).z).toBeLessThan(0);
  });
});

describe('a row of no cubes', () => {
  it.each([1, 2, 3])('a row without cubes is empty for seed %i too', (seed) => {
    expect(startRow([], seed)).toEqual([]);
  });
});
