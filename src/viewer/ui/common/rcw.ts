import { RCW_SKILL_NAMES } from '../../../protocol/rcw-skills.ts';
import { SKILL_NAMES } from '../../../protocol/skills.ts';
import type { ControlState } from '../../../protocol/state.ts';
import type { ViewerState } from '../../engine/types.ts';
import { useViewer } from './engine-context.ts';

/** Whether the robot of this page keeps the physical robot's contract. */
export const useIsRcw = (): boolean => useViewer(({ profile }) => profile === 'worker');

/** Returns what the state reports about its contract; null for a simulator, and before the first state. */
export const controlOf = ({ runtime }: Pick<ViewerState, 'runtime'>): ControlState | null => runtime?.robot.extra.control ?? null;

/** Whether a robot of this profile has the skill. Skills that it does not have are not offered. */
export const hasSkill = ({ profile }: Pick<ViewerState, 'profile'>, name: string): boolean =>
  (profile === 'worker' ? RCW_SKILL_NAMES : SKILL_NAMES).some((known) => known === name);
