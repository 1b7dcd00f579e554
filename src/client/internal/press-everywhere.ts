import { EMERGENCY_STOP_METHOD, type EmergencyStopResult, readEmergencyAnswer } from '../../protocol/emergency-stop.ts';
import {
  EmergencyStopError,
  type EmergencyStopOptions,
  type EmergencyStopped,
  type StopPath,
  type StopPaths,
} from '../emergency-stop.ts';
import { PlatformAPIError, PlatformConnectionError, PlatformSDKError, RcwRuntimeError, TimeoutError } from '../errors.ts';
import { wrongTimeout } from './payload.ts';
import type { RoomLink } from './room-link.ts';
import { sleep, within } from './wait.ts';

/** A press is safe to repeat, so it is repeated until a path confirms that the robot stands. */
const PRESS_TIMEOUT_MS = 10_000;
/** The runtime answers within 2 s. */
const ROOM_REPLY_MS = 3_000;
const PAUSE_MS = 200;

type PressOverHttp = (options: EmergencyStopOptions) => Promise<EmergencyStopResult>;
type Ended = Pick<StopPath, 'status' | 'problem'>;

/**
 * Presses over the room and over HTTP in parallel. Settles when the first path confirms that the robot stands; the other press
 * continues.
 * @param link null if the session has not joined the room
 * @throws EmergencyStopError when no path confirms it in time; the signal's reason
 */
export async function pressEverywhere(
  link: RoomLink | null,
  overHttp: PressOverHttp,
  { reason, timeoutMs = PRESS_TIMEOUT_MS, signal }: EmergencyStopOptions,
): Promise<EmergencyStopped> {
  signal?.throwIfAborted();
  const startedMs = performance.now();
  // A wrong option must not keep an emergency stop from the robot.
  const untilMs = startedMs + (wrongTimeout(timeoutMs) === null ? timeoutMs : PRESS_TIMEOUT_MS);
  const paths: StopPaths = { room: PENDING, http: PENDING };
  const note = async (path: keyof StopPaths, going: Promise<Ended>): Promise<EmergencyStopped> => {
    const ended = await going.catch((error: unknown): Ended => ({ status: 'failed', problem: problemOf(error) }));
    const afterMs = Math.round(performance.now() - startedMs);
    paths[path] = { ...ended, afterMs };
    if (ended.status !== 'stands') throw ended;
    return { by: path, afterMs, paths: { ...paths } };
  };
  const first = Promise.any([
    note('room', pressInRoom(link, reason, untilMs)),
    note('http', pressHttp(overHttp, reason, untilMs)),
  ]).catch(() => {
    throw new EmergencyStopError({ ...paths });
  });
  // A caller that stops waiting does not take the press back.
  return signal ? unlessAborted(first, signal) : first;
}

const PENDING: StopPath = { status: 'pending', afterMs: null, problem: null };

async function pressInRoom(link: RoomLink | null, reason: string | undefined, untilMs: number): Promise<Ended> {
  if (link === null) return { status: 'failed', problem: 'The room of this session is not joined.' };
  const payload = reason === undefined ? {} : { reason };
  let last: Ended = { status: 'failed', problem: 'No runtime answered in time.' };
  while (leftMs(untilMs) > 0) {
    try {
      const reply = await link.read(EMERGENCY_STOP_METHOD, payload, { timeoutMs: Math.min(ROOM_REPLY_MS, leftMs(untilMs)) });
      const answer = readEmergencyAnswer(reply);
      if (answer?.stands) return STANDS;
      last = answer
        ? { status: 'latched', problem: 'The robot is stopped, but still moves: something pushes it.' }
        : { status: 'failed', problem: "The runtime's answer is not an answer to an emergency stop." };
    } catch (error) {
      const isAbsent = error instanceof RcwRuntimeError && error.code === 'NOT_READY';
      if (!isAbsent && !(error instanceof TimeoutError) && !isPassing(error)) throw error;
      if (last.status !== 'latched') last = { status: 'failed', problem: problemOf(error) };
    }
    await sleep(Math.min(PAUSE_MS, leftMs(untilMs)));
  }
  return last;
}

async function pressHttp(overHttp: PressOverHttp, reason: string | undefined, untilMs: number): Promise<Ended> {
  let last: Ended = { status: 'failed', problem: 'The service did not answer in time.' };
  while (leftMs(untilMs) > 0) {
    const { stands, runtimes } = await overHttp({ reason, timeoutMs: leftMs(untilMs) });
    if (stands) return STANDS;
    const problems = runtimes.flatMap(({ problem }) => problem ?? []);
    last = { status: 'latched', problem: problems.join(' ') || 'It is latched, and no runtime is in the room to stop.' };
    // No runtime is in the room, so nothing can be stopped. A runtime that joins finds the latch.
    if (stands === null) return last;
    await sleep(Math.min(PAUSE_MS, leftMs(untilMs)));
  }
  return last;
}

/**
 * Repeats one press over HTTP until it is answered. Other POSTs are sent only once because they must not happen twice; a press
 * may.
 * @param send sends the press, within the given time
 * @throws what the last attempt threw; immediately for a refusal that repeating cannot change
 */
export async function untilPressed<T>(
  send: (timeoutMs: number) => Promise<T>,
  { timeoutMs = PRESS_TIMEOUT_MS, signal }: EmergencyStopOptions,
): Promise<T> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await send(Math.max(1, leftMs(untilMs)));
    } catch (error) {
      if (!isPassing(error) || leftMs(untilMs) <= PAUSE_MS) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof PlatformConnectionError ||
  (error instanceof PlatformAPIError && (error.statusCode === 429 || error.statusCode >= 500));

const STANDS: Ended = { status: 'stands', problem: null };
/** Returns whole milliseconds, as timers require. */
const leftMs = (untilMs: number): number => Math.ceil(untilMs - performance.now());

/** Errors of the library contain no credentials; the text of other errors may. */
const problemOf = (error: unknown): string =>
  error instanceof PlatformSDKError || error instanceof TimeoutError ? error.message : 'It failed for a reason of its own.';

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return within(promise, NEVER_MS, '', signal);
}

/** The longest time that a timer accepts. The presses end earlier. */
const NEVER_MS = 2 ** 31 - 1;
