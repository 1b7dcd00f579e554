import * as base64url from 'jose/base64url';
import { asciiOf } from '../../common/bytes.ts';

/**
 * Returns the call that an envelope claims to contain. Nothing is verified, so it must not decide anything that would reward a
 * false claim.
 * @param envelope at most as long as one RPC carries
 */
export function peekEnvelope(envelope: string): { method: unknown; payload: unknown } | null {
  try {
    const jws = asciiOf(
      base64url.decode(
        envelope
          .replace(/={1,2}$/, '')
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
      ),
    );
    // The relevant names are ASCII.
    const { call } = JSON.parse(asciiOf(base64url.decode(jws.split('.', 2)[1] ?? '')));
    if (typeof call !== 'object' || call === null) return null;
    return { method: 'method' in call ? call.method : null, payload: 'payload' in call ? call.payload : null };
  } catch {
    return null;
  }
}
