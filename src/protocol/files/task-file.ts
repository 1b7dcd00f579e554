import { z } from 'zod';
import { boundedArray } from '../wire/bounded-array.ts';
import { oneLine } from '../wire/one-line.ts';
import { ROBOT_IDS } from '../wire/robot.ts';
import { thingColourSchema } from '../wire/scene.ts';

/**
 * A task: the goal for the robot in a scene, in words for the agent and as predicates for the judge. Data, never code. World
 * frame, metres, degrees.
 */

const TASK_FORMAT = 'simplesim.task/1';
export const TASK_MAX_BYTES = 64 * 1024;
/** How deep lists and objects of a task may be nested, and how many values it may have. */
export const TASK_MAX_DEPTH = 24;
export const TASK_MAX_VALUES = 2_000;
/** Maximum number of predicates in a task, including nested ones: each is judged at each step. */
export const PREDICATES_MAX = 64;
const PREDICATES_IN_ONE_MAX = 16;
const IDS_MAX = 32;

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id: 1 to 64 letters, digits, _ and -');
const coordinate = z.number().min(-1_000).max(1_000);
const planar = z.tuple([coordinate, coordinate]);
/** Text for an agent. Characters that a program's environment cannot hold do not count as text, nor do invisible ones. */
const text = z
  .string()
  .min(1)
  .max(600)
  .regex(/^[\P{Cc}\n\t]*$/u, 'must have no control characters');
const title = oneLine(80);

const thingSelectorSchema = z
  .strictObject({
    ids: boundedArray(id, IDS_MAX).optional().describe('these alone'),
    except: boundedArray(id, IDS_MAX).optional().describe('all but these'),
    category: z.string().min(1).max(32).optional().describe('things of this category, such as `cube`'),
    colour: thingColourSchema.optional().describe('things of this colour'),
  })
  .describe('movable things: those for which all given properties are true');
export type ThingSelector = z.infer<typeof thingSelectorSchema>;

/** A part of the floor or the place of a pad. */
const placeSchema = z
  .union([
    z.strictObject({ region: id.describe('a region of the task or of its scene') }),
    z.strictObject({ pad: id.describe('the floor plane of a pad') }),
    z.strictObject({ position: planar.describe('[x, y]'), within_m: z.number().min(0.01).max(20) }),
    z.strictObject({
      thing: thingSelectorSchema,
      within_m: z.number().min(0.01).max(20).describe('from the middle of one of these things along the floor'),
    }),
  ])
  .describe('a place on the floor plane: a region, a pad, round a point, or round a thing');
export type Place = z.infer<typeof placeSchema>;

const amount = {
  at_least: z.int().min(1).max(1_000).optional().describe('so many of them; absent: every one, and there is at least one'),
};
const things = thingSelectorSchema.describe('which things it is about');

