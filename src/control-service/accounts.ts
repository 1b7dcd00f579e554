import { and, eq, gt, isNull, ne, or } from 'drizzle-orm';
import type { Database } from './db/open.ts';
import { accounts, apiKeys } from './db/schema.ts';
import type { ServiceDeps } from './deps.ts';
import { apiKeyPrefix, hashApiKey, newId } from './secrets.ts';

/** Who makes a request. */
export interface Caller {
  accountId: string;
}

/** Finds whose key this is, if it is one that holds. */
export async function findCaller(db: Database, nowMs: number, key: string): Promise<Caller | null> {
  const [found] = await db
    .select({ accountId: apiKeys.accountId })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.hash, hashApiKey(key)),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(nowMs))),
      ),
    );
  return found ?? null;
}

/**
 * Makes `key` a key of the account named so, which is made when there is none; the account's other keys are revoked. Repeating it
 * changes nothing. For whoever runs the service: there is no such request.
 */
export async function grantOnlyKey(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes'>,
  name: string,
  key: string,
): Promise<Caller> {
  const now = new Date(deps.clock.nowMs());
  return deps.db.transaction(async (tx) => {
    const [known] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
    const accountId = known?.id ?? newId(now.getTime(), deps.randomBytes);
    if (!known) await tx.insert(accounts).values({ id: accountId, name, createdAt: now });
    const hash = hashApiKey(key);
    await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(eq(apiKeys.accountId, accountId), ne(apiKeys.hash, hash), isNull(apiKeys.revokedAt)));
    await tx
      .insert(apiKeys)
      .values({ id: newId(now.getTime(), deps.randomBytes), accountId, name, prefix: apiKeyPrefix(key), hash, createdAt: now })
      .onConflictDoUpdate({ target: apiKeys.hash, set: { accountId, revokedAt: null } });
    return { accountId };
  });
}
