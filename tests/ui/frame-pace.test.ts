import { describe, expect, test } from 'vitest';
import { createFramePace } from '../../src/viewer/ui/world/picture/frame-pace.ts';

/** Times of the frames drawn when the browser calls back every `everyMs`, and each drawn frame takes `costMs`. */
function drawnAt(
  pace: ReturnType<typeof createFramePace>,
  spanMs: number,
  everyMs: number,
  costMs: number,
  changed: boolean,
): number[] {
  const times: number[] = [];
  for (let nowMs = 0; nowMs < spanMs; ) {
    const due = pace.due(nowMs, changed);
    if (due) times.push(nowMs);
    nowMs += due ? Math.max(everyMs, costMs) : everyMs;
    if (due) pace.drew(costMs);
  }
  return times;
}

describe('the pace of frames', () => {
  test('a graphics card draws at every callback while something changes', () => {
    expect(
      drawnAt(
        createFramePace(false, () => false),
        160,
        16,
        0,
        true,
      ),
    ).toHaveLength(10);
  });

  test('frames are drawn about once a second when nothing changes', () => {
    expect(
      drawnAt(
        createFramePace(false, () => false),
        10_000,
        16,
        0,
        false,
      ).length,
    ).toBeLessThanOrEqual(10);
  });

  test('a processor draws for at most about a third of its time', () => {
    const costMs = 120;
    const spanMs = 12_000;
    const frames = drawnAt(
      createFramePace(true, () => false),
      spanMs,
      16,
      costMs,
      true,
    ).length;
    expect((frames * costMs) / spanMs).toBeLessThan(0.36);
    expect(frames).toBeGreaterThan(20);
  });

  test('a processor draws at most twice a second while the robot loads', () => {
    expect(
      drawnAt(
        createFramePace(true, () => true),
        2_000,
        16,
        30,
        true,
      ).length,
    ).toBeLessThanOrEqual(4);
  });
});
