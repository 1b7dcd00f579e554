import { expect, it } from 'vitest';
import { BASE_HEIGHT_M } from '../../../src/protocol/robots/humanoid.ts';
import { STEP_S } from '../../../src/protocol/wire/limits.ts';
import type { Obstacle } from '../../../src/protocol/wire/scene.ts';
import { stepTuck } from '../../../src/simulation/humanoid/tuck.ts';
import type { Follower } from '../../../src/simulation/motion.ts';

/** A wall whose face is at y = 0. */
const box = (topM: number): Obstacle => ({
  kind: 'box',
  obstacle_id: 'wall',
  size: [10, 1, topM],
  pose: { position: [0, 0.5, topM / 2] },
});

/** The arm poses after a second beside a box, with the base at a distance from it and moving away at a speed. */
function tuckedBeside(obstacle: Obstacle, distanceM: number, awayMps: number, from = 0): number {
  const tuck: Follower = { value: from, velocity: 0 };
  const input = {
    base: { x: 0, y: -distanceM, yawRad: 0 },
    velocityBody: { vx: 0, vy: -awayMps, wz: 0 },
    obstacles: [obstacle],
    isHolding: false,
    dtS: STEP_S,
  };
  for (let step = 0; step < 120; step += 1) stepTuck(tuck, input, BASE_HEIGHT_M);
  return tuck.value;
}

it('draws the arms in completely when the base nearly touches a wall, and lets them hang in the open', () => {
  expect(tuckedBeside(box(2), 0.3, 0.1)).toBeCloseTo(1, 3);
  expect(tuckedBeside(box(2), 0.6, 0.1)).toBe(0);
});

it('draws the arms in before the base reaches a wall to which it drives', () => {
  expect(tuckedBeside(box(2), 0.7, 0)).toBe(0);
  expect(tuckedBeside(box(2), 0.7, -1)).toBeGreaterThan(0.8);
});

it('lets the arms hang over a box that is lower than the hands', () => {
  expect(tuckedBeside(box(0.2), 0.3, 0.1)).toBe(0);
});

it('keeps retracted arms still while the robot stands', () => {
  expect(tuckedBeside(box(2), 2, 0, 0.7)).toBeCloseTo(0.7, 6);
  expect(tuckedBeside(box(2), 2, 0.1, 0.7)).toBeLessThan(0.01);
});
