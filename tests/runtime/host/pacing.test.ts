import { describe, expect, it } from 'vitest';
import { createPacer, GAP_MS } from '../../../src/runtime/host/pacing.ts';

const STEP_S = 1 / 120;

/** Lets time pass in ticks and makes all steps that are due. */
function run(pacer: ReturnType<typeof createPacer>, fromMs: number, untilMs: number, tickMs: number, speed = 1): number {
  let steps = 0;
  for (let nowMs = fromMs + tickMs; nowMs <= untilMs + 1e-6; nowMs += tickMs) {
    const due = pacer.stepsDue(nowMs, speed);
    pacer.made(due);
    steps += due;
  }
  return steps;
}

describe('pacing the simulation', () => {
  it.each([1, 4, 1000 / 120, 16.7, 100, 999])('pacing makes 120 steps a second whatever the ticks (%f ms)', (tickMs) => {
    const seconds = 10;
    const steps = run(createPacer(STEP_S, 0), 0, seconds * 1000, tickMs);
    expect(Math.abs(steps - Math.floor((seconds * 1000) / tickMs) * tickMs * 0.12)).toBeLessThanOrEqual(1);
  });

  it.each([0.1, 2, 10])('pacing follows the speed factor %f', (speed) => {
    expect(Math.abs(run(createPacer(STEP_S, 0), 0, 10_000, 5, speed) - 1200 * speed)).toBeLessThanOrEqual(1);
  });

  it('P13: reports a gap once, and does not catch up with it', () => {
    const pacer = createPacer(STEP_S, 0);
    pacer.stepsDue(10, 1);
    expect(pacer.takeGapMs(10 + GAP_MS)).toBe(0);
    expect(pacer.takeGapMs(13_010)).toBe(12_000);
    expect(pacer.takeGapMs(13_010)).toBe(0);
    expect(pacer.stepsDue(13_010, 1)).toBe(0);
    expect(pacer.stepsDue(13_020, 1)).toBe(1);
  });

  it('P13: treats a thread that checks only occasionally as busy, not as frozen, and catches up', () => {
    const pacer = createPacer(STEP_S, 0);
    for (let nowMs = 500; nowMs <= 5_000; nowMs += 500) expect(pacer.takeGapMs(nowMs)).toBe(0);
    expect(pacer.stepsDue(5_000, 1)).toBe(121);
  });

  it('pacing catches up with at most one second of missed steps, and drops the rest', () => {
    const pacer = createPacer(STEP_S, 0);
    for (let nowMs = 100; nowMs <= 5_000; nowMs += 100) {
      pacer.stepsDue(nowMs, 1);
      pacer.made(1);
    }
    expect(pacer.stepsDue(5_000, 1)).toBeLessThanOrEqual(121);
    expect(pacer.msToNextStep(1)).toBe(0);
  });

  it('pacing returns the waiting time until the next step', () => {
    const pacer = createPacer(STEP_S, 0);
    expect(pacer.msToNextStep(1)).toBeCloseTo(1000 / 120);
    pacer.stepsDue(2, 1);
    expect(pacer.msToNextStep(1)).toBeCloseTo(1000 / 120 - 2);
    expect(pacer.msToNextStep(0.1)).toBeCloseTo((1000 / 120 - 2) * 10);
  });

  it('pacing treats a clock that stands still or goes back as no time passed', () => {
    const pacer = createPacer(STEP_S, 100);
    expect(pacer.stepsDue(100, 1)).toBe(0);
    expect(pacer.stepsDue(50, 1)).toBe(0);
    expect(pacer.stepsDue(50 + 1000 / 120, 1)).toBe(1);
  });
});
