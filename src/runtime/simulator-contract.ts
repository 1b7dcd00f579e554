import * as errors from '../protocol/texts/error-texts.ts';
import { emergencyStopped } from '../protocol/wire/emergency-stop-errors.ts';
import type { RobotWords } from '../protocol/wire/robot.ts';
import { type SkillDescriptor, skillDescriptors, withScenes } from '../protocol/wire/skill-descriptors.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import * as base from '../simulation/base.ts';
import { cancel } from './calls/cancel.ts';
import { callFromPage, toolsCall } from './calls/tools-call.ts';
import type { Contract } from './core.ts';
import { emergencyStopCall } from './emergency-stop.ts';
import { controlCall } from './lease.ts';
import { holders } from './ledger.ts';
import { READS } from './reads/handlers.ts';
import { encodeGuard } from './reply.ts';
import { movingNow } from './stop.ts';

const HANDLERS: Contract['handlers'] = {
  ...READS,
  'runtime.tools_call': toolsCall,
  'runtime.cancel': cancel,
  'runtime.emergency_stop': emergencyStopCall,
  'runtime.control': controlCall,
  'runtime.forward_envelope': (_core, _call, reply) => reply(encodeGuard(errors.envelopeDenied())),
};

/** The lists that were made, by the words of the robot. */
const descriptors = new Map<RobotWords, SkillDescriptor[]>();

/** The simulator's contract. It has no state of its own and no command that needs a renewal. */
export const SIMULATOR_CONTRACT: Contract = {
  profile: 'simulator',
  handlers: HANDLERS,
  skills({ world, scenes }) {
    const { words } = world.robot.model;
    const list = descriptors.get(words) ?? skillDescriptors(words);
    descriptors.set(words, list);
    return withScenes(list, scenes.ids());
  },
  manifestPart: () => ({}),
  statePart: () => ({}),
  acceptsCalls: ({ fault, emergency }) => fault === null && emergency.latched === null,
  gateUnreadable: () => null,
  beforeCall() {},
  beforeStep() {},
  afterPhysics() {},
  // The runtime stops every running action, and nothing else moves.
  suspended() {},
  stop: (core, by) => callFromPage(core, 'cancel', {}, by),
  stoppedError: (latched) => emergencyStopped(latched, 'still'),
  // Its arms are moved by skills alone, which the runtime ends: they brake where they are, and a grip keeps what it holds.
  emergencyStop() {},
  // Nothing moves without an action.
  driverChanged() {},
  bodyStops(core) {
    const { world } = core;
    const isTaken = (part: BodyPart): boolean => holders(core.ledger, [part]).length > 0;
    if (!isTaken('base')) base.setCommand(world, { vx: 0, vy: 0, wz: 0 });
    if (!isTaken('arms') && world.robot.hands.isMoving(world.body)) world.robot.hands.halt(world.body);
  },
  bodyStands: (core) => movingNow(core, ['base', 'arms']).length === 0,
  keep: () => ({ sessions: 0, timeouts: 0 }),
  restore() {},
};
