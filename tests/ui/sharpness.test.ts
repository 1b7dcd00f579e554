import { describe, expect, test } from 'vitest';
import { createSharpness } from '../../src/viewer/ui/world/picture/sharpness.ts';

/** The sharpness after a machine drew `count` frames of a moving picture that cost `wholeMs` at full resolution. */
function learned(wholeMs: number, count: number) {
  const sharpness = createSharpness();
  for (let k = 0; k < count; k++) sharpness.drew(sharpness.moving(), (wholeMs * (1 + sharpness.moving() ** 2)) / 2);
  return sharpness;
}

describe('the sharpness of a picture drawn by the processor', () => {
  test('a picture drawn by a fast enough processor is as sharp as the page', () => {
    expect(learned(60, 6).moving()).toBe(1);
  });

  test('a picture drawn by a slower processor is less sharp while it moves than at rest', () => {
    const sharpness = learned(100, 9);
    expect((100 * (1 + sharpness.moving() ** 2)) / 2).toBeLessThanOrEqual(80);
    expect(sharpness.resting()).toBeGreaterThan(sharpness.moving());
  });

  test('a picture never becomes so soft that it looks broken, however slow the machine', () => {
    expect(learned(2_000, 9).resting()).toBe(0.6);
  });

  test('the sharpness is not judged by one frame that waited for other work', () => {
    const sharpness = learned(60, 6);
    sharpness.drew(1, 900);
    expect(sharpness.moving()).toBe(1);
  });
});
