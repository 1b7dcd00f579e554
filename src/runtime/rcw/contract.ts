import * as texts from '../../protocol/texts/rcw-texts.ts';
import { emergencyStopped } from '../../protocol/wire/emergency-stop-errors.ts';
import { RCW_SKILL_NAMES, rcwSkillDescriptor } from '../../protocol/wire/rcw-skills.ts';
import type { SkillDescriptor } from '../../protocol/wire/skill-descriptors.ts';
import * as base from '../../simulation/base.ts';
import { posedArmsOf } from '../../simulation/robot.ts';
import type { Contract } from '../core.ts';
import { READS } from '../reads/handlers.ts';
import { encodeGuard } from '../reply.ts';
import { notReady } from './body-link.ts';
import { cancelCall, controlCall, emergencyCall, gateUnreadable, stopFromPage, toolsCall } from './calls.ts';
import { controlState } from './control-state.ts';
import { brakeAndGoLimp, standStill } from './emergency-stop.ts';
import { expireVelocity, standFor, standstill } from './held-velocity.ts';
import { createRcwState, type RcwState } from './rcw-state.ts';
import { watch } from './upper-body.ts';

let descriptors: SkillDescriptor[] | null = null;

/** The physical robot's contract, and what it knows at the moment. */
export interface RcwContract extends Contract {
  readonly state: RcwState;
}

/**
 * Creates the physical robot's contract.
 * @param signedOnly whether calls that move the body are refused unless they are signed
 * @param takesPosePackets whether its host takes signed poses as packets too
 */
export function createRcwContract(signedOnly: boolean, takesPosePackets = false): RcwContract {
  const rcw = createRcwState(signedOnly, takesPosePackets);
  return {
    state: rcw,
    profile: 'worker',
    handlers: {
      ...READS,
      'runtime.tools_call': (core, call, reply) => toolsCall(core, rcw, call, reply),
      'runtime.cancel': (core, call, reply) => cancelCall(core, rcw, call, reply),
      'runtime.emergency_stop': (core, call, reply) => emergencyCall(core, rcw, call, reply),
      'runtime.control': (core, call, reply) => controlCall(core, rcw, call, reply),
      'runtime.forward_envelope': (_core, _call, reply) => reply(encodeGuard(texts.envelopesNotOpened())),
    },
    skills() {
      descriptors ??= RCW_SKILL_NAMES.map(rcwSkillDescriptor);
      return descriptors;
    },
    manifestPart: () => ({ signed_control: signedOnly }),
    statePart: (core) => ({ control: controlState(core, rcw) }),
    acceptsCalls: (core) => notReady(core, rcw) === null,
    gateUnreadable: (core, method, call, text) =>
      method === 'runtime.tools_call' ? gateUnreadable(core, rcw, call, text) : null,
    beforeCall: (core) => watch(core, rcw),
    beforeStep(core) {
      expireVelocity(core, rcw);
      watch(core, rcw);
    },
    afterPhysics({ nowMs }) {
      rcw.bodyLink.reportedAtMs = nowMs;
    },
    suspended: (core, error) => standStill(core, rcw, error),
    stop: (core, by) => stopFromPage(core, rcw, by),
    stoppedError: (latched) => emergencyStopped(latched),
    emergencyStop: (core, error) => brakeAndGoLimp(core, rcw, error),
    driverChanged: (core, by) => standFor(core, rcw, by),
    bodyStops() {},
    // Limp arms fall without being driven.
    bodyStands: ({ world }) => base.isStopped(world) && posedArmsOf(world).mode(world.body) === 'damp',
    keep: () => ({
      sessions: rcw.upperBody.sessions,
      timeouts: rcw.upperBody.timeouts,
    }),
    restore(core, kept) {
      rcw.upperBody.session = null;
      rcw.upperBody.sessions = kept.sessions;
      rcw.upperBody.timeouts = kept.timeouts;
      // As after a freeze: the robot stands, arms that followed poses are limp, and callers must command motion again.
      standstill(core, rcw);
      const arms = posedArmsOf(core.world);
      if (arms.mode(core.world.body) === 'trajectory') arms.limp(core.world.body);
    },
  };
}
