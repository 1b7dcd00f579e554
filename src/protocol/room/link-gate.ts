import { type ClosedLink, closedLinksOf, hasClosedLink } from '../service/closed-links.ts';
import { ENVELOPE_METHOD } from '../signed/signed-claims.ts';
import { peekEnvelope } from '../signed/signed-peek.ts';
import { linkOver } from '../texts/error-texts.ts';
import { guard } from '../wire/action.ts';
import type { IncomingCall } from '../wire/call-deduplicator.ts';

/** The room as a robot's runtime knows it. */
export interface LinkGateDeps {
  /** The room's current metadata: JSON text, or empty. */
  metadata(): string;
  /** LiveKit attributes of a participant; undefined for a participant that the SFU has not announced. */
  attributesOf(identity: string): unknown;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

const PRESS = 'runtime.emergency_stop';

/**
 * Returns a function that rejects a call by a participant whose link has ended or was revoked, and returns null for every other
 * call. The SFU renews the tokens of connected participants, so being in the room gives no right to command. A press of the
 * emergency stop is never rejected here: a false stop is safer than a missing one.
 */
export function createLinkGate({ metadata, attributesOf, nowMs }: LinkGateDeps): (call: IncomingCall) => string | null {
  let read = '';
  let closed: readonly ClosedLink[] = [];
  return ({ method, payload, callerIdentity }) => {
    const text = metadata();
    if (text !== read) {
      read = text;
      closed = closedLinksOf(text);
    }
    const caller = { identity: callerIdentity, attributes: attributesOf(callerIdentity) };
    if (!hasClosedLink(caller, closed, nowMs()) || method === PRESS || isSealedPress(method, payload)) return null;
    return JSON.stringify(guard(linkOver()));
  };
}

function isSealedPress(method: string, payload: string): boolean {
  if (method !== ENVELOPE_METHOD) return false;
  try {
    const { envelope } = JSON.parse(payload) as { envelope?: unknown };
    return typeof envelope === 'string' && peekEnvelope(envelope)?.method === PRESS;
  } catch {
    return false;
  }
}
