import { describe, expect, it } from 'vitest';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import { giveWay, holdWay } from '../../src/simulation/give-way.ts';

/** Something that an arm clears from this share on, metres. */
const clearFrom = (share: number) => (at: number) => (share - at) / 10;

describe('an arm that gives way', () => {
  it('the arm folds as far as an obstacle requires, and no farther', () => {
    const state = { value: 0, velocity: 0 };
    for (let step = 0; step < 120; step += 1) giveWay(state, clearFrom(0.3), STEP_S);
    expect(state.value).toBeGreaterThan(0.28);
    expect(state.value).toBeLessThan(0.32);
  });

  it('the arm unfolds completely once its path is clear', () => {
    const state = { value: 0.8, velocity: 0 };
    for (let step = 0; step < 120; step += 1) giveWay(state, clearFrom(0), STEP_S);
    expect(state).toEqual({ value: 0, velocity: 0 });
  });

  it('the arm begins to fold without a jerk, and comes to rest in place when it holds', () => {
    const state = { value: 0, velocity: 0 };
    for (let step = 0; step < 4; step += 1) {
      const before = state.velocity;
      giveWay(state, clearFrom(0.9), STEP_S);
      expect(state.velocity - before).toBeLessThan(1.3);
    }
    const foldedTo = state.value;
    for (let step = 0; step < 60; step += 1) holdWay(state, STEP_S);
    expect(state.velocity).toBe(0);
    expect(state.value).toBeGreaterThan(foldedTo);
    expect(state.value).toBeLessThan(foldedTo + 0.1);
  });
});
