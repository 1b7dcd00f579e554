import type { ThingColour } from '../../protocol/wire/scene.ts';

/**
 * Every colour of the stage, sRGB hex. Apart from the cubes nothing has a hue that a colour detector takes for one of them
 * (hue 340–20°, 40–70°, 70–170° or 180–260° at a saturation above 0.15): greys keep their HSV saturation below 0.1, the accent is
 * violet.
 */
export const PALETTE = {
  shellWhite: 0xeeedeb,
  shellGrey: 0xb7b4b1,
  shellSeam: 0x8f8d8b,
  frameDark: 0x38383a,
  frameMid: 0x58585a,
  visor: 0x343435,
  accent: 0xa64fd0,
  accentGlow: 0xd9a8fa,
  lens: 0x4e4e50,
  palmPad: 0x4a4a4b,

  wall: 0xd9d8d6,
  wallLow: 0xb4b3b1,
  wallJoint: 0xa9a8a6,
  plinth: 0x7f7e7d,
  ceiling: 0xdededd,
  ceilingBeam: 0xc2c2c1,
  lamp: 0xffffff,
  windowPane: 0xfbfbfa,
  windowFrame: 0x8e8e8d,
  door: 0xc6c5c3,
  doorRib: 0xa8a7a5,

  concrete: 0xa5a4a2,
  laneLine: 0xd2d1cf,
  laneDark: 0x9b9a99,

  rackPost: 0xcfcfce,
  rackBeam: 0xa3a3a4,
  rackDeck: 0xcac9c8,
  rackFoot: 0x8e8e8e,
  rackLabel: 0xf2f2f1,
  rackInk: 0x6e6e6f,
  carton: 0xc4c1bd,
  cartonTape: 0xa9a6a2,
  cartonLabel: 0xf3f3f2,
  cartonInk: 0x7a7a7b,
  tote: 0x87888a,
  toteRim: 0x9c9d9e,

  beltMetal: 0xb9babb,
  beltMetalDark: 0x8b8c8d,
  beltRubber: 0x4a4a4a,
  hoodShell: 0xdddddb,
  hoodDark: 0x4c4c4d,
  strip: 0x7a7a7b,

  palletWood: 0xcbc8c2,
  palletWoodDark: 0xa9a6a0,
  signPlate: 0xf4f4f2,
  signInk: 0x484849,
  signPost: 0xa2a2a3,

  background: 0xdcdcdb,
} as const;

/** The cubes: saturated, well inside their detector bands (red 340–20°, yellow 40–70°, green 70–170°, blue 180–260°). */
export const CUBE_HEX: Record<ThingColour, number> = { red: 0xd42a2f, green: 0x26a148, blue: 0x2360d0, yellow: 0xf0c312 };
