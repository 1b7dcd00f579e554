import { PRODUCT_NAME } from './limits.ts';
import type { RuntimeProfile } from './profile.ts';

/**
 * A contract as all parties see it that meet its robots: in a room, at a page or over the control service. The runtime's own part
 * is `runtime/core.ts`.
 */
export interface ContractFacts {
  readonly profile: RuntimeProfile;
  /** The prefix of its runtimes' identities, by which clients find them. */
  readonly identityPrefix: string;
  /** Returns the identity under which the runtime of a robot joins its room. */
  readonly identityOf: (robotId: string) => string;
  /** Whether a velocity continues until another command ends it. If so, a caller that loses the robot must stop it first. */
  readonly holdsVelocity: boolean;
  /** Whether some commands change the robot without becoming an action, such as a pose of a stream. */
  readonly hasCommandsWithoutAction: boolean;
  /** Whether calls that move the body must be signed, unless a development stack accepts unsigned calls. */
  readonly isSigned: boolean;
  /** Whether a robot whose physics broke continues after a reset; otherwise only another process does. */
  readonly recoversByReset: boolean;
  /** The name of its runtime when it runs without a page. */
  readonly withoutPage: string;
  /** Whether it requires a robot with two arms that follow poses. */
  readonly needsPosedArms: boolean;
  /** Whether a call loads another scene. The physical robot has one place. */
  readonly choosesScenes: boolean;
  /** The words of a runtime that another runtime has displaced. */
  readonly takenOver: { readonly title: string; readonly message: string };
}

const SIMULATOR: ContractFacts = {
  profile: 'simulator',
  identityPrefix: PRODUCT_NAME,
  identityOf: (robotId) => `${PRODUCT_NAME}:${robotId}`,
  holdsVelocity: false,
  hasCommandsWithoutAction: false,
  isSigned: false,
  recoversByReset: true,
  withoutPage: 'the simulator without a page',
  needsPosedArms: false,
  choosesScenes: true,
  takenOver: {
    title: 'Another page took over',
    message:
      'The robot was opened in another page, here or on another device, and that page is the robot now. If you did not want that, take it back here.',
  },
};

const RCW_PREFIX = 'rcw';

/** The contract of the physical robot's control worker. */
const RCW: ContractFacts = {
  profile: 'worker',
  identityPrefix: RCW_PREFIX,
  identityOf: (robotId) => `${RCW_PREFIX}-${robotId}`,
  holdsVelocity: true,
  hasCommandsWithoutAction: true,
  isSigned: true,
  recoversByReset: false,
  withoutPage: 'the worker',
  needsPosedArms: true,
  choosesScenes: false,
  takenOver: {
    title: 'Another runtime took over',
    message:
      "Another tab, or a worker without a page, has joined as this robot's worker and is the robot now. If you did not want that, take it back here.",
  },
};

const CONTRACTS: Readonly<Record<RuntimeProfile, ContractFacts>> = { simulator: SIMULATOR, worker: RCW };

/** Returns the contract that a profile names. */
export const contractOf = (profile: RuntimeProfile): ContractFacts => CONTRACTS[profile];
