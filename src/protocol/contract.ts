import { PRODUCT_NAME } from './limits.ts';
import type { RuntimeProfile } from './profile.ts';

/** A contract as everybody sees it who meets its robots: in a room, at a page or over the control service. The runtime's own part is `runtime/core.ts`. */
export interface ContractFacts {
  readonly profile: RuntimeProfile;
  /** The beginning of its runtimes' identities; clients find them by this. */
  readonly identityPrefix: string;
  /** Returns the identity under which the runtime of a robot joins its room. */
  readonly identityOf: (robotId: string) => string;
  /** Whether a velocity holds until another command ends it. Then whoever loses the robot has to stop it first. */
  readonly holdsVelocity: boolean;
  /** Whether some commands change the robot and become no action, such as a pose of a stream. */
  readonly hasCommandsWithoutAction: boolean;
  /** Whether calls that move the body have to be signed, unless a development stack takes others too. */
  readonly isSigned: boolean;
  /** Whether a robot whose physics broke goes on after a reset; otherwise only another process does. */
  readonly recoversByReset: boolean;
  /** How its runtime is called where it runs without a page. */
  readonly withoutPage: string;
  /** Whether it asks for a robot with two arms that follow poses. */
  readonly needsPosedArms: boolean;
  /** Whether a call loads another scene. The physical robot has one place. */
  readonly choosesScenes: boolean;
  /** The words of a runtime whose place another one has taken. */
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
