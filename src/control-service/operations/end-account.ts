import { and, asc, eq, isNull } from 'drizzle-orm';
import { accounts, apiKeys, robots } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { lockCaller } from './claim-limit.ts';
import { deleteRobot } from './robots.ts';

/**
 * Ends everything that the account of this name can do. First all its keys are revoked, including those that its holders created.
 * Then its robots are deleted with their sessions. Repeating the call changes nothing. For the operator of the service; no HTTP
 * request reaches it.
 * @throws 502 if the SFU does not answer; the keys are revoked
 */
export async function endAccount(deps: ServiceDeps, name: string): Promise<void> {
  const [account] = await deps.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  if (!account) return;
  const caller = { accountId: account.id };
  await deps.db.transaction(async (tx) => {
    // Held under the lock for creating keys, so that a key that is revoked here cannot create another.
    await lockCaller(tx, caller);
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date(deps.clock.nowMs()) })
      .where(and(eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt)));
  });
  const own = await deps.db.select({ id: robots.id }).from(robots).where(eq(robots.ownerId, account.id)).orderBy(asc(robots.id));
  for (const { id } of own) await deleteRobot(deps, caller, id);
}
