/**
 * Chance as part of the world: a generator whose whole state is four 32-bit words, so that it can be hashed and restored.
 * Algorithm: sfc32 (Chris Doty-Humphrey, PractRand), seeded through splitmix32.
 */
export interface Random {
  readonly state: Uint32Array;
}

/** A generator for a seed; the seed's lower 32 bits count. */
export function createRandom(seed: number): Random {
  const random: Random = { state: new Uint32Array(4) };
  reseed(random, seed);
  return random;
}

/** Restarts the sequence of `seed`. */
export function reseed(random: Random, seed: number): void {
  let mixed = seed >>> 0;
  for (let word = 0; word < 3; word++) {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let value = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    random.state[word] = value ^ (value >>> 15);
  }
  random.state[3] = 1;
  // The first outputs of sfc32 still show the seed.
  for (let i = 0; i < 12; i++) nextUint32(random);
}

/** The next 32 random bits. */
function nextUint32(random: Random): number {
  const s = random.state;
  const [a = 0, b = 0, c = 0, counter = 0] = s;
  const result = (a + b + counter) >>> 0;
  s[0] = b ^ (b >>> 9);
  s[1] = c + (c << 3);
  s[2] = ((c << 21) | (c >>> 11)) + result;
  s[3] = counter + 1;
  return result;
}

/** Uniform in [0, 1). */
export const nextFloat = (random: Random): number => nextUint32(random) / 4_294_967_296;

/** Uniform whole number in [0, count). */
export const nextInt = (random: Random, count: number): number => Math.floor(nextFloat(random) * count);
