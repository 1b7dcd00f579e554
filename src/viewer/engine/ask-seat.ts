import { encodeRoomKey, type RoomKey, readRoomKey } from '../../protocol/room-key.ts';
import { SEAT_PATH, SEAT_PLATFORM_WITHIN_MS, type SeatAnswer, type SeatAsked } from '../../protocol/seat-question.ts';
import type { PlatformSeat, SeatService } from '../../room/seat-service.ts';
import type { KeptItems } from './browser-storage.ts';
import { fetchOwn, ownAddress } from './own-server.ts';

const BROWSER_ITEM = 'simplesim.browser';
const ID_LENGTH = 32;

/**
 * Creates this page's connection to its platform: who else is the robot of a key, and what the page reports of itself. A platform
 * that does not answer in time counts as one that does not say.
 * @param own the secret of this browser, what people are told of this page, and a new id of a visit: a page that a browser keeps and
 * shows again begins another one, so that a late report that it went away does not meet it
 */
export function createSeatService(
  own: { browserSecret: string; page: string; newVisit: () => string },
  fetchFn: typeof fetchOwn = fetchOwn,
): SeatService {
  let asked: Omit<SeatAsked, 'token'> | null = null;
  let visit = own.newVisit();

  function send(body: string, init: RequestInit): Promise<Response> {
    return fetchFn(SEAT_PATH, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, ...init });
  }

  async function ask(key: RoomKey, waits = false): Promise<PlatformSeat | null> {
    try {
      asked = { browser: await idInRoom(own.browserSecret, key.room), page: own.page, visit };
      const answer = await send(JSON.stringify({ ...asked, token: key.token, waits }), {
        signal: AbortSignal.timeout(SEAT_PLATFORM_WITHIN_MS),
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
  }

  const reportOf = ({ token }: RoomKey, report: SeatAsked['report']): string | null =>
    asked && JSON.stringify({ ...asked, token, report });
  return {
    ask,
    reportUrl: ownAddress(SEAT_PATH),
    busyReport: (key) => reportOf(key, 'busy'),
    reportLeft(key) {
      const body = reportOf(key, 'left');
      // A page that goes away waits for nothing; the browser sends what it has begun.
      if (body === null) return;
      void send(body, { keepalive: true }).catch(() => undefined);
      visit = own.newVisit();
    },
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
