import { describe, expect, it } from 'vitest';
import { advance, aim, brake, follow, restingAt } from '../../../src/simulation/motion.ts';

const DT_S = 1 / 120;

describe('motions of one number', () => {
  it('a motion is the minimum-jerk motion from rest to rest', () => {
    const channel = restingAt(2);
    aim(channel, 5, 1);
    for (let i = 1; i <= 120; i += 1) {
      advance(channel, DT_S);
      const u = i / 120;
      expect(channel.value).toBeCloseTo(2 + 3 * (10 * u ** 3 - 15 * u ** 4 + 6 * u ** 5), 9);
      expect(channel.velocity).toBeCloseTo(3 * (30 * u ** 2 - 60 * u ** 3 + 30 * u ** 4), 7);
    }
    expect(channel).toEqual({ value: 5, velocity: 0, acceleration: 0, goal: 5, remainingS: 0 });
  });

  it('a motion changes its target without a jump in value, velocity or acceleration', () => {
    const channel = restingAt(0);
    aim(channel, 1, 0.5);
    for (let i = 0; i < 25; i += 1) advance(channel, DT_S);
    const before = { ...channel };
    aim(channel, -1, 0.8);
    advance(channel, 1e-6);
    expect(channel.value).toBeCloseTo(before.value, 4);
    expect(channel.velocity).toBeCloseTo(before.velocity, 3);
    expect(channel.acceleration).toBeCloseTo(before.acceleration, 2);
    for (let i = 0; i < 100; i += 1) advance(channel, DT_S);
    expect(channel.value).toBe(-1);
  });

  it('a motion brakes to rest in time, and never moves back past its place', () => {
    const channel = restingAt(0);
    aim(channel, 1, 0.5);
    for (let i = 0; i < 30; i += 1) advance(channel, DT_S);
    const from = channel.value;
    brake(channel, 0.28);
    for (let i = 0; i < 34; i += 1) {
      advance(channel, DT_S);
      expect(channel.value).toBeGreaterThan(from);
    }
    expect(channel.remainingS).toBe(0);
    expect(channel.velocity).toBe(0);
  });

  it('a motion follows a target without overshoot, however long the step, and no faster than allowed', () => {
    for (const dtS of [DT_S, 0.1, 2]) {
      const follower = { value: 0, velocity: 0 };
      for (let t = 0; t < 4; t += dtS) {
        const before = follower.value;
        follow(follower, 1, 13, dtS, 2);
        expect(follower.value).toBeLessThanOrEqual(1 + 1e-12);
        expect(follower.value - before).toBeLessThanOrEqual(2 * dtS + 1e-12);
      }
      expect(follower.value).toBeCloseTo(1, 6);
    }
  });
});
