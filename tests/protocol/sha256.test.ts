import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256OfText } from '../../src/common/sha256.ts';
import { seeded } from '../oracle/chance.ts';

const ofNode = (text: string): string => createHash('sha256').update(text).digest('hex');

test('SHA-256 equals that of Node for every length around a block, and for any characters', () => {
  for (let length = 0; length < 200; length += 1) expect(sha256OfText('a'.repeat(length))).toBe(ofNode('a'.repeat(length)));
  const random = seeded(1);
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: round }, () => String.fromCodePoint(Math.floor(random() * 0xd000))).join('');
    expect(sha256OfText(`${text}😀`)).toBe(ofNode(`${text}😀`));
  }
  expect(sha256OfText('\ud800')).toBe(ofNode('\ufffd'));
});
