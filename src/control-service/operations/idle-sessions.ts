/**
 * Unused sessions end automatically, because each occupies a room, and perhaps a worker that others wait for. A session is in use
 * in three cases: a participant other than a dispatched agent is in its room, a credential for it is issued, or a command for its
 * robot arrives.
 */
import { and, eq, gt, inArray, lte, ne, or } from 'drizzle-orm';
import { apiKeys, robots, sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { latestTrue } from '../set-back.ts';
import { SfuError } from '../sfu-error.ts';
import type { SessionRow } from './lookup.ts';
import { regularly } from './regularly.ts';
import { letGo, removeSession } from './session-phases.ts';

/** Longest time between two checks of a room. If sessions live for less than six hours, it is a part of that time. */
const LOOK_EVERY_MAX_MS = 15 * 60_000;
const LOOKS_IN_A_LIFE = 24;
/** How often a timer checks whether work is due. */
const TICK_MS = 5_000;
/** A request that opens or closes a session gets this long beyond its phase to return to it. */
const LEFT_AFTER_MS = 60_000;

/** Ends leftover sessions over time. */
export class IdleSessions {
  private readonly deps: ServiceDeps;
  private lookedAtMs: number | null = null;

  constructor(deps: ServiceDeps) {
    this.deps = deps;
  }

  /** Does the work that is due. Failed work is retried later. */
  async tick(): Promise<void> {
    const nowMs = this.deps.clock.nowMs();
    await this.endLeft(nowMs);
    const idleMs = this.deps.settings.sessionIdleMs;
    if (idleMs === null) return;
    const everyMs = Math.min(LOOK_EVERY_MAX_MS, idleMs / LOOKS_IN_A_LIFE);
    // After the clock was set back, the elapsed time is unknown.
    const isKnown = this.lookedAtMs !== null && this.lookedAtMs <= nowMs;
    const sinceMs = isKnown ? nowMs - (this.lookedAtMs ?? 0) : Number.POSITIVE_INFINITY;
    if (sinceMs < everyMs) return;
    this.lookedAtMs = nowMs;
    // After a start, or after the machine has slept, participants get time to rejoin their room.
    const mayEnd = sinceMs <= 2 * everyMs + TICK_MS;
    const now = new Date(nowMs);
    await this.deps.db.update(sessions).set({ lastUsedAt: now }).where(gt(sessions.lastUsedAt, now));
    const unseen = await this.deps.db
      .select()
      .from(sessions)
      .where(and(eq(sessions.phase, 'open'), lte(sessions.lastUsedAt, new Date(nowMs - everyMs))));
    for (const session of unseen) await this.lookInto(session, mayEnd, nowMs - idleMs).catch(passOver);
  }

  private async lookInto(session: SessionRow, mayEnd: boolean, usedSinceMs: number): Promise<void> {
    const { db, sfu, clock } = this.deps;
    if (await sfu.hasPeople(session.roomName)) {
      const lastUsedAt = new Date(clock.nowMs());
      await db.update(sessions).set({ lastUsedAt }).where(eq(sessions.roomName, session.roomName));
    } else if (mayEnd && session.lastUsedAt.getTime() <= usedSinceMs) await this.end(session, 'unused');
  }

  /** Ends rooms of requests that died while opening or closing a session, and of sessions that ended without the SFU. */
  private async endLeft(nowMs: number): Promise<void> {
    const ended = new Date(nowMs - LEFT_AFTER_MS);
    // These were stored before the clock was set back.
    const beyond = new Date(latestTrue(nowMs, LEFT_AFTER_MS));
    const left = await this.deps.db
      .select()
      .from(sessions)
      .where(and(ne(sessions.phase, 'open'), or(lte(sessions.phaseEndsAt, ended), gt(sessions.phaseEndsAt, beyond))));
    for (const session of left) await this.end(session, 'left').catch(passOver);
  }

  /** Ends a session, unless it was used in the meantime or another instance is ending it. */
  private async end(session: SessionRow, reason: 'unused' | 'left'): Promise<void> {
    const { db, sfu, clock, log } = this.deps;
    const { roomName, robotId } = session;
    const asSeen = and(
      eq(sessions.roomName, roomName),
      eq(sessions.phase, session.phase),
      eq(sessions.lastUsedAt, session.lastUsedAt),
      session.phaseEndsAt === null ? undefined : eq(sessions.phaseEndsAt, session.phaseEndsAt),
    );
    const phaseEndsAt = new Date(clock.nowMs() + LEFT_AFTER_MS);
    const taken = await db
      .update(sessions)
      .set({ phase: 'closing', phaseEndsAt })
      .where(asSeen)
      .returning({ roomName: sessions.roomName });
    if (taken.length === 0) return;
    try {
      await sfu.deleteRoom(roomName);
      await removeSession(this.deps, session);
    } catch (error) {
      await letGo(this.deps, session);
      throw error;
    }
    log({ level: 'info', event: 'session_ended', robot_id: robotId, room: roomName, reason });
  }
}

/** Ignores an SFU or a database that does not answer; the call is retried later. */
function passOver(error: unknown): void {
  if (!(error instanceof SfuError)) throw error;
}

/**
 * Ends every session of the account of this key within seconds, through the instance that comes first. All participants are
 * disconnected, and credentials issued for these sessions are void. For the operator of the service, who may have no access to
 * the SFU.
 * @returns the number of sessions
 */
export async function endSessionsOfKey({ db, clock }: Pick<ServiceDeps, 'db' | 'clock'>, keyId: string): Promise<number> {
  const owner = db.select({ id: apiKeys.accountId }).from(apiKeys).where(eq(apiKeys.id, keyId));
  const owned = db.select({ id: robots.id }).from(robots).where(inArray(robots.ownerId, owner));
  const ended = await db
    .update(sessions)
    .set({ phase: 'closing', phaseEndsAt: new Date(clock.nowMs() - LEFT_AFTER_MS) })
    .where(and(inArray(sessions.robotId, owned), eq(sessions.phase, 'open')))
    .returning({ robotId: sessions.robotId });
  return ended.length;
}

/** Ends unused sessions until it is stopped. @returns a function that stops it */
export function endIdleSessions(deps: ServiceDeps): () => Promise<void> {
  const idle = new IdleSessions(deps);
  return regularly(deps, 'idle_sessions', TICK_MS, () => idle.tick());
}
