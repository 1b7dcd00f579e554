/**
 * An SFU's answer to a token, asked over HTTP.
 * - `welcome`: no objection, or an answer that cannot be understood
 * - `unreachable`: a proxy reports that no SFU is behind it
 */
export type SfuAnswer = 'welcome' | 'unreachable' | 'refused' | 'key_expired' | 'session_deleted';

/** Reads the answer to `/rtc/validate`, or to a rejected join. */
export function readSfuAnswer(status: number, text: string): SfuAnswer {
  if (status === 401 || status === 403) return /\bexpired\b/.test(text) ? 'key_expired' : 'refused';
  // A path that an SFU of another version lacks is a 404 too, with another text.
  if (status === 404 && text.includes('room does not exist')) return 'session_deleted';
  if (status === 502 || status === 503 || status === 504) return 'unreachable';
  return 'welcome';
}
