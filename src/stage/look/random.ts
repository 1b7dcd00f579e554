/**
 * Returns a small seeded generator (mulberry32), so that people and cameras see the same cartons on the same shelves. Values in
 * [0, 1).
 */
export function seededRandom(seedText: string): () => number {
  let state = 2166136261;
  for (const letter of seedText) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
