import { describe, expect, it } from 'vitest';
import * as portable from '../../src/common/portable-math.ts';

/** Numbers of a linear congruential generator, in [0, 1): only whole-number arithmetic, so the same everywhere. */
function numbers(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** FNV-1a over the bytes of numbers. */
function hashOf(values: readonly number[]): string {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(Float64Array.from(values).buffer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16);
}

type Unary = (x: number) => number;
const UNARY: Record<string, { own: Unary; engine: Unary; from: number; to: number }> = {
  sin: { own: portable.sin, engine: Math.sin, from: -30, to: 30 },
  cos: { own: portable.cos, engine: Math.cos, from: -30, to: 30 },
  tan: { own: portable.tan, engine: Math.tan, from: -1.5, to: 1.5 },
  asin: { own: portable.asin, engine: Math.asin, from: -1, to: 1 },
  acos: { own: portable.acos, engine: Math.acos, from: -1, to: 1 },
  exp: { own: portable.exp, engine: Math.exp, from: -40, to: 40 },
};

describe('portable mathematics', () => {
  it.each(Object.entries(UNARY))(
    '%s agrees with the engine to a few units in the last place',
    (_name, { own, engine, from, to }) => {
      const next = numbers();
      for (let n = 0; n < 20_000; n += 1) {
        const x = from + next() * (to - from);
        expect(Math.abs(own(x) - engine(x))).toBeLessThanOrEqual(1e-15 * Math.max(1, Math.abs(engine(x))));
      }
    },
  );

  it('atan2 and hypot agree with the engine in every quadrant and on the axes', () => {
    const next = numbers();
    for (let n = 0; n < 20_000; n += 1) {
      const [x, y] = [next() * 8 - 4, next() * 8 - 4];
      expect(Math.abs(portable.atan2(y, x) - Math.atan2(y, x))).toBeLessThan(1e-15);
      expect(Math.abs(portable.hypot(x, y, 1) - Math.hypot(x, y, 1))).toBeLessThan(4e-15);
    }
    for (const y of [-1, -0, 0, 1]) for (const x of [-1, -0, 0, 1]) expect(portable.atan2(y, x)).toBe(Math.atan2(y, x));
  });

  it('an undefined result is not a number', () => {
    for (const value of [portable.asin(1.1), portable.acos(-1.1), portable.sin(Number.NaN), portable.atan2(Number.NaN, 1)]) {
      expect(value).toBeNaN();
    }
  });

  it('portable mathematics gives exactly these bits in every engine (P12)', () => {
    const next = numbers();
    const values: number[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      const [x, y] = [next() * 8 - 4, next() * 8 - 4];
      values.push(portable.sin(x * 8), portable.cos(x * 8), portable.tan(x / 3), portable.asin(x / 4), portable.acos(y / 4));
      values.push(portable.atan2(y, x), portable.exp(x), portable.hypot(x, y), portable.power(x, 7));
    }
    expect(hashOf(values)).toBe('c5f9193a');
  });
});
