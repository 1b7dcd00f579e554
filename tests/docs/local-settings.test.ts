/** Samples that read what `npm start` wrote pass the viewer's address too: links that they make lead to it at any port. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|ts|py)$/.test(name))
    .map((name) => `${folder}/${name}`);

const CLIENTS = ['README.md', 'src/launch/start-command.ts', ...filesIn('docs'), ...filesIn('examples')].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/Client\([^)]*\brcs_?url[=:][^)]*\)/gi)]
    .filter(([call]) => call.includes('local'))
    .map(([call]) => [file, call] as const),
);

it('are many', () => expect(CLIENTS.length).toBeGreaterThan(8));

it.each(CLIENTS)('%s: %s', (_file, call) => {
  expect(call).toMatch(/viewerUrl: local\.viewer_url|viewer_url=local\["viewer_url"\]/);
});
