import { z } from 'zod';
import { entityKindSchema } from './entity-kind.ts';
import { poseSchema, vec3Schema } from './geometry.ts';
import { UNKNOWN_IDS_MAX } from './limits.ts';

export const THING_COLOURS = ['red', 'green', 'blue', 'yellow'] as const;
export const thingColourSchema = z.enum(THING_COLOURS);
export type ThingColour = z.infer<typeof thingColourSchema>;

/** The robot's own id in the scene. */
export const ROBOT_ENTITY_ID = 'robot';
/** The alias for the nearest cube that is neither held nor on a destination pad. */
export const NEAREST_CUBE_ALIAS = 'cube';
/** Every cube is this wide, deep and high. */
export const CUBE_EDGE_M = 0.15;

/** The shape of an object as clients receive it: metres, in its own frame, z up. */
export const thingShapeOnWireSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('box'), size: vec3Schema.describe('full extents, [x, y, z]') }),
  z.object({ kind: z.literal('cylinder'), radius_m: z.number(), height_m: z.number() }),
  z.object({
    kind: z.literal('container'),
    size: vec3Schema.describe('full outer extents, [x, y, z]; it is open at the top'),
    wall_m: z.number().describe('thickness of its floor and walls'),
  }),
]);
export type ThingShapeOnWire = z.infer<typeof thingShapeOnWireSchema>;

/** When a state was read: simulated step and time, and the wall clock of the runtime. */
export const timestampSchema = z.object({ step: z.int(), sim_time_s: z.number(), wall_time_ms: z.int() });
export type Timestamp = z.infer<typeof timestampSchema>;

export const entityStateSchema = z.object({
  entity_id: z.string(),
  kind: entityKindSchema,
  pose: poseSchema,
  visible: z.boolean(),
  attached_to: z.string().nullable().describe('"robot" for a held thing'),
  state: z.looseObject({
    color: z.string().optional(),
    category: z.string().optional().describe('of an object: what it is'),
    shape: thingShapeOnWireSchema.optional().describe('of an object; a cube has 0.15 m along each edge'),
    mass_kg: z.number().optional().describe('of an object'),
    parent_pad_id: z
      .string()
      .nullable()
      .optional()
      .describe('the pad a thing rests on, or was collected from; null on the floor, in the hands or in motion'),
    container_id: z.string().optional().describe('the container that a thing is in; absent outside of one'),
    collected: z
      .boolean()
      .optional()
      .describe(
        'true of a cube that was delivered and has left the scene; such a cube is not visible, and nothing can be done with it',
      ),
  }),
});
/** The robot, a cube, another thing or a pad in its present state. */
export type EntityState = z.infer<typeof entityStateSchema>;

const unknownIdSchema = z.object({
  entity_id: z.string().describe('as it was asked for'),
  nearest: z.array(z.string()).describe('ids that may be meant, the most similar first; none of a cube that was collected'),
});
/** A requested id that names nothing in the scene. */
export type UnknownId = z.infer<typeof unknownIdSchema>;

export const sceneStateSchema = z.object({
  timestamp: timestampSchema,
  entities: z.record(z.string(), entityStateSchema),
  unknown_ids: z
    .array(unknownIdSchema)
    .optional()
    .describe(
      `the ids of \`entity_ids\` that name nothing, the first ${UNKNOWN_IDS_MAX}; absent where every id names something, and where the reply would be too large`,
    ),
});
/** The entities of a scene by their id, and the time of this state. */
export type SceneState = z.infer<typeof sceneStateSchema>;

export const obstacleSchema = z.object({
  kind: z.literal('box'),
  obstacle_id: z.string(),
  pose: z.object({ position: vec3Schema, yaw_deg: z.number().optional() }).describe('of the centre of the box'),
  size: vec3Schema.describe('full extents in metres, [x, y, z]'),
});
export type Obstacle = z.infer<typeof obstacleSchema>;

export const padSchema = z.object({
  pad_id: z.string(),
  position: vec3Schema.describe('centre of the top surface'),
  size: vec3Schema.describe('full extents in metres, [x, y, z]'),
  color: thingColourSchema.optional().describe('the colour that belongs here'),
  role: z.enum(['source', 'destination']),
});
export type Pad = z.infer<typeof padSchema>;

export const slotSchema = z.object({
  pad_id: z.string(),
  index: z.int().min(0),
  position: vec3Schema.describe('where the centre of a cube in this slot is'),
});
export type Slot = z.infer<typeof slotSchema>;

export const regionSchema = z.object({
  region_id: z.string(),
  title: z.string().describe('its name for people'),
  polygon: z.array(z.tuple([z.number(), z.number()])).describe('its corners in order, metres on the floor, [x, y]'),
});
/** A named part of the floor. */
export type Region = z.infer<typeof regionSchema>;

export const sceneLayoutSchema = z.object({
  scene_id: z.string(),
  bounds: z.object({ min: vec3Schema, max: vec3Schema }),
  obstacles: z.array(obstacleSchema),
  pads: z.array(padSchema),
  slots: z.array(slotSchema),
  regions: z.array(regionSchema).optional().describe('named parts of the floor; older runtimes leave them out'),
  spawn: poseSchema,
});
/** The static part of a scene. Metres; boxes have their centre and their full size. */
export type SceneLayout = z.infer<typeof sceneLayoutSchema>;
