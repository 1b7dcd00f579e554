import * as errors from '../protocol/texts/error-texts.ts';
import { guard } from '../protocol/wire/action.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import { fitsRpc, roundDeep, utf8Bytes } from '../protocol/wire/json.ts';
import { pathOfNotFinite } from './not-finite.ts';

/**
 * Returns the JSON text of a reply: numbers rounded to 0.1 mm and 0.01°, never larger than one RPC carries. A reply with a number
 * that is not finite becomes the guard INTERNAL: null in its place would be read as nothing, or as 0.
 * @param hint what to ask instead when it is too large; the reply is then the guard PAYLOAD_TOO_LARGE.
 */
export function encodeReply(value: unknown, hint = 'Ask for less.'): string {
  const path = pathOfNotFinite(value);
  if (path !== null) return encodeGuard(errors.notFinite(path));
  const text = JSON.stringify(roundDeep(value));
  return fitsRpc(text) ? text : encodeGuard(errors.replyTooLarge(utf8Bytes(text), hint));
}

/** Returns the JSON text of the answer to a call that did not become an action. */
export const encodeGuard = (error: RuntimeError): string => JSON.stringify(roundDeep(guard(error)));

/** Returns a reply function that passes only the first call on. */
export function once(reply: (text: string) => void): (text: string) => void {
  let open = true;
  return (text) => {
    if (!open) return;
    open = false;
    reply(text);
  };
}
