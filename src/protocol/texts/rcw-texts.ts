import type { OutOfReach } from '../room/room-reach.ts';
import { type RuntimeError, runtimeError } from '../wire/error-codes.ts';
import { ROOM_HICCUP_MS, ROOM_SILENT_AFTER_MS, TELEMETRY_FRESH_MS, TRAJECTORY_TIMEOUT_MS } from '../wire/limits.ts';

/** The sentences of failures that only the `rcw` profile has; the rest are in error-texts.ts. */

export const unsignedDenied = (call: string): RuntimeError =>
  runtimeError(
    'PERMISSION_DENIED',
    `This worker accepts only signed control, and ${call} was not signed. Send it in runtime.forward_envelope; the client libraries do so automatically.`,
    { signed_control: true },
  );

export const telemetryStale = (ageMs: number | null): RuntimeError =>
  runtimeError(
    'NOT_READY',
    ageMs === null
      ? 'The body has not reported yet, so it accepts no command. Call again in a moment.'
      : `The last report of the body is ${Math.round(ageMs)} ms old, so it accepts no command and keeps none for later. Call again when it reports again.`,
    { telemetry_age_ms: ageMs === null ? null : Math.round(ageMs), allowed: { telemetry_age_ms: TELEMETRY_FRESH_MS } },
  );

/** Why an unreachable robot was stopped; the text follows the name of the caller that stopped it. */
export const OUT_OF_REACH: Readonly<Record<OutOfReach, string>> = {
  silent: `which heard nothing from its room for ${ROOM_SILENT_AFTER_MS / 1_000} s`,
  interrupted: `whose connection to its room was interrupted for ${ROOM_HICCUP_MS / 1_000} s`,
  gone: 'which lost its room',
};

/** @param by the caller that stopped it, as `the worker, which lost its room` */
export const stoppedOutOfReach = (by: string): RuntimeError =>
  runtimeError(
    'NOT_READY',
    `The robot was stopped by ${by}. It accepts no command until it can be reached in its room again. Call again then.`,
  );

/** Calls that were sent to a suspended process arrive when it continues: it must carry out none of them. */
export const justResumed = (): RuntimeError =>
  runtimeError(
    'NOT_READY',
    'The robot was frozen and has just resumed. It carries out nothing that may have been sent meanwhile. Read the state, then call again.',
    { suspended: true },
  );

/** @param turnGapMs how long the runtime had not run when it noticed: it explains late calls */
export const trajectoryTimeout = (packets: number, afterMs: number, turnGapMs: number): RuntimeError =>
  runtimeError(
    'TRAJECTORY_TIMEOUT',
    `No pose came for ${TRAJECTORY_TIMEOUT_MS} ms after ${packets === 1 ? 'the first one' : `${packets} of them`}, so the arms went limp. Send the current pose again at least every 100 ms for as long as the arms should hold it.`,
    { packets, timeout_ms: TRAJECTORY_TIMEOUT_MS, after_ms: Math.round(afterMs), turn_gap_ms: Math.round(turnGapMs) },
  );

export const stillPushed = (seconds: number): RuntimeError =>
  runtimeError(
    'NOT_AT_GOAL',
    `The velocity is set to zero, but the robot still moves after ${seconds} s: something pushes it. Read the state and remove what pushes it.`,
    { still_moving: ['base'] },
  );

export const envelopesNotOpened = (): RuntimeError =>
  runtimeError(
    'PERMISSION_DENIED',
    'This worker has no keys to check signed envelopes with, so it accepts none. Start it in a room of the control service.',
  );

/** Unlike the simulator it has no reset. */
export const bodyBroken = (incident: string): RuntimeError =>
  runtimeError(
    'INTERNAL',
    `The body has stopped with a fault (${incident}) and accepts no command. Restart the worker, or reload its page. If you report it, quote the reference.`,
    { incident, retryable: false },
  );
