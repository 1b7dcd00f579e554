/** The troubleshooting page quotes messages of the product, and none that the product does not show. */
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
const SHOWN = plain([readFileSync(join(ROOT, 'index.html'), 'utf8'), ...SOURCES].join('\n'));

const SENTENCES = [...PAGE.matchAll(/“([^”]+)”/g)].map(([, sentence = '']) => sentence);

it('quotes messages', () => expect(SENTENCES.length).toBeGreaterThan(20));

it.each(SENTENCES)('“%s” is a message of the product', (sentence) => {
  // The texts between the values that the program inserts.
  const parts = sentence.split('…').map((part) => part.trim());
  for (const part of parts.filter((text) => text.length > 2)) expect(SHOWN.includes(plain(part)), part).toBe(true);
});