/** A condition that is true or false of the world at a moment. */
const STATE_PREDICATES = [
  z
    .strictObject({
      kind: z.literal('on'),
      things,
      pad: id.optional().describe('the pad that they rest on'),
      floor: z.literal(true).optional().describe('they rest on the floor'),
      thing: thingSelectorSchema.optional().describe('the thing that they rest on'),
      ...amount,
    })
    .describe('things rest on a pad, on the floor, or on another thing; one of the three is named'),
  z
    .strictObject({
      kind: z.literal('in'),
      things,
      place: placeSchema.optional(),
      container: thingSelectorSchema.optional(),
      ...amount,
    })
    .describe('things rest in a place of the floor plane, at whatever height, or in a container; one of the two is named'),
  z
    .strictObject({ kind: z.literal('present'), things, at_least: z.int().min(1).max(1_000).optional().describe('absent: 1') })
    .describe('things are there, whatever they do; those that were collected are not'),
  z
    .strictObject({ kind: z.literal('held'), things: thingSelectorSchema })
    .describe('the robot holds one of these things in its hands'),
  z
    .strictObject({
      kind: z.literal('at'),
      place: placeSchema,
      yaw_deg: z.number().min(-360).max(360).optional().describe('its heading'),
      within_deg: z.number().min(0.1).max(180).optional().describe('of that heading; absent: 15'),
    })
    .describe('the robot stands still in a place'),
  z
    .strictObject({
      kind: z.literal('near'),
      things,
      thing: thingSelectorSchema.optional(),
      position: planar.optional().describe('[x, y]'),
      within_m: z.number().min(0.01).max(50).describe('from middle to middle along the floor'),
      ...amount,
    })
    .describe('things rest near another thing or a point; one of the two is named'),
  z
    .strictObject({
      kind: z.literal('upright'),
      things,
      within_deg: z.number().min(0.1).max(90).optional().describe('absent: 5'),
      ...amount,
    })
    .describe('things stand upright and rest'),
  z
    .strictObject({ kind: z.literal('stacked'), things, height: z.int().min(2).max(8).describe('things on top of each other') })
    .describe('so many of these things rest on top of each other, the lowest on anything'),
  z
    .strictObject({ kind: z.literal('sorted'), things, ...amount })
    .describe('things rest on the destination pad of their own colour, or were collected from it'),
  z
    .strictObject({ kind: z.literal('missorted'), things, at_least: z.int().min(1).max(1_000).optional().describe('absent: 1') })
    .describe('things rest on a destination pad of another colour'),
] as const;

/** An event: once it has happened, it stays true. */
const EVENT_PREDICATES = [
  z.strictObject({ kind: z.literal('visited'), place: placeSchema }).describe('the middle of the robot has been in a place'),
  z
    .strictObject({ kind: z.literal('dropped'), things: thingSelectorSchema })
    .describe('one of these things slipped out of the hands, or fell by more than 0.25 m'),
  z
    .strictObject({
      kind: z.literal('collided'),
      with: z.enum(['furniture', 'things', 'anything']).describe('what the base of the robot pressed against'),
    })
    .describe('the base of the robot pressed against something'),
] as const;

type StatePredicate = z.infer<(typeof STATE_PREDICATES)[number]>;
type EventPredicate = z.infer<(typeof EVENT_PREDICATES)[number]>;
/** A predicate over the simulated world. Its kind depends on the predicates that it contains. */
export type Predicate =
  | StatePredicate
  | EventPredicate
  | { kind: 'all' | 'any'; of: Predicate[]; at_least?: number | undefined }
  | { kind: 'not'; of: Predicate }
  | { kind: 'then'; of: Predicate[] }
  | { kind: 'while'; condition: Predicate; goal: Predicate }
  | { kind: 'still_at_end'; of: Predicate };

const inner = z.lazy(() => predicateSchema);
const several = boundedArray(inner as z.ZodType<Predicate>, PREDICATES_IN_ONE_MAX).min(1);

const predicateSchema: z.ZodType<Predicate> = z
  .discriminatedUnion('kind', [
    ...STATE_PREDICATES,
    ...EVENT_PREDICATES,
    z.strictObject({ kind: z.literal('all'), of: several }).describe('all of these hold'),
    z
      .strictObject({
        kind: z.literal('any'),
        of: several,
        at_least: z.int().min(1).max(PREDICATES_IN_ONE_MAX).optional().describe('so many of these; absent: 1'),
      })
      .describe('some of these hold'),
    z.strictObject({ kind: z.literal('not'), of: inner as z.ZodType<Predicate> }).describe('this does not hold'),
    z
      .strictObject({ kind: z.literal('then'), of: several })
      .describe('these come to hold in this order; an earlier one need not hold any more, unless it is `still_at_end`'),
    z
      .strictObject({ kind: z.literal('while'), condition: inner as z.ZodType<Predicate>, goal: inner as z.ZodType<Predicate> })
      .describe('the goal came to hold while the condition held'),
    z
      .strictObject({ kind: z.literal('still_at_end'), of: inner as z.ZodType<Predicate> })
      .describe('of `then`: this one has come to hold, and holds at the end too'),
  ])
  .describe('what has to be the case') as unknown as z.ZodType<Predicate>;

