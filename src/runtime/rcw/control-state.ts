import { callerName } from '../../protocol/wire/caller.ts';
import { TRAJECTORY_TIMEOUT_MS } from '../../protocol/wire/limits.ts';
import type { ControlState } from '../../protocol/wire/state.ts';
import { posedArmsOf } from '../../simulation/robot.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import { notReady, telemetryAgeMs } from './body-link.ts';
import { holds, type VelocityEnd } from './held-velocity.ts';
import type { RcwState } from './rcw-state.ts';

const ARM = 5;
const arms = (rad: readonly number[]) => ({ r_arm: rad.slice(0, ARM), l_arm: rad.slice(ARM, 2 * ARM) });

const endView = (core: RuntimeCore, { actionId, atMs }: VelocityEnd) => ({ action_id: actionId, at_ms: onWall(core, atMs) });

/**
 * Returns the state's part for the physical robot's contract: who may command, which velocity holds, and the state of the arms.
 */
export function controlState(core: RuntimeCore, rcw: RcwState): ControlState {
  const { body } = core.world;
  const joints = posedArmsOf(core.world);
  const { session, timeouts } = rcw.upperBody;
  const { end, ended, stopped } = rcw.heldVelocity;
  const isHeld = holds(core);
  const commanded = joints.commandedRad(body);
  const ageMs = telemetryAgeMs(core, rcw);
  return {
    signed_only: rcw.signedOnly,
    pose_packets: rcw.takesPosePackets,
    emergency_stop: core.emergency.latched !== null,
    not_ready: notReady(core, rcw),
    telemetry_age_ms: ageMs === null ? null : Math.round(ageMs),
    velocity_holds: isHeld,
    velocity_ends_at_ms: isHeld && end !== null ? onWall(core, end.atMs) : null,
    velocity_ended_by_deadline: ended && endView(core, ended),
    stopped_by: stopped && { by: callerName(stopped.by), at_ms: onWall(core, stopped.atMs) },
    upper_body: {
      mode: joints.mode(body),
      commanded: commanded === null ? null : arms(commanded),
      measured: arms(joints.measuredRad(body)),
      packet_age_ms: session === null ? null : Math.round(core.nowMs - session.lastPacketAtMs),
      timeout_ms: TRAJECTORY_TIMEOUT_MS,
      timeouts,
    },
  };
}
