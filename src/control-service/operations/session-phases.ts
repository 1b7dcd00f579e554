/**
 * Decides which request may open or close a robot's session. The SFU may take seconds to answer, or never answer, so nothing is
 * locked during a call to it. A request puts the session's row into its own phase, releases the database, calls the SFU, and then
 * records the result. Requests of other instances see the phase and wait. A request that dies in the meantime loses the session
 * when the phase ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import { latestTrue } from '../set-back.ts';
import { refuseTooManySessions } from './account-limits.ts';
import { lockCaller } from './claim-limit.ts';
import { getRobot, type SessionRow } from './lookup.ts';

/** Longer than a request calls the SFU. After this time, the request counts as dead. */
const PHASE_MAX_MS = 30_000;
/** Longest wait for a request that opens or closes the same session, including the time for the wait itself. */
const WAIT_MAX_MS = 15_000;
const LOOK_EVERY_MS = 50;

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

/** The state that a request found when it wanted to open a session. */
export type Opening =
  | { kind: 'open'; session: SessionRow }
  /** The caller may open it. `leftover` is the room of a request that died while opening or closing it, if there was one. */
  | { kind: 'begun'; leftover: string | null };

/**
 * Stores `fresh` as the session that is being opened, unless a session is open.
 * @throws 404, 429, 503 if another request takes too long with it
 */
export function beginOpening(
  deps: Deps & Pick<ServiceDeps, 'settings'>,
  caller: Caller,
  fresh: Omit<SessionRow, 'phase' | 'phaseEndsAt'>,
  signal?: AbortSignal,
): Promise<Opening> {
  // The account is locked before robots, and its sessions are counted under that lock.
  const lock = (tx: Database) => lockCaller(tx, caller);
  return runPhase(deps, caller, fresh.robotId, { signal, lock }, async (tx, current, phaseEndsAt) => {
    if (current?.phase === 'open') {
      await tx.update(sessions).set({ lastUsedAt: fresh.lastUsedAt }).where(eq(sessions.robotId, fresh.robotId));
      return { kind: 'open', session: { ...current, lastUsedAt: fresh.lastUsedAt } };
    }
    await refuseTooManySessions(deps.settings, tx, caller, fresh.robotId);
    const row: SessionRow = { ...fresh, phase: 'opening', phaseEndsAt };
    if (current) await tx.update(sessions).set(row).where(eq(sessions.robotId, fresh.robotId));
    else await tx.insert(sessions).values(row);
    return { kind: 'begun', leftover: current?.roomName ?? null };
  });
}

/** Ends the phase that {@link beginOpening} began. @returns whether it was still the caller's */
export async function finishOpening(deps: Deps, session: SessionRow): Promise<boolean> {
  const changed = await deps.db
    .update(sessions)
    .set({ phase: 'open', phaseEndsAt: null, dispatches: session.dispatches })
    .where(and(eq(sessions.roomName, session.roomName), eq(sessions.phase, 'opening')))
    .returning({ robotId: sessions.robotId });
  return changed.length > 0;
}

/**
 * Marks the robot's session as being closed; null if it has no session.
 * @throws 404, 503 if another request takes too long with it
 */
export function beginClosing(deps: Deps, caller: Caller, robotId: string, signal?: AbortSignal): Promise<SessionRow | null> {
  return runPhase(deps, caller, robotId, { signal }, async (tx, current, phaseEndsAt) => {
    if (!current) return null;
    await tx.update(sessions).set({ phase: 'closing', phaseEndsAt }).where(eq(sessions.robotId, robotId));
    return current;
  });
}

/** Restores a session that could not be closed. */
export async function undoClosing(deps: Deps, session: SessionRow): Promise<void> {
  await deps.db
    .update(sessions)
    .set({ phase: session.phase, phaseEndsAt: session.phaseEndsAt })
    .where(eq(sessions.roomName, session.roomName));
}

/** Forgets the session of this room. */
export async function removeSession(deps: Deps, session: Pick<SessionRow, 'roomName'>): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.roomName, session.roomName));
}

/**
 * Leaves the session to the next request, which closes its room first.
 * @param roomName The room that must still be closed.
 * @default the session's own
 */
export async function letGo(deps: Deps, session: Pick<SessionRow, 'roomName'>, roomName = session.roomName): Promise<void> {
  await deps.db
    .update(sessions)
    .set({ roomName, phase: 'closing', phaseEndsAt: new Date(deps.clock.nowMs()) })
    .where(eq(sessions.roomName, session.roomName));
}

/**
 * Runs `act` on the robot's session when no other request opens or closes it. The robot is locked for that one short transaction.
 */
async function runPhase<T>(
  deps: Deps,
  caller: Caller,
  robotId: string,
  { signal, lock }: { signal?: AbortSignal | undefined; lock?: (tx: Database) => Promise<void> },
  act: (tx: Database, current: SessionRow | undefined, phaseEndsAt: Date) => Promise<T>,
): Promise<T> {
  const untilMs = deps.clock.monotonicMs() + WAIT_MAX_MS;
  for (;;) {
    signal?.throwIfAborted();
    const outcome = await deps.db.transaction(async (tx) => {
      await lock?.(tx);
      await getRobot(tx, caller, robotId, true);
      const [current] = await tx.select().from(sessions).where(eq(sessions.robotId, robotId));
      const nowMs = deps.clock.nowMs();
      const phaseEndsMs = current?.phaseEndsAt?.getTime() ?? 0;
      if (phaseEndsMs > nowMs && phaseEndsMs <= latestTrue(nowMs, PHASE_MAX_MS)) return null;
      return { value: await act(tx, current, new Date(nowMs + PHASE_MAX_MS)) };
    });
    if (outcome) return outcome.value;
    if (deps.clock.monotonicMs() >= untilMs) throw ServiceError.sessionBusy();
    await sleep(LOOK_EVERY_MS, undefined, signal ? { signal } : {});
  }
}
