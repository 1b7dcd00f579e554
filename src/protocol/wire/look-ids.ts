/** The looks of walls and ceiling that a scene may have. */
export const LOOK_IDS = ['plain', 'warehouse', 'hall', 'home'] as const;
export type LookId = (typeof LOOK_IDS)[number];

/** The materials of a floor. */
export const FLOOR_KINDS = ['concrete', 'wood', 'tiles'] as const;
export type FloorKind = (typeof FLOOR_KINDS)[number];

/** The paints of walls, cloth and carpets. In robot cameras they are too faint for a colour detector to take them for a cube. */
export const PAINTS = ['white', 'sand', 'sage', 'clay', 'slate', 'linen'] as const;
export type Paint = (typeof PAINTS)[number];

/** The appearances of a box that never moves. Each fills its box and does not extend beyond it. */
export const BOX_LOOKS = [
  'table',
  'counter',
  'fridge',
  'cupboard',
  'shelf',
  'stool',
  'seat',
  'backrest',
  'armchair',
  'plant',
  'crate',
] as const;
export type BoxLook = (typeof BOX_LOOKS)[number];

/** The walls of a scene: north is +y, east +x. */
export const WALL_SIDES = ['north', 'east', 'south', 'west'] as const;
export type WallName = (typeof WALL_SIDES)[number];
