import { describe, expect, it } from 'vitest';
import { ROBOT_RADIUS_M } from '../../src/protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../src/protocol/wire/geometry.ts';
import type { Obstacle } from '../../src/protocol/wire/scene.ts';
import { carriedBlocker } from '../../src/runtime/skills/hand-room.ts';
import * as base from '../../src/simulation/base.ts';
import { planPath, standable } from '../../src/simulation/navigation/planner.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import { cornersOf, distanceToPolygon, GridOracle } from './grid-oracle.ts';
import { putCube, step, withWorldOf } from './test-world.ts';

const warehouse = builtInScene('warehouse');
if (!warehouse) throw new Error('There is no warehouse.');
const rackIds = new Set(warehouse.furniture.flatMap(({ id, kind }) => (kind === 'rack' ? [id] : [])));

/** The warehouse with other boxes for its racks. */
function withRacks(change: (rack: Obstacle, number: number) => Obstacle): SceneDefinition {
  if (!warehouse) throw new Error('There is no warehouse.');
  let number = 0;
  const obstacles = warehouse.layout.obstacles.map((box) => (rackIds.has(box.obstacle_id) ? change(box, ++number) : box));
  return { ...warehouse, layout: { ...warehouse.layout, obstacles } };
}

const turned = (box: Obstacle, yawDeg: number): Obstacle => ({ ...box, pose: { ...box.pose, yaw_deg: yawDeg } });

/** Every rack turned, each by another angle. */
const ASKEW = withRacks((rack, number) => turned(rack, 17 + 31 * number));
/** The same racks in another description: the other side first, and turned by a quarter. */
const QUARTERS = withRacks((rack, number) => ({
  ...turned(rack, number % 2 === 0 ? 90 : -90),
  size: [rack.size[1], rack.size[0], rack.size[2]],
}));

const somewhere = (random: ReturnType<typeof createRandom>) => ({
  x: -5.3 + 11 * nextFloat(random),
  y: -8.5 + 13.2 * nextFloat(random),
});

