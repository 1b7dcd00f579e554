import { describe, expect, it } from 'vitest';
import {
  encodeRoomKey,
  NEW_LINK,
  type RoomKeyProblem,
  readCallerKey,
  readRoomKey,
  readVisitorKey,
  spanText,
} from '../../src/protocol/room/room-key.ts';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const NOW_S = NOW_MS / 1000;
const HTTP = { nowMs: NOW_MS, pageProtocol: 'http:' };
const HTTPS = { nowMs: NOW_MS, pageProtocol: 'https:' };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function token(claims: Record<string, unknown> = {}, video: Record<string, unknown> = {}): string {
  const body = {
    sub: 'simplesim:r1',
    name: 'Ada',
    nbf: NOW_S,
    exp: NOW_S + 3600,
    video: { room: 'robot-r1', roomJoin: true, canPublishData: true, ...video },
    ...claims,
  };
  return `${encode({ alg: 'HS256' })}.${encode(body)}.c2lnbmF0dXJl`;
}
const key = (sfuUrl = 'ws://127.0.0.1:7880', jwt = token()) => encodeRoomKey({ sfuUrl, token: jwt });

describe('a good key', () => {
  const expected = {
    sfuUrl: 'ws://127.0.0.1:7880',
    room: 'robot-r1',
    identity: 'simplesim:r1',
    robotId: 'r1',
    name: 'Ada',
    expiresAtMs: NOW_MS + 3_600_000,
  };
  const good = key();
  const forms: Record<string, string> = {
    bare: good,
    'with spaces and line breaks': ` ${good.slice(0, 30)}\n  ${good.slice(30, 60)}\r\n${good.slice(60)}\t`,
    'in quotes': `"${good}"`,
    'in curly quotes': `\u201c${good}\u201d`,
    'in a viewer link': `http://localhost:8080/?key=${good}`,
    'in a viewer link, percent-encoded': `http://localhost:8080/?lang=en&key=${encodeURIComponent(good)}`,
    'in the fragment': `https://viewer.example/#key=${good}`,
    'under a name written large': `https://viewer.example/?KEY=${good}`,
    'under an encoded name': `https://viewer.example/?k%65y=${good}`,
    'behind a path in the fragment': `https://viewer.example/#/robot?%20key=${good}&tab=2`,
    'in the legacy long link': `http://localhost:8080/?lk_url=${encodeURIComponent('ws://127.0.0.1:7880')}&lk_token=${token()}&lk_room=robot-r1`,
  };
  for (const [form, pasted] of Object.entries(forms)) {
    it(`a valid key is read ${form}`, () => {
      const result = readRoomKey(pasted, HTTP);
      expect(result).toMatchObject({ ok: true, key: expected });
    });
  }
  it('a valid key is read on an https page with wss, and with ws on this machine', () => {
    expect(readRoomKey(key('wss://sfu.example'), HTTPS).ok).toBe(true);
    expect(readRoomKey(key('ws://localhost:7880'), HTTPS).ok).toBe(true);
    expect(readRoomKey(key('ws://[::1]:7880'), HTTPS).ok).toBe(true);
  });
  it('a valid key is read at any port, though the base64 of some addresses ends with “k1”', () => {
    const refused = ['ws://127.0.0.1', 'wss://10.0.0.1', 'wss://sfu.example'].flatMap((host) =>
      Array.from({ length: 3_000 }, (_, at) => `${host}:${at + 1}`).filter((url) => !readRoomKey(key(url), HTTP).ok),
    );
    expect(refused).toEqual([]);
  });

  it('a valid key keeps an address with characters outside ASCII', () => {
    const result = readRoomKey(key('wss://röbot.example/päth'), HTTP);
    expect(result.ok && result.key.sfuUrl).toBe('wss://röbot.example/päth');
  });
});

