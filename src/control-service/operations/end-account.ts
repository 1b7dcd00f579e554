import { and, asc, eq, isNull } from 'drizzle-orm';
import { accounts, apiKeys, robots } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { lockCaller } from './claim-limit.ts';
import { deleteRobot } from './robots.ts';

/**
 * Ends what the account of this name can do: 1. all its keys are revoked, also those that its holders made; 2. its robots are deleted with
 * their sessions. Repeating it changes nothing. For the operator of the service: there is no such request.
 * @throws 502 when the SFU does not answer; the keys are revoked
 */
export async function endAccount(deps: ServiceDeps, name: string): Promise<void> {
  const [account] = await deps.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  if (!account) return;
  const caller = { accountId: account.id };
  await deps.db.transaction(async (tx) => {
    // Under the lock under which keys are made: none comes of a key that is revoked here.
    await lockCaller(tx, caller);
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date(deps.clock.nowMs()) })
      .where(and(eq(apiKeys.accountId, account.id), isNull(apiKeys.revokedAt)));
  });
  const own = await deps.db.select({ id: robots.id }).from(robots).where(eq(robots.ownerId, account.id)).orderBy(asc(robots.id));
  for (const { id } of own) await deleteRobot(deps, caller, id);
}
