import { Color, SRGBColorSpace } from 'three';

/** Far apart in hue, one after the other. */
const GOLDEN_RATIO = 0.618033988749895;

const known = new Map<string, number>();

/**
 * The colour of an entity in segmentation pictures, sRGB hex, never black (black is what is no entity). A pure function of the id,
 * so that a colour means the same entity in every picture; ids that end in consecutive numbers lie far apart in hue.
 */
export function segmentationHex(entityId: string): number {
  const existing = known.get(entityId);
  if (existing !== undefined) return existing;
  // Cubes end in numbers, pads in letters.
  const tail = /\d+$|[A-Z]$/.exec(entityId)?.[0] ?? '';
  const serial = /^\d/.test(tail) ? Number(tail) : (tail.codePointAt(0) ?? 0);
  let hash = 2166136261;
  for (const letter of entityId.slice(0, entityId.length - tail.length))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  const turn = (hash / 2 ** 32 + serial * GOLDEN_RATIO) % 1;
  // Cubes are the many; what else there is stays darker than all of them.
  const lightness = entityId.startsWith('cube_') ? 0.46 + 0.08 * (serial % 3) : 0.24;
  const hex = new Color().setHSL(turn, 0.85, lightness, SRGBColorSpace).getHex(SRGBColorSpace);
  known.set(entityId, hex);
  return hex;
}
