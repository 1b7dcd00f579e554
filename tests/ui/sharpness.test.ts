import { describe, expect, test } from 'vitest';
import { createSharpness } from '../../src/viewer/ui/world/picture/sharpness.ts';

/** The sharpness after a machine drew `count` frames of a moving picture that cost `wholeMs` at one to one. */
function learned(wholeMs: number, count: number) {
  const sharpness = createSharpness();
  for (let k = 0; k < count; k++) sharpness.drew(sharpness.moving(), (wholeMs * (1 + sharpness.moving() ** 2)) / 2);
  return sharpness;
}

describe('a picture drawn by the processor is', () => {
  test('as sharp as the page on a machine that is quick enough', () => {
    expect(learned(60, 6).moving()).toBe(1);
  });

  test('less sharp while it moves than at rest on a slower one', () => {
    const sharpness = learned(100, 9);
    expect((100 * (1 + sharpness.moving() ** 2)) / 2).toBeLessThanOrEqual(80);
    expect(sharpness.resting()).toBeGreaterThan(sharpness.moving());
  });

  test('never softer than looks whole, however slow the machine', () => {
    expect(learned(2_000, 9).resting()).toBe(0.6);
  });

  test('not judged by one frame that waited for something else', () => {
    const sharpness = learned(60, 6);
    sharpness.drew(1, 900);
    expect(sharpness.moving()).toBe(1);
  });
});
