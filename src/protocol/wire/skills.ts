import { z } from 'zod';
import { capitalise } from '../../common/capitalise.ts';
import { HEAD_PITCH_RANGE_RAD, HEAD_YAW_RANGE_RAD, HUMANOID } from '../robots/humanoid.ts';
import { droppedInResult } from './dropped.ts';
import { ENTITY_KINDS, type EntityKind, THING_KINDS } from './entity-kind.ts';
import { withFacts } from './field-facts.ts';
import { poseInputSchema, poseSchema, vec3Schema } from './geometry.ts';
import * as limits from './limits.ts';
import type { RobotWords } from './robot.ts';
import { SCENE_IDS } from './scene-ids.ts';

/** Parts of the body an action may claim (promise P9). */
const BODY_PARTS = ['base', 'arms', 'head', 'simulation'] as const;
export type BodyPart = (typeof BODY_PARTS)[number];

const entityIdSchema = (entityKinds: readonly EntityKind[]) =>
  withFacts(z.string().min(1).max(64).describe('id from runtime.scene_state'), { entityKinds });
const padIdSchema = withFacts(z.string().min(1).max(64).describe('a pad of runtime.scene_layout'), { entityKinds: ['pad'] });
const entityTargetSchema = z.strictObject({ kind: z.literal('entity'), entity_id: entityIdSchema(ENTITY_KINDS) });
const thingTargetSchema = z.strictObject({ kind: z.literal('entity'), entity_id: entityIdSchema(THING_KINDS) });
const supportTargetSchema = z.strictObject({ kind: z.literal('entity'), entity_id: entityIdSchema(['pad', 'object']) });
const poseTargetSchema = z.strictObject({ kind: z.literal('pose'), pose: poseInputSchema });
const slotTargetSchema = z.strictObject({
  kind: z.literal('slot'),
  pad_id: padIdSchema,
  index: withFacts(z.int().min(0).max(limits.MAX_SLOT_INDEX).describe('which of the slots of the pad'), {
    unit: '',
    slotOfPadIn: 'pad_id',
  }),
});

const goToTargetSchema = z.discriminatedUnion('kind', [entityTargetSchema, poseTargetSchema]);
const placeTargetSchema = z.discriminatedUnion('kind', [supportTargetSchema, slotTargetSchema, poseTargetSchema]);
export type PlaceTarget = z.infer<typeof placeTargetSchema>;

/** One axis of a velocity in the body frame. */
export const velocityInput = (unit: 'm/s' | 'rad/s', limit: number, meaning: string) =>
  withFacts(
    z.number().default(0).describe(`${meaning}, ${unit}, body frame; beyond ±${limit} it is clamped and the reply notes it`),
    { unit, label: meaning },
  );
const seedNumber = withFacts(z.int().min(0).max(limits.MAX_SEED), { unit: '' });
const seedSchema = seedNumber.describe(
  'decides the colours of the first cubes and of those that come; the present seed unless given',
);
const beltSeedSchema = seedNumber.describe('restarts the sequence of colours of new cubes');
/** The runtime knows which scenes exist: those of the product, and those that were opened from files. */
const sceneIdSchema = z.string().meta({ description: 'which scene', enum: [...SCENE_IDS] });
const headAngleInput = ([least, most]: readonly [number, number], positive: string) =>
  withFacts(z.number().min(least).max(most).optional().describe(`radians, positive ${positive}`), { unit: 'rad' });
const headYawSchema = headAngleInput(HEAD_YAW_RANGE_RAD, 'left');
const headPitchSchema = headAngleInput(HEAD_PITCH_RANGE_RAD, 'looks down');
const headAngles = z.object({ yaw: z.number(), pitch: z.number() });
const headTarget = headAngles.describe('the angles that are held now, radians');
const headMeasured = headAngles.describe(`where the head is, radians; within ${limits.HEAD_TOLERANCE_DEG}° of the target`);
const loadedScene = z.object({
  scene_id: z.string().describe('the scene that is loaded now'),
  seed: z.number().describe('its seed; the one before when none was given'),
});

/** The description of a skill, in any runtime. */
export interface SkillSpec {
  title: string;
  /** The robot's activity in words: "Walking"; with a target, "Walking to" and its name. */
  doing: { alone: string; before?: string };
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Parts of the body it claims while it runs. */
  uses: readonly BodyPart[];
  mutating: boolean;
  tags: readonly string[];
  /** Whether it may be called while another action uses its parts. */
  allowedMidAction: boolean;
  /** Whether a later velocity replaces it, instead of being rejected as busy. @default no */
  givesWayToDriving?: boolean;
  estimatedMs: number;
  /** Its words for a robot other than the humanoid. @default the same for every robot */
  inWordsOf?: (robot: RobotWords) => Partial<SkillWords>;
}

