/** The demo: a folder of files from `npm run demo`, below a path of a host that knows nothing of it. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const ROOT = join(import.meta.dirname, '../..');
const BELOW = '/some/where/';
const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
};

/** Returns a valid key to a room that no server has. */
function keyOf(identity: string, attributes = {}): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const video = { room: 'robot-r1', roomJoin: true, canPublishData: true };
  const claims = { sub: identity, name: 'Ada', exp: Math.floor(Date.now() / 1000) + 3_600, video, attributes };
  return encodeRoomKey({ sfuUrl: 'ws://127.0.0.1:7880', token: `${encode({ alg: 'HS256' })}.${encode(claims)}.c2lnbmF0dXJl` });
}

/** Serves a folder below a path as a plain static host does: without headers of ours. */
async function serveBelow(folder: string): Promise<{ url: string; failed: string[]; server: Server }> {
  const failed: string[] = [];
  const server = createServer(async ({ url = '/', method = '' }, response) => {
    const path = new URL(url, 'http://host').pathname;
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const bytes =
      method === 'GET' && name.startsWith(BELOW) && !name.includes('..')
        ? await readFile(join(folder, name.slice(BELOW.length))).catch(() => null)
        : null;
    if (bytes === null) failed.push(`${method} ${url}`);
    response.writeHead(bytes === null ? 404 : 200, { 'Content-Type': MEDIA_TYPES[extname(name)] ?? 'text/plain' });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BELOW}`, failed, server };
}

test('npm run demo makes a folder that opens below any path: a robot, a task, a scene, a replay and the manual', async ({
  open,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-demo-'));
  execFileSync('npm', ['run', '--silent', 'demo', '--', folder], { cwd: ROOT });
  const { url, failed, server } = await serveBelow(folder);
  const asked: string[] = [];
  try {
    const page = await open(url);
    page.context().on('request', (request) => asked.push(request.url()));
    await expect(page.getByText('Programs reach a robot through a robot service, and this page has none.')).toBeVisible();
    await expect(page.getByLabel('Room key')).toBeHidden();
    await expectNoAxeFindings(page, 'the gate of the demo');
    await expectNothingCutOff(page, 'the gate of the demo');

    await page.getByText('Hall', { exact: true }).click();
    await page.getByRole('button', { name: 'Try it here' }).click();
    await expect(page.locator('[data-phase=live]')).toBeVisible();
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: /go_to/ }).click();
    await page.getByLabel('Entity id').fill('cube_2');
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Walk to cube_2: done' })).toHaveCount(1);
    await expect(page).toHaveURL(/scene=hall/);
    await page.getByRole('button', { name: 'As code' }).click();
    await expect(page.getByText(/Run `npm start` on your own machine and open the link that it prints/)).toBeVisible();

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
    const help = page.getByRole('dialog', { name: 'Help' });
    await expect(help).toContainText('Programs drive a robot that you start on your own machine');
    const [manual] = await Promise.all([page.waitForEvent('popup'), help.getByRole('link', { name: 'manual' }).click()]);
    await expect(manual.getByRole('heading', { name: 'Manual', level: 1 })).toBeVisible();
    await manual.getByRole('main').getByRole('link', { name: 'Troubleshooting', exact: true }).click();
    await expect(manual.getByRole('heading', { name: 'Troubleshooting', level: 1 })).toBeVisible();
    expect(manual.url()).toBe(`${url}manual/troubleshooting.html`);
    await manual.close();

    // A task brings its scene along: the address opens both.
    await page.goto(`${url}?try=1&task=kitchen-blues-to-sideboard`);
    await expect(page.locator('[data-phase=live]')).toBeVisible();
    await expect(page.getByText('The clock starts with your first action.')).toBeVisible();
    await expect(page).toHaveURL(/scene=kitchen/);

    for (const key of [keyOf('simplesim:r1'), keyOf('watcher-1', { 'simplesim.access': 'watch' })]) {
      await page.goto('about:blank');
      await page.goto(`${url}#key=${key}`);
      await expect(page.getByText(/This page runs a robot in this tab alone, and accepts no room key\./)).toBeVisible();
    }

    await page.getByRole('link', { name: 'watch a run' }).click();
    await expect(page.getByTestId('judged')).toHaveText('True');
    await expect(page.getByTestId('verdict')).toContainText('Passed. The goal was reached.');
    await page.goto(`${url}replay.html?proof=http://elsewhere.test/run.json`);
    await expect(page.getByRole('alert')).toContainText('must be at an https address, or on the site of this page');

    // A host of files can set no policy; the page brings its own, which allows no room.
    const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/connect-src 'self' https:;/);
    // Before the server: a page may still load its icon.
    await page.context().close();
    expect(asked.filter((one) => !one.startsWith(url) && !one.startsWith('blob:'))).toEqual([]);
    expect(failed).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
});
