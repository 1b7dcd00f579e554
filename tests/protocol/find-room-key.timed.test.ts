/** The texts that people paste as a key: the key, its link, a letter around it, JSON. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRoomKey, isJsonWithoutKey } from '../../src/protocol/room/find-room-key.ts';
import { encodeRoomKey, readRoomKey } from '../../src/protocol/room/room-key.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const TOKEN = `${part({ alg: 'HS256' })}.${part({
  sub: 'simplesim:r1',
  exp: 4_000_000_000,
  video: { room: 'r', roomJoin: true },
})}.c2lnbmF0dXJlLXdpdGgtYS1kYXNo`;
const SFU = 'ws://127.0.0.1:7880';
const KEY = encodeRoomKey({ sfuUrl: SFU, token: TOKEN });
const LINK = `https://view.example/?embed=1&key=${KEY}`;
const LONG = `https://view.example/?lk_url=${encodeURIComponent(SFU)}&lk_token=${TOKEN}&lk_room=r`;
/** With a signature as long as that of a real token. */
const SIGNED = `${TOKEN.split('.', 2).join('.')}.${'s'.repeat(43)}`;
const TEXTS = JSON.parse(readFileSync(join(import.meta.dirname, 'room-key-texts.json'), 'utf8')) as {
  what: string;
  text: string;
  /** The key in the text, `several` for two different keys, null for none. */
  key: string | null;
}[];
const context = { nowMs: 0, pageProtocol: 'http:' };
const tokenIn = (given: string) => {
  const read = readRoomKey(findRoomKey(given), context);
  return read.ok ? read.key.token : read.problem;
};

describe('findRoomKey', () => {
  it.each([
    ['the key', KEY],
    ['a link', LINK],
    ['a long link', LONG],
    ['a key in quotes with a line break at the end', `"${KEY}"\n`],
    ['a key that a letter broke over lines', KEY.replace(/(.{40})/g, '$1\r\n  ')],
    ['a letter', `Hello,\nyour robot is here: ${LINK}\nRegards, Ann`],
    ['a sentence that ends with the link', `Open ${LINK}, please. Thanks`],
    ['a sentence of which the link is the last word', `Open this: ${LINK}.`],
    ['Markdown', `Open [the robot](${LINK}) now`],
    ['HTML', `<p>Open <a href="${LINK}">the robot</a> now</p>`],
    ['a long link in a sentence', `Open ${LONG} now`],
    ['an answer of the service', JSON.stringify({ livekit_url: SFU, participant_token: TOKEN, expires_in: 3600 })],
    ['the same, deeper', JSON.stringify({ data: [{ credentials: { serverUrl: SFU, participantToken: TOKEN } }] })],
    ['local.json', JSON.stringify({ viewer_url: 'http://127.0.0.1:1', api_key: 'x', room_key_url: LINK }, null, 2)],
    ['a string of JSON', JSON.stringify(LINK)],
  ])('finds the key in %s', (_, given) => {
    expect(tokenIn(given)).toBe(TOKEN);
  });

  const OTHER = encodeRoomKey({ sfuUrl: 'wss://other.example', token: SIGNED });
  const WHOLE_KEY = encodeRoomKey({ sfuUrl: SFU, token: SIGNED.replace(/s{43}$/, 't'.repeat(43)) });
  it.each([
    ['percent-encoded', `${WHOLE_KEY} or https://view.example/?key=${encodeURIComponent(OTHER).replaceAll('~', '%7E')}`],
    ['broken over lines', `${WHOLE_KEY} or\n> ${OTHER.replace(/(.{60})/g, '$1=\n')}`],
    [
      'in the fields of JSON',
      JSON.stringify({ room_key: WHOLE_KEY, livekit_url: 'wss://other.example', participant_token: SIGNED }),
    ],
    ['in other fields of JSON', JSON.stringify({ a: `see ${encodeURIComponent(WHOLE_KEY).replaceAll('~', '%7E')}`, b: OTHER })],
  ])('finds two different keys when one of them is %s', (_, given) => {
    expect(tokenIn(given)).toBe('several');
  });

  it('finds one key in JSON that contains it as a link and in parts', () => {
    const given = JSON.stringify({
      url: `https://view.example/?key=${OTHER}`,
      livekit_url: 'wss://other.example',
      token: SIGNED,
    });
    expect(tokenIn(given)).toBe(SIGNED);
  });

  it.each([
    ['prose', 'Where do I get one of these?', 'not_a_key'],
    ['nothing', '   ', 'empty'],
    ['a key that is cut off', 'k1~d3M6', 'damaged'],
    ['JSON of something else', '{"a": 1}', 'not_a_key'],
    ['JSON with half of what is needed', JSON.stringify({ livekit_url: SFU }), 'not_a_key'],
  ])('returns %s unchanged, so that its rejection can name the cause', (_, given, problem) => {
    expect(tokenIn(given)).toBe(problem);
  });

  it('recognises JSON without a key', () => {
    expect(isJsonWithoutKey('{"a": [1, {"b": null}]}')).toBe(true);
    expect(isJsonWithoutKey(JSON.stringify({ livekit_url: SFU, participant_token: TOKEN }))).toBe(false);
    expect(isJsonWithoutKey('{ not JSON')).toBe(false);
  });

  it('keeps the address and the contract of the link around the key', () => {
    const key = encodeRoomKey({ sfuUrl: SFU, token: SIGNED });
    expect(findRoomKey(`Open (https://view.example/?embed=1&key=${key}&profile=worker).`)).toBe(
      `https://view.example/?embed=1&key=${key}&profile=worker`,
    );
    expect(findRoomKey(`export ROOM_KEY='${key}'`)).toBe(key);
  });
});

