import {
  HOLDER_ANSWER_WITHIN_MS,
  HOLDER_PATH,
  type HolderAnswer,
  type HolderQuestion,
} from '../../protocol/room/holder-question.ts';
import { encodeRoomKey, type RoomKey, readRoomKey } from '../../protocol/room/room-key.ts';
import type { HolderService, PlatformHolder } from '../../room/holder-service.ts';
import type { KeptItems } from './browser-storage.ts';
import { fetchOwn, ownAddress, postOwn } from './own-server.ts';

const BROWSER_ITEM = 'simplesim.browser';
const ID_LENGTH = 32;

/**
 * Creates this page's connection to its platform. The platform reports which other page is the robot of a key, and this page
 * reports itself. A platform that does not answer in time counts as one without that information.
 * @param own the secret of this browser, the name under which people see this page, and a new visit id. A page that a browser
 * keeps and shows again begins a new visit, so that a late report of its leaving does not end the new one.
 */
export function createHolderService(
  own: { browserSecret: string; page: string; newVisit: () => string },
  fetchFn: typeof fetchOwn = fetchOwn,
): HolderService {
  let asked: Omit<HolderQuestion, 'token'> | null = null;
  let visit = own.newVisit();

  async function ask(key: RoomKey, waits = false): Promise<PlatformHolder | null> {
    try {
      asked = { browser: await idInRoom(own.browserSecret, key.room), page: own.page, visit };
      const init = { signal: AbortSignal.timeout(HOLDER_ANSWER_WITHIN_MS) };
      const answer = await postOwn(HOLDER_PATH, { ...asked, token: key.token, waits }, init, fetchFn);
      const { seat: holderAnswer } = (await answer.json()) as { seat?: HolderAnswer | null };
      if (!answer.ok || !holderAnswer) return null;
      const read = readRoomKey(encodeRoomKey({ sfuUrl: key.sfuUrl, token: holderAnswer.token }), {
        nowMs: Date.now(),
        pageProtocol: location.protocol,
      });
      return read.ok && read.key.room === key.room && read.key.identity === key.identity
        ? { holder: holderAnswer.holder, key: read.key }
        : null;
    } catch {
      return null;
    }
  }

  const reportOf = ({ token }: RoomKey, report: HolderQuestion['report']) => asked && { ...asked, token, report };
  return {
    ask,
    reportUrl: ownAddress(HOLDER_PATH),
    busyReport(key) {
      const report = reportOf(key, 'busy');
      return report && JSON.stringify(report);
    },
    reportLeft(key) {
      const report = reportOf(key, 'left');
      // A page that is closing does not wait for replies; the browser finishes the requests that it has begun.
      if (report === null) return;
      void postOwn(HOLDER_PATH, report, { keepalive: true }, fetchFn).catch(() => undefined);
      visit = own.newVisit();
    },
  };
}

/** Everyone in the room sees the id. It differs from room to room, so that no one can follow a browser across rooms. */
async function idInRoom(browserSecret: string, room: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${browserSecret} ${room}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, ID_LENGTH);
}

/**
 * Returns a secret that all pages of this browser share. If the browser stores nothing, the secret belongs to this page alone.
 */
export function browserSecret(items: KeptItems, newId: () => string): string {
  const kept = items.get(BROWSER_ITEM);
  if (kept !== null) return kept;
  const id = newId();
  items.set(BROWSER_ITEM, id);
  return id;
}
