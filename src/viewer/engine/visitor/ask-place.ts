import { encodeRoomKey, readVisitorKey, type VisitorKey } from '../../../protocol/room/room-key.ts';
import { type OperatorGrant, WATCH_PATH, type WatchAsked, type WatchReply } from '../../../protocol/service/watch-exchange.ts';
import type { ControlKey } from '../../../protocol/signed/signed-claims.ts';
import { fetchOwn, postOwn } from '../own-server.ts';

/**
 * A platform that does not answer within this time counts as one without an answer, so that the visitor still enters the room.
 */
const ANSWER_WITHIN_MS = 3_000;

/** A visitor's place in a room. */
export interface VisitorPlace {
  key: VisitorKey;
  /** The grant with which an operator's page signs its commands; null without one. */
  grant: OperatorGrant | null;
  /** The owner's name for the robot; null if the platform does not report it. */
  robotName: string | null;
}

/**
 * Asks this page's platform for a place of its own with a visitor's key, which many pages may share. It never rejects.
 * @param publicKey of an operator's page, for a grant
 * @returns the given key if the platform assigns no place; null when the owner revoked the link
 */
export async function askPlace(
  key: VisitorKey,
  publicKey: ControlKey | null,
  fetchFn: typeof fetchOwn = fetchOwn,
): Promise<VisitorPlace | null> {
  const own: VisitorPlace = { key, grant: null, robotName: null };
  try {
    const asked: WatchAsked = { token: key.token, ...(publicKey ? { public_key: publicKey } : {}) };
    const answer = await postOwn(WATCH_PATH, asked, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }, fetchFn);
    const { watch, ended } = (await answer.json()) as Partial<WatchReply>;
    if (ended === 'revoked') return null;
    if (!answer.ok || !watch) return own;
    const read = readVisitorKey(encodeRoomKey({ sfuUrl: key.sfuUrl, token: watch.token }), {
      nowMs: Date.now(),
      pageProtocol: location.protocol,
    });
    const isSame = read.ok && read.key.room === key.room && read.key.access === key.access;
    return isSame ? { key: read.key, grant: watch.grant ?? null, robotName: watch.robot_name ?? null } : own;
  } catch {
    return own;
  }
}
