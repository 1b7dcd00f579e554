import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
/** A data folder inside the folder that Vite serves, with a name that Vite does not know as secret by itself. */
const dataPath = `/.cache/data [${process.pid}]`;
const dataDir = join(PROJECT_DIR, dataPath);
const folders = makeFakeDist();
let platform: Platform;

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true });
  platform = await startPlatform({ dev: true, port: 0, dataDir, env: { ...process.env, SIMPLESIM_SFU_PORT: '0' } });
  writeFileSync(join(dataDir, 'note.txt'), 'secret note');
}, 300_000);
afterAll(async () => {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(folders.root, { recursive: true, force: true });
});

it('serves the page with hot reload, and the service, on one port', async () => {
  const page = await fetch(`${platform.viewerUrl}/?key=k1~x~y`);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await page.text()).toContain('/@vite/client');
  expect((await fetch(`${platform.baseUrl}/healthz`)).status).toBe(200);
  const headers = { Authorization: `Bearer ${platform.apiKey}` };
  expect((await fetch(`${platform.rcsUrl}/v1/robots`, { headers })).status).toBe(200);
  expect((await fetch(`${platform.baseUrl}/v1/robots`)).status).toBe(401);
});

it.each(['local.json', 'note.txt', 'db/PG_VERSION'])('does not give away %s of the data folder', async (name) => {
  const paths = [`${dataPath}/${name}`, `/@fs${dataDir}/${name}`, `/src/..${dataPath}/${name}`].flatMap((path) =>
    ['', '?raw', '?import&raw', '?url', '?inline', '?raw??', '?import&raw??'].map((query) => path + query),
  );
  for (const path of paths) {
    const text = await (await fetch(platform.baseUrl + path)).text();
    expect(text, path).not.toContain(platform.apiKey);
    expect(text, path).not.toMatch(/secret note|^17\n?$/);
  }
});
