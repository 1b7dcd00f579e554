import { guard } from './action.ts';
import { runtimeError } from './error-codes.ts';
import { fitsRpc } from './json.ts';

/** One call of a method by a participant. */
export interface IncomingCall {
  /** Chosen by the caller's LiveKit client, one per call. */
  requestId: string;
  method: string;
  payload: string;
  callerIdentity: string;
}

/** Answers a call with JSON text. */
export type CallHandler = (call: IncomingCall) => Promise<string>;

/** How long an answered call is remembered, for requests that a resumed connection delivers again. */
const ANSWER_KEPT_MS = 60_000;

/**
 * Wraps the handler of all methods: a repeated request joins the first one's promise, an exception becomes a guard that tells
 * nothing of its text, and no reply is larger than one RPC carries.
 * @param now milliseconds, any origin
 */
export function createCallDesk(answer: CallHandler, now: () => number): CallHandler {
  const open = new Map<string, { reply: Promise<string>; answeredAtMs: number | null }>();

  return (call) => {
    forgetOld(open, now());
    const id = `${call.callerIdentity}\n${call.requestId}`;
    const known = open.get(id);
    if (known) return known.reply;
    const entry = { reply: settle(call, answer), answeredAtMs: null as number | null };
    open.set(id, entry);
    // The reply never rejects.
    void entry.reply.then(() => {
      entry.answeredAtMs = now();
    });
    return entry.reply;
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

/** Entries are in the order of their calls, so the oldest come first; a call still open stays. */
function forgetOld(open: Map<string, { answeredAtMs: number | null }>, nowMs: number): void {
  for (const [id, entry] of open) {
    if (entry.answeredAtMs !== null && nowMs - entry.answeredAtMs > ANSWER_KEPT_MS) open.delete(id);
  }
}
