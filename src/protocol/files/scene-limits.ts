/** The underside of a carried cube is at 0.845 m. Things on a pad must stay clear below it, or carried cubes push them off. */
export const CARRIED_OVER_M = 0.815;

/** The minimum gap between two cubes in neighbouring slots. */
export const SLOT_AIR_M = 0.01;

/** The limits of a scene from a file. */
export const SCENE_LIMITS = {
  /** Of the file, UTF-8. */
  bytes: 256 * 1024,
  /** How deep lists and objects may be nested. */
  depth: 12,
  /** Values of the file, including lists and objects. */
  values: 20_000,
  obstacles: 120,
  pads: 24,
  slotsOfPad: 8,
  things: 40,
  fixtures: 4,
  regions: 24,
  cornersOfRegion: 24,
  cameras: 8,
  decor: 40,
  /** The maximum of a coordinate, and of the length of a box. */
  farthestM: 50,
  thinnestM: 0.001,
  /** With one cube on it, it stays below `CARRIED_OVER_M`. */
  padHighestM: 0.66,
  /** The layout as clients read it in one reply, JSON text. */
  layoutBytes: 14_500,
} as const;
