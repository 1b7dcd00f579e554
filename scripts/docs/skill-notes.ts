import { z } from 'zod';
import * as limits from '../../src/protocol/wire/limits.ts';
import type { RcwSkillName } from '../../src/protocol/wire/rcw-skills.ts';
import type { SkillName } from '../../src/protocol/wire/skills.ts';
import { humanoid } from '../../src/simulation/humanoid/robot.ts';
import { picker } from '../../src/simulation/picker/robot.ts';
import type { Gripper } from '../../src/simulation/robot.ts';

const held = (between: string, { widthM, mostDepthM, mostHeightM, mostMassKg }: Gripper): string =>
  `${widthM.min} to ${widthM.max} m between the ${between}, at most ${mostDepthM} m deep and ${mostHeightM} m high, and at most ${mostMassKg} kg including what it contains`;

/** Notes for an author in addition to a schema: one sentence each. */
export const SKILL_NOTES: Readonly<Record<SkillName, readonly string[]>> = {
  set_velocity: [
    `The base gains speed with at most ${limits.MAX_LINEAR_MPS2} m/s² and ${limits.MAX_ANGULAR_RPS2} rad/s², and brakes from any speed to a standstill within ${limits.STOP_WITHIN_S} s of simulated time.`,
    'The reply arrives when the robot stands still, which takes a little longer than `duration_s`. The clock of the runtime measures the time: the motion ends even if the caller disappears.',
    '`NOT_AT_GOAL` here: something pushes the robot, and it still moves 5 s after the drive. `evidence` in the details has its speed, `moved` the distance.',
    'A stream of calls drives smoothly. Each call replaces the previous one, which returns `CANCELLED` with `superseded_by`. A velocity of zero stops the base, whatever moves it. Any other velocity returns `BUSY` while `pick_entity` or `place_entity` moves the base.',
  ],
  go_to: [
    `To a pose: done within ${limits.GO_TO_TOLERANCE_M} m, or \`tolerance_m\`, and within ${limits.GO_TO_TOLERANCE_YAW_DEG}° of \`yaw_deg\` if it is given. \`position[2]\` is ignored.`,
    'If the robot loses a cube on the way, the walk continues; `dropped` lists the cube.',
    'To an entity: the robot stops in front of it, within reach of the arms, and faces it. At a pallet it uses one of the four sides, at the conveyor either side.',
    'A goal that is already reached is `done` at once. A goal that cannot be reached is rejected before the first step; `details` contain the nearest reachable point.',
  ],
  pick_entity: [
    'The cube may lie on the belt, a pallet or the floor, but not under another cube. If the base is in reach and the arms are not, the robot steps closer.',
    `\`done\` means: both palms have held exactly this cube in front of the chest for ${limits.SETTLE_S} s. The robot carries one cube at a time.`,
    'The robot retries a miss once. It never takes another cube instead.',
    `Other objects must fit. For the humanoid: ${held('palms', humanoid.gripper)}. For the picker: ${held('fingers', picker.gripper)}.`,
    'The minimum height of an object depends on where it lies. The picker needs 0.03 m. On a table or box of at least 0.15 m the humanoid needs no minimum. On the floor the humanoid needs 0.07 m at a width of 0.06 m, 0.05 m at 0.10 m, 0.04 m at 0.15 m, 0.03 m at 0.20 m and 0.02 m at 0.30 m. A flatter object is rejected with `height_m.minimum` in `details.allowed`.',
  ],
  place_entity: [
    'A slot of the second layer needs a cube in the slot below it. Without an index, the robot uses the lowest free slot within reach, the nearest first.',
    'At a pose, `position` is the centre of the placed cube: 0.075 m above the surface below it. A difference of up to 0.05 m is accepted.',
    `\`done\` means: the cube has rested there for ${limits.SETTLE_S} s, and the hands do not touch it. On the conveyor the cube joins the row and moves with it.`,
    '**Deliveries.** A cube on the pad of its own colour is **collected** at the instant of `done`. The reply has `collected: true`, and `placed_on`, `slot` and `pose` describe where the cube rested. The cube leaves the physics and all pictures, and its slot is free. It still counts (`collected_count`), and a call that names it is rejected with `UNKNOWN_ENTITY` and `collected: true` in the details.',
    '`runtime.scene_state` lists the last twelve collected cubes with `visible: false`, `state.collected: true` and `state.parent_pad_id`. Filter with `{"visible": true}` to leave them out. An id is never reused before a reset.',
    'A cube on a pad of another colour stays there and counts as wrong. The reply is `done` with `correct: false`, because the cube is where you asked; compare `pad_color` and `thing_color`. On the floor, the source pad or another object, the reply has none of these three fields.',
    'A cube that reached its pad in another way (pushed, dropped, or by an action that failed) counts while it rests there and stays. It is collected when you pick and place it again. The counts are in `runtime.state`, under `extra.sort_benchmark`.',
    'With the id of an object as the target, the held object goes into it if it is an upright container, and otherwise on top of it. `placed_in_thing` or `placed_on_thing` in the result names it.',
  ],
  set_head: [
    'The head is independent: you can turn it while the base walks or the arms work.',
    'Angles are relative to the trunk, not to the world.',
    '`NOT_AT_GOAL` here: something blocks the head. `evidence` in the details has the remaining angles.',
  ],
  look_at: [
    'The head keeps its angles afterwards. It does not follow a moving target.',
    'If the head cannot turn far enough, the base turns too. The base must be free.',
    '`OUT_OF_REACH` here: the target is too high or too low for the head in every direction. Step back.',
  ],
  cancel: [
    '`runtime.cancel` with an `action_id` ends one action. This skill ends all actions except other stops: two at once are both `done` when the robot stands still.',
    'The reply arrives when the robot stands still. The skill does not end actions that begin after it.',
    '`NOT_AT_GOAL` here: something still moves after 0.5 s. `still_moving` in the details names it.',
  ],
  reset: [
    'All motion must have ended: call `cancel` first.',
    'Ids start again: `cube_0` is the first cube of the row. The results of earlier actions stay available.',
  ],
  select_scene: [
    'Like `reset`, with another scene or another start position.',
    'A start position that is not free is rejected and changes nothing.',
  ],
  set_sim_speed: [
    'The reply arrives at once, also while an action runs. Times in inputs and results are simulated seconds. `deadline_s` and the times in `meta` are real seconds.',
  ],
  configure_benchmark: [
    'A cube that rests on a pallet of its own colour counts as correct, on another pallet as wrong, and anywhere else as spoiled. Collected cubes keep counting.',
    'With `collect: false`, correct deliveries stay on their pallets, for example for stacks and swaps. Set it to `true` again, and such a cube is collected when you pick and place it. `reset` and `select_scene` restore `true`.',
    'Every call sets all counts to zero. `enabled` and `collect` are independent: with `enabled: false` nothing is counted, and correct deliveries are still collected.',
  ],
  set_color_mode: ['It changes captures and the page, not the world.'],
};

