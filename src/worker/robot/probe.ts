import type { Place, RobotEnd } from '../robot-messages.ts';

/** What the SFU says to a place before it is taken; `welcome` when unsure, for the join itself decides. */
export type Probed = { kind: 'welcome' } | { kind: 'unreachable' } | { kind: 'refused'; end: RobotEnd };

const PROBE_MAX_MS = 5_000;

/** Asks the SFU whether it would let this place be taken: what it answers to a failed join is text that cannot be told apart. */
export async function probePlace({ sfuUrl, token }: Place): Promise<Probed> {
  const origin = sfuUrl.replace(/^ws/i, 'http').replace(/\/+$/, '');
  try {
    const response = await fetch(`${origin}/rtc/validate`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PROBE_MAX_MS),
    });
    const text = await response.text();
    const { status } = response;
    if (status === 401 || status === 403) {
      return { kind: 'refused', end: /\bexpired\b/.test(text) ? 'key_expired' : 'refused' };
    }
    // A path that an SFU of another version lacks is a 404 too, with another text.
    if (status === 404 && text.includes('room does not exist')) return { kind: 'refused', end: 'session_deleted' };
    if (status === 502 || status === 503 || status === 504) return { kind: 'unreachable' };
    return { kind: 'welcome' };
  } catch {
    return { kind: 'unreachable' };
  }
}
