import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, it } from 'vitest';
import { CUBE_CATEGORY, sizeOf, type ThingShape, thingProblem } from '../../src/protocol/wire/thing-shape.ts';
import { floorExtents, halfExtents, lieOf } from '../../src/simulation/extents.ts';
import { keepWorld } from '../../src/simulation/kept-world.ts';
import { floorMap } from '../../src/simulation/navigation/footprints.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import * as things from '../../src/simulation/things.ts';
import { createWorldOf, stateHash } from '../../src/simulation/world.ts';
import { step, truePosition, withWorldOf } from './test-world.ts';
import { box, container, cubeAt, cylinder, hallWith, standing, TABLE_M } from './things-scene.ts';

const thing = (world: SimWorld, id: string) => {
  const found = world.things.byId.get(id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

/** The lowest and highest points of a shape in physics, from its corners or rims and the body's own pose. */
function trueSpan(world: SimWorld, id: string): { bottom: number; top: number } {
  const { rigidBody, shape } = thing(world, id);
  const { x, y, z, w } = rigidBody.rotation();
  const up = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  const [a = 0, b = 0, c = 0] = sizeOf(shape);
  const half =
    shape.kind === 'cylinder'
      ? (Math.abs(up[2] ?? 0) * c) / 2 + (Math.hypot(up[0] ?? 0, up[1] ?? 0) * a) / 2
      : (Math.abs(up[0] ?? 0) * a + Math.abs(up[1] ?? 0) * b + Math.abs(up[2] ?? 0) * c) / 2;
  const middle = rigidBody.translation().z;
  return { bottom: middle - half, top: middle + half };
}

const SHAPES: readonly [string, ThingShape, number][] = [
  ['a small box', box(0.04, 0.04, 0.04), 0.05],
  ['a flat box', box(0.3, 0.2, 0.04), 0.6],
  ['a tall box', box(0.08, 0.08, 0.4), 0.5],
  ['a can', cylinder(0.035, 0.12), 0.35],
  ['a drum', cylinder(0.15, 0.3), 2.5],
  ['a tray', container(0.4, 0.3, 0.08), 0.8],
  ['a bin', container(0.3, 0.3, 0.3, 0.02), 1.5],
];

describe('things of other shapes than cubes', () => {
  it.each(SHAPES)('%s rests on the table and on the floor for a minute, with its declared mass', (_name, shape, massKg) => {
    const placed = [
      standing('high', shape, [-1.7, 0], { onM: TABLE_M, massKg, yawRad: 0.4 }),
      standing('low', shape, [0, 0], { massKg }),
    ];
    withWorldOf(hallWith(placed), (world) => {
      step(world, 60 * 120);
      for (const [id, onM, padId] of [
        ['high', TABLE_M, 'pad_1'],
        ['low', 0, null],
      ] as const) {
        const { bottom } = trueSpan(world, id);
        expect(Math.abs(bottom - onM), `${id} stands on what is below it`).toBeLessThan(0.003);
        expect(thing(world, id).rigidBody.mass()).toBeCloseTo(massKg, 5);
        expect(things.find(world, id)).toMatchObject({ atRest: true, parentPadId: padId, isCube: false });
        const start = world.scene.things.find((one) => one.id === id)?.position ?? [];
        const at = truePosition(world, id);
        expect(Math.hypot(at.x - (start[0] ?? 0), at.y - (start[1] ?? 0))).toBeLessThan(0.002);
      }
    });
  });

  it.each([
    ['a can', cylinder(0.04, 0.1)],
    ['a packet', box(0.08, 0.08, 0.1)],
  ])('%s that falls a centimetre beside a wall falls straight down', (_name, shape) => {
    const bin = container(0.42, 0.42, 0.15);
    const besideWallM = 0.21 - 0.015 - 0.04 - 0.012;
    const placed = [
      standing('bin', bin, [0, 0], { massKg: 1.2 }),
      standing('falling', shape, [besideWallM, 0], { onM: 0.18, massKg: 0.25 }),
    ];
    withWorldOf(hallWith(placed), (world) => {
      for (let count = 0; count < 240; count += 1) {
        step(world, 1);
        const { x, y } = truePosition(world, 'falling');
        expect(Math.hypot(x - besideWallM, y), `off its way in step ${count}`).toBeLessThan(0.001);
      }
      expect(trueSpan(world, 'falling').bottom).toBeCloseTo(0.015, 3);
      const binAt = truePosition(world, 'bin');
      expect(Math.hypot(binAt.x, binAt.y)).toBeLessThan(0.001);
    });
  });

  it.each([0.05, 0.5, 1])(
    'a can that rolls at %s m/s comes to rest at the distance that rolling resistance allows',
    (speedMps) => {
      const radiusM = 0.04;
      withWorldOf(hallWith([standing('can', cylinder(radiusM, 0.12), [-1, 0], { massKg: 0.35 })]), (world) => {
        const { rigidBody } = thing(world, 'can');
        // Lying along y, and rolling along x without slipping.
        rigidBody.setTranslation({ x: -1, y: 0, z: radiusM }, true);
        rigidBody.setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }, true);
        rigidBody.setLinvel({ x: speedMps, y: 0, z: 0 }, true);
        rigidBody.setAngvel({ x: 0, y: speedMps / radiusM, z: 0 }, true);
        step(world, 8 * 120);
        expect(things.find(world, 'can')?.atRest).toBe(true);
        // v² / 2a, where a = c·g·2/3 for a solid cylinder.
        const wayM = speedMps ** 2 / (2 * 0.03 * 9.81 * (2 / 3));
        const { x, y } = truePosition(world, 'can');
        expect(Math.abs(x + 1 - wayM), `rolled ${x + 1} m and not ${wayM} m`).toBeLessThan(0.03 + 0.35 * wayM);
        expect(Math.abs(y)).toBeLessThan(0.02);
      });
    },
  );

  it.each([
    ['a pencil', 0.012, 0.15],
    ['a rod', 0.03, 1],
  ])('%s that rolled lies still afterwards', (_name, radiusM, heightM) => {
    withWorldOf(hallWith([standing('rod', cylinder(radiusM, heightM), [-1, 0], { massKg: 0.3 })]), (world) => {
      const { rigidBody } = thing(world, 'rod');
      rigidBody.setTranslation({ x: -1, y: 0, z: radiusM }, true);
      rigidBody.setRotation({ x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }, true);
      rigidBody.setLinvel({ x: 0.3, y: 0, z: 0 }, true);
      rigidBody.setAngvel({ x: 0, y: 0.3 / radiusM, z: 0 }, true);
      step(world, 5 * 120);
      const before = truePosition(world, 'rod').x;
      expect(things.find(world, 'rod')?.atRest).toBe(true);
      step(world, 20 * 120);
      expect(Math.abs(truePosition(world, 'rod').x - before)).toBeLessThan(0.001);
      expect(rigidBody.isSleeping()).toBe(true);
    });
  });

  it('a tower of ten cubes stands, and books in a pile do not sink into each other', () => {
    const bookM = 0.03;
    const placed = [
      ...Array.from({ length: 10 }, (_, index) => cubeAt(0, 0, index * 0.15)),
      ...Array.from({ length: 5 }, (_, index) =>
        standing(`book_${index}`, box(0.3, 0.2, bookM), [1, 0], { onM: index * bookM, massKg: 0.6 }),
      ),
    ];
    withWorldOf(hallWith(placed), (world) => {
      step(world, 30 * 120);
      const top = truePosition(world, 'cube_9');
      expect(Math.hypot(top.x, top.y)).toBeLessThan(0.01);
      expect(top.z).toBeGreaterThan(9.5 * 0.15 - 0.015);
      expect(trueSpan(world, 'book_4').top).toBeGreaterThan(5 * bookM - 0.005);
      expect(things.list(world).every(({ atRest }) => atRest)).toBe(true);
    });
  });

  it('things fall from an edge when their middle is past it', () => {
    const heights: number[] = [];
    for (const pastM of [-0.004, 0.004]) {
      const shape = box(0.1, 0.1, 0.1);
      const placed = [
        standing('below', box(0.4, 0.4, 0.3), [0, 0], { massKg: 20 }),
        standing('above', shape, [0.2 + pastM, 0], { onM: 0.3, massKg: 0.3 }),
      ];
      withWorldOf(hallWith(placed), (world) => {
        step(world, 240);
        heights.push(truePosition(world, 'above').z);
      });
    }
    expect(heights[0]).toBeCloseTo(0.35, 2);
    expect(heights[1]).toBeLessThan(0.1);
  });

  it('things lie inside a container, and on top of each other', () => {
    const bin = container(0.4, 0.4, 0.2, 0.02);
    const placed = [
      standing('bin', bin, [0, 0], { massKg: 1 }),
      standing('in_it', box(0.1, 0.1, 0.1), [0.05, 0.05], { onM: 0.02, massKg: 0.3 }),
      standing('below', box(0.3, 0.3, 0.1), [1, 0], { massKg: 1 }),
      standing('above', cylinder(0.05, 0.1), [1, 0], { onM: 0.1, massKg: 0.3 }),
      cubeAt(2, 0),
    ];
    withWorldOf(hallWith(placed), (world) => {
      step(world, 600);
      expect(trueSpan(world, 'in_it').bottom).toBeCloseTo(0.02, 2);
      expect(trueSpan(world, 'above').bottom).toBeCloseTo(0.1, 2);
      expect(things.list(world).every(({ atRest }) => atRest)).toBe(true);
      expect(things.list(world).map(({ entityId }) => entityId)).toEqual(['bin', 'in_it', 'below', 'above', 'cube_0']);
    });
  });

  it('things count for the planner with their full width', () => {
    const placed = [standing('long', box(1, 0.2, 0.3), [0, 0], { massKg: 2, yawRad: Math.PI / 2 })];
    withWorldOf(hallWith(placed), (world) => {
      const print = floorMap(world).footprints.find(({ id }) => id === 'long');
      expect([print?.minX, print?.maxX, print?.minY, print?.maxY].map((edge) => edge?.toFixed(3))).toEqual([
        '-0.100',
        '0.100',
        '-0.500',
        '0.500',
      ]);
    });
  });

  it('things slide farther with smaller friction', () => {
    const slidM = (friction: number): number =>
      withWorldOf(hallWith([{ ...standing('it', box(0.2, 0.2, 0.1), [0, 0], { massKg: 0.5 }), friction }]), (world) => {
        step(world, 60);
        thing(world, 'it').rigidBody.setLinvel({ x: 1, y: 0, z: 0 }, true);
        step(world, 240);
        return truePosition(world, 'it').x;
      });
    const [ice = 0, wood = 0, rubber = 0] = [0.1, 0.9, 2].map(slidM);
    expect(ice).toBeGreaterThan(1.5 * wood);
    expect(wood).toBeGreaterThan(1.3 * rubber);
  });

  it('things of different shape, mass or friction give different hashes of the world, and cubes keep their hash', () => {
    const hashOf = (more: object) =>
      withWorldOf(hallWith([{ ...standing('one', box(0.1, 0.1, 0.1), [0, 0], { massKg: 1 }), ...more }]), stateHash);
    const hashes = [{}, { massKg: 1.1 }, { friction: 0.5 }, { shape: container(0.1, 0.1, 0.1) }].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf({})).toBe(hashes[0]);
  });

  it('things are kept with the world: every property, each collider of a container', () => {
    const placed = [standing('bin', container(0.4, 0.4, 0.2, 0.02), [0, 0], { massKg: 1 }), cubeAt(1, 0)];
    withWorldOf(hallWith(placed), (world) => {
      const kept = structuredClone(keepWorld(world));
      expect(kept.cubes.map(({ colliderHandles }) => colliderHandles.length)).toEqual([5, 1]);
      expect(kept.cubes[0]).toMatchObject({ shape: placed[0]?.shape, category: 'container', massKg: 1 });
    });
  });

  it.each([
    ['an edge of nothing', { shape: box(0.1, 0, 0.1) }, /shape\.size\[1\]/],
    ['an edge that is not a number', { shape: box(0.1, Number.NaN, 0.1) }, /shape\.size\[1\]/],
    ['walls that fill it', { shape: container(0.1, 0.1, 0.1, 0.04) }, /shape\.wallM/],
    ['no weight', { massKg: 0 }, /massKg/],
    ['a cube of another size', { category: CUBE_CATEGORY }, /category/],
    ['no friction', { friction: 0 }, /friction/],
  ])('things are rejected with %s', (_name, more, path) => {
    const broken = { ...standing('one', box(0.1, 0.1, 0.1), [0, 0], { massKg: 1 }), ...more };
    expect(() => createWorldOf(RAPIER, hallWith([broken]), { seed: 1 })).toThrow(path);
    expect(thingProblem({ friction: 0.9, massKg: 1, ...broken })).not.toBeNull();
  });

  it('things never share an id', () => {
    const twice = [standing('one', box(0.1, 0.1, 0.1), [0, 0]), standing('one', box(0.1, 0.1, 0.1), [1, 0])];
    expect(() => createWorldOf(RAPIER, hallWith(twice), { seed: 1 })).toThrow(/two things/);
  });
});

