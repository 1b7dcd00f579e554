/** Numbers in [0, 1) from a seed, of which the lower 32 bits count: mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Seeded chance for tests: the seed in a failure's name reproduces it. */
export interface Chance {
  /** Uniform in [0, 1). */
  float(): number;
  /** Uniform in [from, to). */
  between(from: number, to: number): number;
  /** Uniform whole number in [0, count). */
  below(count: number): number;
  /** True with this probability. */
  happens(probability: number): boolean;
  /** One of a list that is not empty. */
  oneOf<T>(list: readonly T[]): T;
  /** One of these by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** A generator for a seed; its lower 32 bits count. */
export function createChance(seed: number): Chance {
  const float = seeded(Math.imul(seed + 1, 0x9e3779b1));
  const oneOf = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(float() * list.length)];
    if (found === undefined) throw new RangeError('nothing to choose from');
    return found;
  };
  return {
    float,
    between: (from, to) => from + (to - from) * float(),
    below: (count) => Math.floor(float() * count),
    happens: (probability) => float() < probability,
    oneOf,
    weighted(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0);
      let left = float() * total;
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      const last = choices.at(-1);
      if (!last) throw new RangeError('nothing to choose from');
      return last[1];
    },
  };
}
