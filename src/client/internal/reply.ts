import { PAYLOAD_MAX_DEPTH } from '../../protocol/wire/limits.ts';
import { RcwRuntimeError } from '../errors.ts';

/** Far above what one call carries. LiveKit accepts larger replies, and parsed JSON takes many times the size of its text. */
const REPLY_MAX_CHARACTERS = 1024 * 1024;

/**
 * Returns the reply as data.
 * @throws RcwRuntimeError `INTERNAL` when the reply is not JSON, or contains values that a program cannot work with;
 * `PAYLOAD_TOO_LARGE` when it is far larger than any robot's reply
 */
export function readReply(text: string, method: string, sender: string): unknown {
  if (text.length > REPLY_MAX_CHARACTERS) {
    const why = `The reply to ${method} has ${text.length} characters, far more than a robot sends. Check what is in the room as ${sender}.`;
    throw new RcwRuntimeError('PAYLOAD_TOO_LARGE', why);
  }
  const read = parse(text);
  const trouble = read === null ? 'is not JSON' : troubleIn(read.value);
  if (read === null || trouble !== null)
    throw new RcwRuntimeError('INTERNAL', `The reply to ${method} ${trouble}. Check what is in the room as ${sender}.`);
  return read.value;
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * Returns what is wrong with a reply, or null. A deeply nested value crashes programs that walk through it. An infinite number
 * can be neither sent on nor used in calculations.
 */
function troubleIn(reply: unknown): string | null {
  let level = [reply];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (level.some((value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY))
      return 'holds a number beyond all that a robot sends';
    const holders = level.filter((value) => typeof value === 'object' && value !== null);
    if (depth === PAYLOAD_MAX_DEPTH && holders.length > 0) return "is nested deeper than any robot's";
    level = holders.flatMap((holder) => Object.values(holder as object));
  }
  return null;
}
