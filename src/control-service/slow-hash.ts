import { scrypt, timingSafeEqual } from 'node:crypto';
import { TaskQueue } from './task-queue.ts';

type RandomBytes = (count: number) => Uint8Array;

/**
 * The cost of a hash as the power of two of scrypt's N, with r = 8 and p = 1: some 50 ms and 16 MB. It slows down a search
 * through a stolen database. No cost protects six digits for long (a million hashes are 14 hours of one core), and a higher cost
 * slows down every creation of a robot. Limits stop guesses at the service itself.
 */
export const HASH_COST = 14;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Scrypt takes 128 · N · r bytes. */
const MAX_MEMORY_BYTES = 256 * 2 ** 20;
/** Node has four threads, which files and host names need too. Parallel guesses must not block the service. */
const queue = new TaskQueue(2);

/**
 * Returns a secret in its stored form: `scrypt$<cost>$<salt>$<hash>`, salt and hash base64url.
 * @param owner Owners take turns. @default the operator
 */
export async function hashSecret(secret: string, randomBytes: RandomBytes, cost = HASH_COST, owner = ''): Promise<string> {
  const salt = Buffer.from(randomBytes(SALT_BYTES));
  const hash = await slowHash(secret, salt, cost, owner);
  return `scrypt$${cost}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** Returns whether this is the stored secret. Takes the same time for a wrong secret as for the right one. */
export async function isSecret(secret: string, kept: string, owner = ''): Promise<boolean> {
  // The first hashes were stored without their cost.
  const [, cost = HASH_COST, salt, hash] = /^scrypt\$(?:(\d{1,2})\$)?([\w-]+)\$([\w-]+)$/.exec(kept) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await slowHash(secret, Buffer.from(salt, 'base64url'), Number(cost), owner);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function slowHash(secret: string, salt: Buffer, cost: number, owner: string): Promise<Buffer> {
  const options = { N: 2 ** cost, r: BLOCK_SIZE, p: 1, maxmem: MAX_MEMORY_BYTES };
  return queue.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(secret, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
    owner,
  );
}
