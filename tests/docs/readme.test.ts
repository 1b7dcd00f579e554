/** The first page says what there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const [INTRODUCTION = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## ');

it.each(readdirSync(join(ROOT, 'scenes')))('the introduction names the scene of %s', (file) => {
  const { title } = JSON.parse(readFileSync(join(ROOT, 'scenes', file), 'utf8')) as { title: string };
  expect(INTRODUCTION.replaceAll(/\s+/g, ' ')).toContain(` a ${title.toLowerCase()}`);
});
