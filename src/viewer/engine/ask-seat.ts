import { encodeRoomKey, type RoomKey, readRoomKey } from '../../protocol/room-key.ts';
import { SEAT_PATH, type SeatAnswer, type SeatAsked } from '../../protocol/seat-question.ts';
import type { PlatformSeat } from '../../room/room-manager.ts';
import type { KeptItems } from './browser-storage.ts';

/** A platform that is slower keeps no robot from its room: it is taken for one that does not say. */
const ANSWER_WITHIN_MS = 3_000;
const BROWSER_ITEM = 'simplesim.browser';
const ID_LENGTH = 32;

/**
 * Returns a question to this page's platform: who else is the robot of a key. It never rejects.
 * @param own the secret of this browser, and what people are told of this page
 */
export function createSeatQuestion(
  own: { browserSecret: string; page: string },
  fetchFn: typeof fetch = fetch,
): (key: RoomKey) => Promise<PlatformSeat | null> {
  return async (key) => {
    try {
      const asked: SeatAsked = { token: key.token, browser: await idInRoom(own.browserSecret, key.room), page: own.page };
      const answer = await fetchFn(SEAT_PATH, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(asked),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        cache: 'no-store',
      });
      const { seat } = (await answer.json()) as { seat?: SeatAnswer | null };
      if (!answer.ok || !seat) return null;
      const read = readRoomKey(encodeRoomKey({ sfuUrl: key.sfuUrl, token: seat.token }), {
        nowMs: Date.now(),
        pageProtocol: location.protocol,
      });
      return read.ok && read.key.room === key.room && read.key.identity === key.identity
        ? { holder: seat.holder, key: read.key }
        : null;
    } catch {
      return null;
    }
  };
}

/** Everybody in the room sees the id: it is another one in each room, so that nobody can follow a browser from one to the next. */
async function idInRoom(browserSecret: string, room: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${browserSecret} ${room}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, ID_LENGTH);
}

/** Returns a secret that all pages of this browser share; one of this page alone where the browser keeps nothing. */
export function browserSecret(items: KeptItems, newId: () => string): string {
  const kept = items.get(BROWSER_ITEM);
  if (kept !== null) return kept;
  const id = newId();
  items.set(BROWSER_ITEM, id);
  return id;
}