/** The same texts are read by the Python library. */
describe('a key as people paste it', () => {
  it.each(TEXTS.map(({ what, text, key }) => [what, text, key] as const))('finds a pasted key in %s', (_, text, expected) => {
    const found = findRoomKey(text);
    const read = readRoomKey(found, context);
    if (expected === null || expected === 'several') {
      expect(read.ok ? 'read' : read.problem === 'several').toBe(expected === 'several');
      return;
    }
    const link = /k1~[\w-]+~[\w.-]+/.exec(found)?.[0];
    expect(link).toBe(expected);
    expect(read.ok || read.problem).toBe(true);
  });
});

/** As long as the largest file that the gate reads. */
const FILE_CHARS = 262_144;

/** The mildest growth above linear is quadratic: a file would take minutes. */
describe('the time to search a file is in proportion to its length', () => {
  it.each([
    ['letters', (chars: number) => `a ${'a'.repeat(chars)}`],
    ['spaces', (chars: number) => `a${' '.repeat(chars)}b`],
    ['line breaks and spaces', (chars: number) => `a${'\n '.repeat(chars / 2)}b`],
    ['beginnings of keys', (chars: number) => `a ${'k1~'.repeat(chars / 3)}`],
    ['beginnings of keys in words', (chars: number) => `a ${'k1-'.repeat(chars / 3)}`],
    ['keys', (chars: number) => `a ${'k1~a~b.c.'.repeat(chars / 9)} b`],
    ['digits', (chars: number) => `a k${'1'.repeat(chars)}`],
    ['beginnings of links', (chars: number) => `a ${'?lk_url'.repeat(chars / 7)} b`],
    ['a text of JSON', (chars: number) => JSON.stringify('a'.repeat(chars))],
    ['texts in JSON', (chars: number) => JSON.stringify(Array.from({ length: chars / 4 }, () => 'a'))],
    ['escapes', (chars: number) => `a ${'%25'.repeat(chars / 3)} b`],
    ['redirects', (chars: number) => `a ${'/v3/__'.repeat(chars / 6)} b`],
    ['other redirects', (chars: number) => `a ${'/v2/url?u='.repeat(chars / 10)} b`],
    ['stars in a redirect', (chars: number) => `a /v3/__${'*'.repeat(chars)}__;fg!! b`],
    ['signs behind a long link', (chars: number) => `see https://h/?lk_url=a${'!'.repeat(chars)}x`],
    ['stars with their signs in a redirect', (chars: number) => `see /v3/__${'*'.repeat(chars / 2)}__;${'A'.repeat(chars / 2)}`],
    ['soft line breaks', (chars: number) => `a ${'=\n'.repeat(chars / 2)} b`],
    ['long lines', (chars: number) => `a ${`${'a'.repeat(60)}\n> `.repeat(chars / 63)} b`],
    ['complete keys', (chars: number) => `a ${`k1~a~b.c.${'d'.repeat(43)} `.repeat(chars / 53)} b`],
    ['open lists', (chars: number) => '['.repeat(chars)],
  ])('the search time is linear for a file of %s', (_, make) => {
    const shortestMs = (text: string): number => {
      const times = Array.from({ length: 3 }, () => {
        const startedMs = performance.now();
        readRoomKey(findRoomKey(text), context);
        isJsonWithoutKey(text);
        return performance.now() - startedMs;
      });
      return Math.min(...times);
    };
    const [short, long] = [make(FILE_CHARS / 256), make(FILE_CHARS)];
    for (let warmUp = 0; warmUp < 20; warmUp += 1) shortestMs(short);
    // 256 times as long: 65,536 times the cost if it were quadratic.
    expect(shortestMs(long) / shortestMs(short)).toBeLessThan(8_000);
  });
});
