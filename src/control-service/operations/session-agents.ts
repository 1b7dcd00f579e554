/**
 * The agents of an open session. They are entered under the lock of its row before any is sent, so that parallel requests, in
 * whichever instance, cannot have more sent than a session may have, nor forget each other's.
 */
import { and, eq } from 'drizzle-orm';
import { WORKERS_MAX } from '../../protocol/limits.ts';
import type { Database } from '../db/database.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import type { SessionRow } from './lookup.ts';

type Deps = Pick<ServiceDeps, 'db'>;
type Sent = SessionRow['dispatches'][number];

/** Replaces the id of a dispatch that is still to be sent. */
const NOT_SENT = '';

/** Those that have been sent. */
export const sentOnly = (dispatches: Sent[]): Sent[] => dispatches.filter(({ id }) => id !== NOT_SENT);

/**
 * Enters the agents of these names, each once. @throws 409 when the session would have too many
 * @returns the session with them, and which are new; null when it has ended
 */
export function enterAgents(
  deps: Deps,
  session: SessionRow,
  names: string[],
): Promise<{ session: SessionRow; entered: string[] } | null> {
  return onRow(deps, session, async (tx, row) => {
    const known = row.dispatches.map((dispatch) => dispatch.agent_name);
    const entered = [...new Set(names)].filter((name) => !known.includes(name));
    if (entered.length === 0) return { session: row, entered };
    if (known.length + entered.length > WORKERS_MAX) throw ServiceError.tooManyAgents(WORKERS_MAX, known.length);
    const dispatches = [...row.dispatches, ...entered.map((name) => ({ id: NOT_SENT, agent_name: name }))];
    await tx.update(sessions).set({ dispatches }).where(eq(sessions.roomName, row.roomName));
    return { session: { ...row, dispatches }, entered };
  });
}

/** Notes how these were sent; those that others have entered meanwhile stay as they are. @returns all of the session; null when it has ended */
export function noteSent(deps: Deps, session: SessionRow, sent: Sent[]): Promise<Sent[] | null> {
  return onRow(deps, session, async (tx, row) => {
    const dispatches = row.dispatches.map((known) => sent.find(({ agent_name: name }) => name === known.agent_name) ?? known);
    if (JSON.stringify(dispatches) !== JSON.stringify(row.dispatches)) {
      await tx.update(sessions).set({ dispatches }).where(eq(sessions.roomName, row.roomName));
    }
    return dispatches;
  });
}

/** Takes back agents that could not be sent. */
export async function takeBackAgents(deps: Deps, session: SessionRow, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await onRow(deps, session, async (tx, row) => {
    const dispatches = row.dispatches.filter(({ id, agent_name: name }) => id !== NOT_SENT || !names.includes(name));
    await tx.update(sessions).set({ dispatches }).where(eq(sessions.roomName, row.roomName));
  });
}

function onRow<T>(deps: Deps, session: SessionRow, act: (tx: Database, row: SessionRow) => Promise<T>): Promise<T | null> {
  return deps.db.transaction(async (tx) => {
    const isIt = and(eq(sessions.roomName, session.roomName), eq(sessions.phase, 'open'));
    const [row] = await tx.select().from(sessions).where(isIt).for('update');
    return row ? act(tx, row) : null;
  });
}
