/** The sentences that the page on troubles explains are those that people see. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');

const plain = (text: string): string => text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');

const SOURCES = ['src', 'clients/python/src'].flatMap((dir) =>
  readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|py)$/.test(name))
    .map((name) => readFileSync(join(ROOT, dir, name), 'utf8')),
);
const SAID = plain([readFileSync(join(ROOT, 'index.html'), 'utf8'), ...SOURCES].join('\n'));

const SENTENCES = [...PAGE.matchAll(/“([^”]+)”/g)].map(([, sentence = '']) => sentence);

it('explains sentences', () => expect(SENTENCES.length).toBeGreaterThan(30));

it.each(SENTENCES)('“%s” is said', (sentence) => {
  // Between what the program fills in.
  const parts = sentence.split('…').map((part) => part.trim());
  for (const part of parts.filter((text) => text.length > 2)) expect(SAID.includes(plain(part)), part).toBe(true);
});
