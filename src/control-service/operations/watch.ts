import { eq } from 'drizzle-orm';
import type { WatchAsked, WatchReply } from '../../protocol/service/watch-exchange.ts';
import { robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { isAnyRuntime, readParticipantToken, signParticipantToken } from '../tokens.ts';
import type { TokenKey } from './holder.ts';
import { isRevoked } from './links.ts';
import { operatorGrant } from './operator-grant.ts';

/** Random, so that two pages of one link never get the same one. */
const SUFFIX_BYTES = 8;
/** The shortest interval at which a room is informed, however many watchers come. */
const ANNOUNCED_EVERY_MS = 1_000;
/** How many rooms are remembered; those informed longest ago are forgotten. */
const ROOMS_REMEMBERED = 1_000;

/**
 * Gives the page of a visitor's link its own credential: the same room, access and end, and an identity that no other participant
 * has. The token that it gets leads to another page of its link, so a page that reloads does not get a longer and longer name.
 * The room is informed that a watcher is about to join, so that the robot sends its picture from the first moment.
 * @returns null for a token of another platform, an expired one, one without an access, or one that the SFU renewed: a renewed
 * token outlives the link
 */
export async function placeToWatch(
  deps: Pick<ServiceDeps, 'db' | 'sfu' | 'clock' | 'randomBytes' | 'memory'>,
  key: TokenKey,
  { token, public_key: publicKey }: WatchAsked,
): Promise<WatchReply> {
  const nowMs = deps.clock.nowMs();
  const given = await readParticipantToken(key, token, nowMs);
  if (given === null || given.access === null || given.kind !== null || isAnyRuntime(given.identity)) return { watch: null };
  if (await isRevoked(deps, given.link.id)) return { watch: null, ended: 'revoked' };
  const endsAtS = Math.min(given.endsAtS, given.link.endsAtS ?? given.endsAtS);
  const link = given.link.identity ?? given.identity;
  const place = { ...given, endsAtS, link: { ...given.link, identity: link, endsAtS } };
  announce(deps, place.room);
  const issuedAtS = Math.floor(nowMs / 1000);
  const identity = `${link}-${Buffer.from(deps.randomBytes(SUFFIX_BYTES)).toString('hex')}`;
  const isOperator = place.access === 'drive' && publicKey !== undefined;
  const grant = isOperator ? await operatorGrant(deps, place, identity, publicKey) : null;
  const robotName = await robotNameIn(deps, place.room);
  const watch = {
    ...(robotName === null ? {} : { robot_name: robotName }),
    ...(grant ? { grant } : {}),
    token: await signParticipantToken(key, {
      ...place,
      identity,
      issuedAtS,
      ttlS: place.endsAtS - issuedAtS,
    }),
  };
  return { watch };
}

/** Returns the name of the robot whose session has this room; null if there is no such session. */
async function robotNameIn({ db }: Pick<ServiceDeps, 'db'>, room: string): Promise<string | null> {
  const [robot] = await db
    .select({ name: robots.name })
    .from(sessions)
    .innerJoin(robots, eq(robots.id, sessions.robotId))
    .where(eq(sessions.roomName, room));
  return robot?.name ?? null;
}

/** The page does not wait for it: the robot notices an unannounced watcher some seconds later. */
function announce({ sfu, clock, memory }: Pick<ServiceDeps, 'sfu' | 'clock' | 'memory'>, room: string): void {
  const nowMs = clock.monotonicMs();
  const announced = memory.announcedAtMs;
  if (nowMs - (announced.get(room) ?? Number.NEGATIVE_INFINITY) < ANNOUNCED_EVERY_MS) return;
  announced.delete(room);
  announced.set(room, nowMs);
  const [oldest] = announced.keys();
  if (announced.size > ROOMS_REMEMBERED && oldest !== undefined) announced.delete(oldest);
  sfu.announceWatcher(room).catch(() => undefined);
}
