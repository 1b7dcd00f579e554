import { createHash } from 'node:crypto';
import { API_KEY_PREFIX } from '../protocol/service/api-key-form.ts';

type RandomBytes = (count: number) => Uint8Array;

const PIN_DIGITS = 6;
/** The part of a key that lists and logs contain. */
const KEY_PREFIX_LENGTH = API_KEY_PREFIX.length + 4;

/** The largest start value of the counter within a millisecond, so that it has room to grow to `COUNT_MAX`. */
const COUNT_START_MAX = 0x3ff;
const COUNT_MAX = 0xfff;
let lastId = { ms: -1, count: 0 };

/**
 * Returns an id that sorts by its time of creation: UUID version 7 (RFC 9562, section 5.7). Within a millisecond the ids of one
 * process count up (section 6.2, method 1), up to three thousand of them.
 */
export function newId(nowMs: number, randomBytes: RandomBytes): string {
  const bytes = Buffer.alloc(16);
  bytes.set(randomBytes(16));
  const count = lastId.ms === nowMs ? Math.min(lastId.count + 1, COUNT_MAX) : bytes.readUInt16BE(6) & COUNT_START_MAX;
  lastId = { ms: nowMs, count };
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns an id that sorts after another one of {@link newId}. */
export const newIdAfter = (id: string, randomBytes: RandomBytes): string =>
  newId(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) + 1, randomBytes);

/** Returns a PIN of six digits; all numbers are equally likely. */
export function newPin(randomBytes: RandomBytes): string {
  const count = 10 ** PIN_DIGITS;
  for (;;) {
    const number = Buffer.from(randomBytes(4)).readUInt32BE();
    // The last, incomplete range of numbers would make small PINs likelier.
    if (number < Math.floor(2 ** 32 / count) * count) return String(number % count).padStart(PIN_DIGITS, '0');
  }
}

/** Returns a new key of 256 random bits. */
export const newApiKey = (randomBytes: RandomBytes): string =>
  `${API_KEY_PREFIX}${Buffer.from(randomBytes(32)).toString('base64url')}`;

/** Returns the SHA-256 of a key, in hex. Keys are looked up by it and stored in no other form. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');
/** Returns the start of a key, by which its owner recognises it. Empty for a key whose form its owner chose. */
export const apiKeyPrefix = (key: string): string => (key.startsWith(API_KEY_PREFIX) ? key.slice(0, KEY_PREFIX_LENGTH) : '');
