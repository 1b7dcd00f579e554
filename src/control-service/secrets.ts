import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import { API_KEY_PREFIX } from '../protocol/control-service.ts';

type RandomBytes = (count: number) => Uint8Array;

/** scrypt's cost: some 50 ms and 16 MB for a guess. */
const SCRYPT = { N: 16_384, r: 8, p: 1 };
const HASH_BYTES = 32;
const PIN_DIGITS = 6;
/** Of a key this much is shown in lists and logs. */
const KEY_PREFIX_LENGTH = API_KEY_PREFIX.length + 4;

/** An id that sorts by its time of making: UUID version 7 (RFC 9562, section 5.7). */
export function newId(nowMs: number, randomBytes: RandomBytes): string {
  const bytes = Buffer.alloc(16);
  bytes.set(randomBytes(16));
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A PIN of six digits, each number as likely as any other. */
export function newPin(randomBytes: RandomBytes): string {
  const count = 10 ** PIN_DIGITS;
  for (;;) {
    const number = Buffer.from(randomBytes(4)).readUInt32BE();
    // The last, incomplete round of numbers would make small PINs likelier.
    if (number < Math.floor(2 ** 32 / count) * count) return String(number % count).padStart(PIN_DIGITS, '0');
  }
}

/** A PIN as it is kept: `scrypt$<salt>$<hash>`, both base64url. */
export async function hashPin(pin: string, randomBytes: RandomBytes): Promise<string> {
  const salt = Buffer.from(randomBytes(16));
  return `scrypt$${salt.toString('base64url')}$${(await slowHash(pin, salt)).toString('base64url')}`;
}

/** Whether this is the PIN that was kept; takes as long for a wrong one as for the right one. */
export async function isPin(pin: string, kept: string): Promise<boolean> {
  const [kind, salt, hash] = kept.split('$');
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await slowHash(pin, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

export const newApiKey = (randomBytes: RandomBytes): string =>
  `${API_KEY_PREFIX}${Buffer.from(randomBytes(32)).toString('base64url')}`;
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');
/** The start of a key, by which its owner recognises it. Of a key in a form of the owner's own nothing is shown. */
export const apiKeyPrefix = (key: string): string => (key.startsWith(API_KEY_PREFIX) ? key.slice(0, KEY_PREFIX_LENGTH) : '');

function slowHash(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, HASH_BYTES, SCRYPT, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
