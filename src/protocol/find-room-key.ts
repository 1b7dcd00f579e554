import { encodeRoomKey } from './room-key.ts';

/** A run of text without breaks. */
const RUN = /[^\s"'<>`]+/g;
/** The beginning of a key, matched only with the rest behind it. */
const KEY = /\bk\d+~(?=([\w-]+~[\w-]+(?:\.[\w-]+){0,2}))/g;
/** In the long form of a link, which holds address and token one by one. */
const LONG_FORM = /[?#&]lk_(?:url|token)=./;
/** Names that an answer of a service gives to the address of the SFU and to the token. */
const URL_FIELDS = ['livekit_url', 'livekitUrl', 'server_url', 'serverUrl', 'sfu_url', 'sfuUrl', 'lk_url', 'url'];
const TOKEN_FIELDS = ['participant_token', 'participantToken', 'lk_token', 'token'];
const DEEPEST = 5;

/**
 * Finds the key in any text given as one: the key or its link, a sentence or a letter around it, JSON that holds it, or JSON that
 * holds the address of the SFU and the participant's token, as the control service answers.
 * @returns text for `readRoomKey`; the given text itself where nothing looks like a key, for its refusal
 */
export function findRoomKey(given: string): string {
  const text = given.trim();
  if (/^[[{"]/.test(text)) {
    const json = parse(text);
    if (json !== undefined) return keyInJson(json, DEEPEST) ?? text;
  }
  // Only a key that a letter has broken over lines contains only line breaks.
  if (!text.match(/\s+/g)?.some((space) => !/[\r\n]/.test(space))) return text;
  return inProse(text) ?? text;
}

/** Tells whether this is JSON without a key in it. A sentence only about keys would not help then. */
export function isJsonWithoutKey(given: string): boolean {
  const text = given.trim();
  if (!/^[[{]/.test(text)) return false;
  const json = parse(text);
  return json !== undefined && keyInJson(json, DEEPEST) === null;
}

/** Searches in one pass over the text: a file dropped on the page may be of any kind. */
function inProse(text: string): string | null {
  const runs = text.match(RUN) ?? [];
  for (const run of runs) {
    let end = 0;
    for (const key of run.matchAll(KEY)) end = key.index + key[0].length + (key[1]?.length ?? 0);
    // Includes the link before it, without the full stop after it.
    if (end > 0) return run.slice(0, end);
  }
  return runs.find((run) => LONG_FORM.test(run)) ?? null;
}

function keyInJson(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return inProse(value);
  if (typeof value !== 'object' || value === null || depth === 0) return null;
  const found = Object.values(value).reduce<string | null>((key, inner) => key ?? keyInJson(inner, depth - 1), null);
  return found ?? keyOfParts(value as Record<string, unknown>);
}

function keyOfParts(fields: Record<string, unknown>): string | null {
  const sfuUrl = textOf(fields, URL_FIELDS);
  const token = textOf(fields, TOKEN_FIELDS);
  return sfuUrl !== null && token !== null ? encodeRoomKey({ sfuUrl, token }) : null;
}

function textOf(fields: Record<string, unknown>, names: readonly string[]): string | null {
  const value = names.map((name) => fields[name]).find((field) => typeof field === 'string' && field !== '');
  return typeof value === 'string' ? value : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
