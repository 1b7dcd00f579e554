import { z } from 'zod';
import { boundedArray } from '../wire/bounded-array.ts';
import { quatInputSchema } from '../wire/geometry.ts';
import { BOX_LOOKS, FLOOR_KINDS, LOOK_IDS, PAINTS, WALL_SIDES } from '../wire/look-ids.ts';
import { oneLine } from '../wire/one-line.ts';
import { THING_COLOURS } from '../wire/scene.ts';
import { THING_LIMITS as T, THING_FRICTION } from '../wire/thing-shape.ts';
import { SCENE_LIMITS as L } from './scene-limits.ts';
import { variationSchema } from './variation-file.ts';

/**
 * A scene as a file, `simplesim.scene/1`: data, never code. World frame: z up, metres, degrees to the left of +x, kilograms.
 * Sizes are full extents. Unknown properties are rejected.
 */
export const SCENE_FORMAT = 'simplesim.scene/1';

const idText = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'must be an id: a letter, and then at most 39 letters, digits, _ and -');
const coordinate = z.number().min(-L.farthestM).max(L.farthestM);
const point = z.tuple([coordinate, coordinate, coordinate]).describe('metres, [x, y, z]');
const floorPoint = z.tuple([coordinate, coordinate]).describe('metres on the floor, [x, y]');
const length = z.number().min(L.thinnestM).max(L.farthestM);
const size = z.tuple([length, length, length]).describe('full extents in metres, [x, y, z]');
const yawDeg = z.number().min(-360).max(360).describe('degrees, positive turns left');
const colour = z.enum(THING_COLOURS);
const padId = idText.describe('a pad of this scene');

/** A box that never moves. `kind` names its role; without it, the box is a plain obstacle. */
const obstacleSchema = z
  .strictObject({
    id: idText,
    position: point.describe('centre of the box, metres'),
    size,
    yaw_deg: yawDeg.optional(),
    kind: z
      .enum(['rack', 'pallet', 'table', 'belt', 'infeed', 'sign', 'wall'])
      .optional()
      .describe('pallet, table and belt carry a pad; infeed is the hood of a belt; sign names a pad'),
    pad_id: padId.optional().describe('for pallet, table, belt and sign: their pad'),
    belt_id: idText.optional().describe('for infeed: its belt'),
    letter: oneLine(1).optional().describe('for sign: what is on it'),
    look: z
      .enum(BOX_LOOKS)
      .optional()
      .describe(
        'what it is drawn as, inside its box; for table, rack and boxes without kind. Its front turns away from the nearest wall',
      ),
    paint: z.enum(PAINTS).optional().describe('of its cloth or its fronts, where it has a look'),
  })
  .describe('a box that never moves');

const approachSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('four-sides'),
    standoff_m: z.number().min(0.2).max(3).describe('from the middle of the pad to the middle of the robot'),
  }),
  z.strictObject({
    kind: z.literal('beside'),
    along: z.enum(['x', 'y']).describe('the long side'),
    standoff_m: z.number().min(0.2).max(3).describe('from the middle line of the pad to the middle of the robot'),
  }),
]);

const padSchema = z.strictObject({
  id: idText,
  position: point.describe('centre of the top surface'),
  size: z
    .tuple([length, length, z.number().min(0).max(L.padHighestM)])
    .describe('full extents in metres, [x, y, height over the floor]'),
  role: z.enum(['source', 'destination']),
  color: colour.optional().describe('the colour that belongs here'),
  approach: approachSchema.optional().describe('where to stand for work at it; without it, wherever there is room'),
  slots: boundedArray(floorPoint, L.slotsOfPad).optional().describe('middles of places for one cube each, on the floor plane'),
  layers: z.int().min(1).max(4).optional().describe('how many cubes lie on top of each other in a slot; 1 unless given'),
});

const edge = z.number().min(T.edgeM.min).max(T.edgeM.max);
const edges = z.tuple([edge, edge, edge]);
const shapeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('box'), size: edges.describe('full extents, metres') }),
  z.strictObject({
    kind: z.literal('cylinder'),
    radius_m: z
      .number()
      .min(T.edgeM.min / 2)
      .max(T.edgeM.max / 2),
    height_m: edge.describe('it stands on its end'),
  }),
  z.strictObject({
    kind: z.literal('container'),
    size: edges.describe('full outer extents, metres; it is open at the top'),
    wall_m: z.number().min(T.wallM.min).max(T.wallM.max).describe('thickness of its floor and its four walls'),
  }),
]);

/** A thing that can be moved. Without a shape it is a cube. */
const thingSchema = z.strictObject({
  id: idText.optional().describe('a cube without one gets cube_0, cube_1 and so on; any other thing needs one'),
  category: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be a word of small letters, digits and _')
    .optional()
    .describe('what it is: cup, book, basket; cubes have none to give'),
  shape: shapeSchema.optional().describe('a cube unless given'),
  color: colour.describe('of a cube: in a world of seed 1; other seeds draw their own, unless it keeps this one'),
  keeps_color: z.boolean().optional().describe('of a cube: whether it has this colour with every seed. Other things always have'),
  position: point.describe('centre'),
  yaw_deg: yawDeg.optional(),
  mass_kg: z.number().min(T.massKg.min).max(T.massKg.max).optional().describe('any other thing than a cube needs one'),
  friction: z
    .number()
    .min(T.friction.min)
    .max(T.friction.max)
    .optional()
    .describe(`how hard it is to slide; ${THING_FRICTION} unless given. Hands hold it whatever it is`),
});

