import { type ContractFacts, contractOf } from '../../../protocol/wire/contract.ts';
import type { LatchedState } from '../../../protocol/wire/emergency-stop.ts';
import type { RuntimeProfile } from '../../../protocol/wire/profile.ts';
import { rcwSkillSpecOf } from '../../../protocol/wire/rcw-skills.ts';
import { type SkillSpec, skillSpecOf } from '../../../protocol/wire/skills.ts';
import type { ControlState } from '../../../protocol/wire/state.ts';
import type { ViewerState } from '../../engine/types.ts';
import { useViewer } from './engine-context.ts';

/** A contract as the page shows it. */
interface PageContract extends ContractFacts {
  /** Returns the facts of a skill that the contract has, otherwise null. */
  readonly skillSpecOf: (name: string) => SkillSpec | null;
  /** The controls of a person at the page. */
  readonly controls: 'drive' | 'cockpit';
  /** Whether a task can be started at the page. */
  readonly hasTasks: boolean;
  /** A sentence on running actions while the room is out of reach. */
  readonly whileCutOff: string;
  /** The effects of an emergency stop and of its release on this body. */
  readonly emergency: { readonly stopped: string; readonly released: string };
  /** The label beside the robot's name; null for none. */
  readonly mark: { readonly text: string; readonly title: string } | null;
}

const PAGES: Readonly<Record<RuntimeProfile, PageContract>> = {
  simulator: {
    ...contractOf('simulator'),
    skillSpecOf,
    controls: 'drive',
    hasTasks: true,
    whileCutOff: 'The robot keeps running.',
    emergency: { stopped: 'its arms stand still and hold what they hold', released: '' },
    mark: null,
  },
  worker: {
    ...contractOf('worker'),
    skillSpecOf: rcwSkillSpecOf,
    controls: 'cockpit',
    hasTasks: false,
    // Otherwise a velocity would continue for ever, and no one could end it.
    whileCutOff: 'The robot stops when no one can reach it for 2 s.',
    emergency: { stopped: 'its arms are limp', released: ': the arms hang until the next command' },
    mark: {
      text: 'Physical contract',
      title:
        'This robot follows the physical robot’s contract: velocities hold until they are stopped, arms go limp without poses, and calls that move the body have to be signed.',
    },
  },
};

/** Returns the contract of this page's robot. */
export const pageContractOf = ({ profile }: Pick<ViewerState, 'profile'>): PageContract => PAGES[profile];

/** The contract of this page's robot. */
export const useContract = (): PageContract => useViewer(pageContractOf);

/** Returns what the state reports about the robot's contract; null for a simulator, and before the first state. */
export const controlOf = ({ runtime }: Pick<ViewerState, 'runtime'>): ControlState | null => runtime?.robot.extra.control ?? null;

/** Returns who latched the emergency stop, since when and why; null while it is released. */
export const emergencyOf = ({ runtime }: Pick<ViewerState, 'runtime'>): LatchedState | null =>
  runtime?.robot.extra.emergency_stop ?? null;

/** Returns whether a robot of this profile has the skill. Missing skills are not offered. */
export const hasSkill = (state: Pick<ViewerState, 'profile'>, name: string): boolean =>
  pageContractOf(state).skillSpecOf(name) !== null;