/** The words of a skill for people and language models. */
export type SkillWords = Pick<SkillSpec, 'title' | 'doing' | 'description'>;

/** Keeps the exact types of a skill's schemas. */
export const defineSkill = <I extends z.ZodObject, O extends z.ZodObject>(
  spec: Omit<SkillSpec, 'input' | 'output'> & { input: I; output: O },
) => spec;

const goToWords = ({ go, going }: RobotWords) => ({
  title: `${capitalise(go)} to a place`,
  doing: { alone: capitalise(going), before: `${capitalise(going)} to` },
  description: `${capitalise(go)}s to an entity and stops within reach of it, facing it; or to a pose, whose yaw_deg is honoured. Ends arrived, or reports what is in the way.`,
});
const pickWords = ({ grip, hands }: RobotWords) => ({
  description: `Takes exactly the named cube or other thing with ${grip}, or fails with the ${hands} as they were. The id "cube" means the nearest cube that is not held and not on a destination pad. Reach: ${limits.REACH_M.toFixed(2)} m from the base.`,
});
const setHeadWords = ({ going }: RobotWords) => ({
  description: `Turns the head to the given angles. An omitted axis keeps its target, and ${going} keeps both.`,
});

/** The catalogue of the simulator, in the words of the humanoid. Schemas, defaults and units live here and nowhere else. */
export const SKILLS = {
  set_velocity: defineSkill({
    title: 'Drive for a time',
    doing: { alone: 'Driving' },
    description:
      'Moves the base with the given velocity for duration_s, then stops. Answers when the robot has stopped. Replaces a running go_to or set_velocity; all zero stops the base.',
    input: z.strictObject({
      vx: velocityInput('m/s', limits.MAX_LINEAR_MPS, 'forward'),
      vy: velocityInput('m/s', limits.MAX_LINEAR_MPS, 'left'),
      wz: velocityInput('rad/s', limits.MAX_ANGULAR_RPS, 'turn left'),
      duration_s: withFacts(
        z
          .number()
          .min(0)
          .max(limits.MAX_VELOCITY_DURATION_S)
          .default(limits.DEFAULT_VELOCITY_DURATION_S)
          .describe('seconds of simulated time'),
        { unit: 's' },
      ),
    }),
    output: z.object({
      applied: z
        .object({ vx: z.number(), vy: z.number(), wz: z.number() })
        .describe('what was driven with: as asked, or clamped, m/s and rad/s in the body frame'),
      moved: z
        .object({ dx: z.number(), dy: z.number(), dyaw: z.number() })
        .describe('metres and radians in the body frame of the start'),
      blocked_by: z
        .string()
        .optional()
        .describe('id of the thing or obstacle it pressed against for longest, if for 0.1 s or more'),
      dropped: droppedInResult,
    }),
    uses: ['base'],
    mutating: true,
    tags: ['drive'],
    allowedMidAction: true,
    givesWayToDriving: true,
    estimatedMs: 500,
  }),
  go_to: defineSkill({
    ...goToWords(HUMANOID.words),
    inWordsOf: goToWords,
    input: z.strictObject({
      target: goToTargetSchema,
      tolerance_m: withFacts(
        z
          .number()
          .min(limits.MIN_GO_TO_TOLERANCE_M)
          .max(limits.MAX_GO_TO_TOLERANCE_M)
          .optional()
          .describe(`metres; for a pose ${limits.GO_TO_TOLERANCE_M} unless given`),
        { unit: 'm' },
      ),
    }),
    output: z.object({
      pose: poseSchema.describe('where the base is, measured'),
      position_error_m: z.number().describe('metres from the goal, or from the chosen place before an entity'),
      yaw_error_deg: z.number().describe('degrees off the goal heading; 0 when none was asked for'),
      path_m: z.number().describe('metres walked'),
      recoveries: z.int().describe('how often it had to back off or plan again'),
      dropped: droppedInResult,
    }),
    uses: ['base'],
    mutating: true,
    tags: ['navigation'],
    allowedMidAction: false,
    givesWayToDriving: true,
    estimatedMs: 6_000,
  }),
  pick_entity: defineSkill({
    title: 'Pick up a thing',
    doing: { alone: 'Picking up', before: 'Picking up' },
    ...pickWords(HUMANOID.words),
    inWordsOf: pickWords,
    input: z.strictObject({ target: thingTargetSchema }),
    output: z.object({
      status: z.literal('done'),
      held: z.string().describe('id of what is in the hands'),
      held_count: z.int().describe('how many things are held now'),
      requested: z.string().describe('the id that was asked for; the alias as it was written'),
    }),
    uses: ['base', 'arms'],
    mutating: true,
    tags: ['manipulation'],
    allowedMidAction: false,
    estimatedMs: 2_500,
  }),
  place_entity: defineSkill({
    title: 'Put the held thing down',
    doing: { alone: 'Placing', before: 'Placing on' },
    description: `Puts the held thing on a pad, in a slot, on top of another thing, into a container or at a pose; without a target on the nearest destination pad, never the source. A cube on the pad of its own colour is counted and collected: it leaves the scene. Reach: ${limits.REACH_M.toFixed(2)} m from the base.`,
    input: z.strictObject({ target: placeTargetSchema.optional() }),
    output: z.object({
      status: z.literal('done'),
      placed: z.string().describe('id of the thing'),
      placed_on: z.string().nullable().describe('the pad it rests on; null on the floor'),
      slot: z.int().nullable().describe('the slot of that pad it rests in; null between slots'),
      placed_on_thing: z.string().optional().describe('the thing that it was put on, or in; only when one was'),
      placed_in_thing: z.boolean().optional().describe('is it in that thing, as in a container? Only when there is one'),
      pose: poseSchema.describe('where it rests, measured'),
      held_count: z.int().describe('how many things are still held'),
      collected: z
        .boolean()
        .describe('has it been collected, as a delivery to the pad of its own colour is? Then it is no longer in the scene'),
      correct: z
        .boolean()
        .optional()
        .describe(
          'of a delivery, a cube on a destination pad with a colour: is it the colour of the cube? A wrong one is done too',
        ),
      pad_color: z.string().optional().describe('of a delivery: the colour that the pad is for'),
      thing_color: z.string().optional().describe('of a delivery: the colour of the cube'),
    }),
    uses: ['base', 'arms'],
    mutating: true,
    tags: ['manipulation'],
    allowedMidAction: false,
    estimatedMs: 2_500,
  }),
  set_head: defineSkill({
    title: 'Turn the head',
    doing: { alone: 'Turning the head' },
    ...setHeadWords(HUMANOID.words),
    inWordsOf: setHeadWords,
    input: z.strictObject({ yaw: headYawSchema, pitch: headPitchSchema }),
    output: z.object({ target: headTarget, measured: headMeasured, dropped: droppedInResult }),
    uses: ['head'],
    mutating: true,
    tags: ['head'],
    allowedMidAction: false,
    estimatedMs: 600,
  }),
  look_at: defineSkill({
    title: 'Look at something',
    doing: { alone: 'Looking', before: 'Looking at' },
    description:
      'Turns the head so that the target is in the middle of the pov picture; turns the base too when the head alone cannot.',
    input: z.strictObject({ target: goToTargetSchema }),
    output: z.object({
      target: headTarget,
      measured: headMeasured,
      point: vec3Schema.describe('metres, [x, y, z]: what it looks at, in the world'),
      base_turned_deg: z.number().describe('how far the base turned for it, degrees, positive left'),
      dropped: droppedInResult,
    }),
    uses: ['head'],
    mutating: true,
    tags: ['head'],
    allowedMidAction: false,
    estimatedMs: 800,
  }),
  cancel: defineSkill({
    title: 'Stop everything',
    doing: { alone: 'Stopping' },
    description: 'Cancels every active action and stops the robot. With nothing active it is done at once.',
    input: z.strictObject({}),
    output: z.object({
      cancelled_action_ids: z.array(z.string()).describe('the actions it ended; each answers CANCELLED to its own caller'),
      dropped: droppedInResult,
    }),
    uses: [],
    mutating: true,
    tags: ['safety'],
    allowedMidAction: true,
    estimatedMs: 300,
  }),
  reset: defineSkill({
    title: 'Restart the scene',
    doing: { alone: 'Restarting the scene' },
    description: [
      'Restores scene, robot, generators, ids and clock for a seed. Seed 1 starts with the row of cubes that every page shows;',
      'every other seed starts with another row, and other cubes come later. The same seed and the same calls always give the same result.',
      'The speed of time and the colours of the cameras stay.',
    ].join(' '),
    input: z.strictObject({ seed: seedSchema.optional(), scene_id: sceneIdSchema.optional() }),
    output: loadedScene,
    uses: ['simulation'],
    mutating: true,
    tags: ['simulation'],
    allowedMidAction: false,
    estimatedMs: 200,
  }),
  select_scene: defineSkill({
    title: 'Choose a scene',
    doing: { alone: 'Loading the scene' },
    description: 'Loads a scene by its id, with a seed and a start pose if given.',
    input: z.strictObject({
      scene_id: sceneIdSchema,
      seed: seedSchema.optional(),
      start_pose: poseInputSchema.optional().describe('where the robot stands; the spawn of the scene unless given'),
    }),
    output: loadedScene,
    uses: ['simulation'],
    mutating: true,
    tags: ['simulation'],
    allowedMidAction: false,
    estimatedMs: 200,
  }),
  set_sim_speed: defineSkill({
    title: 'Set the speed of time',
    doing: { alone: 'Setting the speed of time' },
    description: 'Simulated seconds per real second. The factor that is achieved is in the state, extra.sim.',
    input: z.strictObject({
      speed: withFacts(z.number().min(limits.MIN_SIM_SPEED).max(limits.MAX_SIM_SPEED).describe('1 = real time'), { unit: '' }),
    }),
    output: z.object({ speed: z.number().describe('what is asked for now') }),
    uses: [],
    mutating: true,
    tags: ['simulation'],
    allowedMidAction: true,
    estimatedMs: 10,
  }),
  configure_benchmark: defineSkill({
    title: 'Set up the sorting benchmark',
    doing: { alone: 'Setting up the benchmark' },
    description:
      'Switches the sorting count on or off and re-arms it: what lies on the pads now counts only after it has been moved, and what was collected does not. The counts are in the state, extra.sort_benchmark.',
    input: z.strictObject({
      benchmark: z.strictObject({
        enabled: z.boolean().optional().describe('whether to count; as it is unless given'),
        seed: beltSeedSchema.optional(),
        collect: z
          .boolean()
          .optional()
          .describe('whether right deliveries are collected; false leaves cubes on their pads; as it is unless given'),
      }),
    }),
    output: z.object({
      enabled: z.boolean().describe('does it count now?'),
      collect: z.boolean().describe('are right deliveries collected now?'),
      seed: z.number().describe('the seed given, else that of the scene'),
    }),
    uses: [],
    mutating: true,
    tags: ['benchmark'],
    allowedMidAction: true,
    estimatedMs: 10,
  }),
  set_color_mode: defineSkill({
    title: 'Choose what cameras draw',
    doing: { alone: 'Choosing what cameras draw' },
    description:
      'natural: the lit scene as people see it, in muted colours; only what can be moved has strong ones, so that a colour detector finds that and nothing else. plain: flat colours without light. segmentation: one colour for each entity, listed in result.legend; black is no entity.',
    input: z.strictObject({
      mode: z
        .enum(['natural', 'plain', 'segmentation'])
        .describe('natural: the lit scene; plain: flat colours; segmentation: one colour for each entity'),
    }),
    output: z.object({
      mode: z.string().describe('what cameras draw now'),
      legend: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          `segmentation only: "#rrggbb" by entity id, of the robot, the pads and the newest things, ${limits.LEGEND_MAX_ENTRIES} at most; a colour depends on the id alone, so call again for things that came later`,
        ),
    }),
    uses: [],
    mutating: true,
    tags: ['cameras'],
    allowedMidAction: true,
    estimatedMs: 10,
  }),
};

/** The name of a skill of the simulator's contract. */
export type SkillName = keyof typeof SKILLS;
/** Validated input of a skill, defaults filled in. */
export type SkillInput<N extends SkillName> = z.output<(typeof SKILLS)[N]['input']>;
/** Input of a skill as a caller may write it. */
export type SkillCall<N extends SkillName> = z.input<(typeof SKILLS)[N]['input']>;
/** Result of a skill that was done. */
export type SkillOutput<N extends SkillName> = z.output<(typeof SKILLS)[N]['output']>;

export const SKILL_NAMES = Object.keys(SKILLS) as SkillName[];
export const isSkillName = (name: string): name is SkillName => Object.hasOwn(SKILLS, name);

/** Returns the catalogue's entry of a skill of the simulator; null for any other name. */
export const skillSpecOf = (name: string): SkillSpec | null => (isSkillName(name) ? SKILLS[name] : null);

/** Returns the text for people about a skill of the simulator, on a robot with these words. */
export function skillWords(name: SkillName, robot: RobotWords): SkillWords {
  const spec: SkillSpec = SKILLS[name];
  return { title: spec.title, doing: spec.doing, description: spec.description, ...spec.inWordsOf?.(robot) };
}
