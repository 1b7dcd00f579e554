import { callKind, fieldsOf, stopsEverything } from '../../protocol/command-kinds.ts';
import { ENVELOPE_METHOD, ENVELOPE_METHODS } from '../../protocol/signed-claims.ts';
import { peekEnvelope } from '../../protocol/signed-peek.ts';

/** A call that stops needs no more, with the longest id and every sign of it escaped; what is longer is not looked at. */
const STOP_MAX_CHARS = 2_048;
/** The same in an envelope with its grant, twice in base64. */
export const SEALED_STOP_MAX_CHARS = 10_240;

/**
 * Does the call only stop the robot: `runtime.cancel`, the skills that stop, a velocity of zero? The limits of calls do not stand before
 * such a call, only that of the stops that wait.
 */
export function isAlwaysTaken(method: string, payload: string): boolean {
  if (method === ENVELOPE_METHOD) return sealedStop(payload) !== 'none';
  return payload.length <= STOP_MAX_CHARS && isStop(method, read(payload));
}

/**
 * What stop a request of `runtime.forward_envelope` says that it holds.
 * - `of all`: it ends motion whatever was called before it
 * - `of one`: it cancels one action
 */
export function sealedStop(request: string): 'of all' | 'of one' | 'none' {
  const envelope = request.length > SEALED_STOP_MAX_CHARS ? null : fieldsOf(read(request)).envelope;
  const inner = typeof envelope === 'string' ? peekEnvelope(envelope) : null;
  if (inner === null || !isStop(String(inner.method), inner.payload)) return 'none';
  return stopsEverything(String(inner.method), inner.payload) ? 'of all' : 'of one';
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
