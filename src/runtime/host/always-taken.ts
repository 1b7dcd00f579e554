import { ENVELOPE_METHOD, ENVELOPE_METHODS } from '../../protocol/signed/signed-claims.ts';
import { peekEnvelope } from '../../protocol/signed/signed-peek.ts';
import { callKind, fieldsOf, stopsEverything } from '../../protocol/wire/command-kinds.ts';

/** Enough for a call that stops, with the longest id and every character escaped; longer payloads are not examined. */
const STOP_MAX_CHARS = 2_048;
/** The same in an envelope with its grant, encoded in base64 twice. */
export const SEALED_STOP_MAX_CHARS = 10_240;

/**
 * Returns whether a call only stops the robot: `runtime.cancel`, a skill that stops, or a velocity of zero. The limits on calls
 * do not apply to such a call; only the limit on waiting stops does.
 */
export function isAlwaysTaken(method: string, payload: string): boolean {
  if (method === ENVELOPE_METHOD) return sealedStop(payload) !== 'none';
  return payload.length <= STOP_MAX_CHARS && isStop(method, read(payload));
}

/**
 * Returns which kind of stop a request of `runtime.forward_envelope` claims to hold.
 * - `of-all`: it ends all motion that was called before it
 * - `of-one`: it cancels one action
 */
export function sealedStop(request: string): 'of-all' | 'of-one' | 'none' {
  const envelope = request.length > SEALED_STOP_MAX_CHARS ? null : fieldsOf(read(request)).envelope;
  const inner = typeof envelope === 'string' ? peekEnvelope(envelope) : null;
  if (inner === null || !isStop(String(inner.method), inner.payload)) return 'none';
  return stopsEverything(String(inner.method), inner.payload) ? 'of-all' : 'of-one';
}

const isStop = (method: string, payload: unknown): boolean =>
  ENVELOPE_METHODS.some((name) => name === method) && callKind(method, payload) === 'stop';

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
