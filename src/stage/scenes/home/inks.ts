import type { Paint } from '../../../protocol/wire/look-ids.ts';
import type { Audience } from '../../types.ts';

/**
 * The colours of homes, sRGB hex: as people see them, and as the robot's cameras do. Those of the cameras keep to the hues
 * between red and yellow, 20–40°, at saturations below 0.12, and below 0.08 elsewhere, so that no colour detector takes one for a
 * cube.
 */
export const INKS = {
  oak: { people: 0xc69c6d, camera: 0xb6aca3 },
  oakDark: { people: 0xa57c50, camera: 0xa1988f },
  walnut: { people: 0x7d5a41, camera: 0x8a827c },
  floorWood: { people: 0xb98d60, camera: 0xb3a9a1 },
  floorTiles: { people: 0xd3cec4, camera: 0xc6c3bf },
  stone: { people: 0x55575a, camera: 0x646566 },
  steel: { people: 0xc4c8cb, camera: 0xbfc1c3 },
  steelDark: { people: 0x8b9195, camera: 0x8f9193 },
  black: { people: 0x2c2e31, camera: 0x3a3b3c },
  glass: { people: 0x3d454c, camera: 0x4b4d4f },
  leaf: { people: 0x6d8a5f, camera: 0x858984 },
  leafDark: { people: 0x53704a, camera: 0x70746f },
  soil: { people: 0x4a3d33, camera: 0x55504c },
  trim: { people: 0xf6f3ee, camera: 0xe6e5e3 },
  ceiling: { people: 0xefece6, camera: 0xdfdedc },
  grout: { people: 0xb9b4aa, camera: 0xb2b0ad },
  bookRed: { people: 0x9c5b4e, camera: 0x9c938c },
  bookBlue: { people: 0x506a84, camera: 0x84888c },
  bookMustard: { people: 0xc09a4f, camera: 0xaea59c },
  bookGrey: { people: 0x8c8f92, camera: 0x96989a },
  bookCream: { people: 0xe2d8c4, camera: 0xcfc9c1 },
  bookTeal: { people: 0x4f7a78, camera: 0x7f8383 },
} as const;
export type Ink = keyof typeof INKS;

export const PAINT_INKS: Readonly<Record<Paint, { people: number; camera: number }>> = {
  white: { people: 0xf0ece5, camera: 0xdddbd8 },
  linen: { people: 0xe3d7c3, camera: 0xd1cac2 },
  sand: { people: 0xd5be9a, camera: 0xc4bbb1 },
  sage: { people: 0xa3b19a, camera: 0xb0b3af },
  clay: { people: 0xb57f67, camera: 0xaea59e },
  slate: { people: 0x66788a, camera: 0x878b8f },
};

/** The colours that an audience sees. */
export interface Inks {
  of(ink: Ink): number;
  paint(paint: Paint): number;
}

/** Returns the inks as people or cameras see them. */
export const inksFor = (audience: Audience): Inks => ({
  of: (ink) => INKS[ink][audience],
  paint: (paint) => PAINT_INKS[paint][audience],
});

/** Returns a colour as bright as its share, 1 for the same. */
export function shaded(hex: number, share: number): number {
  const channel = (shift: number): number => Math.min(255, Math.round(((hex >> shift) & 255) * share)) << shift;
  return channel(16) | channel(8) | channel(0);
}
