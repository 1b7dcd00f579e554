import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { UnauthorizedReason } from '../protocol/service/service-errors.ts';
import type { Caller, KnownCaller } from './caller.ts';
import type { Database } from './db/database.ts';
import { preparedOnce } from './db/prepared.ts';
import { accounts, apiKeys } from './db/schema.ts';
import type { ServiceDeps } from './deps.ts';
import { apiKeyPrefix, hashApiKey, newApiKey, newId } from './secrets.ts';

/** The data about a key that is shown. It contains neither the key nor its hash. */
export interface KeyInfo {
  id: string;
  /** The start of the key, by which its owner recognises it. Empty for a key whose form its owner chose. */
  prefix: string;
  /** Name of the account. */
  account: string;
  /** The name that its creator gave it. */
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

type Deps = Pick<ServiceDeps, 'db' | 'clock' | 'randomBytes'>;

/** The precision of a key's last use, in milliseconds. Storing every use would cost every request a write. */
const USED_WITHIN_MS = 60_000;

const keyOfHash = preparedOnce((db) => {
  const { id: keyId, accountId, revokedAt, expiresAt, lastUsedAt } = apiKeys;
  return db
    .select({ keyId, accountId, revokedAt, expiresAt, lastUsedAt })
    .from(apiKeys)
    .where(eq(apiKeys.hash, sql.placeholder('hash')));
});

const endOfKey = preparedOnce((db) => {
  const { id, revokedAt, expiresAt } = apiKeys;
  return db
    .select({ revokedAt, expiresAt })
    .from(apiKeys)
    .where(eq(id, sql.placeholder('keyId')));
});

/**
 * Finds the caller of a key, or the reason why the key is not valid. Records that the key is in use.
 * @param waits Whether to wait until the use is recorded; a safety action does not wait for a write
 */
export async function findCaller(
  db: Database,
  nowMs: number,
  key: string,
  waits = true,
): Promise<KnownCaller | UnauthorizedReason> {
  const [found] = await keyOfHash(db).execute({ hash: hashApiKey(key) });
  if (!found) return 'unknown';
  const ended = whyKeyEnded(found, nowMs);
  if (ended !== null) return ended;
  const noted = noteKeyUse(db, nowMs, found);
  if (waits) await noted;
  const { accountId, keyId, expiresAt } = found;
  return { accountId, keyId, expiresAt };
}

/** Returns why a key that was valid earlier has ended; null while it is valid. */
export async function whyCallerEnded(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  { keyId }: Pick<KnownCaller, 'keyId'>,
): Promise<UnauthorizedReason | null> {
  const [found] = await endOfKey(db).execute({ keyId });
  return found ? whyKeyEnded(found, clock.nowMs()) : 'unknown';
}

async function noteKeyUse(
  db: Database,
  nowMs: number,
  { keyId, lastUsedAt }: { keyId: string; lastUsedAt: Date | null },
): Promise<void> {
  const agoMs = lastUsedAt === null ? null : nowMs - lastUsedAt.getTime();
  // A time in the future was stored before the clock was set back.
  if (agoMs !== null && agoMs >= 0 && agoMs < USED_WITHIN_MS) return;
  // Of several concurrent requests, one writes; the others find the value written.
  const asSeen = lastUsedAt === null ? isNull(apiKeys.lastUsedAt) : eq(apiKeys.lastUsedAt, lastUsedAt);
  try {
    await db
      .update(apiKeys)
      .set({ lastUsedAt: new Date(nowMs) })
      .where(and(eq(apiKeys.id, keyId), asSeen))
      .returning({ id: apiKeys.id });
  } catch {
    // A failed write, for example on a full disk, must not reject the caller.
  }
}

/** Returns why an existing key has ended; null while it is valid. */
export function whyKeyEnded(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  nowMs: number,
): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? 'expired' : null;
}

// The functions below are for the operator of the service. No HTTP request reaches them.

/**
 * Creates a key for the account of this name. Creates the account if it does not exist.
 * @returns the key, which is returned only here because only its hash is stored
 */
