import { createChance } from '../oracle/chance.ts';

/** An ASCII text with one character changed; the seed decides which. */
export function withByteChanged(text: string, seed: number): string {
  const chance = createChance(seed);
  const at = chance.below(text.length);
  const code = 32 + ((text.charCodeAt(at) - 32 + 1 + chance.below(94)) % 95);
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}