const conveyorSchema = z.strictObject({
  kind: z.literal('conveyor'),
  pad_id: padId.describe('the pad that it brings things to; it carries along -y to the slot 0'),
  belt_id: idText.describe('the obstacle that is its body'),
  hood_id: idText.describe('the obstacle under which things come out'),
  centre_x: coordinate.describe('the middle line of the belt, metres'),
  half_width_m: z.number().min(0.08).max(2),
  min_y: coordinate.describe('the near end of the belt, metres'),
  max_y: coordinate.describe('the far end of the belt, metres'),
  surface_z: z.number().min(0.1).max(L.padHighestM).describe('the surface that cubes rest on, metres over the floor'),
  infeed_y: coordinate.describe('where new cubes appear, unseen, metres'),
  start_colors: boundedArray(colour, L.slotsOfPad).describe('the row at the start of seed 1, by slot'),
});

const cameraSchema = z.strictObject({
  id: idText,
  title: oneLine(24).describe('for people, one word'),
  description: oneLine(200),
  position: point,
  look_at: point.optional().describe('the point in the middle of its picture, which is upright; this or orientation_xyzw'),
  orientation_xyzw: quatInputSchema.optional().describe('of the optical frame: x right, y down, z forward; this or look_at'),
  vertical_fov_deg: z.number().min(5).max(150),
});

const regionSchema = z.strictObject({
  id: idText,
  title: oneLine(40),
  polygon: boundedArray(floorPoint, L.cornersOfRegion).min(3).describe('corners, in order; no two sides cross'),
});

/** A decoration that is only drawn: it collides with nothing, and clients do not receive it. */
const decorSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['rug', 'mat']).describe('on the floor; a mat is of squares'),
    position: floorPoint.describe('its middle, metres'),
    size: z.tuple([length, length]).describe('full extents in metres, [x, y]'),
    paint: z.enum(PAINTS).optional(),
  }),
  z.strictObject({
    kind: z
      .enum(['window', 'door', 'picture', 'clock', 'screen', 'tiles', 'cabinet', 'hood'])
      .describe('on a wall; cabinet and hood stand out of it, so they hang at 1.4 m or higher'),
    wall: z.enum(WALL_SIDES).describe('north is at the largest y, east at the largest x'),
    at_m: coordinate.describe('its middle along the wall: x for north and south, y for east and west'),
    z_m: z.number().min(0).max(10).describe('its middle over the floor'),
    size: z.tuple([length, length]).describe('full extents in metres, [along the wall, height]'),
    paint: z.enum(PAINTS).optional(),
  }),
]);

const inner = z.number().min(-L.farthestM).max(L.farthestM);
export const sceneFileSchema = z
  .strictObject({
    $schema: z.string().max(200).optional().describe('for editors; nothing else reads it'),
    format: z.literal(SCENE_FORMAT),
    scene_id: idText,
    title: oneLine(40).describe('for people'),
    summary: oneLine(160).describe('one sentence, for people'),
    bounds: z
      .strictObject({
        min: z.tuple([inner, inner, z.literal(0)]),
        max: z.tuple([inner, inner, z.number().min(1).max(10)]),
      })
      .describe('the room: its floor is at 0'),
    walls: z
      .boolean()
      .optional()
      .describe('whether walls stand round the bounds: wall_north, wall_south, wall_east, wall_west; they do unless it is false'),
    spawn: z.strictObject({ position: floorPoint, yaw_deg: yawDeg.optional() }).describe('where the robot stands at first'),
    obstacles: boundedArray(obstacleSchema, L.obstacles).optional(),
    pads: boundedArray(padSchema, L.pads).optional(),
    things: boundedArray(thingSchema, L.things).optional().describe('what can be moved, and where it lies at first'),
    fixtures: boundedArray(z.discriminatedUnion('kind', [conveyorSchema]), L.fixtures)
      .optional()
      .describe('parts that move on their own'),
    regions: boundedArray(regionSchema, L.regions).optional().describe('named parts of the floor'),
    variation: variationSchema.optional(),
    cameras: boundedArray(cameraSchema, L.cameras).optional().describe('beside the one in the robot’s head'),
    benchmark: z.literal('sorting').optional().describe('pads count the cubes of their colour'),
    look: z.enum(LOOK_IDS).optional().describe('how walls and ceiling look; plain unless given'),
    floor: z.enum(FLOOR_KINDS).optional().describe('what the floor looks like; concrete unless given'),
    paint: z.enum(PAINTS).optional().describe('of the walls of home; white unless given'),
    decor: boundedArray(decorSchema, L.decor).optional().describe('what is only drawn: rugs, windows, pictures'),
  })
  .describe('A scene of SimpleSim. Metres, degrees, z up.');

/** A scene as its file has it. Optional parts stay absent: `definitionOf` of the simulation fills in their meaning. */
export type SceneFile = z.output<typeof sceneFileSchema>;
