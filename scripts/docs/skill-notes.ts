import { z } from 'zod';
import * as limits from '../../src/protocol/limits.ts';
import type { RcwSkillName } from '../../src/protocol/rcw-skills.ts';
import type { SkillName } from '../../src/protocol/skills.ts';
import { humanoid } from '../../src/simulation/humanoid/robot.ts';
import { picker } from '../../src/simulation/picker/robot.ts';
import type { Gripper } from '../../src/simulation/robot.ts';

const held = (between: string, { widthM, mostDepthM, mostHeightM, mostMassKg }: Gripper): string =>
  `${widthM.min} to ${widthM.max} m between the ${between}, ${mostDepthM} m deep and ${mostHeightM} m high at most, ${mostMassKg} kg with what it holds at most`;

/** Notes for an author beyond a schema: one sentence each. */
export const SKILL_NOTES: Readonly<Record<SkillName, readonly string[]>> = {
  set_velocity: [
    `The base gains speed with at most ${limits.MAX_LINEAR_MPS2} m/s² and ${limits.MAX_ANGULAR_RPS2} rad/s², and brakes from any speed to a standstill within ${limits.STOP_WITHIN_S} s of simulated time.`,
    'The reply comes when the robot stands still, so it takes a little longer than `duration_s`. The time runs on the clock of the runtime: it ends even if the caller disappears.',
    '`NOT_AT_GOAL` here: the robot still moves 5 s after the drive, because something pushes it; `evidence` in the details says how fast, `moved` how far it came.',
    'A stream of calls drives smoothly: each replaces the one before, which answers `CANCELLED` with `superseded_by`. All zero is the stop button for the base, whatever moves it; any other drive is `BUSY` while `pick_entity` or `place_entity` has the base.',
  ],
  go_to: [
    `To a pose: done within ${limits.GO_TO_TOLERANCE_M} m, or \`tolerance_m\`, and within ${limits.GO_TO_TOLERANCE_YAW_DEG}° of \`yaw_deg\` where one is given; \`position[2]\` has no use.`,
    'A cube that is lost on the way does not end the walk: it is in `dropped`.',
    'To an entity: a place in front of it from where the arms reach it, with the robot facing it. For a pallet that is one of its four sides, for the conveyor either side of it.',
    'A goal that is already reached is done at once. A goal that cannot be reached is refused before the first step; `details` have the nearest point that can be reached.',
  ],
  pick_entity: [
    'The cube may lie on the belt, a pallet or the floor, but not under another cube. The robot steps closer by itself when the base is in reach and the arms are not.',
    `Done means: both palms have held exactly this cube for ${limits.SETTLE_S} s, before the chest. One cube at a time.`,
    'A miss is tried once more. Whatever fails, no other cube is taken.',
    `A thing that is no cube has to fit. For the humanoid: ${held('palms', humanoid.gripper)}. For the picker: ${held('fingers', picker.gripper)}.`,
    'How flat it may be depends on what it lies on. The picker takes it from 0.03 m of height. On a table or box that is 0.15 m high or more the humanoid takes any height. On the floor its hands end the higher, the narrower the thing is: it takes what is 0.07 m high at a width of 0.06 m, 0.05 m at 0.10 m, 0.04 m at 0.15 m, 0.03 m at 0.20 m, 0.02 m at 0.30 m. What is flatter is refused with the least height there, `height_m.minimum` in `details.allowed`.',
  ],
  place_entity: [
    'A slot of the second layer needs a cube in the slot below it. On a pad without an index the lowest free slot within reach is taken, the nearest first.',
    'At a pose `position` is where the centre of the cube will be: 0.075 m above what is under it; up to 0.05 m more or less is accepted.',
    `Done means: the cube has rested there for ${limits.SETTLE_S} s and the hands are off it. On the conveyor the cube joins the row and moves up with it.`,
    'A cube that rests on the pad of its own colour is collected at the instant of done ([protocol.md](protocol.md#deliveries)): `placed_on`, `slot` and `pose` say where it lay, `collected` is true, and its place is free again. A cube of another colour stays, and `correct` is false: `done` says that the cube lies where you asked, not that it belongs there. Compare `pad_color` and `thing_color`.',
  ],
  set_head: [
    'The head moves alone: it may be turned while the base walks or the arms work.',
    'Angles are against the trunk, not the world.',
    '`NOT_AT_GOAL` here: something keeps the head from getting there; `evidence` in the details has the angles that are left.',
  ],
  look_at: [
    'The head keeps the angles afterwards; it does not follow what moves.',
    'Where turning the head is not enough, the base turns too, so it must be free.',
    '`OUT_OF_REACH` here: the target is too high or too low for the head, whichever way the robot faces. Step back.',
  ],
  cancel: [
    '`runtime.cancel` with an `action_id` ends one action; this ends all but other stops: two at once are both done when the robot stands.',
    'It answers when the robot stands still. It does not end what another call has begun meanwhile.',
    '`NOT_AT_GOAL` here: something moves on after half a second; `still_moving` in the details names it.',
  ],
  reset: [
    'Everything that moves must have ended: send `cancel` first.',
    'Ids start again: `cube_0` is the first cube of the row. Results of earlier actions stay readable.',
  ],
  select_scene: [
    'Like `reset`, with another scene or another start.',
    'A start where the robot cannot stand is refused and changes nothing.',
  ],
  set_sim_speed: [
    'It answers at once, also while an action runs. Times in inputs and results are simulated seconds; `deadline_s` and the times in `meta` are real ones.',
  ],
  configure_benchmark: [
    'A cube counts when it rests on a pallet: of the colour of the pallet it is correct, else wrong; one that lies anywhere else is spoiled. What has been collected goes on counting.',
    'With `collect: false` right deliveries stay on their pallets, for slots, stacks and swaps; what lay there then is collected when it is picked and placed again. `reset` and `select_scene` bring `true` back.',
    'Every call re-arms the count, whatever it sets. `enabled` and `collect` are two switches: with `enabled: false` nothing is counted, and right deliveries are collected all the same.',
  ],
  set_color_mode: ['It changes captures and the page of the people who watch, not the world.'],
};

