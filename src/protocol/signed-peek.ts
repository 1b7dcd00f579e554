import { base64url, decodeJwt } from 'jose';

/** The call that an envelope says it holds. Nothing of it is checked: it decides nothing that a lie could profit by. */
export function peekEnvelope(envelope: string): { method: unknown; payload: unknown } | null {
  try {
    const bytes = base64url.decode(
      envelope
        .replace(/={1,2}$/, '')
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
    );
    const { call } = decodeJwt(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    if (typeof call !== 'object' || call === null) return null;
    return { method: 'method' in call ? call.method : null, payload: 'payload' in call ? call.payload : null };
  } catch {
    return null;
  }
}
