import { createChance } from '../oracle/chance.ts';

/** A text of ASCII with one of its characters made another one, which by the seed. */
export function withByteChanged(text: string, seed: number): string {
  const chance = createChance(seed);
  const at = chance.below(text.length);
  const code = 32 + ((text.charCodeAt(at) - 32 + 1 + chance.below(94)) % 95);
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}
