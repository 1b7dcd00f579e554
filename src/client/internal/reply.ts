import { PAYLOAD_MAX_DEPTH } from '../../protocol/limits.ts';
import { RcwRuntimeError } from '../errors.ts';

/** Far above what one call carries. LiveKit carries more, and JSON takes many times its size once it is read. */
const REPLY_MAX_CHARACTERS = 1024 * 1024;

/**
 * The reply as data.
 * @throws RcwRuntimeError `INTERNAL` when it is not JSON, or holds what no program can work with; `PAYLOAD_TOO_LARGE` when it is far larger
 * than a robot's
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

/** Returns what is wrong with a reply, or null. A deep one ends programs that walk through it; an infinite number can neither be sent on nor calculated with. */
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
