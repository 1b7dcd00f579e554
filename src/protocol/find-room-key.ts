import { encodeRoomKey } from './room-key.ts';

/** A key, or a link that holds one, up to where its characters end. */
const KEY_RUN = /[^\s"'<>`]*\bk\d+~[\w-]+~[\w-]+(?:\.[\w-]+){0,2}/;
/** The long form of a link, which holds address and token one by one. */
const LONG_LINK = /[^\s"'<>`]*[?#&]lk_(?:url|token)=[^\s"'<>`]+/;
/** Names that an answer of a service gives to the address of the SFU and to the token. */
const URL_FIELDS = ['livekit_url', 'livekitUrl', 'server_url', 'serverUrl', 'sfu_url', 'sfuUrl', 'lk_url', 'url'];
const TOKEN_FIELDS = ['participant_token', 'participantToken', 'lk_token', 'token'];
const DEEPEST = 5;

/**
 * Finds the key in whatever somebody gives as one: the key or its link, a sentence or a letter around it, JSON that holds it, or JSON
 * that holds the address of the SFU and the participant's token, as the control service answers.
 * @returns what `readRoomKey` reads; the text itself where nothing looks like a key, for its refusal
 */
export function findRoomKey(given: string): string {
  const text = given.trim();
  if (/^[[{"]/.test(text)) {
    const json = parse(text);
    if (json !== undefined) return keyInJson(json, DEEPEST) ?? text;
  }
  // Only a key that a letter has broken over lines has nothing but line breaks in it.
  if (!/[^\S\r\n]/.test(text.replace(/\s*[\r\n]+\s*/g, ''))) return text;
  return inProse(text) ?? text;
}

/** Is this JSON, although no key is in it? Then a sentence on keys alone would not help. */
export function isJsonWithoutKey(given: string): boolean {
  const text = given.trim();
  if (!/^[[{]/.test(text)) return false;
  const json = parse(text);
  return json !== undefined && keyInJson(json, DEEPEST) === null;
}

const inProse = (text: string): string | null => (KEY_RUN.exec(text) ?? LONG_LINK.exec(text))?.[0] ?? null;

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
