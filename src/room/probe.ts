import type { RoomKey } from '../protocol/room/room-key.ts';
import { readSfuAnswer } from '../protocol/room/sfu-answer.ts';
import type { EndReason } from './connection-state.ts';

/** The SFU's answer to a key before it is used. */
export type ProbeResult = { kind: 'welcome' } | { kind: 'unreachable' } | { kind: 'refused'; reason: EndReason };

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Asks the SFU whether it would accept a key. The token goes in a header: a failed WebSocket would print its whole address,
 * including the token, to the browser's console. Returns `welcome` when unsure; the join itself decides.
 */
export async function probeSfu(
  key: Pick<RoomKey, 'sfuUrl' | 'token'>,
  signal: AbortSignal,
  fetchFn: typeof fetch = fetch,
): Promise<ProbeResult> {
  const origin = key.sfuUrl
    .replace(/^ws/i, 'http')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  try {
    const response = await fetchFn(`${origin}/rtc/validate`, {
      headers: { Authorization: `Bearer ${key.token}` },
      signal: bounded,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const text = response.ok ? '' : await response.text();
    const answer = readSfuAnswer(response.status, text);
    return answer === 'welcome' || answer === 'unreachable' ? { kind: answer } : { kind: 'refused', reason: answer };
  } catch {
    return (await answersAtAll(origin, bounded, fetchFn)) ? { kind: 'welcome' } : { kind: 'unreachable' };
  }
}

/** Asks whether there is any answer, which one learns even without permission to read it. */
async function answersAtAll(origin: string, signal: AbortSignal, fetchFn: typeof fetch): Promise<boolean> {
  try {
    await fetchFn(origin, { mode: 'no-cors', signal, cache: 'no-store', referrerPolicy: 'no-referrer' });
    return true;
  } catch {
    return false;
  }
}
