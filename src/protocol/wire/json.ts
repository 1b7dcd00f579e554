import { specialNumberIn, tooIntricate } from './json-scan.ts';
import { RPC_PAYLOAD_MAX_BYTES } from './limits.ts';

export type JsonParse = { ok: true; value: unknown } | { ok: false; reason: string };

/**
 * Reads a payload. An empty payload counts as `{}`. Never throws.
 * @returns the value, or a sentence about the fault of the text (with NaN and Infinity by name, because Python writes them) or
 * about too many values
 */
export function parsePayload(text: string): JsonParse {
  if (text.trim() === '') return { ok: true, value: {} };
  const intricate = tooIntricate(text);
  if (intricate !== null) return { ok: false, reason: intricate };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const special = specialNumberIn(text);
    if (special) return { ok: false, reason: holdsSpecial(special) };
    return { ok: false, reason: 'The payload is not JSON text; send one JSON object.' };
  }
}

/** @param special as {@link specialNumberIn} finds it */
export const holdsSpecial = (special: string): string => `The payload holds ${special}, which is not JSON; send a finite number.`;

/** JSON allows `1e999`, and its readers return Infinity for it. */
export const HOLDS_TOO_LARGE = 'The payload holds a number beyond the largest; send a finite number.';

/** Length of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** A text has at least as many bytes as UTF-16 units, so a text with too many units is not encoded. */
export const fitsRpc = (text: string): boolean =>
  text.length <= RPC_PAYLOAD_MAX_BYTES && utf8Bytes(text) <= RPC_PAYLOAD_MAX_BYTES;

/** 0.1 mm: the resolution of lengths on the wire. */
export const roundLength = (metres: number): number => round(metres, 1e4);
/** 0.01 degrees: the resolution of angles on the wire. */
export const roundDeg = (deg: number): number => round(deg, 1e2);
/** 0.0001: quaternion components and radians (below 0.01 degrees). */
export const roundUnit = (value: number): number => round(value, 1e4);

function round(value: number, scale: number): number {
  const rounded = Math.round(value * scale) / scale;
  return rounded === 0 ? 0 : rounded;
}

/** Rounds every non-integer number inside a value to 0.0001, so that a reply stays small. Arrays and objects are copied. */
export function roundDeep(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : roundUnit(value);
  if (Array.isArray(value)) return value.map(roundDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, roundDeep(inner)]));
}
