/** The exchange of a one-time link for an API key: for the page of this machine only, once, within ten minutes. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import { type HttpServer, openHttpServer } from '../../src/launch/http-server.ts';
import { OpenCodes } from '../../src/launch/open-codes.ts';
import { staticFile } from '../../src/launch/static-files.ts';
import { OPEN_CODE_LIFE_MS } from '../../src/protocol/service/robots-page.ts';
import { bareService } from '../control-service/helpers/bare-service.ts';

const KEY = 'sk_live_of-this-test-alone';
let nowMs = 0;
const codes = new OpenCodes({ monotonicMs: () => nowMs }, randomBytes);
const distDir = mkdtempSync(join(tmpdir(), 'simplesim-robots-'));
let http: HttpServer;
let own: string;
beforeAll(async () => {
  writeFileSync(join(distDir, 'robots.html'), '<title>robots</title>');
  const front = createFront(new Health());
  const keyForCode = (code: string) => (codes.use(code) ? KEY : null);
  front.open({ service: bareService(), keyForCode, page: (c) => staticFile(c, distDir, '*') });
  http = await openHttpServer(0, front.app);
  own = `http://127.0.0.1:${http.port}`;
});
afterAll(async () => {
  await http.close();
  rmSync(distDir, { recursive: true, force: true });
});

/** Sends what a browser would: `fetch` does not allow a custom host. */
function ask(body: unknown, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const given = { Origin: own, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: http.port, path: '/robots/open', method: 'POST', headers: given },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}
const keyFor = async (code: unknown, headers?: Record<string, string>): Promise<unknown> => {
  const { status, text } = await ask({ code }, headers);
  return status === 200 ? JSON.parse(text).api_key : status;
};

it('a code gives the key once', async () => {
  const code = codes.make();
  expect(code).toMatch(/^[\w-]{32}$/);
  expect(await keyFor(code)).toBe(KEY);
  expect(await keyFor(code)).toBeNull();
});

it('of a hundred requests that use one code at once, one gets the key', async () => {
  const code = codes.make();
  const got = await Promise.all(Array.from({ length: 100 }, () => keyFor(code)));
  expect(got.filter((key) => key === KEY)).toHaveLength(1);
});

it('a code ends after ten minutes, to the millisecond', async () => {
  const [early, late] = [codes.make(), codes.make()];
  nowMs += OPEN_CODE_LIFE_MS - 1;
  expect(await keyFor(early)).toBe(KEY);
  nowMs += 1;
  expect(await keyFor(late)).toBeNull();
});

it('only the latest eight of many codes are valid', async () => {
  const made = Array.from({ length: 20 }, () => codes.make());
  const got: unknown[] = [];
  for (const code of made) got.push(await keyFor(code));
  expect(got.map((key) => key === KEY)).toEqual(made.map((_, index) => index >= 12));
});

it.each<[string, Record<string, string>]>([
  ['another origin', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['another port of this machine', { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }],
  ['no page', { Origin: '' }],
  ['a frame without an origin', { Origin: 'null' }],
  ['a page that hides where it is', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a tunnel, by the name of its address', { Host: 'tunnel.example', Origin: 'http://tunnel.example' }],
  ['the network', { Host: '192.168.1.7:8080', Origin: 'http://192.168.1.7:8080' }],
  ['a proxy', { 'X-Forwarded-For': '203.0.113.7' }],
  ['a proxy of the standard', { Forwarded: 'for=203.0.113.7' }],
])('%s gets no key, and does not use up a code', async (_, headers) => {
  const code = codes.make();
  expect(await keyFor(code, headers)).toBe(404);
  expect(await keyFor(code)).toBe(KEY);
});

it.each([[''], ['x'.repeat(128)], [null], [5], [{}], [['a']]])('the code %j gets no key', async (code) => {
  expect(await keyFor(code)).toBeNull();
});

it.each([['null'], ['[]'], ['"text"'], ['7']])('the body %s does not count as a code', async (body) => {
  expect(await ask(body)).toEqual({ status: 200, text: '{"api_key":null}' });
});

it('a form of another page, which needs no permission, is rejected', async () => {
  const { status } = await ask({ code: codes.make() }, { 'Content-Type': 'text/plain' });
  expect(status).toBe(415);
});

it('a platform without such codes has no such answer', async () => {
  const front = createFront(new Health());
  front.open({ service: bareService() });
  const answer = await front.app.request('/robots/open', { method: 'POST', body: '{}' }, { requestId: 'r' });
  expect(answer.status).toBe(404);
});

it('the page is at one address, cached nowhere, and in no frame, even if any site may frame the viewer', async () => {
  for (const query of ['', '?embed=1&try=1']) {
    const answer = await fetch(`${own}/robots${query}`);
    expect([answer.status, await answer.text()]).toEqual([200, '<title>robots</title>']);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  }
  for (const path of ['/robots/', '/robots.html']) {
    const answer = await fetch(`${own}${path}`, { redirect: 'manual' });
    expect(answer.status).toBe(308);
    expect(new URL(answer.headers.get('location') ?? '', answer.url).href).toBe(`${own}/robots`);
    expect(answer.headers.get('location')).toMatch(/^\./);
  }
});
