import type { RuntimeError } from '../protocol/error-codes.ts';
import type { SkillName } from '../protocol/skills.ts';
import { SKILLS_NOT_IN_TASKS, worldIsJudged } from '../protocol/task-texts.ts';

/** Returns the refusal of a skill that would replace the judged world; null for every other skill. */
export const refusedInTask = (name: SkillName): RuntimeError | null =>
  SKILLS_NOT_IN_TASKS.includes(name) ? worldIsJudged(name) : null;
