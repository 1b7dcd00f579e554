/**
 * The agents of an open session. They are entered under the lock of its row before any is dispatched. So parallel requests, in
 * any instances, cannot exceed a session's limit or lose each other's agents.
 */
import { and, eq } from 'drizzle-orm';
import { WORKERS_MAX } from '../../protocol/wire/limits.ts';
import type { Database } from '../db/database.ts';
import { sessions } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { ServiceError } from '../service-error.ts';
import type { SessionRow } from './lookup.ts';

type Deps = Pick<ServiceDeps, 'db'>;
type Sent = SessionRow['dispatches'][number];

/** Stands for the id of a dispatch that is still to be sent. */
const NOT_SENT = '';

/** The agents that were dispatched. */
export const sentOnly = (dispatches: Sent[]): Sent[] => dispatches.filter(({ id }) => id !== NOT_SENT);

/**
 * Enters the agents of these names, each once.
 * @throws 409 if the session would have too many
 * @returns the session with them, and which are new; null if it has ended
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

/**
 * Records the dispatches of these agents. Agents that other requests have entered meanwhile stay unchanged.
 * @returns all agents of the session; null if it has ended
 */
export function noteSent(deps: Deps, session: SessionRow, sent: Sent[]): Promise<Sent[] | null> {
  return onRow(deps, session, async (tx, row) => {
    const dispatches = row.dispatches.map((known) => sent.find(({ agent_name: name }) => name === known.agent_name) ?? known);
    if (JSON.stringify(dispatches) !== JSON.stringify(row.dispatches)) {
      await tx.update(sessions).set({ dispatches }).where(eq(sessions.roomName, row.roomName));
    }
    return dispatches;
  });
}

/** Removes agents that could not be dispatched. */
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
