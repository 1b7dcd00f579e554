import { yawToQuat } from '../../../protocol/geometry.ts';
import type { Furniture, SceneCamera } from '../../../protocol/place.ts';
import { BASE_HEIGHT_M } from '../../../protocol/robots/humanoid.ts';
import { CUBE_COLOURS, CUBE_EDGE_M, type Obstacle, type Pad, type Slot } from '../../../protocol/scene.ts';
import type { SceneId } from '../../../protocol/scene-ids.ts';
import { lookingAt } from '../../looking-at.ts';
import type { SceneDefinition, ThingAtStart } from '../../scene-definition.ts';
import { toMicrometre } from '../to-micrometre.ts';

/** A bare hall: a table with six cubes, an empty one, and a marked place on the floor. Nothing moves by itself, and nothing is counted. */

const HALF_X = 4;
const HALF_Y = 3.8;
const WALL_HEIGHT_M = 3.2;
const WALL_THICKNESS_M = 0.2;

const TABLE = { deepM: 0.5, longM: 2.4, heightM: 0.6 };
/** From a table's middle line to the robot beside it: its edge, the robot's radius, a little air. */
const TABLE_STANDOFF_M = 0.5;
const TABLE_SLOTS = 6;
const TABLE_SLOT_PITCH_M = 0.4;
const TABLES: readonly { id: string; padId: string; x: number; role: Pad['role'] }[] = [
  { id: 'table_1', padId: 'pad_1', x: -1.7, role: 'source' },
  { id: 'table_2', padId: 'pad_2', x: 1.7, role: 'destination' },
];

const FLOOR_PAD = { padId: 'pad_3', x: 0, y: 1.6, edgeM: 0.9, slotOffsetM: 0.2, standoffM: 0.66 };

const SPAWN = { x: 0, y: -1.2, yawRad: Math.PI / 2 };

const box = (obstacleId: string, centre: Obstacle['pose']['position'], size: Obstacle['size']): Obstacle => ({
  kind: 'box',
  obstacle_id: obstacleId,
  pose: { position: centre, yaw_deg: 0 },
  size,
});

function walls(): Obstacle[] {
  const t = WALL_THICKNESS_M;
  const z = WALL_HEIGHT_M / 2;
  const alongX: Obstacle['size'] = [2 * HALF_X + 2 * t, t, WALL_HEIGHT_M];
  const alongY: Obstacle['size'] = [t, 2 * HALF_Y, WALL_HEIGHT_M];
  return [
    box('wall_north', [0, HALF_Y + t / 2, z], alongX),
    box('wall_south', [0, -HALF_Y - t / 2, z], alongX),
    box('wall_east', [HALF_X + t / 2, 0, z], alongY),
    box('wall_west', [-HALF_X - t / 2, 0, z], alongY),
  ];
}

const tables = (): Obstacle[] =>
  TABLES.map(({ id, x }) => box(id, [x, 0, TABLE.heightM / 2], [TABLE.deepM, TABLE.longM, TABLE.heightM]));

const tableSlots = (padId: string, x: number): Slot[] =>
  Array.from({ length: TABLE_SLOTS }, (_, index) => ({
    pad_id: padId,
    index,
    position: [
      x,
      toMicrometre((index - (TABLE_SLOTS - 1) / 2) * TABLE_SLOT_PITCH_M),
      toMicrometre(TABLE.heightM + CUBE_EDGE_M / 2),
    ],
  }));

function floorSlots({ padId, x, y, slotOffsetM }: typeof FLOOR_PAD): Slot[] {
  const corners: readonly (readonly [number, number])[] = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ];
  return corners.map(([signX, signY], index) => ({
    pad_id: padId,
    index,
    position: [toMicrometre(x + signX * slotOffsetM), toMicrometre(y + signY * slotOffsetM), toMicrometre(CUBE_EDGE_M / 2)],
  }));
}

const pads = (): Pad[] => [
  ...TABLES.map(
    ({ padId, x, role }): Pad => ({
      pad_id: padId,
      position: [x, 0, TABLE.heightM],
      size: [TABLE.deepM, TABLE.longM, TABLE.heightM],
      role,
    }),
  ),
  {
    pad_id: FLOOR_PAD.padId,
    position: [FLOOR_PAD.x, FLOOR_PAD.y, 0],
    size: [FLOOR_PAD.edgeM, FLOOR_PAD.edgeM, 0],
    role: 'destination',
  },
];

/** One cube in each slot of the first table. */
function things(): ThingAtStart[] {
  const [first] = TABLES;
  if (!first) return [];
  return tableSlots(first.padId, first.x).map(({ position }, index) => ({
    colour: CUBE_COLOURS[index % CUBE_COLOURS.length] ?? 'red',
    position,
  }));
}

function cameras(): SceneCamera[] {
  const corner: SceneCamera['position'] = [-3.7, -3.5, 2.8];
  return [
    {
      id: 'topdown',
      title: 'Ceiling',
      description: 'Above the hall, looking straight down; the top of the picture is +y.',
      position: [0, 0, 6.9],
      orientation: [1, 0, 0, 0],
      verticalFovDeg: 60,
    },
    {
      id: 'corner',
      title: 'Corner',
      description: 'In a corner of the hall, looking over both tables.',
      position: corner,
      orientation: lookingAt(corner, [0.3, 0.3, 0.4]),
      verticalFovDeg: 62,
    },
  ];
}

/** Builds the definition; every call gives a fresh, equal one. */
export function createHall(): SceneDefinition {
  return {
    layout: {
      scene_id: 'hall' satisfies SceneId,
      bounds: { min: [-HALF_X, -HALF_Y, 0], max: [HALF_X, HALF_Y, WALL_HEIGHT_M] },
      obstacles: [...walls(), ...tables()],
      pads: pads(),
      slots: [...TABLES.flatMap(({ padId, x }) => tableSlots(padId, x)), ...floorSlots(FLOOR_PAD)],
      spawn: {
        frame_id: 'world',
        position: [SPAWN.x, SPAWN.y, BASE_HEIGHT_M],
        orientation_xyzw: [...yawToQuat(SPAWN.yawRad)],
        yaw_deg: 90,
      },
    },
    furniture: [
      ...walls().map(({ obstacle_id: id }): Furniture => ({ id, kind: 'wall' })),
      ...TABLES.map(({ id, padId }): Furniture => ({ id, kind: 'table', padId })),
    ],
    cameras: cameras(),
    spawn: SPAWN,
    approaches: {
      ...Object.fromEntries(
        TABLES.map(({ padId }) => [padId, { kind: 'beside', along: 'y', standoffM: TABLE_STANDOFF_M }] as const),
      ),
      [FLOOR_PAD.padId]: { kind: 'four-sides', standoffM: FLOOR_PAD.standoffM },
    },
    fixtures: [],
    things: things(),
    benchmark: null,
  };
}
