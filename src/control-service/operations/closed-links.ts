/**
 * Closes links that have expired or that their owner revoked. The SFU keeps renewing the token of a connected participant, and
 * does not know revoked tokens. So the room's metadata lists the closed links for the robot, and their participants are removed
 * for as long as they rejoin.
 */
import { and, eq, gt, inArray, lte, notInArray, or } from 'drizzle-orm';
import { accessOf, linkOf } from '../../protocol/service/access.ts';
import type { Caller } from '../caller.ts';
import { links, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeatedForEach } from '../repeated-work.ts';
import { isAnyRuntime } from '../tokens.ts';
import { markRevoked } from './links.ts';
import type { SessionRow } from './lookup.ts';
import { regularly } from './regularly.ts';
import { notifyRoom } from './sessions.ts';

/** How often rooms with closed links are checked. */
const TICK_MS = 2_000;
/** The SFU renews tokens for 10 minutes, so a participant who was away for longer cannot rejoin. */
const WATCHED_MS = 15 * 60_000;
/** After that, rooms are still checked this often. */
const SELDOM_MS = 60_000;
/** By how much the clocks of two instances may differ while a link that closes is still noticed within {@link SELDOM_MS}. */
const CLOCKS_OFF_MS = 10_000;
/** How often links of sessions that are over are deleted. */
const FORGET_EVERY_MS = 60_000;

/**
 * Revokes a link of the caller's robot. The link gives no right from then on, and its participants are removed from the room.
 * @throws 404
 */
export async function revokeLink(deps: ServiceDeps, caller: Caller, robotId: string, linkId: string): Promise<void> {
  const session = await markRevoked(deps, caller, robotId, linkId);
  deps.log({ level: 'info', event: 'link_revoked', robot_id: robotId, account_id: caller.accountId, link_id: linkId });
  // If the SFU does not answer, the next check of the room removes them.
  const ids = new Set([linkId]);
  await Promise.allSettled([notifyRoom(deps, session), removeParticipants(deps, session.roomName, ids)]);
}

/** Removes the participants of closed links from a room. @returns how many there were */
async function removeParticipants(
  { sfu, clock }: Pick<ServiceDeps, 'sfu' | 'clock'>,
  roomName: string,
  closedIds: ReadonlySet<string>,
): Promise<number> {
  const nowS = clock.nowMs() / 1_000;
  const out = (await sfu.listParticipants(roomName)).filter(({ identity, attributes }) => {
    if (isAnyRuntime(identity) || accessOf(attributes) === null) return false;
    const { id, endsAtS } = linkOf(attributes);
    return (endsAtS !== null && endsAtS <= nowS) || (id !== null && closedIds.has(id));
  });
  await Promise.all(out.map(({ identity }) => sfu.removeParticipant(roomName, identity)));
  return out.length;
}

/** The known facts about a room with closed links. */
interface KnownRoom {
  readonly closedIds: Set<string>;
  /** How many closed links its metadata has listed; a closed link stays closed. */
  reported: number;
  lookedAtMs: number;
  /** When a participant was last removed, or a link closed; on the monotonic clock. */
  changedAtMs: number;
}

/** Keeps closed links out of their rooms, in one instance. */
export class ClosedLinks {
  private readonly deps: ServiceDeps;
  private readonly rooms = new Map<string, KnownRoom>();
  private forgotAtMs = Number.NEGATIVE_INFINITY;
  /** When all closed links were last read, on the monotonic clock. In between, only those that have just closed are read. */
  private readAllAtMs = Number.NEGATIVE_INFINITY;
  private readAt = new Date(0);

  constructor(deps: ServiceDeps) {
    this.deps = deps;
  }

  /** Does the work that is due. Failed work is retried later. */
  async tick(): Promise<void> {
    await this.forget();
    await this.read();
    const due = [...this.rooms].filter(([, room]) => this.isDue(room)).map(([name]) => name);
    if (due.length === 0) return;
    const found = await this.deps.db
      .select()
      .from(sessions)
      .where(and(inArray(sessions.roomName, due), eq(sessions.phase, 'open')));
    const open = new Map(found.map((session) => [session.roomName, session]));
    for (const name of due) if (!open.has(name)) this.rooms.delete(name);
    await doRepeatedForEach(
      this.deps,
      'closed_links',
      [...open.values()],
      ({ robotId }) => robotId,
      (session) => this.lookInto(session),
    );
  }

  /** Reads which links have closed. */
  private async read(): Promise<void> {
    const { db, clock, memory } = this.deps;
    const now = new Date(clock.nowMs());
    const nowMs = clock.monotonicMs();
    const readsAll = nowMs - this.readAllAtMs >= SELDOM_MS;
    const since = new Date(readsAll ? 0 : Math.min(this.readAt.getTime(), now.getTime()) - CLOCKS_OFF_MS);
    const closed = await db
      .select({ id: links.id, roomName: links.roomName, revokedAt: links.revokedAt })
      .from(links)
      .where(or(gt(links.revokedAt, since), and(gt(links.endsAt, since), lte(links.endsAt, now))));
    if (readsAll) this.readAllAtMs = nowMs;
    this.readAt = now;
    for (const { id, roomName, revokedAt } of closed) {
      if (revokedAt !== null) memory.revokedLinks.add(id);
      const room = this.rooms.get(roomName) ?? { closedIds: new Set(), reported: 0, lookedAtMs: nowMs, changedAtMs: nowMs };
      room.closedIds.add(id);
      this.rooms.set(roomName, room);
    }
  }

  private isDue({ closedIds, reported, lookedAtMs, changedAtMs }: KnownRoom): boolean {
    const nowMs = this.deps.clock.monotonicMs();
    return reported !== closedIds.size || nowMs - changedAtMs < WATCHED_MS || nowMs - lookedAtMs >= SELDOM_MS;
  }

  private async lookInto(session: SessionRow): Promise<void> {
    const room = this.rooms.get(session.roomName);
    if (room === undefined) return;
    const { closedIds } = room;
    const nowMs = this.deps.clock.monotonicMs();
    const total = closedIds.size;
    if (room.reported !== total) await notifyRoom(this.deps, session);
    const removed = await removeParticipants(this.deps, session.roomName, closedIds);
    // A link that has just closed counts as well, because its pages may be about to join.
    if (removed > 0 || room.reported !== total) room.changedAtMs = nowMs;
    room.reported = total;
    room.lookedAtMs = nowMs;
  }

  /** Deletes the links of sessions that are over. */
  private async forget(): Promise<void> {
    const { db, clock } = this.deps;
    if (clock.monotonicMs() - this.forgotAtMs < FORGET_EVERY_MS) return;
    const left = db
      .select({ id: links.id })
      .from(links)
      .where(notInArray(links.roomName, db.select({ roomName: sessions.roomName }).from(sessions)));
    await db.delete(links).where(inArray(links.id, left));
    this.forgotAtMs = clock.monotonicMs();
  }
}

/** Keeps closed links out of their rooms until it is stopped. @returns a function that stops it */
export function closeLinks(deps: ServiceDeps): () => Promise<void> {
  const closed = new ClosedLinks(deps);
  return regularly(deps, 'closed_links', TICK_MS, () => closed.tick());
}