describe('a box that is turned', () => {
  it('a turned box is turned for the physics: a point is in a collider exactly if it is in the turned box', () => {
    withWorldOf(ASKEW, (world) => {
      step(world, 1);
      const racks = ASKEW.layout.obstacles.filter(({ obstacle_id }) => rackIds.has(obstacle_id));
      const shapes = racks.map(({ obstacle_id, pose, size }) => {
        const [x, y] = pose.position;
        const yawRad = ((pose.yaw_deg ?? 0) * Math.PI) / 180;
        return { id: obstacle_id, corners: cornersOf({ x, y }, size[0] / 2, size[1] / 2, yawRad) };
      });
      const random = createRandom(7);
      let within = 0;
      for (let i = 0; i < 4000; i++) {
        const point = somewhere(random);
        const met = new Set<string>();
        world.physics.intersectionsWithPoint({ ...point, z: 1 }, (collider) => {
          const id = world.colliderIds.get(collider.handle);
          if (id !== undefined && rackIds.has(id)) met.add(id);
          return true;
        });
        const expected = shapes.filter(({ corners }) => distanceToPolygon(point, corners) === 0).map(({ id }) => id);
        expect([...met].sort()).toEqual(expected.sort());
        within += expected.length;
      }
      expect(within).toBeGreaterThan(300);
    });
  });

  it('a turned box stops the robot at its turned side', () => {
    withWorldOf(ASKEW, (world) => {
      const oracle = new GridOracle(world, 0.05, ROBOT_RADIUS_M);
      base.setCommand(world, { vx: -0.8, vy: 0, wz: 0 });
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 360; i++) {
        step(world, 1);
        least = Math.min(least, oracle.clearance(base.pose(world)));
      }
      // It has reached a rack, and is not inside it.
      expect(least).toBeLessThan(ROBOT_RADIUS_M + 0.05);
      expect(least).toBeGreaterThan(ROBOT_RADIUS_M - 0.02);
    });
  });

  it.each([1, 2])('a turned box is turned for the planner: paths and places agree with a brute-force grid (seed %i)', (seed) => {
    withWorldOf(ASKEW, (world) => {
      const random = createRandom(seed + 200);
      for (const index of [0, 1, 2]) {
        const at = somewhere(random);
        if (standable(world, at).ok) putCube(world, `cube_${index}`, at.x, at.y, 0.076, nextFloat(random));
      }
      step(world, 60);
      const oracle = new GridOracle(world, 0.05, ROBOT_RADIUS_M);
      const start = base.pose(world);
      const lengths = oracle.lengthsFrom(start);
      let paths = 0;
      for (let i = 0; i < 60; i++) {
        const goal = oracle.snap(somewhere(random));
        const plan = planPath(world, start, goal);
        expect(plan.kind !== 'goal_outside' && plan.kind !== 'goal_occupied').toBe(oracle.isFree(goal));
        if (plan.kind !== 'path') continue;
        paths += 1;
        const shortest = planPath(world, start, goal, { clearanceM: 0 });
        if (shortest.kind !== 'path') throw new Error(shortest.kind);
        // The grid's path has eight directions, so it is up to 8.3 % longer than the shortest.
        const gridM = lengths.get(goal);
        expect(shortest.lengthM).toBeLessThan(gridM * 1.005 + 0.05);
        expect(shortest.lengthM).toBeGreaterThan(gridM / 1.083 - 0.1);
        for (const [j, point] of plan.points.entries()) {
          const next = plan.points[j + 1];
          if (next) expect(oracle.clearanceAlong(point, next)).toBeGreaterThan(ROBOT_RADIUS_M - 1e-5);
        }
      }
      expect(paths).toBeGreaterThan(15);
    });
  });

  it('a turned box equals the box with its sides exchanged and a quarter turn', () => {
    if (!warehouse) throw new Error('There is no warehouse.');
    withWorldOf(warehouse, (straight) =>
      withWorldOf(QUARTERS, (quarters) => {
        const random = createRandom(11);
        const start = base.pose(straight);
        for (let i = 0; i < 150; i++) {
          const goal = somewhere(random);
          const pose: PlanarPose = { ...goal, yawRad: 6 * nextFloat(random) };
          expect(standable(quarters, goal)).toEqual(standable(straight, goal));
          expect(carriedBlocker(quarters, pose)).toBe(carriedBlocker(straight, pose));
          const [one, other] = [planPath(straight, start, goal), planPath(quarters, start, goal)];
          expect(other.kind).toBe(one.kind);
          if (one.kind === 'path' && other.kind === 'path') expect(other.lengthM).toBeCloseTo(one.lengthM, 6);
        }
      }),
    );
  });

  it('a turned box is met by a carried cube where the turned box is', () => {
    withWorldOf(ASKEW, (world) => {
      const random = createRandom(13);
      for (const { obstacle_id, pose, size } of ASKEW.layout.obstacles.filter(({ obstacle_id }) => rackIds.has(obstacle_id))) {
        const [x, y] = pose.position;
        const yawRad = ((pose.yaw_deg ?? 0) * Math.PI) / 180;
        // The same box along the axes, alone, with all other things turned back with it.
        const alone = withRacks((rack) =>
          rack.obstacle_id === obstacle_id ? turned({ ...rack, size }, 0) : { ...rack, pose: { position: [90, 90, 1] } },
        );
        withWorldOf({ ...alone, layout: { ...alone.layout, obstacles: alone.layout.obstacles.filter(isRack) } }, (straight) => {
          for (let i = 0; i < 40; i++) {
            const [offX, offY] = [3 * nextFloat(random) - 1.5, 3 * nextFloat(random) - 1.5];
            const robotYaw = 6 * nextFloat(random);
            const there = {
              x: x + Math.cos(yawRad) * offX - Math.sin(yawRad) * offY,
              y: y + Math.sin(yawRad) * offX + Math.cos(yawRad) * offY,
              yawRad: robotYaw + yawRad,
            };
            const meets = carriedBlocker(straight, { x: x + offX, y: y + offY, yawRad: robotYaw }) === obstacle_id;
            if (meets) expect(carriedBlocker(world, there)).not.toBeNull();
            else expect(carriedBlocker(world, there)).not.toBe(obstacle_id);
          }
        });
      }
    });
  });
});

const isRack = ({ obstacle_id }: Obstacle): boolean => rackIds.has(obstacle_id);
