/** What people give as a key: the key, its link, a letter around it, JSON. */
import { describe, expect, it } from 'vitest';
import { findRoomKey, isJsonWithoutKey } from '../../src/protocol/find-room-key.ts';
import { encodeRoomKey, readRoomKey } from '../../src/protocol/room-key.ts';

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
  ])('finds it in %s', (_, given) => {
    expect(tokenIn(given)).toBe(TOKEN);
  });

  it.each([
    ['prose', 'Where do I get one of these?', 'not_a_key'],
    ['nothing', '   ', 'empty'],
    ['a key that is cut off', 'k1~d3M6', 'damaged'],
    ['JSON of something else', '{"a": 1}', 'not_a_key'],
    ['JSON with half of what is needed', JSON.stringify({ livekit_url: SFU }), 'not_a_key'],
  ])('leaves %s to its refusal', (_, given, problem) => {
    expect(tokenIn(given)).toBe(problem);
  });

  it('knows JSON in which there is no key', () => {
    expect(isJsonWithoutKey('{"a": [1, {"b": null}]}')).toBe(true);
    expect(isJsonWithoutKey(JSON.stringify({ livekit_url: SFU, participant_token: TOKEN }))).toBe(false);
    expect(isJsonWithoutKey('{ not JSON')).toBe(false);
  });
});
