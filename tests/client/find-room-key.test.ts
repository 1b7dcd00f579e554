import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRoomKey } from '../../src/client/experimental.ts';

const TEXTS = JSON.parse(readFileSync(join(import.meta.dirname, '../protocol/room-key-texts.json'), 'utf8')) as {
  what: string;
  text: string;
  key: string | null;
}[];

it.each(TEXTS.map(({ what, text, key }) => [what, text, key] as const))('findRoomKey reads %s', (_, text, key) => {
  if (key === null) expect(() => findRoomKey(text)).toThrow('no complete room key');
  else if (key === 'several') expect(() => findRoomKey(text)).toThrow('two different room keys');
  else expect(findRoomKey(text)).toBe(key);
});
