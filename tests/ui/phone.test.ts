/** The link for a phone: the content of its QR code, and what prevents a phone from opening it. */
import { decodeQR } from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { encodeRoomKey, readRoomKey } from '../../src/protocol/room/room-key.ts';
import { type LanPlace, readLanAnswer } from '../../src/protocol/service/lan.ts';
import { qrPath } from '../../src/viewer/ui/phone/qr-path.ts';
import { linkWithKey, phoneWay } from '../../src/viewer/ui/phone/reach.ts';
import { KEY, NOW_MS } from '../viewer/engine-fixture.ts';

describe('the link for a phone', () => {
  it('the link contains the key in its fragment and nothing else of the page’s address', () => {
    const link = linkWithKey('https://view.example/sim/?try=1&embed=1#a=b', KEY);
    expect(link).toBe(`https://view.example/sim/#key=${KEY}`);
    expect(readRoomKey(link, { nowMs: NOW_MS, pageProtocol: 'https:' })).toMatchObject({ ok: true, key: { robotId: 'r1' } });
  });

  it('the link opens a robot of the same contract', () => {
    const link = linkWithKey('https://view.example/?try=1&profile=worker&signed=off', KEY);
    expect(link).toBe(`https://view.example/?profile=worker&signed=off#key=${KEY}`);
  });

  it('the link is what a decoder reads in the drawn code', () => {
    const link = linkWithKey('https://view.example/', KEY);
    const { size, path } = qrPath(link);
    const scale = 4;
    const side = size * scale;
    const data = new Uint8Array(side * side * 4).fill(255);
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
      for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
        for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column += 1)
          data.set([0, 0, 0], (row * side + column) * 4);
    expect(decodeQR({ width: side, height: side, data }, { timeLimit: 5_000 })).toBe(link);
  });
});

const LAN = {
  page_url: 'https://192.168.1.7:8080',
  room_url: 'wss://192.168.1.7:8080',
  local_room_url: 'ws://127.0.0.1:7880',
  fingerprint: 'AB:CD',
};
const TOKEN = KEY.split('~')[2] ?? '';
const way = (page: string, sfuUrl: string, lan: LanPlace | null = null) => phoneWay(page, { sfuUrl, token: TOKEN }, lan);

describe('how a phone connects', () => {
  it('a phone uses the page’s own address if that is encrypted', () => {
    expect(way('https://view.example/sim/?a=b', 'wss://sfu.example')).toEqual({
      kind: 'link',
      link: `https://view.example/sim/#key=${encodeRoomKey({ sfuUrl: 'wss://sfu.example', token: TOKEN })}`,
      origin: 'https://view.example',
      hasOwnCertificate: false,
      fingerprint: null,
    });
    expect(way('https://192.168.1.7:8080/', 'wss://192.168.1.7:8080')).toMatchObject({ hasOwnCertificate: true });
  });

  it('for a page of this machine a phone uses the port for phones, with a key for it', () => {
    const found = way('http://127.0.0.1:8080/?profile=worker', LAN.local_room_url, LAN);
    expect(found).toEqual({
      kind: 'link',
      link: `https://192.168.1.7:8080/?profile=worker#key=${encodeRoomKey({ sfuUrl: LAN.room_url, token: TOKEN })}`,
      origin: 'https://192.168.1.7:8080',
      hasOwnCertificate: true,
      fingerprint: 'AB:CD',
    });
    const elsewhere = way('http://127.0.0.1:8080/', 'wss://sfu.example', LAN);
    expect(elsewhere).toMatchObject({
      link: expect.stringContaining(encodeRoomKey({ sfuUrl: 'wss://sfu.example', token: TOKEN })),
    });
  });

  it.each([
    ['http://127.0.0.1:7800/', 'ws://127.0.0.1:7880', null, true, /^A phone cannot reach 127\.0\.0\.1:7800.*the phone itself\.$/],
    ['http://localhost:7800/', 'wss://sfu.example', null, true, /localhost:7800/],
    ['http://192.168.1.2:7800/', 'ws://192.168.1.2:7880', null, false, /over https/],
    ['https://view.example/', 'ws://[::1]:7880', null, false, /\[::1\]:7880, which is on this machine/],
    ['https://view.example/', 'ws://192.168.1.2:7880', null, false, /192\.168\.1\.2:7880, which is not encrypted/],
    ['http://127.0.0.1:8080/', 'ws://127.0.0.1:9999', LAN, false, /127\.0\.0\.1:9999, which is on this machine/],
    ['https://view.example/', LAN.local_room_url, LAN, false, /which is on this machine/],
  ] as const)('a phone cannot use the page %s with a room at %s (%j)', (page, sfuUrl, lan, isStartable, problem) => {
    expect(way(page, sfuUrl, lan)).toEqual({ kind: 'none', isStartable, problem: expect.stringMatching(problem) });
  });
});

it.each([
  [{ lan: LAN }, LAN],
  [{ lan: null }, null],
  [{ lan: { ...LAN, page_url: 'nowhere' } }, null],
  [{ lan: { ...LAN, fingerprint: 5 } }, null],
  [{ lan: 'yes' }, null],
  ['<!doctype html>', null],
  [null, null],
])('reads a platform’s answer about phones: %j', (answer, place) => {
  expect(readLanAnswer(answer)).toEqual(place);
});
