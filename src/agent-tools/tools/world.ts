import { z } from 'zod';
import { isRecord } from '../../common/schema-texts.ts';
import { quoted, shownName } from '../../common/shown-text.ts';
import { DRIVER_NAME_MAX_CHARS, readControlAnswer } from '../../protocol/wire/driver.ts';
import { MAX_SEED } from '../../protocol/wire/limits.ts';
import { SKILLS, type SkillName } from '../../protocol/wire/skills.ts';
import { failureOf } from '../failures.ts';
import { neverStarted, runMotion } from '../motion.ts';
import { errorOf } from '../robot-facts.ts';
import { idText } from '../sentences.ts';
import { actionTool, answerTool, MOVES } from '../tool.ts';
import { done, failed, refused } from '../tool-reply.ts';
import { MOTION_MAX_S, SKILLS_OF_MOTIONS } from './motions.ts';
import { statusReply } from './status.ts';

/** `start_over`. */
export const startOver = actionTool({
  name: 'start_over',
  title: 'Start over',
  description:
    'Replaces the world: a seed, another scene, or a task with its own scene. Everything that was done is lost. Rejected in an exam.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    seed: z.int().min(0).max(MAX_SEED).optional(),
    scene: z.string().min(1).max(64).optional().describe('id of a scene'),
    task: z.string().min(1).max(128).optional().describe('id of a task'),
  }),
  problem({ scene, task }) {
    if (scene !== undefined && task !== undefined) return 'Give either "scene" or "task": a task names its scene.';
    // An agent must not make the process read files.
    const isFile = [scene, task].some((id) => id !== undefined && /[/\\]|\.json$/i.test(id));
    return isFile ? 'Give the id of a scene or task, not a file.' : null;
  },
  async act(context, { seed, scene, task }, actionId, stop) {
    const { place } = context;
    if (place.isExam)
      return refused('PERMISSION_DENIED', 'This is an exam: the world cannot be started over. Continue in this one.');
    if (stop.aborted) return neverStarted(actionId, { attempt: 'start over' });
    if (place.restart) {
      // A plan must not continue in the new world.
      for (const action of context.book.running()) if (action.id !== actionId) action.stop();
      try {
        await place.restart({ seed, scene, task });
      } catch (thrown) {
        return refused('INVALID_INPUT', thrown instanceof Error ? thrown.message : String(thrown));
      }
      const status = await statusReply(context, { own: actionId });
      const said = `Started over. ${status.said}`;
      return done(said, { ...status.facts, said, status: 'done', action_id: actionId, attempted: true, world_changed: 'yes' });
    }
    if (task !== undefined) return refused('INVALID_INPUT', 'This robot cannot load tasks. Leave out "task".');
    const motion = {
      ...(scene === undefined
        ? { skill: 'reset', input: seed === undefined ? {} : { seed } }
        : { skill: 'select_scene', input: { scene_id: scene, ...(seed === undefined ? {} : { seed }) } }),
      deadlineS: MOTION_MAX_S,
      attempt: 'start over',
      success: ({ scene_id: id, seed: used }: Readonly<Record<string, unknown>>) =>
        `Started over in the scene ${idText(id)} with seed ${String(used)}`,
    };
    return runMotion(context, actionId, motion, stop);
  },
});

/** `control`. */
export const control = answerTool({
  name: 'control',
  title: 'Who drives',
  description:
    'The right to drive: "take" it while no one drives, "ask" the driver for it, "give" it to the first who asked, "release" it. While you drive, motions of others are rejected.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ do: z.enum(['take', 'ask', 'give', 'release']) }),
  async answer(context, { do: action }) {
    const { robot, agentName } = context;
    const name = agentName().slice(0, DRIVER_NAME_MAX_CHARS);
    const isNamed = action === 'take' || action === 'ask';
    try {
      const reply = await robot.control({ action, ...(isNamed ? { name, kind: 'agent' as const } : {}) });
      const error = isRecord(reply) ? errorOf(reply) : null;
      if (error) return failed(failureOf(error, context));
      const answer = readControlAnswer(reply);
      if (answer === null) return refused('INTERNAL', 'The robot did not report who drives.');
      const { driver, you_drive: youDrive } = answer;
      const who = driver && quoted(shownName(driver.name));
      const since = driver && new Date(driver.since_ms).toISOString();
      const said = youDrive
        ? 'You drive the robot.'
        : driver === null
          ? 'No one drives the robot: every caller may command it.'
          : `${who} (${driver.kind}) has driven the robot since ${since}.${action === 'ask' ? ' Your request was sent. Call control with "ask" again to see whether you have the robot.' : ''}`;
      const facts = driver && { name: who, kind: driver.kind, since_ms: driver.since_ms, is_you: youDrive };
      return done(said, { status: 'done', driver: facts, you_drive: youDrive });
    } catch (thrown) {
      return refused('NO_ANSWER', thrown instanceof Error ? thrown.message : String(thrown));
    }
  },
});

/** Skills that other tools replace. */
const COVERED: readonly string[] = [...SKILLS_OF_MOTIONS, 'cancel', 'reset', 'select_scene'];
const REST = (Object.keys(SKILLS) as SkillName[]).filter((name) => !COVERED.includes(name));

/** The skills that change neither the world nor its time. */
const IN_EXAM: readonly string[] = ['set_color_mode'] satisfies SkillName[];

/** `use_skill`: every skill of the catalogue without a tool of its own. */
export const useSkill = actionTool({
  name: 'use_skill',
  title: 'Use another skill',
  description: `Calls a skill without a tool of its own: ${REST.map((name) => `${name} (${SKILLS[name].title.toLowerCase()}; input ${inputText(name)})`).join(', ')}.`,
  hints: MOVES,
  input: z.strictObject({ skill: z.enum(REST as [string, ...string[]]), input: z.record(z.string(), z.unknown()).default({}) }),
  async act(context, { skill, input }, actionId, stop) {
    if (context.place.isExam && !IN_EXAM.includes(skill))
      return refused('PERMISSION_DENIED', `This is an exam: ${skill} is not allowed.`);
    const motion = { skill, input, deadlineS: MOTION_MAX_S, attempt: `use ${skill}`, success: () => `${skill} is done` };
    return runMotion(context, actionId, motion, stop);
  },
});

function inputText(name: SkillName): string {
  return `{${Object.keys(SKILLS[name].input.shape).join(', ')}}`;
}
