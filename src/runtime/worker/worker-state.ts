import { TRAJECTORY_TIMEOUT_MS } from '../../protocol/limits.ts';
import type { ControlState } from '../../protocol/state.ts';
import * as base from '../../simulation/base.ts';
import * as joints from '../../simulation/body/joint-arms.ts';
import type { RuntimeCore } from '../core.ts';
import { telemetryAgeMs } from './body-link.ts';

const ARM = 5;
const arms = (rad: readonly number[]) => ({ r_arm: rad.slice(0, ARM), l_arm: rad.slice(ARM, 2 * ARM) });

/** What the state tells of the physical robot's contract: who may command, what holds, and how the arms are. */
export function controlState(core: RuntimeCore): ControlState {
  const { body } = core.world;
  const { session, timeouts } = core.upperBody;
  const { vx, vy, wz } = base.command(core.world);
  const commanded = joints.commandedRad(body);
  const ageMs = telemetryAgeMs(core);
  return {
    signed_only: core.signedOnly,
    emergency_stop: core.bodyLink.emergencyStopBy !== null,
    telemetry_age_ms: ageMs === null ? null : Math.round(ageMs),
    velocity_holds: vx !== 0 || vy !== 0 || wz !== 0,
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