describe('the contract of a key', () => {
  const ofSimulator = key();
  const ofRcw = key(undefined, token({ sub: 'rcw-r1' }));
  const link = (pasted: string, more = '') => `http://localhost:8080/?key=${pasted}${more}`;

  it('the identity in its token decides the contract of a key, whatever the link contains or omits', () => {
    expect(readRoomKey(ofSimulator, HTTP)).toMatchObject({
      key: { identity: 'simplesim:r1', profile: 'simulator', robotId: 'r1' },
    });
    expect(readRoomKey(ofRcw, HTTP)).toMatchObject({ key: { identity: 'rcw-r1', profile: 'worker', robotId: 'r1' } });
    expect(readRoomKey(link(ofRcw), HTTP)).toMatchObject({ ok: true, key: { profile: 'worker' } });
    expect(readRoomKey(link(ofRcw, '&profile=worker'), HTTP)).toMatchObject({ ok: true, key: { profile: 'worker' } });
    expect(readRoomKey(link(ofSimulator, '&profile=simulator'), HTTP)).toMatchObject({ ok: true, key: { profile: 'simulator' } });
    // There is no such profile, so the identity names none.
    expect(readRoomKey(link(ofRcw, '&profile=workr'), HTTP)).toMatchObject({ ok: true, key: { profile: 'worker' } });
  });

  it.each([
    ['the simulator, in a link that asks for the worker', link(ofSimulator, '&profile=worker'), undefined, /for the simulator/],
    ['the worker, in a link that asks for the simulator', link(ofRcw, '&profile=simulator'), undefined, /physical robot's/],
    ['the simulator, on a page that was asked for the worker', ofSimulator, 'worker', /leave profile=worker away/],
    ['the worker, on a page that was asked for the simulator', ofRcw, 'simulator', /leave profile=simulator away/],
    ['the worker, in a link that agrees, on a page that does not', link(ofRcw, '&profile=worker'), 'simulator', /physical/],
  ] as const)('a key for the other contract is rejected with the remedy: %s', (_what, pasted, profile, sentence) => {
    const read = readRoomKey(pasted, { ...HTTP, ...(profile ? { profile } : {}) });
    expect(read).toMatchObject({ ok: false, problem: 'other_profile', message: expect.stringMatching(sentence) });
  });

  it('the long form of a link has the same checks of its contract', () => {
    const long = `http://localhost:8080/?lk_url=ws%3A%2F%2F127.0.0.1&lk_token=${token({ sub: 'rcw-r1' })}&lk_room=robot-r1`;
    expect(readRoomKey(long, HTTP)).toMatchObject({ ok: true, key: { profile: 'worker' } });
    expect(readRoomKey(`${long}&profile=simulator`, HTTP)).toMatchObject({ ok: false, problem: 'other_profile' });
  });
});

describe('every rejection of a key has its name and a sentence', () => {
  const good = key();
  const cases: [RoomKeyProblem, string, string, typeof HTTP?][] = [
    ['empty', 'nothing pasted', '  \n'],
    ['not_a_key', 'prose', 'hello there'],
    ['not_a_key', 'an API key', 'sk_live_abcdef'],
    ['not_a_key', 'a link without a key', 'http://localhost:8080/?room=1'],
    ['unknown_version', 'a later version', good.replace('k1~', 'k2~')],
    ['damaged', 'a part cut off', good.slice(0, 12)],
    ['damaged', 'a part doubled', `${good}~x`],
    ['damaged', 'an empty token', 'k1~d3M6Ly94~'],
    ['damaged', 'an address that is not base64url', `k1~!!!!~${token()}`],
    ['damaged', 'a broken UTF-8 address', `k1~${Buffer.from([0xff, 0xfe, 0x41]).toString('base64url')}~${token()}`],
    ['damaged', 'a long link whose room is another', `?lk_url=ws%3A%2F%2F127.0.0.1&lk_token=${token()}&lk_room=other`],
    ['not_websocket', 'an https address', key('https://sfu.example')],
    ['not_websocket', 'a javascript address', key('javascript:alert(1)')],
    ['not_websocket', 'an address with user info', key('ws://user:pass@sfu.example')],
    ['insecure_from_https', 'ws to another host from an https page', key('ws://sfu.example'), HTTPS],
    ['token_not_jwt', 'a token of two parts', key(undefined, 'abc.def')],
    ['token_not_jwt', 'a token whose payload is not JSON', key(undefined, `${encode({})}.bm90IGpzb24.sig`)],
    ['token_not_jwt', 'a token without expiry', key(undefined, token({ exp: undefined }))],
    ['no_room_grant', 'no room', key(undefined, token({}, { room: undefined }))],
    ['no_room_grant', 'no join grant', key(undefined, token({}, { roomJoin: false }))],
    ['no_room_grant', 'no grants at all', key(undefined, token({ video: undefined }))],
    ['no_publish_data_grant', 'no publish-data grant', key(undefined, token({}, { canPublishData: false }))],
    ['not_yet_valid', 'valid only later', key(undefined, token({ nbf: NOW_S + 7200, exp: NOW_S + 9000 }))],
    ['expired', 'expired', key(undefined, token({ nbf: NOW_S - 7200, exp: NOW_S - 1200 }))],
    ['not_a_runtime', 'a watcher identity', key(undefined, token({ sub: 'client-7' }))],
    ['not_a_runtime', 'an identity that only begins alike', key(undefined, token({ sub: 'simplesimulator' }))],
    ['not_a_runtime', 'an identity that only begins like a worker', key(undefined, token({ sub: 'rcwatcher' }))],
    ['not_a_runtime', 'no identity', key(undefined, token({ sub: undefined }))],
  ];
  for (const [problem, what, pasted, context = HTTP] of cases) {
    it(`${problem}: ${what}`, () => {
      const result = readRoomKey(pasted, context);
      expect(result).toMatchObject({ ok: false, problem });
      if (result.ok) return;
      expect(result.message).toMatch(/^[A-Z].*\.$/);
      const secret = pasted.split('~')[2];
      if (secret && secret.length > 8) expect(result.message).not.toContain(secret.slice(0, 8));
    });
  }
  it('the rejection of an ended visitor’s link names its end and the person to ask', () => {
    const attributes = { 'simplesim.access': 'drive' };
    const over = (agoS: number) => readVisitorKey(key(undefined, token({ exp: NOW_S - agoS, attributes })), HTTP);
    const [short, long] = [over(1_200), over(86_400 * 3)];
    const at = new Date((NOW_S - 1_200) * 1_000).toTimeString().slice(0, 5);
    expect(!short.ok && short.message).toContain(`This link ended at ${at}. Ask the owner for a new one.`);
    expect(!long.ok && long.message).toContain('This link ended 3 days ago. Ask the owner for a new one.');
  });

  it('the rejection of an expired key names the time since its end', () => {
    const result = readRoomKey(key(undefined, token({ exp: NOW_S - 1200 })), HTTP);
    expect(!result.ok && result.message).toBe(
      `This key expired 20 minutes ago. ${NEW_LINK} If it should still be valid, check this device’s clock: it may run ahead.`,
    );
  });
});

describe('fuzz', () => {
  it('any damage to a valid key gives a named rejection or still a key, never an exception (seed 1)', () => {
    const good = key();
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    for (let round = 0; round < 2000; round += 1) {
      const at = Math.floor(next() * good.length);
      const damaged =
        good.slice(0, at) + String.fromCharCode(Math.floor(next() * 0x250)) + good.slice(at + Math.floor(next() * 3));
      const result = readRoomKey(damaged, HTTP);
      if (!result.ok) expect(result.message.length).toBeGreaterThan(20);
    }
  });
});

it('time spans are written in natural units', () => {
  expect([900, 59_000, 60_000, 1_200_000, 3_600_000, 7_200_000, 400_000_000].map(spanText)).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '20 minutes',
    '1 hour',
    '2 hours',
    '5 days',
  ]);
});

