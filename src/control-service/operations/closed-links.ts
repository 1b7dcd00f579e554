/**
 * Closes links whose time has ended or that their owner revoked. The SFU renews the token of a connected participant again and again, and
 * knows no revoked tokens: the room's metadata names the closed links to the robot, and their participants are removed for as long as
 * they come back.
 */
import { and, eq, inArray, isNotNull, lte, notInArray, or } from 'drizzle-orm';
import { accessOf, linkOf } from '../../protocol/access.ts';
import type { Caller } from '../caller.ts';
import { links, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { doRepeatedForEach } from '../repeated-work.ts';
import { isAnyRuntime } from '../tokens.ts';
import type { LinkRow } from './links.ts';
import { markRevoked } from './links.ts';
import type { SessionRow } from './lookup.ts';
import { regularly } from './regularly.ts';
import { tellRoom } from './sessions.ts';

/** How often rooms with closed links are looked at. */
const TICK_MS = 2_000;
/** The SFU renews tokens for 10 minutes: somebody who has been away for longer does not come back. */
const WATCHED_MS = 15 * 60_000;
/** After that, rooms are still looked at this often. */
const SELDOM_MS = 60_000;
/** How often links of sessions that are over are deleted. */
const FORGET_EVERY_MS = 60_000;

/** Revokes a link of the caller's robot: from now on it gives no right, and its participants leave the room. @throws 404 */
export async function revokeLink(deps: ServiceDeps, caller: Caller, robotId: string, linkId: string): Promise<void> {
  const session = await markRevoked(deps, caller, robotId, linkId);
  deps.log({ level: 'info', event: 'link_revoked', robot_id: robotId, account_id: caller.accountId, link_id: linkId });
  // An SFU that does not answer now is told by the next look at the room.
  const ids = new Set([linkId]);
  await Promise.allSettled([tellRoom(deps, session), removeParticipants(deps, session.roomName, ids)]);
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

/** What is known of a room with closed links. */
interface KnownRoom {
  /** The closed links that its metadata names. */
  told: string;
  lookedAtMs: number;
  /** When a participant was last removed; on the clock that no one sets. */
  removedAtMs: number;
}

/** Keeps closed links out of their rooms, in one instance. */
export class ClosedLinks {
  private readonly deps: ServiceDeps;
  private readonly rooms = new Map<string, KnownRoom>();
  private forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ServiceDeps) {
    this.deps = deps;
  }

  /** Does the work that is due. Work that fails is done another time. */
  async tick(): Promise<void> {
    const { db, clock, memory } = this.deps;
    await this.forget();
    const closed = await db
      .select({ link: links, session: sessions })
      .from(links)
      .innerJoin(sessions, and(eq(sessions.roomName, links.roomName), eq(sessions.phase, 'open')))
      .where(or(isNotNull(links.revokedAt), lte(links.endsAt, new Date(clock.nowMs()))));
    const rooms = new Map<string, { session: SessionRow; links: LinkRow[] }>();
    for (const { link, session } of closed) {
      if (link.revokedAt !== null) memory.revokedLinks.add(link.id);
      const room = rooms.get(link.roomName) ?? { session, links: [] };
      room.links.push(link);
      rooms.set(link.roomName, room);
    }
    for (const name of [...this.rooms.keys()]) if (!rooms.has(name)) this.rooms.delete(name);
    await doRepeatedForEach(
      this.deps,
      'closed_links',
      [...rooms.values()],
      ({ session }) => session.robotId,
      (room) => this.lookInto(room.session, room.links),
    );
  }

  private async lookInto(session: SessionRow, closed: readonly LinkRow[]): Promise<void> {
    const ids = closed.map(({ id }) => id).sort();
    const told = ids.join();
    const nowMs = this.deps.clock.monotonicMs();
    const known = this.rooms.get(session.roomName);
    if (known?.told === told) {
      const isWatched = nowMs - known.removedAtMs < WATCHED_MS;
      if (!isWatched && nowMs - known.lookedAtMs < SELDOM_MS) return;
    } else await tellRoom(this.deps, session);
    const removed = await removeParticipants(this.deps, session.roomName, new Set(ids));
    // A link that has just closed counts as well: its pages may be on their way.
    const removedAtMs = removed > 0 || known?.told !== told ? nowMs : known.removedAtMs;
    this.rooms.set(session.roomName, { told, lookedAtMs: nowMs, removedAtMs });
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
