/**
 * The API keys of an account, for holders of one of them. Changes take turns under the lock of the account and check the caller's
 * key again. So nothing more comes from a revoked key once its revocation is answered.
 */
import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, ne, or } from 'drizzle-orm';
import type { CreateApiKeyRequest, ListQuery } from '../../protocol/service/control-requests.ts';
import { newKeyRow, whyKeyEnded } from '../accounts.ts';
import type { KnownCaller } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { apiKeys } from '../db/schema.ts';
import type { ServiceDeps } from '../deps.ts';
import { newApiKey } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { lockCaller } from './claim-limit.ts';
import { isRobotId } from './lookup.ts';

/** A stored key. */
export type ApiKeyRow = Omit<typeof apiKeys.$inferSelect, 'hash'>;

/** How many ended keys of an account are kept, so that their users learn why a key ended. */
const ENDED_KEPT_MAX = 100;

const SHOWN = {
  id: apiKeys.id,
  accountId: apiKeys.accountId,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt,
};

/** Returns one page of the caller's account's keys that are not revoked, oldest first. `nextId` is null on the last page. */
export async function listApiKeys(
  { db }: Pick<ServiceDeps, 'db'>,
  caller: KnownCaller,
  query: ListQuery,
): Promise<{ keys: ApiKeyRow[]; nextId: string | null; total: number }> {
  const own = and(eq(apiKeys.accountId, caller.accountId), isNull(apiKeys.revokedAt));
  // Fetching one row more than requested shows whether there is a next page.
  const found = await db
    .select(SHOWN)
    .from(apiKeys)
    .where(query.after_id === undefined ? own : and(own, gt(apiKeys.id, query.after_id)))
    .orderBy(asc(apiKeys.id))
    .limit(query.limit + 1);
  const [counted] = await db.select({ total: count() }).from(apiKeys).where(own);
  const keys = found.slice(0, query.limit);
  return { keys, nextId: found.length > query.limit ? (keys.at(-1)?.id ?? null) : null, total: counted?.total ?? 0 };
}

/**
 * Creates a further key for the caller's account. It ends no later than the caller's key, so that a temporary key gives no access
 * beyond its end.
 * @returns the key, which is returned only here because only its hash is stored
 * @throws 429 if the account has the maximum number of keys
 */
export async function createApiKey(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes' | 'settings' | 'log'>,
  caller: KnownCaller,
  wanted: CreateApiKeyRequest,
): Promise<{ key: string; row: ApiKeyRow }> {
  const { accountId } = caller;
  const { apiKeys: max } = deps.settings.accountLimits;
  const key = newApiKey(deps.randomBytes);
  const row = await deps.db.transaction(async (tx) => {
    const asking = await lockAskingKey(deps, tx, caller);
    const nowMs = deps.clock.nowMs();
    if ((await countAdmitting(tx, accountId, nowMs)) >= max) throw ServiceError.accountLimit('api_keys', max);
    const endMs = typeof wanted.ttl_seconds === 'number' ? nowMs + wanted.ttl_seconds * 1_000 : Number.POSITIVE_INFINITY;
    const expiresMs = Math.min(endMs, asking.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const expiresAt = Number.isFinite(expiresMs) ? new Date(expiresMs) : null;
    const made = newKeyRow(deps, accountId, key, { name: wanted.name, expiresAt });
    await tx.insert(apiKeys).values(made);
    await forgetOldest(tx, accountId, nowMs);
    const { hash: _hash, ...shown } = made;
    return { ...shown, revokedAt: null, lastUsedAt: null };
  });
  deps.log({ level: 'info', event: 'api_key_made', account_id: accountId, key_id: row.id, by_key_id: caller.keyId });
  return { key, row };
}

/**
 * Revokes a key of the caller's account, which may be the caller's own. The next request with it is rejected. A revoked key stays
 * revoked.
 * @throws 404 for an unknown key or one of another account; 409 if no other key of the account lasts at least as long, so that a
 * temporary key cannot revoke one that outlives it
 */
export async function revokeApiKey(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'log' | 'memory'>,
  caller: KnownCaller,
  keyId: string,
): Promise<void> {
  const { accountId } = caller;
  if (!isRobotId(keyId)) throw ServiceError.apiKeyNotFound();
  const isDone = await deps.db.transaction(async (tx) => {
    await lockAskingKey(deps, tx, caller);
    const nowMs = deps.clock.nowMs();
    const own = and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId));
    const [found] = await tx.select(SHOWN).from(apiKeys).where(own);
    if (!found) throw ServiceError.apiKeyNotFound();
    if (found.revokedAt !== null) return false;
    if (whyKeyEnded(found, nowMs) === null && !(await hasOtherAsLong(tx, found, nowMs))) throw ServiceError.lastApiKey();
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date(nowMs) })
      .where(own);
    await forgetOldest(tx, accountId, nowMs);
    return true;
  });
  deps.memory.rights.forgetKey({ keyId });
  if (isDone)
    deps.log({ level: 'info', event: 'api_key_revoked', account_id: accountId, key_id: keyId, by_key_id: caller.keyId });
}

/** Locks the account of the caller's key, and returns the key. @throws 401 if it has ended since the request was accepted */
async function lockAskingKey(
  { clock }: Pick<ServiceDeps, 'clock'>,
  tx: Database,
  caller: KnownCaller,
): Promise<{ revokedAt: Date | null; expiresAt: Date | null }> {
  await lockCaller(tx, caller);
  const { revokedAt, expiresAt } = apiKeys;
  const [asking] = await tx.select({ revokedAt, expiresAt }).from(apiKeys).where(eq(apiKeys.id, caller.keyId));
  if (!asking) throw ServiceError.unauthorized('unknown');
  const ended = whyKeyEnded(asking, clock.nowMs());
  if (ended !== null) throw ServiceError.unauthorized(ended);
  return asking;
}

async function countAdmitting(tx: Database, accountId: string, nowMs: number): Promise<number> {
  const [found] = await tx.select({ total: count() }).from(apiKeys).where(admitting(accountId, nowMs));
  return found?.total ?? 0;
}

/** Whether the account, which is locked, has another valid key that lasts at least as long as this one. */
async function hasOtherAsLong(tx: Database, { id, accountId, expiresAt }: ApiKeyRow, nowMs: number): Promise<boolean> {
  const isAsLong = or(isNull(apiKeys.expiresAt), expiresAt === null ? undefined : gte(apiKeys.expiresAt, expiresAt));
  const [other] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(admitting(accountId, nowMs), ne(apiKeys.id, id), isAsLong))
    .limit(1);
  return other !== undefined;
}

const admitting = (accountId: string, nowMs: number) =>
  and(
    eq(apiKeys.accountId, accountId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(nowMs))),
  );

/** A caller who creates keys without end, and revokes them or lets them expire, must not fill the database. */
async function forgetOldest(tx: Database, accountId: string, nowMs: number): Promise<void> {
  const hasEnded = or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, new Date(nowMs)));
  const old = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), hasEnded))
    .orderBy(desc(apiKeys.id))
    .offset(ENDED_KEPT_MAX);
  await tx.delete(apiKeys).where(inArray(apiKeys.id, old));
}
