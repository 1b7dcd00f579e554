/** The manual for programs over HTTP: the list of its pages, and each page as Markdown. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { Hono } from 'hono';
import { afterAll, expect, it } from 'vitest';
import { llmsText } from '../../scripts/vite/manual/llms.ts';
import { llmsOfManual, manualFiles } from '../../scripts/vite/manual.ts';
import { staticFile } from '../../src/launch/static-files.ts';
import { LLMS_PATH, MANUAL_PATH } from '../../src/protocol/service/manual.ts';

const dir = mkdtempSync(join(tmpdir(), 'simplesim-manual-'));
const files = manualFiles();
for (const [path, content] of [
  [LLMS_PATH, llmsOfManual()] as const,
  ...[...files].map(([name, file]) => [MANUAL_PATH + name, file] as const),
]) {
  mkdirSync(join(dir, dirname(path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}
const app = new Hono().get('*', async (c) => (await staticFile(c, dir, "'self'")) ?? c.notFound());
const get = async (path: string) => await app.request(`http://localhost${path}`);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('serves llms.txt with a name, a summary, and links to existing Markdown', async () => {
  const answer = await get('/llms.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await answer.text();
  expect(text).toMatch(/^# SimpleSim\n\n> A robot in a browser tab\.[^\n]+\n\n## Start\n\n- \[/);
  const items = text.split('\n').filter((line) => line.startsWith('- '));
  const links = items.map((line) => /^- \[[^\]]+\]\(([^)]+)\): [^[\]]+$/.exec(line)?.[1] ?? line);
  for (const link of links) expect([link, (await get(`/${link.replace(/#.*/, '')}`)).status]).toEqual([link, 200]);
  const documents = [...files.keys()].filter((name) => name.endsWith('.md') && name !== 'index.md');
  expect(documents.filter((name) => !links.includes(MANUAL_PATH.slice(1) + name))).toEqual([]);
});

it('serves each page as Markdown beside its HTML, which names it', async () => {
  for (const name of [...files.keys()].filter((one) => one.endsWith('.html'))) {
    const page = await get(MANUAL_PATH + name);
    const [, href = ''] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(await page.text()) ?? [];
    const markdown = await get(MANUAL_PATH + posix.join(posix.dirname(name), href));
    expect([name, markdown.status, markdown.headers.get('content-type')]).toEqual([name, 200, 'text/markdown; charset=utf-8']);
    expect(await markdown.text()).toMatch(/^# ./m);
  }
});

it('lists the pages at the addresses of another place, such as the repository', () => {
  expect(llmsText((path) => path)).toContain('](docs/tutorial.md): ');
});
