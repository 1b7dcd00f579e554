import { SKILLS_NOT_IN_TASKS, worldIsJudged } from '../protocol/texts/task-texts.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import type { SkillName } from '../protocol/wire/skills.ts';

/** Returns the refusal of a skill that would replace the judged world; null for every other skill. */
export const refusedInTask = (name: SkillName): RuntimeError | null =>
  SKILLS_NOT_IN_TASKS.includes(name) ? worldIsJudged(name) : null;
