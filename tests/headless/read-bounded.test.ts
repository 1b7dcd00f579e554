import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readTaskFiles } from '../../src/headless/eval/task-files.ts';
import { readBounded } from '../../src/headless/read-bounded.ts';

const dir = mkdtempSync(join(tmpdir(), 'simplesim-encodings-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const file = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(dir, name), bytes);
  return join(dir, name);
};
const read = (bytes: Uint8Array, maxBytes = 1_000): Promise<string> => readBounded(file('text', bytes), maxBytes);

it('a file in UTF-8 is read unchanged, with its byte order mark, and up to one byte beyond its limit', async () => {
  expect(await read(Buffer.from('\ufeff{"ä": "🙂"}'))).toBe('\ufeff{"ä": "🙂"}');
  expect(await read(Buffer.from(''))).toBe('');
  // Cut within a character: too large, which is not a fault of its encoding.
  expect((await read(Buffer.from('ää'), 2)).length).toBeGreaterThan(1);
});

it('a file in UTF-16 is named as such, with and without a byte order mark', async () => {
  const utf16 = Buffer.from('\ufeff{"a": 1}', 'utf16le');
  for (const bytes of [utf16, utf16.subarray(2), Buffer.from(utf16).swap16()])
    await expect(read(bytes)).rejects.toThrow('it is in UTF-16, and must be in UTF-8. Save it again in UTF-8.');
});

it('a file that is not in UTF-8 is rejected with the first byte that is invalid', async () => {
  await expect(read(Buffer.from('{"name": "K\u00fcche"}', 'latin1'))).rejects.toThrow('from byte 11 on (counted from 0)');
  await expect(read(Buffer.from([0x7b, 0xff]))).rejects.toThrow('from byte 1 on');
  await expect(read(Buffer.from([0x7b, 0x20, 0xc3]))).rejects.toThrow('it ends in the middle of a character');
  await expect(read(Buffer.concat([Buffer.alloc(200_000, 'x'), Buffer.from([0x80])]), 300_000)).rejects.toThrow(
    'from byte 200000 on',
  );
});

it('a task file in another encoding, or with invalid JSON, is rejected with its name and the place', async () => {
  const latin = file('latin.json', Buffer.from('{"name": "K\u00fcche"}', 'latin1'));
  const broken = file('broken.json', Buffer.from('{\n  "format": "simplesim.task/1"\n  "id": 1\n}'));
  await expect(readTaskFiles([latin, broken])).rejects.toThrow(
    /latin\.json: it is not in UTF-8 from byte 11 on .*\n.*broken\.json: The task is not JSON: line 3, column 3: "," or "}" is expected\./,
  );
});
