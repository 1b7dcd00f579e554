/** The underside of a carried cube is at 0.845 m. What lies on a pad must stay clear below it, or carried cubes sweep it away. */
export const CARRIED_OVER_M = 0.815;

/** Between two cubes in slots beside each other there is at least this much air. */
export const SLOT_AIR_M = 0.01;

/** How large a scene from a file may be. */
export const SCENE_LIMITS = {
  /** Of the file, UTF-8. */
  bytes: 256 * 1024,
  /** How deep lists and objects stand in each other. */
  depth: 12,
  /** Values of the file, lists and objects counted too. */
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
  /** No coordinate is farther than this, no box longer. */
  farthestM: 50,
  thinnestM: 0.001,
  /** One cube on it stays below `CARRIED_OVER_M`. */
  padHighestM: 0.66,
  /** The layout as clients read it in one reply, JSON text. */
  layoutBytes: 14_500,
} as const;
