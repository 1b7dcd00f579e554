import { SKILL_NAMES } from '../../../protocol/skills.ts';
import type { ControlState } from '../../../protocol/state.ts';
import { WORKER_SKILL_NAMES } from '../../../protocol/worker-skills.ts';
import type { ViewerState } from '../../engine/types.ts';
import { useViewer } from './engine-context.ts';

/** Does the robot of this page keep the physical robot's contract? */
export const useIsWorker = (): boolean => useViewer(({ profile }) => profile === 'worker');

/** What the worker's state tells of its contract; null for a simulator, and before the first state. */
export const controlOf = ({ runtime }: Pick<ViewerState, 'runtime'>): ControlState | null => runtime?.robot.extra.control ?? null;

/** Has a robot of this profile the skill? What it has not is not offered. */
export const hasSkill = ({ profile }: Pick<ViewerState, 'profile'>, name: string): boolean =>
  (profile === 'worker' ? WORKER_SKILL_NAMES : SKILL_NAMES).some((known) => known === name);
