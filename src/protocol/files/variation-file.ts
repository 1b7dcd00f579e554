import { z } from 'zod';
import { boundedArray } from '../wire/bounded-array.ts';
import { FACING_WITHIN_DEG, PLACINGS, RELATIONS } from '../wire/placings.ts';
import { THING_COLOURS } from '../wire/scene.ts';

/** The part of a scene file that defines how its things vary with the seed. */

const ENTRIES_MAX = 24;
const THINGS_MAX = 40;

const thing = z.string().min(1).max(40).describe('a thing of this scene, by its id');
const yawDeg = z.number().min(-360).max(360);

const countSchema = z
  .strictObject({
    things: boundedArray(thing, THINGS_MAX).min(1),
    least: z.int().min(0).max(THINGS_MAX),
    most: z.int().min(0).max(THINGS_MAX),
  })
  .describe('how many of these things are there; which ones is drawn too');
const chooseSchema = z
  .strictObject({
    thing,
    from: boundedArray(z.strictObject({ color: z.enum(THING_COLOURS).optional(), yaw_deg: yawDeg.optional() }), 12).min(2),
  })
  .describe('one of these properties is drawn');
const permuteSchema = boundedArray(thing, THINGS_MAX).min(2).describe('these things change places among each other');
const jitterSchema = z
  .strictObject({
    thing,
    xy_m: z.number().min(0).max(2).optional().describe('along x and along y, at most'),
    yaw_deg: z.number().min(0).max(180).optional().describe('turned to either side, at most'),
  })
  .describe('the thing is moved a little from its place');

const placeSchema = z
  .strictObject({
    thing,
    is: z
      .enum([...PLACINGS, ...RELATIONS])
      .describe(
        'on: anywhere on a pad or an obstacle; in: anywhere in a region or a container; left_of: as seen from the spawn; near and clear_of: between middles, and between outlines; facing: its x axis points there',
      ),
    of: z.string().min(1).max(40).describe('a pad, an obstacle, a region or another thing of this scene'),
    within_m: z.number().min(0.01).max(50).optional().describe('for near, where it is needed'),
    within_deg: z.number().min(0).max(180).optional().describe(`for facing; ${FACING_WITHIN_DEG} unless given`),
    least_m: z.number().min(0).max(50).optional().describe('for clear_of, where it is needed'),
  })
  .describe('where a thing is, or how it is to another');

export const variationSchema = z
  .strictObject({
    count: boundedArray(countSchema, ENTRIES_MAX).optional(),
    choose: boundedArray(chooseSchema, ENTRIES_MAX).optional(),
    permute: boundedArray(permuteSchema, ENTRIES_MAX).optional(),
    jitter: boundedArray(jitterSchema, ENTRIES_MAX).optional(),
    place: boundedArray(placeSchema, 2 * ENTRIES_MAX).optional(),
  })
  .describe('how things vary with the seed; seed 1 has them where the file puts them');
export type Variation = z.output<typeof variationSchema>;
export type Placing = NonNullable<Variation['place']>[number];
