import type { CubeColour } from '../../protocol/scene.ts';

/**
 * Every colour of the stage, sRGB hex. Apart from the cubes nothing has a hue that a colour detector takes for one of them
 * (wire.md section 7): greys keep their HSV saturation below 0.1, the accent is violet.
 */
export const PALETTE = {
  shellWhite: 0xeeedeb,
  shellGrey: 0xb7b4b1,
  shellSeam: 0x8f8d8b,
  frameDark: 0x35353a,
  frameMid: 0x55555a,
  visor: 0x26262b,
  visorRim: 0x3c3c42,
  accent: 0xa64fd0,
  accentGlow: 0xe9c6ff,
  lens: 0x404048,
  palmPad: 0x47474c,

  wall: 0xe3e2e0,
  wallLow: 0xc9c8c6,
  wallJoint: 0xbdbcba,
  plinth: 0x9c9b9a,
  ceiling: 0xe9e9e8,
  ceilingBeam: 0xcfcfce,
  lamp: 0xffffff,
  windowPane: 0xfbfbfa,
  windowFrame: 0xa9a9a8,
  door: 0xd2d1cf,
  doorRib: 0xbcbbb9,

  concrete: 0xc4c3c1,
  laneLine: 0xe9e8e6,
  laneDark: 0x9b9a99,

  rackPost: 0xd4d4d3,
  rackBeam: 0xbfbfbf,
  rackDeck: 0xdad9d8,
  rackFoot: 0x8e8e8e,
  rackLabel: 0xf2f2f1,
  rackInk: 0x6c6c6e,
  carton: 0xd0cecb,
  cartonTape: 0xb7b5b2,
  cartonLabel: 0xf3f3f2,
  cartonInk: 0x79797b,
  tote: 0x9fa0a1,
  toteRim: 0xb7b8b8,

  beltMetal: 0xb9babb,
  beltMetalDark: 0x8b8c8d,
  beltRubber: 0x48484a,
  hoodShell: 0xdddddb,
  hoodDark: 0x4a4a4d,
  strip: 0x77777a,

  palletWood: 0xd6d3ce,
  palletWoodDark: 0xbbb8b3,
  signPlate: 0xf4f4f2,
  signInk: 0x3a3a3e,
  signPost: 0xa2a2a3,

  background: 0xdcdcdb,
} as const;

/** The cubes: saturated, well inside their detector bands (red 340–20°, yellow 40–70°, green 70–170°, blue 180–260°). */
export const CUBE_HEX: Record<CubeColour, number> = { red: 0xd42a2f, green: 0x26a148, blue: 0x2360d0, yellow: 0xf0c312 };