/** The same of the worker profile. */
export const RCW_NOTES: Readonly<Record<RcwSkillName, readonly string[]>> = {
  set_velocity: [
    '**It never stops by itself.** The reply comes when the body has the command; what a program must do for its end is in [from-simulator-to-robot.md](from-simulator-to-robot.md).',
    'The turning speed is `vyaw`, not `wz`; a `wz` or a `duration_s` is dropped.',
    'Each call replaces the one before. It gives the arms back to the walking controller.',
  ],
  stop: [
    'The reply comes when the robot stands, measured. It gives the arms back too.',
    '`NOT_AT_GOAL` here: something pushes the robot.',
  ],
  get_state: ['Needs no signature and works while the body does not.', 'The example shows `robot.extra.control` alone.'],
  set_upper_body: [
    `Without another packet for ${limits.TRAJECTORY_TIMEOUT_MS} ms the arms go limp, and the session ends with \`TRAJECTORY_TIMEOUT\` in the list of actions. Ten packets a second are the floor, fifty are better.`,
    'Ranges are not checked. A packet whose `action_id` was used before is answered as then, and not followed again.',
    'A session is one action in the state and in `runtime.action`, whatever number of packets it has.',
  ],
};

/** Fields that every sort of reply has, as the contract words them. */
export const ENVELOPE_NOTES = z.object({
  status: z.enum(['done', 'failed']).describe('`done` only after the skill has measured that it is true'),
  result: z.object({}).optional().describe('with `done`: what the skill reports, below'),
  error: z
    .object({
      code: z.string().describe('one of [errors.md](errors.md); programs match on it'),
      message: z.string().describe('one sentence for a person or a language model: what was asked, what is wrong, what to do'),
      details: z.object({
        stage: z.string().describe('where in its life the call failed'),
        attempted: z.boolean().describe('was one physics step spent on it?'),
        world_changed: z.enum(['no', 'yes', 'unknown']).describe('measured, never guessed'),
        retryable: z.boolean().describe('may the same call succeed later without a change?'),
        hint: z.string().optional().describe('what to do next, where there is something to say'),
        evidence: z
          .unknown()
          .optional()
          .describe(
            'what was measured at the end: what the hands hold (`held_entity_ids`), where a cube lies, how far from the goal',
          ),
        allowed: z.unknown().optional().describe('`INVALID_INPUT`: the range or the choices'),
        path: z.string().optional().describe('`INVALID_INPUT`: the field, such as `input.target.pose.yaw_deg`'),
        progress: z.unknown().optional().describe('how far it had come: `{current, total, unit}`'),
      }),
    })
    .optional()
    .describe('with `failed`, and only then'),
  meta: z
    .object({
      action_id: z.string().describe('yours, or one that the runtime made'),
      started_at_ms: z.int().describe('milliseconds since the epoch'),
      finished_at_ms: z.int().describe('milliseconds since the epoch'),
      duration_ms: z.int().describe('the difference'),
      degraded: z.boolean().optional().describe('true when it was carried out with less than was asked'),
      note: z.string().optional().describe('a sentence about that'),
    })
    .optional()
    .describe('absent when the call did not become an action: then nothing was done'),
});
