/** The server of the page on which people watch an agent's robot. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { openWatchServer, type WatchServer } from '../../../src/launch/mcp/watch-server.ts';
import type { WatcherUpdate } from '../../../src/protocol/world-stream/audience.ts';

const dir = mkdtempSync(join(tmpdir(), 'simplesim-watch-'));
mkdirSync(join(dir, 'assets'));
writeFileSync(join(dir, 'agent.html'), '<!doctype html><title>Watch</title>');
writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Other</title>');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const opened: WatchServer[] = [];
const update: WatcherUpdate[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
  update.length = 0;
});

async function open(watchersMax?: number) {
  const server = await openWatchServer({
    port: 0,
    dir,
    greeting: () => [{ name: 'agent', data: { name: 'A\nB' } }],
    onWatchers: (one) => update.push(one),
    ...(watchersMax === undefined ? {} : { watchersMax }),
  });
  opened.push(server);
  return { server, port: Number(new URL(server.url).port) };
}

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text(): string;
  /** Settles when the text contains this. */
  until(part: string): Promise<string>;
  leave(): void;
  ended: Promise<void>;
}

function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
      (reply) => {
        let text = '';
        let look = (): void => undefined;
        reply.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          look();
        });
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text: () => text,
          until: (part) =>
            new Promise((found) => {
              look = () => text.includes(part) && found(text);
              look();
            }),
          leave: () => asked.destroy(),
          ended: new Promise((over) => reply.once('close', over)),
        });
        reply.on('error', () => undefined);
      },
    );
    asked.once('error', reject).end();
  });
}

it('serves the page with a strict policy, and only its files', async () => {
  const { server, port } = await open();
  expect(server.url).toBe(`http://127.0.0.1:${port}/agent.html`);
  const page = await ask(port, '/agent.html');
  const policy = String(page.headers['content-security-policy']);
  expect([page.status, policy]).toEqual([200, expect.stringContaining("connect-src 'self';")]);
  expect(policy).toContain("frame-ancestors 'none'");
  expect((await ask(port, '/')).headers.location).toBe('./agent.html');
  for (const path of ['/index.html', '/robots.html', '/../package.json', '/assets/../index.html', '/v1/robots'])
    expect([path, (await ask(port, path)).status]).toEqual([path, 404]);
});

it('rejects other hosts, other origins, and every method but GET', async () => {
  const { port } = await open();
  for (const path of ['/agent.html', '/agent-stream']) {
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`])
      expect([path, host, (await ask(port, path, { host })).status]).toEqual([path, host, 403]);
    for (const origin of ['http://evil.example', 'null', `http://localhost:${port}`])
      expect([path, origin, (await ask(port, path, { origin })).status]).toEqual([path, origin, 403]);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
      expect([path, method, (await ask(port, path, {}, method)).status]).toEqual([path, method, 405]);
  }
  expect((await ask(port, '/agent-stream', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask(port, '/agent.html', { host: `localhost:${port}` })).status).toBe(200);
  expect(update).toEqual([]);
});

it('sends greeting, calls and packets to each page, and reports who watches', async () => {
  const { server, port } = await open();
  const page = await ask(port, '/agent-stream', { origin: `http://127.0.0.1:${port}` });
  expect(page.headers['content-type']).toBe('text/event-stream');
  await page.until('event: agent\ndata: {"name":"A\\nB"}\n\n');
  server.sendWorld([new Uint8Array([1, 2, 3])]);
  await page.until('event: packet\ndata: AQID\n\n');
  expect(update).toEqual([{ present: true, isNew: true, isComing: false }]);
  page.leave();
  await expect.poll(() => update.at(-1)).toEqual({ present: false, isNew: false, isComing: false });
});

it('limits the number of pages', async () => {
  const { port } = await open(2);
  await ask(port, '/agent-stream');
  await ask(port, '/agent-stream');
  const third = await ask(port, '/agent-stream');
  expect(third.status).toBe(503);
  await third.until('Too many pages watch this robot.');
});

it('drops packets for a page that does not read, and keeps its memory bounded', async () => {
  const { server, port } = await open();
  const slow = await new Promise<import('node:net').Socket>((resolve) => {
    request({ host: '127.0.0.1', port, path: '/agent-stream', headers: { host: `127.0.0.1:${port}` } }, (reply) => {
      reply.pause();
      reply.socket.on('error', () => undefined);
      reply.on('error', () => undefined);
      resolve(reply.socket);
    }).end();
  });
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  for (let sent = 0; sent < 100; sent += 1) {
    server.sendWorld(Array.from({ length: 1_000 }, () => new Uint8Array(1_000)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  // All packets together have 130 MB.
  expect(after - before).toBeLessThan(60e6);
  slow.destroy();
});

it('notifies each page of the end', async () => {
  const { server, port } = await open();
  const page = await ask(port, '/agent-stream');
  await server.close();
  await page.ended;
  expect(page.text()).toContain('event: end\n');
});

it('names a busy port, and a page that is not built', async () => {
  const { port } = await open();
  const options = { port, dir, greeting: () => [], onWatchers: () => undefined };
  await expect(openWatchServer(options)).rejects.toThrow(`${port}`);
  await expect(openWatchServer({ ...options, port: 0, dir: join(dir, 'assets') })).rejects.toThrow('is not built');
});
