import { quoted, shownName } from '../../common/shown-text.ts';
import { type Caller, callerName, saidCaller } from './caller.ts';
import { EMERGENCY_ANSWER_MAX_MS, EMERGENCY_STOP_METHOD, type EmergencyAnswer } from './emergency-stop.ts';
import { type RuntimeError, runtimeError } from './error-codes.ts';

const ARMS = {
  limp: 'The arms hang until the next command after that.',
  still: 'The arms stay as they are, and the hands hold what they hold.',
} as const;

/**
 * @param latched who latched it, their name in the room, when (milliseconds since the epoch), and why
 * @param arms what its arms do meanwhile
 */
export function emergencyStopped(
  {
    by,
    name = null,
    sinceMs,
    reason = null,
  }: { by: Caller; name?: string | null | undefined; sinceMs: number; reason?: string | null },
  arms: keyof typeof ARMS = 'limp',
): RuntimeError {
  const why = reason === null ? '' : `: ${quoted(shownName(reason))}`;
  return runtimeError(
    'NOT_READY',
    `The emergency stop is latched (by ${name === null ? saidCaller(by) : quoted(shownName(name))}${why}), so the body accepts no command. Only a person can release it, at the robot's page or at its worker's machine. ${ARMS[arms]}`,
    {
      emergency_stop: true,
      latched_by: callerName(by),
      ...(name === null ? {} : { latched_by_name: name }),
      latched_at_ms: sinceMs,
      latched_reason: reason,
      retryable: false,
    },
  );
}

/** @param answer the state after the longest wait for the standstill */
export const latchedButMoves = (answer: EmergencyAnswer): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `The emergency stop is latched, but the robot still moves after ${EMERGENCY_ANSWER_MAX_MS / 1000} s: something pushes it. Look at it, and remove what pushes it.`,
    { ...answer, attempted: true, world_changed: 'unknown' },
  );

export const unsignedStop = (): RuntimeError =>
  runtimeError(
    'PERMISSION_DENIED',
    `This worker accepts only signed control, and ${EMERGENCY_STOP_METHOD} was not signed: a caller who may not drive must not lock the robot either. Send it in runtime.forward_envelope, or press it over HTTP (POST /v1/robots/{robot_id}/emergency-stop); emergency_stop() of the client libraries does both.`,
    { signed_control: true },
  );
