import type { ThingColour } from '../../protocol/wire/scene.ts';
import type { Finish } from '../geometry/finish.ts';
import { CUBE_HEX, PALETTE } from './palette.ts';

/** Converts a painted colour (sRGB hex) to the one that an audience sees. */
export type Tone = (finish: Finish, colour: number) => number;

/**
 * The cameras' greys in the colours of a real warehouse, for people only: kraft board, slate posts, clay beams. They are muted,
 * so that the cubes stand out.
 */
const PEOPLE_HEX: Partial<Record<keyof typeof PALETTE, number>> = {
  wall: 0xe3dfd8,
  wallLow: 0x8f9aa3,
  wallJoint: 0xa9a7a2,
  plinth: 0x555b62,
  ceiling: 0xd9d8d5,
  ceilingBeam: 0x9aa0a6,
  windowPane: 0xf4f8fc,
  windowFrame: 0x5f666d,
  door: 0xb5bdc3,
  doorRib: 0x8f989f,
  concrete: 0x9f9c97,
  laneLine: 0xe8dfc4,
  rackPost: 0x55636f,
  rackBeam: 0xbf8560,
  rackDeck: 0xc2beb7,
  rackFoot: 0x4a545d,
  carton: 0xc3a680,
  cartonTape: 0xa88960,
  tote: 0x5d6c79,
  toteRim: 0x76858f,
  beltMetal: 0xb4bac0,
  beltMetalDark: 0x767d84,
  hoodShell: 0xd9dcde,
  signPost: 0x7d848b,
};

/** Tint of bleached wood as if in the sun again: red, green, blue. */
const WOOD = [1, 0.9, 0.74] as const;
/** Share of a pad's own colour in its lines. */
const PAD_SHARE = 0.6;

/** The tone for people. */
export const peopleTone = toneOf(PEOPLE_HEX, WOOD);

/**
 * Returns the tone that replaces the stage's greys by these colours. Boards of wood differ in brightness, so they are tinted
 * rather than looked up. @param wood their tint: red, green, blue
 */
export function toneOf(hexes: Partial<Record<keyof typeof PALETTE, number>>, wood: readonly [number, number, number]): Tone {
  const toneOfGrey = new Map<number, number>();
  for (const [name, hex] of Object.entries(hexes)) toneOfGrey.set(PALETTE[name as keyof typeof PALETTE], hex);
  return (finish, colour) =>
    finish === 'wood' ? perChannel(colour, (value, channel) => value * wood[channel]) : (toneOfGrey.get(colour) ?? colour);
}

/** Leaves colours as painted. */
export const asPainted: Tone = (_finish, colour) => colour;

/**
 * Returns the colour of a pad's lines and signs, which shows people which things belong there; cameras see them grey.
 * @param grey the colour of a pad without a colour
 */
export function padColour(colour: ThingColour | undefined, grey: number): number {
  if (!colour) return grey;
  const own = CUBE_HEX[colour];
  return perChannel(grey, (value, channel) => value * (1 - PAD_SHARE) + ((own >> (16 - 8 * channel)) & 0xff) * PAD_SHARE);
}

/** Changes red, green and blue of an sRGB colour, 0…255 each. */
function perChannel(colour: number, change: (value: number, channel: 0 | 1 | 2) => number): number {
  const channel = (index: 0 | 1 | 2): number =>
    Math.min(255, Math.round(change((colour >> (16 - 8 * index)) & 0xff, index))) << (16 - 8 * index);
  return channel(0) | channel(1) | channel(2);
}
