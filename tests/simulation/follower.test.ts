import { describe, expect, it } from 'vitest';
import { radToDeg, wrapRad } from '../../src/protocol/wire/geometry.ts';
import { MAX_LINEAR_MPS, STEP_S } from '../../src/protocol/wire/limits.ts';
import * as base from '../../src/simulation/base.ts';
import * as follower from '../../src/simulation/navigation/follower.ts';
import { planPath } from '../../src/simulation/navigation/planner.ts';
import { retreatVelocity } from '../../src/simulation/navigation/recovery.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { stepWorld } from '../../src/simulation/world.ts';
import { step, withWorld } from './test-world.ts';

interface Walk {
  steps: number;
  lengthM: number;
  hits: string[];
  fastestMps: number;
}

/** Plans and walks to a goal; null if there is no path. */
function walk(world: SimWorld, goal: follower.FollowerGoal): Walk | null {
  const plan = planPath(world, base.pose(world), goal);
  if (plan.kind !== 'path') return null;
  const walking = follower.createFollower(plan.points, goal);
  const result: Walk = { steps: 0, lengthM: plan.lengthM, hits: [], fastestMps: 0 };
  let remaining = follower.remainingM(walking, base.pose(world));
  expect(remaining).toBeCloseTo(plan.lengthM, 3);
  const limit = Math.ceil((8 + plan.lengthM * 4) / STEP_S);
  while (!follower.arrived(walking, base.pose(world), base.measuredVelocity(world))) {
    if (result.steps++ > limit) throw new Error(`still ${remaining} m from ${JSON.stringify(goal)}; ${base.blocker(world)}`);
    const velocity = base.measuredVelocity(world);
    base.setCommand(world, follower.followerCommand(walking, base.pose(world), velocity, STEP_S));
    stepWorld(world);
    result.fastestMps = Math.max(result.fastestMps, Math.hypot(velocity.vx, velocity.vy));
    if (result.steps % 10 === 0) {
      const blocker = base.blocker(world);
      if (blocker) result.hits.push(blocker);
    }
    remaining = follower.remainingM(walking, base.pose(world));
  }
  base.setCommand(world, { vx: 0, vy: 0, wz: 0 });
  return result;
}

describe('the follower', () => {
  for (const seed of [1, 2, 3]) {
    it(`P10: ends well inside the promised tolerance at seeded goals, without touching anything (seed ${seed})`, () => {
      withWorld({ seed }, (world) => {
        const random = createRandom(seed);
        let walked = 0;
        for (let i = 0; i < 14; i++) {
          const goal = {
            x: -5 + 10.5 * nextFloat(random),
            y: -8.2 + 12.7 * nextFloat(random),
            yawRad: wrapRad(7 * nextFloat(random)),
            finalYaw: true,
          };
          const result = walk(world, goal);
          if (!result) continue;
          walked += 1;
          expect(result.hits).toEqual([]);
          expect(result.fastestMps).toBeLessThan(Math.min(MAX_LINEAR_MPS, 1.05));
          step(world, 60);
          const at = base.pose(world);
          expect(Math.hypot(at.x - goal.x, at.y - goal.y)).toBeLessThan(0.02);
          expect(Math.abs(radToDeg(wrapRad(at.yawRad - goal.yawRad)))).toBeLessThan(1);
          expect(base.isStopped(world)).toBe(true);
        }
        expect(walked).toBeGreaterThan(5);
      });
    }, 90_000);
  }

  it('the follower walks forward along the path at about 1 m/s, without delays', () => {
    withWorld({ startPose: { x: -3.9, y: -6.9, yawRad: Math.PI / 2 } }, (world) => {
      const goal = { x: 2.2, y: -7.1, yawRad: 0, finalYaw: true };
      const result = walk(world, goal);
      if (!result) throw new Error('no way');
      expect(result.fastestMps).toBeGreaterThan(0.95);
      // A quarter turn, acceleration, braking and settling take 3 s at most.
      expect(result.steps * STEP_S).toBeLessThan(result.lengthM + 3);
    });
  });

  it('the follower does not oscillate: at the goal the command is zero and stays zero', () => {
    withWorld({ startPose: { x: -3, y: -4, yawRad: 1 } }, (world) => {
      const goal = { x: -2.7, y: -4.2, yawRad: -1, finalYaw: true };
      const plan = planPath(world, base.pose(world), goal);
      if (plan.kind !== 'path') throw new Error(plan.kind);
      const walking = follower.createFollower(plan.points, goal);
      let nonZero = 0;
      for (let i = 0; i < 1200; i++) {
        const command = follower.followerCommand(walking, base.pose(world), base.measuredVelocity(world), STEP_S);
        if (i >= 600 && (command.vx !== 0 || command.vy !== 0 || command.wz !== 0)) nonZero += 1;
        base.setCommand(world, command);
        stepWorld(world);
      }
      expect(nonZero).toBe(0);
    });
  });

  it('the follower finishes at once at its present place', () => {
    withWorld({}, (world) => {
      const at = base.pose(world);
      const walking = follower.createFollower(
        [
          [at.x, at.y],
          [at.x, at.y],
        ],
        { ...at, finalYaw: true },
      );
      expect(follower.followerCommand(walking, at, base.measuredVelocity(world), STEP_S)).toEqual({ vx: 0, vy: 0, wz: 0 });
      expect(follower.arrived(walking, at, base.measuredVelocity(world))).toBe(true);
      expect(follower.remainingM(walking, at)).toBeLessThan(1e-9);
    });
  });

  it('the follower backs away from a thing that it touches', () => {
    withWorld({}, (world) => {
      expect(retreatVelocity(world)).toBeNull();
      base.setCommand(world, { vx: 1, vy: 0, wz: 0 });
      step(world, 240);
      const away = retreatVelocity(world);
      expect(away?.vx).toBeLessThan(-0.2);
      expect(Math.abs(away?.vy ?? 1)).toBeLessThan(0.02);
    });
  });
});
