import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { matchingPaths } from '../../../src/headless/eval/matching-paths.ts';

const dir = mkdtempSync(join(tmpdir(), 'simplesim-patterns-'));
const at = (...names: string[]): string => join(dir, ...names);

beforeAll(() => {
  for (const folder of ['fetch', 'sort']) {
    mkdirSync(at(folder));
    for (const name of ['b.json', 'a.json', 'notes.txt']) writeFileSync(at(folder, name), '{}');
  }
  writeFileSync(at('[odd].json'), '{}');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('a pattern that the shell passed on matches files in order', async () => {
  expect(await matchingPaths([at('*/*.json')])).toEqual([
    at('fetch/a.json'),
    at('fetch/b.json'),
    at('sort/a.json'),
    at('sort/b.json'),
  ]);
  expect(await matchingPaths([at('sort/?.json'), at('fetch/a.json')])).toEqual([
    at('sort/a.json'),
    at('sort/b.json'),
    at('fetch/a.json'),
  ]);
});

it('an existing name means itself, whatever characters it has; so does a name that is not a pattern', async () => {
  expect(await matchingPaths([at('[odd].json'), at('nowhere.json')])).toEqual([at('[odd].json'), at('nowhere.json')]);
});

it('a pattern without matches is rejected by its name', async () => {
  await expect(matchingPaths([at('*/*.yaml')])).rejects.toThrow(/\*\.yaml: nothing matches this pattern/);
});
