import { describe, expect, it } from 'vitest';
import { FINE_M, JudgesFloor, WAVE_EXCESS } from './paths-floor.ts';

/** Compares the judge of paths with results that were derived by hand. */

const box = (id: string, x: number, y: number, width: number, depth: number) => ({
  obstacle_id: id,
  pose: { position: [x, y, 1] },
  size: [width, depth, 2],
});
/** A floor of 6 × 4 m whose walls are inside its bounds' edge, like the warehouse's. */
const walled = (...inside: ReturnType<typeof box>[]) => ({
  bounds: { min: [-3, -2], max: [3, 2] },
  obstacles: [
    box('n', 0, 2.1, 6.4, 0.2),
    box('s', 0, -2.1, 6.4, 0.2),
    box('e', 3.1, 0, 0.2, 4),
    box('w', -3.1, 0, 0.2, 4),
    ...inside,
  ],
});

describe('the judge of the floor', () => {
  it('the judge measures paths on an open floor at their real length, and never longer', () => {
    const floor = new JudgesFloor(walled(), []);
    for (const start of [
      { x: 0, y: 0 },
      { x: -2.7, y: -1.7 },
    ]) {
      const lengths = floor.lengthsFrom(start, 0.2);
      for (let x = -2.5; x <= 2.5; x += 0.5)
        for (let y = -1.5; y <= 1.5; y += 0.5) {
          const straightM = Math.hypot(x - start.x, y - start.y);
          if (straightM < 0.5) continue;
          expect(lengths({ x, y })).toBeLessThanOrEqual(straightM + 1e-9);
          expect(lengths({ x, y })).toBeGreaterThanOrEqual(straightM / WAVE_EXCESS - 1e-9);
        }
    }
  });

  it('the judge follows a wall along tangents and an arc', () => {
    // From (-1, -1) to (1, -1) over the end of a thin wall at (0, 0): two tangents to a circle of 0.2 m, and the arc between.
    const floor = new JudgesFloor(walled(box('wall', 0, -1, 0.001, 2)), []);
    const tangentM = Math.sqrt(2 - 0.04);
    const arcM = 0.2 * 2 * (Math.acos(-Math.SQRT1_2) - Math.acos(0.2 / Math.SQRT2));
    const lengthM = floor.lengthsFrom({ x: -1, y: -1 }, 0.2)({ x: 1, y: -1 });
    expect(lengthM).toBeLessThan(2 * tangentM + arcM);
    expect(lengthM).toBeGreaterThan((2 * tangentM + arcM) / WAVE_EXCESS - FINE_M);
  });

  it('the judge separates rooms by the passages that fit a disc', () => {
    const door = (gapM: number) =>
      new JudgesFloor(walled(box('a', 0, -1 - gapM / 4, 0.2, 2 - gapM / 2), box('b', 0, 1 + gapM / 4, 0.2, 2 - gapM / 2)), []);
    const [left, right] = [
      { x: -2, y: 0 },
      { x: 2, y: 0 },
    ];
    const wide = door(0.5).rooms(0.2, 'strict');
    expect(wide(left)).toBe(wide(right));
    const narrow = door(0.3).rooms(0.2, 'generous');
    expect(narrow(left)).not.toBe(narrow(right));
    expect(narrow(left)).toBeGreaterThan(0);
  });
});
