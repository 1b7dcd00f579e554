import * as base64url from 'jose/base64url';
import { encodeRoomKey } from './room-key.ts';

/** Invisible characters. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** A soft line break of quoted-printable mail. */
const SOFT_BREAK = /=\r?\n[ \t>]*/g;
/** A line break inside a link, also in a mail that quotes the link. A short line inside a link does not end there. */
const BREAK = /(\S{40})[ \t]*\r?\n[ \t>]*/g;
/** A character as a redirect (encoded once or more), JSON and quoted-printable mail write it. */
const ENCODED = /(?:%(?:25)*|\\u00|=)([2-7][\dA-F])/gi;
/** A complete key: tokens of the platform are signed with HMAC-SHA256, whose base64url has 43 characters. */
const WHOLE = String.raw`(?<![\w-])k\d+~[\w-]+~[\w-]+\.[\w-]+\.[\w-]{43}`;
/** Any text that begins as a key does, for its rejection. */
const BEGUN = /(?<![\w-])k\d+~[\w-]+~[\w-]+(?:\.[\w-]+){0,2}/g;
const BETWEEN = /[\s"'<>`()[\]{}]+/;
/** How far a link reaches around its key. */
const LINK_CHARS = 500;
/** Names that a service's answer gives to the address of the SFU and to the token. */
const URL_FIELDS = ['livekit_url', 'livekitUrl', 'server_url', 'serverUrl', 'sfu_url', 'sfuUrl', 'lk_url', 'url'];
const TOKEN_FIELDS = ['participant_token', 'participantToken', 'lk_token', 'token'];
const DEEPEST = 5;

/**
 * Finds the key in any text: the key or its link; mail, Markdown, HTML, settings or a redirect of a mail scanner around it; JSON
 * that contains it, or that contains the address of the SFU and the participant's token, like answers of the control service. The
 * time grows only with the length of the text.
 * @returns text for `readRoomKey`: the key with the link before it. If there are two different keys, both of them on two lines,
 * and if nothing looks like a key, the given text, so that their rejection can name the cause
 */
export function findRoomKey(given: string): string {
  const text = given.replace(INVISIBLE, '').trim();
  const json = parse(text);
  // A text without any other space may be a key that is broken into short lines.
  if (json === undefined)
    return oneOrTwo(whole(text)) ?? (text.match(/\s+/g)?.some((space) => !/[\r\n]/.test(space)) ? begun(text) : null) ?? text;
  const texts: string[] = [];
  const parts = new Set<string>();
  collect(json, DEEPEST, texts, parts);
  const all = texts.join('\n\n');
  const links = whole(all);
  // A link often occurs beside the parts of its own key.
  const others = [...parts].filter((key) => !links.some((link) => link.includes(key)));
  if (links.length > 0) return oneOrTwo([...links, ...others]) ?? text;
  return begun(all) ?? oneOrTwo([...parts]) ?? text;
}

/** Returns whether this is JSON without a key in it. A sentence only about keys would not help in that case. */
export const isJsonWithoutKey = (given: string): boolean => {
  const text = given.replace(INVISIBLE, '').trim();
  return typeof (parse(text) ?? 0) === 'object' && findRoomKey(text) === text;
};

/** Returns the text as it is, and then in each form that programs give to text in transit. */
function formsOf(text: string): string[] {
  const joined = text.replace(SOFT_BREAK, '').replace(BREAK, '$1');
  return [text, joined, decode(joined), unwrapped(joined)];
}

/** Returns the first two keys, one per line; null if there are none. */
const oneOrTwo = (keys: readonly string[]): string | null => keys.slice(0, 2).join('\n') || null;

/** Returns the first two different complete keys in all forms of a text; a text may hold each in a form of its own. */
function whole(text: string): string[] {
  const links = new Map<string, string>();
  for (const form of formsOf(text)) {
    // If the line breaks of a text are removed, text may follow the key directly.
    const end = form === text ? '(?=k\\d+~|[^\\w-]|$)' : '';
    linksTo(form, new RegExp(WHOLE + end, 'g'), links);
  }
  return [...links.values()].slice(0, 2);
}

/** Finds text that begins as a key does, or as the long form of a link. */
function begun(text: string): string | null {
  for (const form of formsOf(text)) {
    const long = form.split(BETWEEN).find((run) => /[?#&]lk_(?:url|token)=./.test(run));
    const found = [...linksTo(form, BEGUN).values()].at(-1) ?? long?.replace(/(?<![.,;:!])[.,;:!]+$/, '');
    if (found !== undefined) return found;
  }
  return null;
}

/** Adds keys until there are two different ones, each with the link before it and the contract behind it. */
function linksTo(text: string, pattern: RegExp, links = new Map<string, string>()): Map<string, string> {
  for (const { 0: key, index } of text.matchAll(pattern)) {
    if (links.has(key)) continue;
    const before =
      text
        .slice(Math.max(0, index - LINK_CHARS), index)
        .split(BETWEEN)
        .at(-1) ?? '';
    const link = before.slice(Math.max(0, before.lastIndexOf('http')));
    const behind = text.slice(index + key.length, index + key.length + LINK_CHARS).split(BETWEEN, 1)[0] ?? '';
    const profile = /[&?#]profile=\w+/.exec(behind)?.[0] ?? '';
    links.set(key, /[?#&]key=$/.test(link) ? link + key + profile : key);
    if (links.size > 1) break;
  }
  return links;
}

const decode = (text: string): string => text.replace(ENCODED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the addresses behind the redirects of Proofpoint, which has its own encodings (URL Defense, versions 2 and 3). */
function unwrapped(text: string): string {
  const second = [...text.matchAll(/\/v2\/url\?u=([^&\s]+)/g)].map(([, address = '']) =>
    address.replaceAll('_', '/').replaceAll('-', '%'),
  );
  const third = text
    .split('/v3/__')
    .slice(1)
    .map((part) => {
      const [address = '', rest = ''] = part.split('__;');
      const signs = latin1(/^[\w-]*/.exec(rest)?.[0] ?? '');
      let at = 0;
      return address.replace(/\*(?:\*(.))?/g, (_, count?: string) => {
        const from = at;
        at += count === undefined ? 1 : RUN_COUNTS.indexOf(count) + 2;
        return signs.slice(from, at);
      });
    });
  return decode([...second, ...third].join('\n'));
}

const RUN_COUNTS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function latin1(base64: string): string {
  try {
    return String.fromCharCode(...base64url.decode(base64));
  } catch {
    return '';
  }
}

/** Collects all texts in JSON, and the keys whose parts are in its objects. */
function collect(value: unknown, depth: number, texts: string[], parts: Set<string>): void {
  if (typeof value === 'string') texts.push(value);
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const fields = value as Record<string, unknown>;
  for (const inner of Object.values(fields)) collect(inner, depth - 1, texts, parts);
  const [sfuUrl, token] = [URL_FIELDS, TOKEN_FIELDS].map((names) => textOf(fields, names));
  if (sfuUrl !== undefined && token !== undefined) parts.add(encodeRoomKey({ sfuUrl, token }));
}

const textOf = (fields: Record<string, unknown>, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((field): field is string => typeof field === 'string' && field !== '');

function parse(text: string): unknown {
  if (!/^[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
