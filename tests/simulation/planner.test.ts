import { describe, expect, it } from 'vitest';
import { ROBOT_RADIUS_M } from '../../src/protocol/robots/humanoid.ts';
import { floorMap } from '../../src/simulation/navigation/footprints.ts';
import { planPath, standable } from '../../src/simulation/navigation/planner.ts';
import { waysOf } from '../../src/simulation/navigation/visibility.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { GridOracle } from './grid-oracle.ts';
import { putCube, step, withWorld } from './test-world.ts';

const SPAWN = { x: 0.405, y: -1.497 };

/** Cubes strewn over the floor by a seed. */
function strewCubes(world: SimWorld, seed: number): void {
  const random = createRandom(seed);
  for (const index of [0, 1, 2, 3, 4, 5, 6]) {
    for (let tries = 0; tries < 50; tries++) {
      const at = { x: -4.5 + 9.5 * nextFloat(random), y: -7.5 + 11 * nextFloat(random) };
      if (!standable(world, at).ok) continue;
      putCube(world, `cube_${index}`, at.x, at.y, 0.076, nextFloat(random));
      step(world, 1);
      break;
    }
  }
  step(world, 60);
}

describe('the planner', () => {
  for (const seed of [0, 1, 2, 3]) {
    it(`the planner agrees with a brute-force grid about reachable places and their distance (seed ${seed})`, () => {
      withWorld({}, (world) => {
        if (seed > 0) strewCubes(world, seed);
        const oracle = new GridOracle(world, 0.05, ROBOT_RADIUS_M);
        const random = createRandom(seed + 100);
        const start = standable(world, SPAWN).ok ? SPAWN : { x: -3, y: -4 };
        const lengths = oracle.lengthsFrom(start);
        let paths = 0;
        for (let i = 0; i < 80; i++) {
          const goal = oracle.snap({ x: -5.3 + 11 * nextFloat(random), y: -8.5 + 13.2 * nextFloat(random) });
          const plan = planPath(world, start, goal);
          expect(plan.kind !== 'goal_outside' && plan.kind !== 'goal_occupied').toBe(oracle.isFree(goal));
          if (plan.kind !== 'path') continue;
          paths += 1;
          const gridM = lengths.get(goal);
          expect(Number.isFinite(gridM)).toBe(true);
          const shortest = planPath(world, start, goal, { clearanceM: 0 });
          if (shortest.kind !== 'path') throw new Error(shortest.kind);
          // The grid's path has eight directions, so it is up to 8.3 % longer than the shortest.
          expect(shortest.lengthM).toBeLessThan(gridM * 1.005 + 0.05);
          expect(shortest.lengthM).toBeGreaterThan(gridM / 1.083 - 0.1);
          // Clearance costs at most a quarter more length.
          expect(plan.lengthM).toBeLessThan(shortest.lengthM * 1.25 + 1e-6);
          for (const [j, point] of plan.points.entries()) {
            const next = plan.points[j + 1];
            if (next) expect(oracle.clearanceAlong(point, next)).toBeGreaterThan(ROBOT_RADIUS_M - 1e-5);
          }
          expect(plan.points[0]).toEqual([start.x, start.y]);
          expect(plan.points.at(-1)).toEqual([goal.x, goal.y]);
        }
        expect(paths).toBeGreaterThan(20);
      });
    });
  }

  it('the planner keeps more room than the radius if there is any', () => {
    withWorld({}, (world) => {
      const plan = planPath(world, SPAWN, { x: -2.8, y: 0.2 - 3.6 });
      if (plan.kind !== 'path') throw new Error(plan.kind);
      const oracle = new GridOracle(world, 0.05, ROBOT_RADIUS_M);
      const inner = plan.points.slice(1, -1);
      for (const [i, point] of inner.entries()) {
        const next = inner[i + 1];
        if (next) expect(oracle.clearanceAlong(point, next)).toBeGreaterThan(ROBOT_RADIUS_M + 0.09);
      }
    });
  });

  it('P10: names the obstacle at a goal, and the nearest place to stand', () => {
    withWorld({}, (world) => {
      const plan = planPath(world, SPAWN, { x: -1.4, y: -5.3 });
      expect(plan).toMatchObject({ kind: 'goal_occupied', blocker: 'pallet_B' });
      if (plan.kind !== 'goal_occupied' || !plan.nearest) throw new Error('no nearest');
      expect(plan.nearest.x).toBeCloseTo(-1.4, 1);
      expect(plan.nearest.y).toBeGreaterThan(-4.9);
      expect(plan.nearest.y).toBeLessThan(-4.88);
      expect(standable(world, plan.nearest)).toEqual({ ok: true });
      expect(planPath(world, SPAWN, plan.nearest).kind).toBe('path');
      expect(planPath(world, SPAWN, { x: 9, y: 0 })).toEqual({ kind: 'goal_outside' });
      expect(standable(world, { x: 9, y: 0 })).toEqual({ ok: false, blocker: 'wall_east' });
      expect(standable(world, { x: 1.4, y: 0 })).toEqual({ ok: false, blocker: 'belt' });
      expect(standable(world, { x: -1.4, y: -4.9 })).toEqual({ ok: true });
    });
  });

  it('P10: reports that no path leads into a place shut in by cubes, and the nearest reachable place', () => {
    withWorld({}, (world) => {
      // Between rack_4, rack_5 and the west wall's corner nothing fits; a bay before the wall is closed with a row of cubes.
      const inside = { x: -4.5, y: -0.2 };
      expect(planPath(world, SPAWN, inside).kind).toBe('path');
      const ring = [
        [-4.85, 0.55],
        [-4.4, 0.6],
        [-3.95, 0.3],
        [-3.8, -0.15],
        [-3.85, -0.6],
        [-4.1, -0.95],
      ];
      for (const [i, [x = 0, y = 0]] of ring.entries()) putCube(world, `cube_${i}`, x, y, 0.076);
      step(world, 60);
      const plan = planPath(world, SPAWN, inside);
      expect(plan.kind).toBe('no_path');
      if (plan.kind !== 'no_path' || !plan.nearest) throw new Error('no nearest');
      expect(planPath(world, SPAWN, plan.nearest).kind).toBe('path');
      expect(Math.hypot(plan.nearest.x - inside.x, plan.nearest.y - inside.y)).toBeLessThan(1.2);
    });
  });

  it('the planner walks away from the robot’s place even if that is too near to something', () => {
    withWorld({ startPose: { x: 0.6, y: -1.5, yawRad: 0 } }, (world) => {
      putCube(world, 'cube_0', 0.6 + 0.19 + 0.08, -1.5, 0.076);
      step(world, 30);
      const start = { x: 0.6, y: -1.5 };
      expect(standable(world, start)).toMatchObject({ ok: false, blocker: 'cube_0' });
      expect(planPath(world, start, { x: -0.5, y: -1.5 }).kind).toBe('path');
      const round = planPath(world, start, { x: 0.87, y: -0.9 });
      expect(round.kind).toBe('path');
    });
  });

  it('the planner forgets unused clearances, because each carried thing requires its own', () => {
    withWorld({}, (world) => {
      const map = floorMap(world);
      const [usual, first] = [waysOf(map, 0.1), waysOf(map, 0.2)];
      const plan = () => planPath(world, SPAWN, { x: -3, y: -4 }, { clearanceM: 0.2 });
      const planned = plan();
      for (const clearanceM of [0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28]) {
        expect(waysOf(map, clearanceM)).not.toBe(first);
        expect(waysOf(map, 0.1)).toBe(usual);
      }
      expect(waysOf(map, 0.2)).not.toBe(first);
      expect(plan()).toEqual(planned);
    });
  });
});
