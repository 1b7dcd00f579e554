import type { PALETTE } from './palette.ts';
import { toneOf } from './people-palette.ts';

/**
 * The stage's greys for the robot's cameras: the colours that people see in the same scene, so faint that no colour detector
 * takes them for a cube. Board, wood and beams keep to the hues between red and yellow, 20–40°, at saturations below 0.13.
 * Everything else stays below 0.08, which leaves room for JPEG's errors.
 */
const CAMERA_HEX: Partial<Record<keyof typeof PALETTE, number>> = {
  wall: 0xdcd9d6,
  wallLow: 0xaab0b6,
  wallJoint: 0xa9a8a5,
  plinth: 0x787c7f,
  ceiling: 0xdedddb,
  ceilingBeam: 0xbcbfc2,
  windowPane: 0xf7fafc,
  windowFrame: 0x888b8e,
  door: 0xbec2c6,
  doorRib: 0xa0a4a8,
  concrete: 0xa8a5a2,
  laneLine: 0xd8d3ca,
  rackPost: 0x8c9094,
  rackBeam: 0xb4a89e,
  rackDeck: 0xc9c6c1,
  rackFoot: 0x808487,
  carton: 0xc6baaf,
  cartonTape: 0xaca198,
  tote: 0x82868a,
  toteRim: 0x93979b,
  beltMetal: 0xb7babd,
  beltMetalDark: 0x86898c,
  hoodShell: 0xdadcdd,
  signPost: 0x97999c,
};

/** Bleached wood, fainter than for people: red, green, blue. */
const WOOD = [1, 0.945, 0.917] as const;

/** The tone for the robot's cameras. */
export const cameraTone = toneOf(CAMERA_HEX, WOOD);