describe('a key of a visitor', () => {
  const ofVisitor = (access: unknown, claims: Record<string, unknown> = {}, video: Record<string, unknown> = {}) =>
    key('ws://127.0.0.1:7880', token({ sub: 'watcher-1', attributes: { 'simplesim.access': access }, ...claims }, video));

  it.each(['watch', 'drive'] as const)(
    'a visitor’s key to %s is read with its access, in any form, and never makes a tab the robot',
    (access) => {
      const given = ofVisitor(access, {}, { canPublishData: access === 'drive' });
      const expected = { access, room: 'robot-r1', identity: 'watcher-1', name: 'Ada', expiresAtMs: NOW_MS + 3_600_000 };
      expect(readVisitorKey(`http://localhost:8080/#key=${given}`, HTTP)).toMatchObject({ ok: true, key: expected });
      const asRobot = readRoomKey(given, HTTP);
      expect(asRobot).toMatchObject({
        ok: false,
        problem: 'for_visitors',
        message: expect.stringContaining(`lets you ${access} `),
      });
    },
  );

  it.each<[string, string, RoomKeyProblem]>([
    ['a robot', key(), 'not_a_visitor'],
    ['a robot, with an access that no service gives it', ofVisitor('watch', { sub: 'simplesim:r1' }), 'not_a_visitor'],
    ['a program', ofVisitor(undefined), 'not_a_visitor'],
    ['another access', ofVisitor('run'), 'not_a_visitor'],
    ['an earlier time', ofVisitor('watch', { exp: NOW_S - 60 }), 'expired'],
    ['nobody', ofVisitor('watch', { sub: '' }), 'not_a_runtime'],
    ['no room', ofVisitor('watch', {}, { roomJoin: false }), 'no_room_grant'],
  ])('a visitor’s key is rejected if it is one for %s', (_whom, given, problem) => {
    const read = readVisitorKey(given, HTTP);
    expect(read).toMatchObject({ ok: false, problem });
    expect(JSON.stringify(read)).not.toContain(given.split('~')[2]);
  });
});

describe('a key of a participant that calls the robot', () => {
  const of = (sub: string, access?: string, video: Record<string, unknown> = {}) =>
    key('ws://127.0.0.1:7880', token({ sub, ...(access ? { attributes: { 'simplesim.access': access } } : {}) }, video));

  it.each([
    ['a program', of('agent')],
    ['an operator', of('operator-1', 'drive')],
  ])('a key of %s is read, also from its link', (_whom, given) => {
    expect(readCallerKey(`http://localhost:8080/?key=${given}`, HTTP)).toMatchObject({ ok: true, key: { room: 'robot-r1' } });
  });

  it.each<[string, string, RoomKeyProblem]>([
    ['the robot', key(), 'of_the_robot'],
    ['the physical robot', of('rcw-r1'), 'of_the_robot'],
    ['a viewer', of('watcher-1', 'watch'), 'only_watches'],
    ['a participant that cannot call', of('agent', undefined, { canPublishData: false }), 'only_watches'],
    ['a participant without a name', of(''), 'not_a_runtime'],
  ])('a key of %s is rejected without any part of it', (_whom, given, problem) => {
    const read = readCallerKey(given, HTTP);
    expect(read).toMatchObject({ ok: false, problem });
    expect(JSON.stringify(read)).not.toContain(given.split('~')[2]);
  });
});
