import { createPosePace } from '../../protocol/wire/pose-pace.ts';
import type { ActionResult } from '../action-result.ts';
import { RcwRuntimeError, TimeoutError } from '../errors.ts';
import { type ArmPose, STANDING_POSE, type UpperBodyOptions, type UpperBodyStream } from '../upper-body.ts';
import { sleep } from './wait.ts';

const DEFAULT_RATE_HZ = 50;
/** The least rate of the physical robot: a pose every 100 ms. */
const MIN_RATE_HZ = 10;
const MAX_RATE_HZ = 120;
/** Without a reply for this long, it is unknown whether the robot still listens. */
const SILENCE_MS = 5_000;

type Params = Readonly<Record<string, unknown>>;

/** The calls to such a robot; a pose and a `surely` call return the end of the action. */
export interface ArmCalls {
  /** Called once, before the first pose. */
  begin?(): Promise<void>;
  /** Sent once: the next pose makes up for a lost one. */
  pose(params: Params): Promise<ActionResult>;
  /** Repeated until it is answered, because nothing makes up for a lost stop. */
  surely(skill: 'stop' | 'set_velocity', params: Params): Promise<ActionResult>;
}

/**
 * Streams poses: a stop first, then the current pose repeatedly, and at the end the standing pose and a zero velocity, also after
 * a failure.
 * @param poses each pose is sent at least once, and repeated until the next one is available
 * @throws RcwRuntimeError when the robot rejects a packet; TimeoutError when it has answered no packet for 5 s; what `poses`
 * throws
 */
export async function streamUpperBody(
  calls: ArmCalls,
  poses: AsyncIterable<ArmPose> | Iterable<ArmPose>,
  { rateHz = DEFAULT_RATE_HZ, signal }: UpperBodyOptions,
): Promise<UpperBodyStream> {
  if (!(rateHz >= MIN_RATE_HZ && rateHz <= MAX_RATE_HZ)) {
    throw new RangeError(
      `rateHz is ${rateHz}; take ${MIN_RATE_HZ} to ${MAX_RATE_HZ}: below, a late packet lets the arms go limp.`,
    );
  }
  done(await calls.surely('stop', {}));
  await calls.begin?.();
  const source = sourceOf(poses);
  const sender = createPoseSender(calls);
  let failure: { error: unknown } | null = null;
  try {
    const startedMs = performance.now();
    for (let tick = 0; !signal?.aborted; tick += 1) {
      if (sender.mayTakeMore()) {
        const pose = await source.current(signal);
        if (pose === null) break;
        sender.send(pose);
      }
      // The timer runs on its own, so the time that a packet took is not added.
      const nextMs = startedMs + (tick + 1) * (1_000 / rateHz);
      await sleep(Math.max(0, nextMs - performance.now()), signal).catch(() => undefined);
      sender.check();
    }
  } catch (error) {
    failure = { error };
  }
  source.close();
  try {
    // Waits one period, not for the reply: a reply may take longer than the arms hold without a packet.
    await Promise.race([sender.end(), sleep(1_000 / rateHz)]);
    done(await calls.surely('set_velocity', { vx: 0, vy: 0, vyaw: 0 }));
  } catch (error) {
    failure ??= { error };
  }
  if (failure) throw failure.error;
  return { packets: sender.packets() };
}

/** The packets under way. No packet waits for the reply to the previous one. */
function createPoseSender(calls: ArmCalls) {
  let packets = 0;
  const pace = createPosePace();
  let answeredMs = performance.now();
  let failure: { error: unknown } | null = null;
  const send = (pose: ArmPose): Promise<void> => {
    packets += 1;
    const answered = pace.sent(performance.now());
    return calls
      .pose({ r_arm: pose.r_arm.map(rounded), l_arm: pose.l_arm.map(rounded) })
      .then((result) => {
        answeredMs = performance.now();
        done(result);
      })
      .catch((error: unknown) => {
        // The next packet makes up for one that got lost or was overtaken on its way.
        if (!(error instanceof TimeoutError) && !isLate(error)) failure ??= { error };
      })
      .finally(() => answered(performance.now()));
  };
  return {
    mayTakeMore: (): boolean => pace.maySend(performance.now()),
    send: (pose: ArmPose): void => void send(pose),
    check(): void {
      if (failure) throw failure.error;
      if (performance.now() - answeredMs > SILENCE_MS) {
        throw new TimeoutError(`The robot has not answered a pose for ${SILENCE_MS / 1_000} s. Its arms may be limp.`);
      }
    },
    end: () => send(STANDING_POSE),
    packets: () => packets,
  };
}

/** Rounds to 0.0001 rad, which is invisible on an arm. Digits make up half of a packet, and a bad connection carries little. */
const rounded = (rad: number): number => Math.round(rad * 10_000) / 10_000;

/**
 * A connection may deliver concurrent packets in any order, and some too late. The robot rejects those and follows the newer
 * poses.
 */
const isLate = (error: unknown): boolean =>
  error instanceof RcwRuntimeError && ['ENVELOPE_OUT_OF_ORDER', 'ENVELOPE_STALE'].includes(error.code);

interface Source {
  /** Returns the pose of a packet: the next one if it is available, else the previous one; null when the poses have ended. */
  current(signal: AbortSignal | undefined): Promise<ArmPose | null>;
  close(): void;
}

/** Asks for a pose only after the previous one was sent, so that a source that never waits cannot run ahead. */
function sourceOf(poses: AsyncIterable<ArmPose> | Iterable<ArmPose>): Source {
  const iterator = Symbol.asyncIterator in poses ? poses[Symbol.asyncIterator]() : poses[Symbol.iterator]();
  let held: ArmPose | null = null;
  let arrived: IteratorResult<ArmPose> | { error: unknown } | null = null;
  const pull = async (): Promise<void> => {
    try {
      arrived = await iterator.next();
    } catch (error) {
      arrived = { error };
    }
  };
  let pulled = pull();
  return {
    async current(signal) {
      if (held === null) await Promise.race([pulled, aborted(signal)]);
      const next = arrived;
      if (next === null) return held;
      if ('error' in next) throw next.error;
      if (next.done) return null;
      held = next.value;
      arrived = null;
      pulled = pull();
      return held;
    },
    // A source that is waiting for a value notices the close only when that value arrives.
    close: () => void Promise.resolve(iterator.return?.()).catch(() => undefined),
  };
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

function done(result: ActionResult): void {
  if (result.status === 'failed') throw new RcwRuntimeError(result.error.code, result.error.message, result.error.details ?? {});
}
