/** The first page says what there is. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const [INTRODUCTION = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## ');

it.each(readdirSync(join(ROOT, 'scenes')))('the introduction names the scene of %s', (file) => {
  const { title } = JSON.parse(readFileSync(join(ROOT, 'scenes', file), 'utf8')) as { title: string };
  expect(INTRODUCTION.replaceAll(/\s+/g, ' ')).toContain(` a ${title.toLowerCase()}`);
});

it('shows an animation of at most 3 MB, and a still of it to readers who prefer no motion', () => {
  const [, still = ''] = /<source media="\(prefers-reduced-motion: reduce\)" srcset="([^"]+)">/.exec(INTRODUCTION) ?? [];
  const [, animation = ''] = /<img src="([^"]+)" alt="[^"]+"/.exec(INTRODUCTION) ?? [];
  const frames = (file: string) => readFileSync(join(ROOT, file)).toString('latin1').split('ANMF').length - 1;
  expect(statSync(join(ROOT, animation)).size).toBeLessThan(3_000_000);
  expect([frames(animation) > 50, frames(still)]).toEqual([true, 0]);
});