const times = z.int().min(1).max(20).optional().describe('how often; absent: once');
/** A fault during a run. The seed of the run draws its time; the agent does not know it. */
const faultSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('grasp_misses'), times }).describe('a pick closes its hands beside the thing, and fails'),
    z
      .strictObject({ kind: z.literal('thing_slips'), after_s: z.number().min(0).max(60).optional(), times })
      .describe('a held thing slips out of the hands, so long after it was taken; absent: 1 to 4 s'),
    z.strictObject({ kind: z.literal('reply_lost'), times }).describe('a command is carried out, and its reply never comes'),
    z
      .strictObject({ kind: z.literal('slow_link'), delay_s: z.number().min(0.05).max(10) })
      .describe('every reply comes late, by about this time'),
    z.strictObject({ kind: z.literal('robot_busy'), times }).describe('a command is refused as if the robot were busy'),
    z
      .strictObject({
        kind: z.literal('aisle_closes'),
        position: planar.describe('[x, y] of the middle of a heavy box that then stands there'),
        size: z
          .tuple([z.number().min(0.1).max(1), z.number().min(0.1).max(1), z.number().min(0.1).max(1)])
          .describe('[x, y, z], metres'),
        after_s: z
          .number()
          .min(0)
          .max(600)
          .describe('so long after the start, and a second more or less; later while the robot or a thing is in the way'),
      })
      .describe('a box of the category `obstacle` stands in an aisle from a moment on'),
  ])
  .describe('what goes wrong');
export type Fault = z.infer<typeof faultSchema>;

export const taskFileSchema = z
  .strictObject({
    $schema: z.string().max(256).optional(),
    format: z.literal(TASK_FORMAT),
    id: id.describe('its id, the same as the name of its file'),
    suite: id,
    title,
    scene: id.describe('id of the scene'),
    robots: boundedArray(z.enum(ROBOT_IDS), ROBOT_IDS.length)
      .min(1)
      .optional()
      .describe('robots that can do it; absent: every one'),
    instruction: z
      .strictObject({
        default: text,
        vague: text.describe('as a person words it who knows the place'),
        specific: text.describe('with ids, numbers and order'),
      })
      .describe('the words for the agent, in one of three wordings'),
    time: z
      .enum(['real', 'on_action'])
      .default('real')
      .describe(
        '`on_action`: the world moves only while an action runs, and for a second after it, so that thinking costs nothing',
      ),
    regions: boundedArray(z.strictObject({ id, polygon: boundedArray(planar, 32).min(3).describe('corners, [x, y]') }), IDS_MAX)
      .optional()
      .describe('parts of the floor that predicates name, beside those of the scene'),
    given: predicateSchema
      .optional()
      .describe('what holds at the start: a run whose seed makes another world takes the next seed of its row that does'),
    goal: predicateSchema,
    never: boundedArray(predicateSchema, PREDICATES_IN_ONE_MAX).optional().describe('what must not hold at any moment'),
    budgets: z
      .strictObject({
        calls: z.int().min(1).max(10_000).describe('actions that the robot may begin'),
        simulated_s: z.number().min(1).max(3_600).describe('simulated time, seconds'),
      })
      .describe('what the robot may use up'),
    subgoals: boundedArray(
      z.strictObject({ title, credit: z.number().min(0).max(1).describe('its share of the whole'), when: predicateSchema }),
      PREDICATES_IN_ONE_MAX,
    )
      .optional()
      .describe('steps on the way that count even when the goal is not reached'),
    faults: boundedArray(faultSchema, 8).optional().describe('what goes wrong; the agent does not know'),
  })
  .describe('a task for a robot in a scene');
/** A task as its file has it, defaults filled in. */
export type TaskFile = z.infer<typeof taskFileSchema>;
