import type { ControlState, RuntimeState } from '../../src/protocol/wire/state.ts';
import { runtimeState } from './examples.ts';

/** The pose of hanging arms. */
export const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };

type Change = Partial<Omit<ControlState, 'upper_body'>> & { upper_body?: Partial<ControlState['upper_body']> };

/** A standing worker’s robot whose locomotion controls its arms, with the changes of a test. */
export function controlState({ upper_body, ...change }: Change = {}): ControlState {
  return {
    signed_only: true,
    emergency_stop: false,
    telemetry_age_ms: 4,
    not_ready: null,
    velocity_holds: false,
    velocity_ends_at_ms: null,
    velocity_ended_by_deadline: null,
    stopped_by: null,
    ...change,
    upper_body: {
      mode: 'policy',
      commanded: null,
      measured: STANDING,
      packet_age_ms: null,
      timeout_ms: 200,
      timeouts: 0,
      ...upper_body,
    },
  };
}

/** The whole state around it. @param wallTimeMs when it was taken, milliseconds since the epoch */
export function rcwState(control: Change = {}, wallTimeMs = 1_000, command = { vx: 0, vy: 0, wz: 0 }): RuntimeState {
  const state = runtimeState({ command });
  return {
    ...state,
    timestamp: { ...state.timestamp, wall_time_ms: wallTimeMs },
    robot: { ...state.robot, extra: { ...state.robot.extra, control: controlState(control) } },
  };
}
