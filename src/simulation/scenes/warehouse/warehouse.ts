import type { Furniture, SceneCamera } from '../../../protocol/place.ts';
import type { CubeColour, Obstacle, Pad, SceneLayout, Slot } from '../../../protocol/scene.ts';
import type { SceneId } from '../../../protocol/scene-ids.ts';
import type { FixtureDefinition, SceneDefinition } from '../../scene-definition.ts';
import { box, cornerSlots, rowSlots, toldSpawn, walls } from '../parts.ts';

/** The warehouse: the parts that programs rely on (pads, belt slots, spawn, the first cubes) and the building around it. */

const BOUNDS: SceneLayout['bounds'] = { min: [-5, -8.2, 0], max: [5.5, 4.5, 3.2] };

const BELT_PAD_ID = 'pad_A';
const BELT_ID = 'belt';
const INFEED_ID = 'infeed';
const BELT = { centreX: 1.4, halfWidthM: 0.17, minY: -2.1, maxY: 2.9, surfaceZ: 0.575 };
const BELT_SLOT_COUNT = 7;
const BELT_FIRST_SLOT_Y = -1.8;
const BELT_SLOT_PITCH_M = 0.6;
/** From the belt's middle line to the robot beside it. */
const BELT_STANDOFF_M = 0.46;
const HOOD = { minY: 2.15, maxY: 2.95, widthM: 0.5, heightM: 0.95 };

const PALLET_EDGE_M = 0.8;
const PALLET_HEIGHT_M = 0.12;
const PALLET_SLOT_OFFSET_M = 0.18;
const PALLET_LAYERS = 2;
/** From a pallet's middle to the robot before it: its edge, the robot's radius, a little air. */
const PALLET_STANDOFF_M = 0.62;
const SIGN_EDGE_M = 0.05;
const SIGN_HEIGHT_M = 1.4;
/** Sign post's middle from the pallet's middle, along x and along y: just outside the corner. */
const SIGN_OFFSET_M = PALLET_EDGE_M / 2 + 0.055;

const RACK = { longM: 2.4, deepM: 0.6, heightM: 2.2 };

/**
 * Looks straight down from above the middle of the warehouse, the top of its picture towards +y, from high enough that the whole floor with all
 * pads and their signs is in a 16:9 picture.
 */
const TOPDOWN: SceneCamera = {
  id: 'topdown',
  title: 'Ceiling',
  description: 'Above the scene, looking straight down; the top of the picture is +y.',
  position: [0.25, -1.85, 11.4],
  orientation: [1, 0, 0, 0],
  verticalFovDeg: 60,
};

interface DestinationSpec {
  padId: string;
  /** On its sign, and in the ids of things that stand there. */
  letter: string;
  x: number;
  y: number;
  colour: CubeColour;
  /** Signs of the corner that the sign stands at. */
  signCorner: readonly [number, number];
}

const DESTINATIONS: readonly DestinationSpec[] = [
  { padId: 'pad_B', letter: 'B', x: -1.4, y: -5.5, colour: 'red', signCorner: [-1, -1] },
  { padId: 'pad_C', letter: 'C', x: 3.2, y: 1.6, colour: 'green', signCorner: [1, 1] },
  { padId: 'pad_D', letter: 'D', x: 3.2, y: -5.5, colour: 'blue', signCorner: [1, -1] },
  { padId: 'pad_E', letter: 'E', x: -2.8, y: 0.8, colour: 'yellow', signCorner: [-1, 1] },
];

/** Centres of the racks and whether their long side lies along x. Aisles are 1.2 m or wider, 1.3 m are free round each pad. */
const RACKS: readonly { x: number; y: number; alongX: boolean }[] = [
  { x: -3.6, y: 4.2, alongX: true },
  { x: -1.1, y: 4.2, alongX: true },
  { x: 3.9, y: 4.2, alongX: true },
  { x: -4.7, y: -2.4, alongX: false },
  { x: -4.7, y: -5.0, alongX: false },
  { x: 5.2, y: -2.2, alongX: false },
  { x: -3.4, y: -7.9, alongX: true },
  { x: -0.9, y: -7.9, alongX: true },
  { x: 1.6, y: -7.9, alongX: true },
  { x: 4.1, y: -7.9, alongX: true },
  // Free-standing: they make the aisles between the belt and the far pads.
  { x: 0.9, y: -5.2, alongX: false },
  { x: -1.6, y: -2.4, alongX: true },
  { x: -0.5, y: 1.4, alongX: false },
];

function racks(): Obstacle[] {
  return RACKS.map(({ x, y, alongX }, index) => {
    const [sizeX, sizeY] = alongX ? [RACK.longM, RACK.deepM] : [RACK.deepM, RACK.longM];
    return box(`rack_${index + 1}`, [x, y, RACK.heightM / 2], [sizeX, sizeY, RACK.heightM]);
  });
}