export async function createKey(
  deps: Deps,
  wanted: { account: string; name: string; expiresAt: Date | null },
): Promise<{ key: string; info: KeyInfo }> {
  const key = newApiKey(deps.randomBytes);
  const { id, prefix, createdAt } = await deps.db.transaction(async (tx) => {
    const row = newKeyRow(deps, await ensureAccount(deps, tx, wanted.account), key, wanted);
    await tx.insert(apiKeys).values(row);
    return row;
  });
  return { key, info: { id, prefix, ...wanted, createdAt, revokedAt: null } };
}

/** Returns all keys, or those of the account of this name, oldest first. Includes ended keys. */
export async function listKeys(db: Database, account?: string): Promise<KeyInfo[]> {
  const { id, prefix, name, createdAt, expiresAt, revokedAt } = apiKeys;
  return db
    .select({ id, prefix, account: accounts.name, name, createdAt, expiresAt, revokedAt })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(account === undefined ? undefined : eq(accounts.name, account))
    .orderBy(asc(id));
}

/**
 * Revokes the key of this id: the next request with it is rejected. A revoked key stays revoked.
 * @returns null for an unknown id
 */
export async function revokeKey(deps: Pick<Deps, 'db' | 'clock'>, id: string): Promise<Date | null> {
  const now = new Date(deps.clock.nowMs());
  await deps.db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)));
  const [found] = await deps.db.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.id, id));
  return found?.revokedAt ?? null;
}

/**
 * Makes `key` a key of the account of this name, and revokes the account's other keys of the same name. Creates the account if it
 * does not exist. Repeating the call changes nothing.
 * @throws If the key belongs to another account
 */
export async function grantOnlyKey(deps: Deps, account: string, key: string, name: string = account): Promise<Caller> {
  const now = new Date(deps.clock.nowMs());
  return deps.db.transaction(async (tx) => {
    const accountId = await ensureAccount(deps, tx, account);
    const row = newKeyRow(deps, accountId, key, { name, expiresAt: null });
    const [owner] = await tx
      .select({ id: accounts.id, name: accounts.name })
      .from(apiKeys)
      .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
      .where(eq(apiKeys.hash, row.hash));
    if (owner && owner.id !== accountId) {
      throw new Error(`The API key of ${account} belongs to another account, ${owner.name}. Choose another key.`);
    }
    await tx
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(
        and(eq(apiKeys.accountId, accountId), eq(apiKeys.name, name), ne(apiKeys.hash, row.hash), isNull(apiKeys.revokedAt)),
      );
    await tx
      .insert(apiKeys)
      .values(row)
      .onConflictDoUpdate({ target: apiKeys.hash, set: { name, expiresAt: null, revokedAt: null } });
    return { accountId };
  });
}

/**
 * Same as {@link grantOnlyKey}, with the key that the account already has. If it has none, or that key is revoked, a new key is
 * created.
 */
export async function grantKeptKey(
  deps: Deps,
  account: string,
  kept: string | undefined,
  name: string,
): Promise<{ caller: Caller; key: string }> {
  const known =
    kept === undefined
      ? []
      : await deps.db
          .select()
          .from(apiKeys)
          .where(eq(apiKeys.hash, hashApiKey(kept)));
  const isRevoked = known.some((row) => row.revokedAt !== null);
  const key = kept === undefined || isRevoked ? newApiKey(deps.randomBytes) : kept;
  return { caller: await grantOnlyKey(deps, account, key, name), key };
}

/** Returns the id of the account of this name. Creates the account once, even if several processes do so at the same time. */
async function ensureAccount(deps: Deps, tx: Database, name: string): Promise<string> {
  const now = new Date(deps.clock.nowMs());
  const id = newId(now.getTime(), deps.randomBytes);
  await tx.insert(accounts).values({ id, name, createdAt: now }).onConflictDoNothing({ target: accounts.name });
  const [found] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  if (!found) throw new Error('An account was not made.');
  return found.id;
}

/** Returns the row of a new key. Of the key itself, the row contains only the hash. */
export function newKeyRow(
  deps: Pick<Deps, 'clock' | 'randomBytes'>,
  accountId: string,
  key: string,
  { name, expiresAt }: { name: string; expiresAt: Date | null },
) {
  const now = new Date(deps.clock.nowMs());
  const id = newId(now.getTime(), deps.randomBytes);
  return { id, accountId, name, prefix: apiKeyPrefix(key), hash: hashApiKey(key), createdAt: now, expiresAt };
}
