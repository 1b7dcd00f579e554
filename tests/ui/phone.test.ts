/** The link for a phone: what its QR code says, and what keeps a phone from opening it. */
import { decodeQR } from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { readRoomKey } from '../../src/protocol/room-key.ts';
import { qrPath } from '../../src/viewer/ui/phone/qr-path.ts';
import { linkWithKey, reachProblems } from '../../src/viewer/ui/phone/reach.ts';
import { KEY, NOW_MS } from '../viewer/engine-fixture.ts';

describe('the link', () => {
  it('holds the key in its fragment and nothing else of the page’s address', () => {
    const link = linkWithKey('https://view.example/sim/?try=1&embed=1#a=b', KEY);
    expect(link).toBe(`https://view.example/sim/#key=${KEY}`);
    expect(readRoomKey(link, { nowMs: NOW_MS, pageProtocol: 'https:' })).toMatchObject({ ok: true, key: { robotId: 'r1' } });
  });

  it('opens a robot of the same contract', () => {
    const link = linkWithKey('https://view.example/?try=1&profile=worker&signed=off', KEY);
    expect(link).toBe(`https://view.example/?profile=worker&signed=off#key=${KEY}`);
  });

  it('is what a decoder reads in the drawn code', () => {
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

describe('what keeps a phone away', () => {
  it.each([
    ['https://view.example/', 'wss://sfu.example', []],
    ['http://127.0.0.1:7800/', 'ws://127.0.0.1:7880', [/127\.0\.0\.1:7800.*phone itself/, /room at 127\.0\.0\.1:7880/]],
    ['http://localhost:7800/', 'ws://192.168.1.2:7880', [/localhost:7800/]],
    ['http://192.168.1.2:7800/', 'ws://192.168.1.2:7880', [/over https/]],
    ['https://view.example/', 'ws://[::1]:7880', [/\[::1\]:7880/]],
  ])('from %s with a room at %s', (page, sfu, sentences) => {
    const found = reachProblems(page, sfu);
    expect(found).toHaveLength(sentences.length);
    sentences.forEach((sentence, k) => {
      expect(found[k]).toMatch(sentence);
    });
  });
});