function conveyorObstacles(): Obstacle[] {
  const { centreX, halfWidthM, minY, maxY, surfaceZ } = BELT;
  return [
    box(BELT_ID, [centreX, (minY + maxY) / 2, surfaceZ / 2], [2 * halfWidthM, maxY - minY, surfaceZ]),
    box(INFEED_ID, [centreX, (HOOD.minY + HOOD.maxY) / 2, HOOD.heightM / 2], [HOOD.widthM, HOOD.maxY - HOOD.minY, HOOD.heightM]),
  ];
}

function destinationObstacles(spec: DestinationSpec): Obstacle[] {
  return [
    box(`pallet_${spec.letter}`, [spec.x, spec.y, PALLET_HEIGHT_M / 2], [PALLET_EDGE_M, PALLET_EDGE_M, PALLET_HEIGHT_M]),
    box(
      `sign_${spec.letter}`,
      [spec.x + spec.signCorner[0] * SIGN_OFFSET_M, spec.y + spec.signCorner[1] * SIGN_OFFSET_M, SIGN_HEIGHT_M / 2],
      [SIGN_EDGE_M, SIGN_EDGE_M, SIGN_HEIGHT_M],
    ),
  ];
}

function furniture(): Furniture[] {
  return [
    ...walls(BOUNDS).map(({ obstacle_id: id }): Furniture => ({ id, kind: 'wall' })),
    ...racks().map(({ obstacle_id: id }): Furniture => ({ id, kind: 'rack' })),
    { id: BELT_ID, kind: 'belt', padId: BELT_PAD_ID },
    { id: INFEED_ID, kind: 'infeed', beltId: BELT_ID },
    ...DESTINATIONS.flatMap(({ padId, letter }): Furniture[] => [
      { id: `pallet_${letter}`, kind: 'pallet', padId },
      { id: `sign_${letter}`, kind: 'sign', padId, letter },
    ]),
  ];
}

const beltSlots = (): Slot[] =>
  rowSlots(BELT_PAD_ID, [BELT.centreX, BELT_FIRST_SLOT_Y, BELT.surfaceZ], [0, BELT_SLOT_PITCH_M], BELT_SLOT_COUNT);

const palletSlots = ({ padId, x, y }: DestinationSpec): Slot[] =>
  cornerSlots(padId, [x, y, PALLET_HEIGHT_M], [PALLET_SLOT_OFFSET_M, PALLET_SLOT_OFFSET_M], PALLET_LAYERS);

/** Builds the definition; every call gives a fresh, equal one. */
export function createWarehouse(): SceneDefinition {
  const spawn = { x: 0.405, y: -1.497, yawRad: 0 };
  const beltPad: Pad = {
    pad_id: BELT_PAD_ID,
    position: [BELT.centreX, 0, BELT.surfaceZ],
    size: [2 * BELT.halfWidthM, 2 * -BELT.minY, BELT.surfaceZ],
    role: 'source',
  };
  const palletPads = DESTINATIONS.map(
    ({ padId, x, y, colour }): Pad => ({
      pad_id: padId,
      position: [x, y, PALLET_HEIGHT_M],
      size: [PALLET_EDGE_M, PALLET_EDGE_M, PALLET_HEIGHT_M],
      color: colour,
      role: 'destination',
    }),
  );
  return {
    layout: {
      scene_id: 'warehouse' satisfies SceneId,
      bounds: BOUNDS,
      obstacles: [...walls(BOUNDS), ...racks(), ...conveyorObstacles(), ...DESTINATIONS.flatMap(destinationObstacles)],
      pads: [beltPad, ...palletPads],
      slots: [...beltSlots(), ...DESTINATIONS.flatMap(palletSlots)],
      spawn: toldSpawn(spawn),
    },
    furniture: furniture(),
    cameras: [TOPDOWN],
    spawn,
    approaches: {
      [BELT_PAD_ID]: { kind: 'beside', along: 'y', standoffM: BELT_STANDOFF_M },
      ...Object.fromEntries(
        DESTINATIONS.map(({ padId }) => [padId, { kind: 'four-sides', standoffM: PALLET_STANDOFF_M }] as const),
      ),
    },
    fixtures: [conveyor()],
    // The belt brings them all.
    things: [],
    benchmark: 'sorting',
  };
}

function conveyor(): FixtureDefinition {
  const lastSlotY = BELT_FIRST_SLOT_Y + (BELT_SLOT_COUNT - 1) * BELT_SLOT_PITCH_M;
  return {
    kind: 'conveyor',
    padId: BELT_PAD_ID,
    beltObstacleId: BELT_ID,
    hoodObstacleId: INFEED_ID,
    ...BELT,
    infeedY: lastSlotY + BELT_SLOT_PITCH_M + 0.12,
    startColours: ['blue', 'green', 'green', 'blue', 'red', 'red', 'blue'],
  };
}
