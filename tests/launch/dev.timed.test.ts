import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from './helpers/fake-dist.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
/** A data folder inside the folder that Vite serves, with a name that Vite does not treat as secret. */
const dataPath = `/.cache/data [${process.pid}]`;
const dataDir = join(PROJECT_DIR, dataPath);
const folders = makeFakeDist();
let platform: Platform;

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true });
  await layDatabase(dataDir);
  platform = await startPlatform({ dev: true, port: 0, dataDir, env: { ...process.env, SIMPLESIM_SFU_PORT: '0' } });
  writeFileSync(join(dataDir, 'note.txt'), 'secret note');
}, 300_000);
afterAll(async () => {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(folders.root, { recursive: true, force: true });
});

it('the dev server serves the page with hot reload, and the service, on one port', async () => {
  const page = await fetch(`${platform.viewerUrl}/?key=k1~x~y`);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await page.text()).toContain('/@vite/client');
  const types = ['/llms.txt', '/manual/libraries.md'].map(async (path) =>
    (await fetch(platform.baseUrl + path)).headers.get('content-type'),
  );
  expect(await Promise.all(types)).toEqual(['text/plain; charset=utf-8', 'text/markdown; charset=utf-8']);
  expect((await fetch(`${platform.baseUrl}/healthz`)).status).toBe(200);
  const headers = { Authorization: `Bearer ${platform.apiKey}` };
  expect((await fetch(`${platform.rcsUrl}/v1/robots`, { headers })).status).toBe(200);
  expect((await fetch(`${platform.baseUrl}/v1/robots`)).status).toBe(401);
});

/** Ways to ask a dev server for a file in another form. */
const AS_QUERIES = [
  '',
  '?raw',
  '?import&raw',
  '?url',
  '?inline',
  '?raw??',
  '?import&raw??',
  '?url&inline',
  '?worker',
  '?html-proxy',
  '?svg=.wasm?init',
];
const get = async (path: string, headers: Record<string, string> = {}) => {
  const { port } = new URL(platform.baseUrl);
  // Unlike fetch it sends the path unchanged.
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    request({ port, path, headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, text: await text(response), headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
};

it.each(['local.json', 'note.txt', 'db/PG_VERSION'])('the dev server does not serve %s of the data folder', async (name) => {
  const paths = [`${dataPath}/${name}`, `/@fs${dataDir}/${name}`, `/src/..${dataPath}/${name}`].flatMap((path) =>
    AS_QUERIES.map((query) => path.replaceAll(' ', '%20') + query),
  );
  for (const path of paths) {
    const { text } = await get(path);
    expect(text, path).not.toContain(platform.apiKey);
    expect(text, path).not.toMatch(/secret note|^17\n?$/);
  }
});

it.each([
  // The secrets of the data folder are beside it.
  ['deploy/make-secrets.sh', 'umask 077'],
  ['package.json', '"simplesim"'],
  ['clients/python/README.md', 'platform_robot_sdk'],
])('the dev server serves nothing except the sources of the page: %s', async (file, sentence) => {
  const encoded = file.replaceAll('e', '%65');
  const twice = file.replaceAll('e', '%2565');
  const paths = [
    ...[
      file,
      encoded,
      twice,
      `/${file}`,
      `./${file}`,
      `src/../${file}`,
      `src/%2e%2e/${file}`,
      `src/..%2f${file}`,
      `src\\..\\${file}`,
      `node_modules/../${file}`,
    ].map((path) => `/${path}`),
    ...[
      `${PROJECT_DIR}/${file}`,
      `${PROJECT_DIR}/src/../${file}`,
      `${PROJECT_DIR}/src/%2e%2e/${file}`,
      `/${PROJECT_DIR}/${file}`,
    ].map((path) => `/@fs${path}`),
    `/@id/${PROJECT_DIR}/${file}`,
    `/@id/__x00__${PROJECT_DIR}/${file}`,
    `/@vite/../${file}`,
    `http://localhost/${file}`,
  ].flatMap((path) => AS_QUERIES.map((query) => path + query));
  for (const path of paths) expect((await get(path)).text, path).not.toContain(sentence);
});

it('the dev server serves the sources of the page to pages of its own origin', async () => {
  const { port } = new URL(platform.baseUrl);
  for (const path of [
    '/src/viewer/main.tsx',
    `/@fs${PROJECT_DIR}/src/viewer/main.tsx`,
    '/@vite/client',
    '/favicon.svg',
    '/node_modules/vite/dist/client/env.mjs',
  ]) {
    const answer = await get(path, { Origin: 'http://localhost:3999' });
    expect(answer.status, path).toBe(200);
    expect(answer.headers['access-control-allow-origin'], path).toBeUndefined();
  }
  const element = await get('/simple-sim.js', { Origin: 'https://other.example' });
  expect(element.headers['access-control-allow-origin']).toBe('*');
  expect((await get('/', { Host: `localhost:${port}` })).status).toBe(200);
});

it('the dev server serves the page that checks runs', async () => {
  const { text } = await get('/replay.html');
  expect(text).toContain('/src/viewer/replay/start.tsx');
});

it('the dev server allows the same frames for the page as the built page does', async () => {
  expect((await get('/?key=k1~x~y')).headers['content-security-policy']).toBe("frame-ancestors 'self'");
  expect((await get('/?embed=1&try=1')).headers['content-security-policy']).toBe('frame-ancestors *');
});

it('the dev server rejects a foreign host name', async () => {
  for (const path of ['/', '/healthz', '/metrics', '/v1/robots', '/src/viewer/main.tsx']) {
    expect((await get(path, { Host: 'evil.example' })).status, path).toBe(421);
  }
});
