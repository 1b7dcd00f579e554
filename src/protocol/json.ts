import { RPC_PAYLOAD_MAX_BYTES } from './limits.ts';

export type JsonParse = { ok: true; value: unknown } | { ok: false; reason: string };

/** Strings of a JSON text, so that a NaN inside one is not mistaken for a number. */
const JSON_STRINGS = /"(?:[^"\\]|\\.)*"/g;

/**
 * Reads a payload. An empty one counts as `{}`. Never throws.
 * @returns the value, or a sentence that says what is wrong with the text (NaN and Infinity by name: Python writes them).
 */
export function parsePayload(text: string): JsonParse {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const special = text.replace(JSON_STRINGS, '""').match(/-?\b(?:NaN|Infinity)\b/);
    if (special) return { ok: false, reason: `The payload holds ${special[0]}, which is not JSON; send a finite number.` };
    return { ok: false, reason: 'The payload is not JSON text; send one JSON object.' };
  }
}

/** Length of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const fitsRpc = (text: string): boolean => utf8Bytes(text) <= RPC_PAYLOAD_MAX_BYTES;

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
