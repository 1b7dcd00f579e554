/**
 * The links of a session. Each credential with an access is a row, so that its owner can list and revoke it. A link is over when
 * it expires, is revoked, or its session is over.
 */
import { and, asc, count, desc, eq, exists, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type ClosedLink, ENDED_LINKS_NAMED_MAX, OPERATOR_LINKS_MAX } from '../../protocol/service/closed-links.ts';
import type { ListQuery } from '../../protocol/service/control-requests.ts';
import type { Caller } from '../caller.ts';
import { preparedOnce } from '../db/prepared.ts';
import { links, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { findSession, getRobot, isRobotId, type SessionRow } from './lookup.ts';

/** A stored link. */
export type LinkRow = typeof links.$inferSelect;

/** How many ended links of a session are kept in addition to the active ones. */
const ENDED_KEPT_MAX = 200;
/** How many bytes of UTF-8 the identities of closed links may take in the metadata of a room. The newest come first. */
const IDENTITIES_MAX_BYTES = 8_192;

const revokedLink = preparedOnce((db) =>
  db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.id, sql.placeholder('id')), isNotNull(links.revokedAt))),
);

/**
 * Returns whether the owner revoked the link of this id.
 * @param id null for a link that an older service made, which cannot be revoked
 */
export async function isRevoked({ db }: Pick<ServiceDeps, 'db'>, id: string | null): Promise<boolean> {
  if (id === null || !isRobotId(id)) return false;
  return (await revokedLink(db).execute({ id })).length > 0;
}

/**
 * Stores a link of an open session.
 * @throws 409 if the session has ended meanwhile, 429 if it has the maximum number of links, or of operators' links
 */
export async function addLink(
  { db, settings }: Pick<ServiceDeps, 'db' | 'settings'>,
  { roomName }: Pick<SessionRow, 'roomName'>,
  link: Omit<LinkRow, 'roomName' | 'revokedAt'>,
): Promise<void> {
  const { linksOfSession: max } = settings.accountLimits;
  await db.transaction(async (tx) => {
    const [session] = await tx
      .select({ roomName: sessions.roomName })
      .from(sessions)
      .where(and(eq(sessions.roomName, roomName), eq(sessions.phase, 'open')))
      .for('update');
    if (!session) throw ServiceError.noSession();
    const ofRoom = eq(links.roomName, roomName);
    const [found] = await tx
      .select({ total: count(), drive: sql<number>`count(*) filter (where ${eq(links.access, 'drive')})`.mapWith(Number) })
      .from(links)
      .where(and(ofRoom, gt(links.endsAt, link.createdAt)));
    const { total = 0, drive = 0 } = found ?? {};
    if (total >= max) throw ServiceError.accountLimit('links_of_session', max);
    if (link.access === 'drive' && drive >= OPERATOR_LINKS_MAX)
      throw ServiceError.accountLimit('operator_links_of_session', OPERATOR_LINKS_MAX);
    const ended = and(ofRoom, lte(links.endsAt, link.createdAt));
    const old = tx.select({ id: links.id }).from(links).where(ended).orderBy(desc(links.endsAt)).offset(ENDED_KEPT_MAX);
    await tx.delete(links).where(or(inArray(links.id, old), and(eq(links.robotId, link.robotId), ne(links.roomName, roomName))));
    await tx.insert(links).values({ ...link, roomName });
  });
}

/** Returns one page of the valid links of the robot's session, oldest first; no links without a session. @throws 404 */
export async function listLinks(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  caller: Caller,
  robotId: string,
  query: ListQuery,
): Promise<{ links: LinkRow[]; nextId: string | null; total: number }> {
  await getRobot(db, caller, robotId);
  const session = await findSession(db, robotId);
  if (!session) return { links: [], nextId: null, total: 0 };
  const now = new Date(clock.nowMs());
  const valid = and(eq(links.roomName, session.roomName), isNull(links.revokedAt), gt(links.endsAt, now));
  // Fetching one row more than requested shows whether there is a next page.
  const found = await db
    .select()
    .from(links)
    .where(query.after_id === undefined ? valid : and(valid, gt(links.id, query.after_id)))
    .orderBy(asc(links.id))
    .limit(query.limit + 1);
  const [counted] = await db.select({ total: count() }).from(links).where(valid);
  const shown = found.slice(0, query.limit);
  return { links: shown, nextId: found.length > query.limit ? (shown.at(-1)?.id ?? null) : null, total: counted?.total ?? 0 };
}

/**
 * Marks a link of the robot's session as revoked. A link that has ended, or is already revoked, stays unchanged.
 * @returns the session of the link
 * @throws 404 for the robot, and for a link that the session does not have
 */
export async function markRevoked(
  { db, clock, memory }: Pick<ServiceDeps, 'db' | 'clock' | 'memory'>,
  caller: Caller,
  robotId: string,
  linkId: string,
): Promise<SessionRow> {
  await getRobot(db, caller, robotId);
  const session = isRobotId(linkId) ? await findSession(db, robotId) : undefined;
  if (!session) throw ServiceError.linkNotFound();
  const own = and(eq(links.id, linkId), eq(links.roomName, session.roomName));
  const [found] = await db.select({ revokedAt: links.revokedAt }).from(links).where(own);
  if (!found) throw ServiceError.linkNotFound();
  await db
    .update(links)
    .set({ revokedAt: new Date(clock.nowMs()) })
    .where(and(own, isNull(links.revokedAt)));
  memory.revokedLinks.add(linkId);
  return session;
}

/**
 * Returns the operators' links of a room that ended or were revoked, as its metadata lists them. First come all whose time has
 * not ended, because the media server would admit them again. Then come the newest of the others. The identity of a link is
 * omitted if a valid link has the same one, because the robot could not distinguish their pages before the SFU has announced
 * them. It is also omitted if the identities would make the metadata too long.
 */
export async function closedLinks({ db, clock }: Pick<ServiceDeps, 'db' | 'clock'>, roomName: string): Promise<ClosedLink[]> {
  const now = new Date(clock.nowMs());
  const ofRoom = and(eq(links.roomName, roomName), eq(links.access, 'drive'));
  const hasEnded = lte(links.endsAt, now);
  const others = alias(links, 'others');
  const isShared = exists(
    db
      .select({ one: sql`1` })
      .from(others)
      .where(
        and(
          eq(others.roomName, roomName),
          eq(others.access, 'drive'),
          eq(others.identity, links.identity),
          isNull(others.revokedAt),
          gt(others.endsAt, now),
        ),
      ),
  );
  const closed = await db
    .select({
      id: links.id,
      identity: sql<string | null>`case when not ${isShared} then ${links.identity} end`,
      hasEnded: sql<boolean>`${hasEnded}`,
    })
    .from(links)
    .where(and(ofRoom, or(isNotNull(links.revokedAt), hasEnded)))
    .orderBy(sql`${hasEnded}`, desc(links.id))
    .limit(OPERATOR_LINKS_MAX);
  let leftBytes = IDENTITIES_MAX_BYTES;
  return closed
    .filter((link, at) => !link.hasEnded || at < ENDED_LINKS_NAMED_MAX)
    .map(({ id, identity }) => {
      leftBytes -= Buffer.byteLength(JSON.stringify(identity));
      return { id, identity: leftBytes >= 0 ? identity : null };
    });
}
