import { encodeRoomKey, readVisitorKey, type VisitorKey } from '../../../protocol/room-key.ts';
import { WATCH_PATH, type WatchAnswer, type WatchAsked } from '../../../protocol/watch-exchange.ts';

/** A platform that is slower keeps no visitor from the room: it is taken for one that does not say. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Asks this page's platform for a place of its own with a visitor's key, which many pages may have. It never rejects.
 * @returns the given key where the platform gives none
 */
export async function askPlace(key: VisitorKey, fetchFn: typeof fetch = fetch): Promise<VisitorKey> {
  try {
    const asked: WatchAsked = { token: key.token };
    const answer = await fetchFn(WATCH_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      cache: 'no-store',
    });
    const { watch } = (await answer.json()) as { watch?: WatchAnswer | null };
    if (!answer.ok || !watch) return key;
    const read = readVisitorKey(encodeRoomKey({ sfuUrl: key.sfuUrl, token: watch.token }), {
      nowMs: Date.now(),
      pageProtocol: location.protocol,
    });
    return read.ok && read.key.room === key.room && read.key.access === key.access ? read.key : key;
  } catch {
    return key;
  }
}
