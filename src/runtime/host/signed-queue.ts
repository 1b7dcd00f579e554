import { z } from 'zod';
import { FairQueue } from '../../common/fair-queue.ts';
import { type ControlKeys, createEnvelopeMemory, openEnvelope } from '../../protocol/signed/signed-control.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { fitsRpc, parsePayload } from '../../protocol/wire/json.ts';
import { encodeGuard, once } from '../reply.ts';
import type { RuntimeCall } from '../runtime-call.ts';
import { sealedStop } from './always-taken.ts';

/** The robot and room whose signed calls a runtime accepts, and the keys it trusts. */
export interface SignedTrust {
  /** Public keys of the control service, as the room's metadata has them under `control_keys`; null while they are unknown. */
  trustedKeys(): ControlKeys | null;
  robotId: string;
  /** Name of the room. */
  session: string;
}

export interface SignedQueueDeps extends SignedTrust {
  /** Milliseconds since the epoch, never going back. */
  nowMs(): number;
  /** Opens an envelope when there is time for it. @default at once */
  paced?<T>(work: () => Promise<T>): Promise<T>;
  /** Serves the call that was in the envelope, as `Runtime.handle` does. */
  handle(call: RuntimeCall, reply: (text: string) => void): void;
}

/** Receives the requests of `runtime.forward_envelope`. */
export interface SignedQueue {
  /**
   * Opens the envelope and hands on its call; `reply` is called exactly once, with the call's reply or the refusal. Never throws.
   */
  receive(call: RuntimeCall, reply: (text: string) => void): void;
}

const requestSchema = z.strictObject({ envelope: z.string() });
/** Five seconds at 50 packets a second: a call behind more than this would be stale when its turn comes. */
const MOST_WAITING = 256;
/** Limit for one participant, so that a caller without a grant leaves room in the queue for the holder's stop. */
const MOST_WAITING_OF_ONE = 64;
/** Limit for one participant, beyond the other two, for calls that claim to be stops: a full queue refuses no stop. */
const MOST_STOPS_OF_ONE = 64;

/** An envelope that waits to be opened. */
interface Waiting {
  call: RuntimeCall;
  /** The participant that carries it. The page has no name, and no participant has an empty one. */
  carrier: string;
  envelope: string;
  answer(text: string): void;
  /** Larger for envelopes that came later. */
  arrival: number;
  isStopOfAll: boolean;
}

/**
 * Opens envelopes one after the other. Those of one participant are opened in the order in which they came, because checking a
 * signature takes time and a stop must not be overtaken by the velocity before it. A stop goes first in its carrier's queue, and
 * every other turn is for stops; when it holds, earlier calls in that queue that would undo it are refused. Participants take
 * turns, so that no queue holds up another. A refused call never reaches the runtime.
 */
export function createSignedQueue(deps: SignedQueueDeps): SignedQueue {
  const memory = createEnvelopeMemory(deps.nowMs());
  const queue = new FairQueue<Waiting>();
  let isOpening = false;
  let waiting = 0;
  let arrivals = 0;
  /** By carrier: the number of waiting calls, and the arrival of the last stop that held while others waited. */
  const carriers = new Map<string, { waiting: number; stoppedAt: number }>();

  function enter(carrier: string): void {
    waiting += 1;
    const own = carriers.get(carrier) ?? { waiting: 0, stoppedAt: 0 };
    own.waiting += 1;
    carriers.set(carrier, own);
  }

  function leave(carrier: string): void {
    waiting -= 1;
    const own = carriers.get(carrier);
    if (own === undefined) return;
    own.waiting -= 1;
    if (own.waiting === 0) carriers.delete(carrier);
  }

  async function serve({ call, carrier, envelope, answer, arrival, isStopOfAll }: Waiting): Promise<void> {
    // Read each time, because a page learns its robot and its room after it has started.
    const { robotId, session, trustedKeys, nowMs } = deps;
    const own = carriers.get(carrier);
    const isOvertaken = own !== undefined && arrival < own.stoppedAt;
    const open = () => openEnvelope(envelope, { robotId, session, trustedKeys, nowMs, memory, isOvertaken });
    const opened = await (deps.paced?.(open) ?? open());
    leave(carrier);
    if (!opened.ok) {
      answer(encodeGuard(opened.error));
      return;
    }
    if (own && isStopOfAll) own.stoppedAt = Math.max(own.stoppedAt, arrival);
    const { holder, grantId } = opened;
    const inner: RuntimeCall = { ...call, ...opened.call, nowMs: deps.nowMs(), signedBy: { holder, grantId } };
    deps.handle(inner, answer);
  }

  async function openAll(): Promise<void> {
    isOpening = true;
    for (let next = queue.shift(); next !== null; next = queue.shift()) {
      const { answer } = next;
      await serve(next)
        // Only the code that handles the call or takes the reply can throw. The queue continues, and a caller that has no answer
        // yet gets one.
        .catch(() => answer(encodeGuard(errors.internal('signed-desk'))))
        .catch(() => undefined);
    }
    isOpening = false;
  }

  return {
    receive(call, reply) {
      const answer = once(reply);
      const request = readRequest(call.payload);
      if ('error' in request) return answer(encodeGuard(request.error));
      const carrier = call.callerIdentity ?? '';
      const ofOne = carriers.get(carrier)?.waiting ?? 0;
      const isFull = waiting >= MOST_WAITING || ofOne >= MOST_WAITING_OF_ONE;
      // A look takes time, and a call that comes to an empty queue goes first anyway.
      const stop = isFull || waiting > 0 ? sealedStop(call.payload) : 'none';
      // Bounded for each participant, so that participants need not share it.
      if (isFull && (stop === 'none' || ofOne >= MOST_WAITING_OF_ONE + MOST_STOPS_OF_ONE)) {
        return answer(encodeGuard(errors.tooManyEnvelopes(waiting)));
      }
      enter(carrier);
      arrivals += 1;
      const isStopOfAll = stop === 'of-all';
      const entry: Waiting = { call, carrier, envelope: request.envelope, answer, arrival: arrivals, isStopOfAll };
      if (isStopOfAll) {
        queue.pushFirst(carrier, entry);
        queue.hurryFirst(carrier);
      } else queue.push(carrier, entry);
      if (!isOpening) void openAll();
    },
  };
}

function readRequest(payload: string): { envelope: string } | { error: RuntimeError } {
  if (!fitsRpc(payload)) return { error: errors.requestTooLarge(payload) };
  const parsed = parsePayload(payload);
  if (!parsed.ok) return { error: errors.envelopeMalformed('the request around it is not JSON') };
  const request = requestSchema.safeParse(parsed.value);
  if (request.success) return request.data;
  return { error: errors.envelopeMalformed('the request is not {"envelope": "…"}', 'envelope') };
}
