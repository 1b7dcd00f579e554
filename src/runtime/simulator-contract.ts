import * as errors from '../protocol/error-texts.ts';
import type { RobotWords } from '../protocol/robot.ts';
import { type SkillDescriptor, skillDescriptors } from '../protocol/skill-descriptors.ts';
import { cancel } from './calls/cancel.ts';
import { callFromPage, toolsCall } from './calls/tools-call.ts';
import type { Contract } from './core.ts';
import { READS } from './reads/handlers.ts';
import { encodeGuard } from './reply.ts';

const HANDLERS: Contract['handlers'] = {
  ...READS,
  'runtime.tools_call': toolsCall,
  'runtime.cancel': cancel,
  'runtime.forward_envelope': (_core, _call, reply) => reply(encodeGuard(errors.envelopeDenied())),
};

/** The lists that were made, by the words of the robot. */
const descriptors = new Map<RobotWords, SkillDescriptor[]>();

/** The simulator's contract. It has no state of its own, no emergency stop, and no command that needs a renewal. */
export const SIMULATOR_CONTRACT: Contract = {
  profile: 'simulator',
  handlers: HANDLERS,
  skills({ words }) {
    const list = descriptors.get(words) ?? skillDescriptors(words);
    descriptors.set(words, list);
    return list;
  },
  manifestPart: () => ({}),
  statePart: () => ({}),
  acceptsCalls: ({ fault }) => fault === null,
  needsHelp: () => false,
  gateUnreadable: () => null,
  beforeCall() {},
  beforeStep() {},
  afterPhysics() {},
  // The runtime stops every running action, and nothing else moves.
  suspended() {},
  stop: (core, by) => callFromPage(core, 'cancel', {}, by),
  emergencyStop() {},
  releaseEmergencyStop() {},
  keep: () => ({ emergencyStop: null, sessions: 0, timeouts: 0 }),
  restore() {},
};
