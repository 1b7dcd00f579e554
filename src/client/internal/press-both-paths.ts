import { EMERGENCY_STOP_METHOD, type EmergencyStopResult } from '../../protocol/wire/emergency-stop.ts';
import {
  outcomeOfAnswer,
  outcomeOfService,
  type PressOutcome,
  pressEverywhere,
  type TimedOutcome,
} from '../../remote-robot/press.ts';
import { EmergencyStopError, type EmergencyStopOptions, type EmergencyStopped, type StopPath } from '../emergency-stop.ts';
import { PlatformSDKError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import { wrongTimeout } from './payload.ts';
import type { RoomLink } from './room-link.ts';
import { isPassing, PRESS_PAUSE_MS, PRESS_TIMEOUT_MS } from './until-pressed.ts';
import { sleep, within } from './wait.ts';

/** The runtime answers within 2 s. */
const ROOM_REPLY_MS = 3_000;

type PressOverHttp = (options: EmergencyStopOptions) => Promise<EmergencyStopResult>;

/**
 * Presses over the room and over HTTP in parallel. Settles when the first path confirms that the robot stands.
 * @param link null if the session has not joined the room
 * @throws EmergencyStopError when no path confirms it in time; the signal's reason
 */
export async function pressOverBothPaths(
  link: RoomLink | null,
  overHttp: PressOverHttp,
  { reason, timeoutMs = PRESS_TIMEOUT_MS, signal }: EmergencyStopOptions,
): Promise<EmergencyStopped> {
  signal?.throwIfAborted();
  const startedMs = performance.now();
  const pressing = pressEverywhere(
    {
      // The signature of a press may have to wait for a grant, and HTTP has a timeout of its own.
      room: (leftMs) => within(pressInRoom(link, reason, leftMs), leftMs, NO_ANSWER).catch(outcomeOfError),
      http: (leftMs) => within(overHttp({ reason, timeoutMs: leftMs }), leftMs, NO_ANSWER).then(outcomeOfService, outcomeOfError),
    },
    {
      // A wrong option must not keep an emergency stop from the robot.
      untilMs: startedMs + (wrongTimeout(timeoutMs) === null ? timeoutMs : PRESS_TIMEOUT_MS),
      pauseMs: PRESS_PAUSE_MS,
      monotonicMs: () => performance.now(),
      sleep,
    },
  ).then(({ by, outcomes }) => {
    const paths = { room: pathOf(outcomes.room, startedMs), http: pathOf(outcomes.http, startedMs) };
    if (by === null) throw new EmergencyStopError(paths);
    return { by, afterMs: paths[by].afterMs ?? 0, paths };
  });
  // A caller that stops waiting does not take the press back.
  return signal ? within(pressing, NEVER_MS, '', signal) : pressing;
}

function pathOf(outcome: TimedOutcome | null, startedMs: number): StopPath {
  if (outcome === null) return { status: 'pending', afterMs: null, problem: null };
  const { status, problem, atMs } = outcome;
  const isLatched = status === 'stands' || status === 'latched';
  return { status: isLatched ? status : 'failed', problem, afterMs: Math.round(atMs - startedMs) };
}

async function pressInRoom(link: RoomLink | null, reason: string | undefined, leftMs: number): Promise<PressOutcome> {
  if (link === null) return { status: 'refused', problem: 'The room of this session is not joined.', isFinal: true };
  const payload = reason === undefined ? {} : { reason };
  return outcomeOfAnswer(await link.read(EMERGENCY_STOP_METHOD, payload, { timeoutMs: Math.min(ROOM_REPLY_MS, leftMs) }));
}

/** Errors of the library contain no credentials; the text of other errors may. */
function outcomeOfError(error: unknown): PressOutcome {
  const isOurs = error instanceof PlatformSDKError || error instanceof TimeoutError;
  const problem = isOurs ? error.message : 'It failed for a reason of its own.';
  if (error instanceof RcwRuntimeError) return { status: 'refused', problem, isFinal: error.code === 'METHOD_NOT_FOUND' };
  return { status: 'silent', problem, isFinal: !(error instanceof TimeoutError) && !isPassing(error) };
}

const NO_ANSWER = 'No answer came in time.';
/** The longest time that a timer accepts. The presses end earlier. */
const NEVER_MS = 2 ** 31 - 1;
