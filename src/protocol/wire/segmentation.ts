/** Far apart in hue, one after the other. */
const GOLDEN_RATIO = 0.618033988749895;
const SATURATION = 0.85;

/** Movable things are the most numerous, and bright; all other entities stay darker. */
export type SegmentationTone = 'bright' | 'dark';

/** Of recently seen ids; a session may see any number of them. */
const known: Readonly<Record<SegmentationTone, Map<string, number>>> = { bright: new Map(), dark: new Map() };
const MOST_KNOWN = 1024;

/**
 * Returns the colour of an entity in segmentation pictures, sRGB as one number 0xRRGGBB, never black (black means no entity). A
 * pure function of id and tone, so that a colour means the same entity in every picture; ids that end in consecutive numbers lie
 * far apart in hue.
 */
export function segmentationHex(entityId: string, tone: SegmentationTone): number {
  const existing = known[tone].get(entityId);
  if (existing !== undefined) return existing;
  // Cubes end in numbers, pads in letters.
  const tail = /\d+$|[A-Z]$/.exec(entityId)?.[0] ?? '';
  const serial = /^\d/.test(tail) ? Number(tail) : (tail.codePointAt(0) ?? 0);
  let hash = 2166136261;
  for (const letter of entityId.slice(0, entityId.length - tail.length))
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  const turn = (hash / 2 ** 32 + serial * GOLDEN_RATIO) % 1;
  const lightness = tone === 'bright' ? 0.46 + 0.08 * (serial % 3) : 0.24;
  const hex = hslHex(turn, SATURATION, lightness);
  if (known[tone].size >= MOST_KNOWN) known[tone].clear();
  known[tone].set(entityId, hex);
  return hex;
}

/** The colour as agents receive it: "#rrggbb". */
export const segmentationColour = (entityId: string, tone: SegmentationTone): string =>
  `#${segmentationHex(entityId, tone).toString(16).padStart(6, '0')}`;

/** HSL to sRGB, https://www.w3.org/TR/css-color-4/#hsl-to-rgb; all values from 0 to 1. */
function hslHex(turn: number, saturation: number, lightness: number): number {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + turn * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return (channel(0) << 16) | (channel(8) << 8) | channel(4);
}