describe('how a thing lies', () => {
  const turned = (axis: 'x' | 'y' | 'z', rad: number) => ({ x: 0, y: 0, z: 0, w: Math.cos(rad / 2), [axis]: Math.sin(rad / 2) });

  it('the pose of a lying thing is described by its sides', () => {
    expect(lieOf(box(0.1, 0.2, 0.3), turned('z', 0.5))).toMatchObject({ alongM: 0.1, acrossM: 0.2, heightM: 0.3, isUp: true });
    expect(lieOf(box(0.1, 0.2, 0.3), turned('z', 0.5))?.yawRad).toBeCloseTo(0.5, 9);
    expect(lieOf(box(0.1, 0.2, 0.3), turned('x', Math.PI / 2))).toMatchObject({ heightM: 0.2, isUp: false });
    expect(lieOf(container(0.1, 0.2, 0.3), turned('x', Math.PI))).toMatchObject({ heightM: 0.3, isUp: false });
    expect(lieOf(cylinder(0.1, 0.3), turned('z', 0.5))).toMatchObject({ isRound: true, heightM: 0.3 });
    expect(lieOf(cylinder(0.1, 0.3), turned('x', Math.PI / 2))).toMatchObject({ isRound: false, alongM: 0.3, heightM: 0.2 });
    expect(lieOf(box(0.1, 0.2, 0.3), turned('x', 0.5))).toBeNull();
    expect(lieOf(cylinder(0.1, 0.3), turned('x', 0.5))).toBeNull();
  });

  it('a lying thing fills the upright box round it', () => {
    const quarter = turned('z', Math.PI / 4);
    expect(halfExtents(box(0.2, 0.2, 0.1), quarter)[0]).toBeCloseTo(0.1 * Math.SQRT2, 9);
    expect(halfExtents(cylinder(0.1, 0.3), turned('y', Math.PI / 2))).toEqual([
      expect.closeTo(0.15, 9),
      expect.closeTo(0.1, 9),
      expect.closeTo(0.1, 9),
    ]);
    expect(floorExtents({ shape: cylinder(0.1, 0.3), isCube: false }, quarter)).toEqual([
      expect.closeTo(0.1, 9),
      expect.closeTo(0.1, 9),
    ]);
  });
});
