import { API_KEY_PREFIX } from '../protocol/service/api-key-form.ts';

/** A valid request id: safe in a log line and a header. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * Returns the id that the caller gave a request, if it is valid; otherwise a new one. An API key in its place is not used,
 * because ids are logged.
 */
export function requestIdOf(given: string | undefined | null, randomBytes: (count: number) => Uint8Array): string {
  if (given && REQUEST_ID.test(given) && !given.includes(API_KEY_PREFIX)) return given;
  return `req_${Buffer.from(randomBytes(12)).toString('hex')}`;
}
