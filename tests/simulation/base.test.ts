import { describe, expect, it } from 'vitest';
import { MAX_ANGULAR_RPS2, MAX_LINEAR_MPS2, STEP_S, STOP_WITHIN_S } from '../../src/protocol/wire/limits.ts';
import * as base from '../../src/simulation/base.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { putCube, step, truePosition, withWorld } from './test-world.ts';

/** In the middle of the free floor between belt and far pads. */
const OPEN_FLOOR = { x: -3, y: -4, yawRad: 0 };

describe('the driven base', () => {
  it('keeps its acceleration limits over seeded commands', () => {
    withWorld({ startPose: OPEN_FLOOR }, (world) => {
      const random = createRandom(11);
      let before = base.measuredVelocity(world);
      let [worstLinear, worstAngular] = [0, 0];
      for (let i = 0; i < 1200; i++) {
        if (i % 60 === 0) {
          const spread = (limit: number) => (nextFloat(random) * 2 - 1) * limit;
          // Never all zero, because braking has a limit of its own.
          base.setCommand(world, { vx: spread(0.4), vy: spread(0.4), wz: spread(1.5) + 0.001 });
        }
        step(world, 1);
        const now = base.measuredVelocity(world);
        worstLinear = Math.max(worstLinear, Math.hypot(now.vx - before.vx, now.vy - before.vy) / STEP_S);
        worstAngular = Math.max(worstAngular, Math.abs(now.wz - before.wz) / STEP_S);
        before = now;
      }
      expect(base.contacts(world)).toEqual([]);
      // A velocity that turns with the body changes a little in the body's frame too: half a step's turn, 1.5 rad/s x 0.57 m/s.
      expect(worstLinear).toBeLessThan(MAX_LINEAR_MPS2 + 0.9);
      expect(worstLinear).toBeGreaterThan(MAX_LINEAR_MPS2 * 0.9);
      expect(worstAngular).toBeLessThan(MAX_ANGULAR_RPS2 * 1.02);
      expect(worstAngular).toBeGreaterThan(MAX_ANGULAR_RPS2 * 0.9);
    });
  });

  it('P7: stands within half a second from top speed, and stays where it stopped', () => {
    withWorld({ startPose: OPEN_FLOOR }, (world) => {
      base.setCommand(world, { vx: 1.5, vy: 0, wz: 1.5 });
      step(world, 150);
      const moving = base.measuredVelocity(world);
      expect(moving.vx).toBeCloseTo(1.5, 2);
      expect(moving.wz).toBeCloseTo(1.5, 2);
      base.setCommand(world, { vx: 0, vy: 0, wz: 0 });
      expect(base.isStopped(world)).toBe(false);
      step(world, Math.floor(STOP_WITHIN_S / STEP_S));
      expect(base.isStopped(world)).toBe(true);
      const stopped = base.pose(world);
      step(world, 600);
      const later = base.pose(world);
      expect(Math.hypot(later.x - stopped.x, later.y - stopped.y)).toBeLessThan(1e-4);
      expect(Math.abs(later.yawRad - stopped.yawRad)).toBeLessThan(1e-4);
    });
  });

  it('the base moves as commanded: forward is its heading, left is left, positive turns left', () => {
    withWorld({ startPose: { ...OPEN_FLOOR, yawRad: Math.PI / 2 } }, (world) => {
      base.setCommand(world, { vx: 0.5, vy: 0, wz: 0 });
      step(world, 120);
      expect(base.pose(world).y).toBeGreaterThan(OPEN_FLOOR.y + 0.3);
      expect(base.pose(world).x).toBeCloseTo(OPEN_FLOOR.x, 3);
      base.setCommand(world, { vx: 0, vy: 0.5, wz: 0 });
      step(world, 180);
      expect(base.pose(world).x).toBeLessThan(OPEN_FLOOR.x - 0.3);
      base.setCommand(world, { vx: 0, vy: 0, wz: 1 });
      step(world, 60);
      expect(base.pose(world).yawRad).toBeGreaterThan(Math.PI / 2 + 0.2);
    });
  });

  // The surface that it meets, and the collider's radius before it.
  const BLOCKED = [
    { id: 'belt', startPose: { x: 0.405, y: -1.497, yawRad: 0 }, axis: 'x', limit: 1.23 - 0.19 },
    { id: 'pallet_B', startPose: { x: -3, y: -5.5, yawRad: 0 }, axis: 'x', limit: -1.8 - 0.19 },
    { id: 'rack_12', startPose: { x: -1.6, y: -3.6, yawRad: Math.PI / 2 }, axis: 'y', limit: -2.7 - 0.19 },
    { id: 'wall_west', startPose: { x: -3.5, y: -7, yawRad: Math.PI }, axis: 'x', limit: -5 + 0.19 },
    { id: 'infeed', startPose: { x: 0.4, y: 2.6, yawRad: 0 }, axis: 'x', limit: 1.15 - 0.19 },
  ] as const;
  for (const { id, startPose, axis, limit } of BLOCKED) {
    it(`the base is stopped by ${id} at its surface, reports it, and moves away again without stored velocity`, () => {
      withWorld({ startPose }, (world) => {
        base.setCommand(world, { vx: 1.5, vy: 0, wz: 0 });
        expect(base.blocker(world)).toBeNull();
        step(world, 360);
        expect(base.blocker(world)).toBe(id);
        expect(Math.abs(base.pose(world)[axis] - limit)).toBeLessThan(0.003);
        expect(Math.hypot(base.measuredVelocity(world).vx, base.measuredVelocity(world).vy)).toBeLessThan(0.02);
        base.setCommand(world, { vx: -0.3, vy: 0, wz: 0 });
        expect(base.blocker(world)).toBeNull();
        step(world, 30);
        expect(base.measuredVelocity(world).vx).toBeCloseTo(-0.3, 2);
      });
    });
  }

  it('the base pushes a loose cube along and names it', () => {
    withWorld({ startPose: OPEN_FLOOR }, (world) => {
      putCube(world, 'cube_3', OPEN_FLOOR.x + 0.5, OPEN_FLOOR.y, 0.076);
      step(world, 60);
      base.setCommand(world, { vx: 0.5, vy: 0, wz: 0 });
      step(world, 180);
      expect(base.blocker(world)).toBe('cube_3');
      expect(truePosition(world, 'cube_3').x).toBeGreaterThan(OPEN_FLOOR.x + 0.7);
      expect(truePosition(world, 'cube_3').x - base.pose(world).x).toBeGreaterThan(0.19 + 0.074);
      expect(base.measuredVelocity(world).vx).toBeCloseTo(0.5, 1);
    });
  });

  it('the base is not pressed through a cube that stands before a wall', () => {
    withWorld({ startPose: { x: -4, y: -7, yawRad: Math.PI } }, (world) => {
      putCube(world, 'cube_3', -4.92, -7, 0.076);
      step(world, 60);
      base.setCommand(world, { vx: 1.5, vy: 0, wz: 0 });
      step(world, 360);
      expect(truePosition(world, 'cube_3').x).toBeGreaterThan(-4.94);
      expect(base.pose(world).x).toBeGreaterThan(-5 + 0.15 + 0.19 - 0.02);
      expect(base.blocker(world)).toBe('cube_3');
    });
  });
});
