import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import type { Presence } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { BACK_WITHIN_MS, PAUSE_MS, type RuntimeAddress } from './find-runtime.ts';

/** One attempt is shorter than the 3 s after which LiveKit repeats a call automatically. */
export const ATTEMPT_MS = 2_500;

/**
 * A participant appears in the room a moment before it has announced which calls it accepts, because a LiveKit SDK registers them
 * after the join. A participant that still accepts none after this time is not a runtime.
 */
const TAKES_CALLS_WITHIN_MS = 1_000;

/** The result of an attempt: an answer, or a failure after which the call may be repeated, at once or after a pause. */
export type Attempted<T> = { kind: 'answer' | 'again' | 'again-later'; value: T };

interface Patience {
  actionId: string;
  /** How long to wait for an answer. */
  waitS: number;
  /** Ends the attempts. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a call to the runtime until it is answered, because LiveKit waits a few seconds for a reply at most, and an action may
 * take longer.
 * @returns the answer, or that of the last attempt if the time is over
 * @throws 409 if the runtime has left, 502 for an invalid answer, 503 if the SFU is unreachable, 504 if the time is over; each
 * names the action
 */
export async function untilAnswered<T>(
  deps: ServiceDeps,
  address: RuntimeAddress,
  { actionId, waitS, signal }: Patience,
  attempt: (runtime: Presence) => Promise<Attempted<T>>,
): Promise<T> {
  const startedMs = deps.clock.monotonicMs();
  let lastSeenMs = startedMs;
  let takesNone = { joinId: '', sinceMs: startedMs };
  for (;;) {
    signal?.throwIfAborted();
    let joinId = '';
    let trouble: SfuError | null = null;
    let attempted: Attempted<T> | null = null;
    try {
      const runtime = await lookFor(deps, address);
      if (runtime) {
        lastSeenMs = deps.clock.monotonicMs();
        joinId = runtime.joinId;
        attempted = await attempt(runtime);
        if (attempted.kind === 'answer') return attempted.value;
        address.seen = runtime;
      }
    } catch (error) {
      if (!(error instanceof SfuError)) throw error;
      trouble = error;
    }
    const nowMs = deps.clock.monotonicMs();
    if (trouble?.reason === 'rpc_unknown_method') {
      if (takesNone.joinId !== joinId) takesNone = { joinId, sinceMs: nowMs };
      if (nowMs - takesNone.sinceMs >= TAKES_CALLS_WITHIN_MS) throw ServiceError.runtimeRefused(TAKES_NO_CALLS, actionId);
    }
    if (trouble && isFinal(trouble)) throw ServiceError.runtimeRefused(sentenceOf(trouble), actionId);
    if (nowMs - lastSeenMs > BACK_WITHIN_MS) {
      throw trouble?.reason === 'unreachable' || trouble?.reason === 'refused'
        ? ServiceError.sfuUnavailable(actionId)
        : ServiceError.runtimeAbsent(actionId);
    }
    if (nowMs - startedMs >= waitS * 1000) {
      if (attempted) return attempted.value;
      throw ServiceError.runtimeSilent(actionId);
    }
    if (attempted?.kind !== 'again') await sleep(PAUSE_MS, undefined, signal ? { signal } : {});
  }
}

/** Returns the runtime in the room. A participant that was just seen there is not looked up again. */
async function lookFor(deps: ServiceDeps, address: RuntimeAddress): Promise<Presence | undefined> {
  const { seen } = address;
  address.seen = null;
  return seen ?? (await deps.sfu.listParticipants(address.room)).find(({ identity }) => identity === address.identity);
}

const FINAL = new Set<SfuError['reason']>(['rpc_failed', 'rpc_reply_too_large']);
const isFinal = (error: SfuError): boolean => FINAL.has(error.reason);

const TAKES_NO_CALLS = 'The participant in the room takes no skill calls. Reload its tab, or restart its worker.';

function sentenceOf({ reason, message }: SfuError): string {
  if (reason === 'rpc_reply_too_large') {
    return 'The runtime carried the call out, but its answer is larger than LiveKit carries. Read the state of the robot instead.';
  }
  return message;
}
