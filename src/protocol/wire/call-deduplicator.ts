import { FairShelf } from '../../common/fair-shelf.ts';
import { guard } from './action.ts';
import { runtimeError } from './error-codes.ts';
import { fitsRpc } from './json.ts';

/** One call of a method by a participant. */
export interface IncomingCall {
  /** Chosen by the caller's LiveKit client; unique for each call. */
  requestId: string;
  method: string;
  payload: string;
  callerIdentity: string;
}

/** Answers a call with JSON text. */
export type CallHandler = (call: IncomingCall) => Promise<string>;

/** How long an answered call is remembered, because a resumed connection may deliver its request again. */
const ANSWER_KEPT_MS = 60_000;
/**
 * How many answers are kept, whatever their age: some 30 MB of the largest ones, and 40 s of packets at 50 Hz. Each caller has a
 * share.
 */
const ANSWERS_KEPT = 2_048;

interface Answered {
  reply: Promise<string>;
  atMs: number;
}

/**
 * Wraps the handler of all methods: a repeated request joins the first one's promise, an exception becomes a guard that reveals
 * none of its text, and no reply is larger than one RPC carries.
 * @param now milliseconds, any origin
 */
export function createCallDeduplicator(answer: CallHandler, now: () => number): CallHandler {
  const open = new Map<string, Promise<string>>();
  const answered = new FairShelf<Answered>(ANSWERS_KEPT);

  return (call) => {
    forgetOld(answered, now());
    const id = `${call.callerIdentity}\n${call.requestId}`;
    const known = open.get(id) ?? answered.get(id)?.reply;
    if (known) return known;
    const reply = settle(call, answer);
    open.set(id, reply);
    // The reply never rejects.
    void reply.then(() => {
      open.delete(id);
      answered.put(id, call.callerIdentity, { reply, atMs: now() });
    });
    return reply;
  };
}

async function settle(call: IncomingCall, answer: CallHandler): Promise<string> {
  try {
    const reply = await answer(call);
    if (fitsRpc(reply)) return reply;
    return refusal('PAYLOAD_TOO_LARGE', `The reply to ${call.method} is larger than one RPC carries. Ask for less of it.`);
  } catch {
    return refusal(
      'INTERNAL',
      `The runtime has a fault of its own and could not answer ${call.method}. Read the state, then call again.`,
    );
  }
}

function refusal(code: 'PAYLOAD_TOO_LARGE' | 'INTERNAL', message: string): string {
  return JSON.stringify(guard(runtimeError(code, message, { worldChanged: 'unknown' })));
}

function forgetOld(answered: FairShelf<Answered>, nowMs: number): void {
  for (let oldest = answered.oldest(); oldest && nowMs - oldest.atMs > ANSWER_KEPT_MS; oldest = answered.oldest()) {
    answered.dropOldest();
  }
}
