import { z } from 'zod';
import { arrayOfLength } from './bounded-array.ts';
import { withFacts } from './field-facts.ts';
import * as limits from './limits.ts';
import { describeSkill, type SkillDescriptor } from './skill-descriptors.ts';
import { defineSkill, type SkillSpec, velocityInput } from './skills.ts';

/** The joints of an arm, in the order of the numbers. */
const ARM_JOINTS = ['shoulder pitch', 'shoulder roll', 'shoulder yaw', 'elbow', 'wrist yaw'];

/** JSON has no NaN or infinity, so a number is finite; whole numbers are numbers too. */
const armPose = (label: string) =>
  withFacts(
    arrayOfLength(z.number(), limits.ARM_POSE_LENGTH).describe(
      `radians: ${ARM_JOINTS.join(', ')}; the range is not checked here`,
    ),
    { unit: 'rad', label, parts: ARM_JOINTS },
  );

/**
 * The catalogue of the Robot Control Worker. Its objects are open, unlike the simulator's: an unknown parameter is dropped and
 * the call proceeds.
 */
export const RCW_SKILLS = {
  set_velocity: defineSkill({
    title: 'Drive until the next command',
    doing: { alone: 'Driving' },
    description:
      'Commands a velocity in the body frame. There is no duration: the robot keeps it until stop, another velocity or a zero one, or to the deadline_s of its call. Takes the upper body back from set_upper_body.',
    input: z.object({
      vx: velocityInput('m/s', limits.MAX_LINEAR_MPS, 'forward'),
      vy: velocityInput('m/s', limits.MAX_LINEAR_MPS, 'left'),
      vyaw: velocityInput('rad/s', limits.MAX_ANGULAR_RPS, 'turn left'),
    }),
    output: z.object({
      command: z
        .object({ vx: z.number(), vy: z.number(), vyaw: z.number() })
        .describe('what the robot drives with from now on: as asked, or clamped, m/s and rad/s in the body frame'),
      holds: z.boolean().describe('whether it moves on until the next command: true unless all are zero'),
      ends_at_ms: z
        .int()
        .optional()
        .describe(
          'of a call with deadline_s: when the robot stops unless a later command changes that, milliseconds since the epoch',
        ),
    }),
    uses: ['base'],
    mutating: true,
    tags: ['drive'],
    allowedMidAction: true,
    estimatedMs: 20,
  }),
  stop: defineSkill({
    title: 'Stop',
    doing: { alone: 'Stopping' },
    description: 'Commands zero velocity and takes the upper body back. Answers when the robot stands.',
    input: z.object({}),
    output: z.object({ stopped: z.literal(true).describe('the base stands, measured') }),
    uses: ['base'],
    mutating: true,
    tags: ['drive', 'safety'],
    allowedMidAction: true,
    estimatedMs: 300,
  }),
  get_state: defineSkill({
    title: 'Read the state',
    doing: { alone: 'Reading the state' },
    description: 'What runtime.state returns, as a skill. Needs no signature.',
    input: z.object({}),
    output: z.object({
      state: z
        .looseObject({})
        .describe('what `runtime.state` answers; `robot.extra.control` is the part that the simulator has not'),
    }),
    uses: [],
    mutating: false,
    tags: ['state'],
    allowedMidAction: true,
    estimatedMs: 1,
  }),
  set_upper_body: defineSkill({
    title: 'Pose the arms',
    doing: { alone: 'Following poses' },
    description:
      'Poses both arms, each five joints: shoulder roll, shoulder pitch, elbow, wrist roll, wrist yaw. Opens a trajectory session of 200 ms: send the pose again at least ten times a second, or the arms go limp. (SimpleSim notes: these joint names are wrong, as they are on the physical robot. The order that holds is 0 shoulder pitch, 1 shoulder roll, 2 shoulder yaw, 3 elbow, 4 wrist yaw.)',
    input: z.object({ r_arm: armPose('right arm'), l_arm: armPose('left arm') }),
    output: z.object({
      policy_targets: z
        .array(z.number())
        .describe('what went to the body: 23 numbers in policy order, legs 12 and waist 1 zero, then r_arm and l_arm'),
      upper_body_only: z.literal(true).describe('the first 13 are not to be followed'),
      timeout_ms: z.int().describe('without another packet for this long the arms go limp'),
    }),
    uses: ['arms'],
    mutating: true,
    tags: ['arms'],
    allowedMidAction: true,
    estimatedMs: 10,
  }),
} as const;

export type RcwSkillName = keyof typeof RCW_SKILLS;
export type RcwSkillInput<N extends RcwSkillName> = z.output<(typeof RCW_SKILLS)[N]['input']>;
/** A caller's input: fields with a default may be left out. */
export type RcwSkillCall<N extends RcwSkillName> = z.input<(typeof RCW_SKILLS)[N]['input']>;
export type RcwSkillOutput<N extends RcwSkillName> = z.output<(typeof RCW_SKILLS)[N]['output']>;
export const RCW_SKILL_NAMES = Object.keys(RCW_SKILLS) as RcwSkillName[];
export const isRcwSkillName = (name: string): name is RcwSkillName => Object.hasOwn(RCW_SKILLS, name);

/** Returns the catalogue's entry of a skill of the `rcw` profile; null for any other name. */
export const rcwSkillSpecOf = (name: string): SkillSpec | null => (isRcwSkillName(name) ? RCW_SKILLS[name] : null);

/** Skills that command the body: they pass signed control and the freshness of telemetry first. */
export const BODY_SKILLS: readonly RcwSkillName[] = ['set_velocity', 'stop', 'set_upper_body'];

/** A skill as `runtime.tools_list` of the `rcw` profile describes it. */
export const rcwSkillDescriptor = (name: RcwSkillName): SkillDescriptor => describeSkill(name, RCW_SKILLS[name]);
