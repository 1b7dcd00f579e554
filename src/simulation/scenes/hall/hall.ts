import type { Furniture, SceneCamera } from '../../../protocol/place.ts';
import { CUBE_COLOURS, type Obstacle, type Pad, type SceneLayout, type Slot } from '../../../protocol/scene.ts';
import type { SceneId } from '../../../protocol/scene-ids.ts';
import { lookingAt } from '../../looking-at.ts';
import type { SceneDefinition, ThingAtStart } from '../../scene-definition.ts';
import { box, cornerSlots, rowSlots, toldSpawn, walls } from '../parts.ts';

/** A bare hall: a table with six cubes, an empty one, and a marked place on the floor. Nothing moves by itself, and nothing is counted. */

const BOUNDS: SceneLayout['bounds'] = { min: [-4, -3.8, 0], max: [4, 3.8, 3.2] };

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

const tables = (): Obstacle[] =>
  TABLES.map(({ id, x }) => box(id, [x, 0, TABLE.heightM / 2], [TABLE.deepM, TABLE.longM, TABLE.heightM]));

const tableSlots = (padId: string, x: number): Slot[] =>
  rowSlots(padId, [x, (-(TABLE_SLOTS - 1) / 2) * TABLE_SLOT_PITCH_M, TABLE.heightM], [0, TABLE_SLOT_PITCH_M], TABLE_SLOTS);

const floorSlots = ({ padId, x, y, slotOffsetM }: typeof FLOOR_PAD): Slot[] =>
  cornerSlots(padId, [x, y, 0], [slotOffsetM, slotOffsetM]);

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
      bounds: BOUNDS,
      obstacles: [...walls(BOUNDS), ...tables()],
      pads: pads(),
      slots: [...TABLES.flatMap(({ padId, x }) => tableSlots(padId, x)), ...floorSlots(FLOOR_PAD)],
      spawn: toldSpawn(SPAWN),
    },
    furniture: [
      ...walls(BOUNDS).map(({ obstacle_id: id }): Furniture => ({ id, kind: 'wall' })),
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
