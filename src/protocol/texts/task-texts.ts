import type { Verdict } from '../files/verdict.ts';
import { type RuntimeError, runtimeError } from '../wire/error-codes.ts';
import type { SkillName } from '../wire/skills.ts';

/** Sentences about tasks that people and programs read. */

/** Skills that would replace the world that is judged. */
export const SKILLS_NOT_IN_TASKS: readonly SkillName[] = ['reset', 'select_scene', 'configure_benchmark'];

/** A skill that is not available during a run of a task. */
export const worldIsJudged = (skill: SkillName): RuntimeError =>
  runtimeError(
    'PERMISSION_DENIED',
    `${skill} would change the world that this run is judged in, so it is refused until the run has ended. Continue with the other skills.`,
  );

/** A command that arrives while the robot is busy with a task of its own. */
export const busyForAMoment = (): RuntimeError =>
  runtimeError('BUSY', 'The robot is busy for a moment, and has not begun with this. Call again.');

/** The wording of a verdict's reason. */
export const VERDICT_TEXTS: Readonly<Record<Verdict['reason'], string>> = {
  goal_reached: 'The goal was reached.',
  never_happened: 'Something happened that must never happen.',
  too_many_calls: 'The robot began more actions than the task allows.',
  time_over: 'The simulated time of the task is over.',
  not_reached: 'The run ended before the goal was reached.',
};