/** The same for the worker profile. */
export const RCW_NOTES: Readonly<Record<RcwSkillName, readonly string[]>> = {
  set_velocity: [
    '**The motion does not end automatically.** The reply arrives when the body has the command. [Physical robots](../physical-robot.md) shows how a program ends the motion.',
    'The turning speed is `vyaw`, not `wz`. The robot ignores `wz` and `duration_s`.',
    'Each call replaces the previous one. It returns the arms to the walking controller.',
  ],
  stop: [
    'The reply arrives when the robot is measured to stand still. The skill returns the arms to the walking controller too.',
    '`NOT_AT_GOAL` here: something pushes the robot.',
  ],
  get_state: ['Needs no signature, and works while the body is not ready.', 'The example shows `robot.extra.control` alone.'],
  set_upper_body: [
    `Without another packet for ${limits.TRAJECTORY_TIMEOUT_MS} ms the arms go limp, and the session ends with \`TRAJECTORY_TIMEOUT\` in the list of actions. Send at least ten packets a second; fifty are better.`,
    'Ranges are not checked. A packet with an `action_id` that was used before gets the same answer as then, and the robot does not follow it again.',
    'A session is one action in the state and in `runtime.action`, however many packets it has.',
  ],
};

/** Fields of every kind of reply, in the words of the contract. */
export const ENVELOPE_NOTES = z.object({
  status: z.enum(['done', 'failed']).describe('`done` only after the skill has measured its result'),
  result: z.object({}).optional().describe('with `done`: the result of the skill, below'),
  error: z
    .object({
      code: z.string().describe('one of [errors.md](errors.md); programs match on it'),
      message: z.string().describe('one sentence for a person or a language model: what was asked, what is wrong, what to do'),
      details: z.object({
        stage: z.string().describe('where in its life the call failed'),
        attempted: z.boolean().describe('was one physics step spent on it?'),
        world_changed: z.enum(['no', 'yes', 'unknown']).describe('measured, never guessed'),
        retryable: z.boolean().describe('may the same call succeed later without a change?'),
        hint: z.string().optional().describe('what to do next'),
        evidence: z
          .unknown()
          .optional()
          .describe(
            'what was measured at the end: for example what the hands hold (`held_entity_ids`), where a cube lies, or the distance to the goal',
          ),
        allowed: z.unknown().optional().describe('`INVALID_INPUT`: the range or the choices'),
        path: z.string().optional().describe('`INVALID_INPUT`: the field, such as `input.target.pose.yaw_deg`'),
        progress: z.unknown().optional().describe('progress at the end: `{current, total, unit}`'),
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
      degraded: z.boolean().optional().describe('true if the robot did less than was asked'),
      note: z.string().optional().describe('a sentence about that'),
    })
    .optional()
    .describe('absent if the call did not become an action: nothing was done'),
});
