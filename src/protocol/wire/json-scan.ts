import { PAYLOAD_MAX_DEPTH, PAYLOAD_MAX_VALUES } from './limits.ts';

/**
 * Examines a text before it is read as JSON, or after that failed. Takes one pass each, because every participant may send any
 * text before any check.
 */

/** Numbers that JSON does not have, as whole words. */
const SPECIALS = [
  { word: 'NaN', whole: /\bNaN\b/y },
  { word: 'Infinity', whole: /\bInfinity\b/y },
];

/** A NaN or Infinity in a text, with its sign, from `start` to before `end`. */
interface SpecialNumber {
  word: string;
  start: number;
  end: number;
}

/** Returns the first NaN or Infinity outside of the strings of a text that is not JSON. */
export const specialNumberIn = (text: string): string | null => nextSpecial(text, 0)?.word ?? null;

/** Returns the text with null in the place of each NaN and Infinity outside of its strings. */
export function withNullForSpecials(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let found = nextSpecial(text, 0); found !== null; found = nextSpecial(text, from)) {
    kept.push(text.slice(from, found.start), 'null');
    from = found.end;
  }
  return kept.join('') + text.slice(from);
}

/** @param from outside of a string */
function nextSpecial(text: string, from: number): SpecialNumber | null {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1) - 1;
    if (unit !== LETTER_I && unit !== LETTER_N) continue;
    const special = SPECIALS.find(({ word }) => text.startsWith(word, at));
    if (!special) continue;
    special.whole.lastIndex = at;
    if (!special.whole.test(text)) continue;
    const start = text[at - 1] === '-' ? at - 1 : at;
    const end = at + special.word.length;
    return { word: text.slice(start, end), start, end };
  }
  return null;
}

/** The limits for the values of a text, and the name of the text in words. */
export interface TextBounds {
  /** The subject of a sentence: "The payload". */
  what: string;
  depth: number;
  /** The limit of values, including lists and objects. */
  values: number;
}

const PAYLOAD_BOUNDS: TextBounds = { what: 'The payload', depth: PAYLOAD_MAX_DEPTH, values: PAYLOAD_MAX_VALUES };

/**
 * Returns why a text would take long to process, as a sentence; null for other texts. The work of a reader, a schema and a
 * rejection is in proportion to the values of a payload, and thousands of values fit into one payload: new names alone cost more
 * than the text.
 */
export function tooIntricate(text: string, bounds: TextBounds = PAYLOAD_BOUNDS): string | null {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1) - 1;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > bounds.depth) return `${bounds.what} is nested deeper than ${bounds.depth} levels; send it flatter.`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
    }
    if (values > bounds.values) return `${bounds.what} holds more than ${bounds.values} values; send fewer.`;
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LETTER_I = 0x49;
const LETTER_N = 0x4e;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Returns the place after the string that begins here; the end of the text when the string never ends. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}
