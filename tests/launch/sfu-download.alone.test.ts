/** The result of a download for each way in which a server can fail. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { download } from '../../src/launch/download.ts';
import { waitUntil } from './helpers/processes.ts';
import { type StandIn, sendHalf, sha256Of, startStandIn } from './helpers/stand-in-downloads.ts';

const BYTES = randomBytes(300_000);
/** For servers that do send something: a busy machine must not cause a failure. */
const LONG = { answerMs: 30_000, pieceMs: 30_000 };
const SHORT = { answerMs: 400, pieceMs: 400 };

let folder: string;
let server: StandIn | null;
const lines: [line: string, isInterim: boolean][] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simplesim-download-'));
  server = null;
  lines.length = 0;
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = (): string => join(folder, 'file');

async function downloadFrom(url: string, limits = LONG): Promise<void> {
  const order = { url: `${url}/v9.9.9/file.tar.gz`, sha256: sha256Of(BYTES), title: 'Downloading a file' };
  await download(order, path(), (line, isInterim = false) => lines.push([line, isInterim]), limits);
}

async function downloadAs(answer: RequestListener, limits = LONG): Promise<void> {
  server = await startStandIn(answer);
  await downloadFrom(server.url, limits);
}

it('a download writes the file and reports how much has arrived', async () => {
  await downloadAs(async (_request, response) => {
    response.writeHead(200, { 'content-length': String(BYTES.length) });
    response.write(BYTES.subarray(0, 100_000));
    await waitUntil(() => lines.some(([, isInterim]) => isInterim), 'a line of progress');
    response.end(BYTES.subarray(100_000));
  });
  expect(sha256Of(readFileSync(path()))).toBe(sha256Of(BYTES));
  expect(lines.slice(0, 2)).toEqual([
    [`Downloading a file from ${server?.url}`, false],
    ['Downloading a file: 0.1 of 0.3 MB', true],
  ]);
});

it('a download accepts a server that does not name the size, and a slow one', async () => {
  await downloadAs(
    async (_request, response) => {
      for (let sent = 0; sent < BYTES.length; sent += 70_000) {
        response.write(BYTES.subarray(sent, sent + 70_000));
        await sleep(800);
      }
      response.end();
    },
    { answerMs: 30_000, pieceMs: 3_000 },
  );
  expect(lines.at(-1)?.[0]).toMatch(/of \? MB$/);
});

it('a download follows redirects', async () => {
  await downloadAs((request, response) => {
    if (request.url === '/moved') response.end(BYTES);
    else response.writeHead(302, { location: '/moved' }).end();
  });
  expect(server?.asked).toEqual(['/v9.9.9/file.tar.gz', '/moved']);
});

it('a download rejects another file with its name, the expected checksum and its own', async () => {
  const other = Buffer.from('<html>Sign in to the network</html>');
  server = await startStandIn((_request, response) => response.end(other));
  await expect(downloadFrom(server.url)).rejects.toThrow(
    `file.tar.gz from ${server.url} has the wrong SHA-256: expected ${sha256Of(BYTES)}, got ${sha256Of(other)}.`,
  );
});

it.each<[what: string, answer: RequestListener, reason: RegExp, limits?: typeof LONG]>([
  ['answers 404', (_request, response) => response.writeHead(404).end('nothing here'), /HTTP status 404/],
  ['does not answer', () => {}, /no answer within 0\.4 s/, SHORT],
  ['hangs in the middle', sendHalf(BYTES), /less than 64 kB arrived within 0\.4 s/, { ...SHORT, answerMs: 30_000 }],
  [
    'drips',
    (_request, response) => {
      const timer = setInterval(() => response.write('a'), 50);
      response.once('close', () => clearInterval(timer));
    },
    /less than 64 kB arrived within 0\.4 s/,
    { ...SHORT, answerMs: 30_000 },
  ],
  [
    'breaks off',
    (_request, response) => {
      response.writeHead(200, { 'content-length': String(BYTES.length) });
      response.write(BYTES.subarray(0, 1_000), () => response.destroy());
    },
    /other side closed/,
  ],
  ['redirects forever', (_request, response) => response.writeHead(302, { location: '/' }).end(), /redirect count exceeded/],
])('a server that %s is an error that names file, server and reason', async (_what, answer, reason, limits) => {
  const error: unknown = await downloadAs(answer, limits).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/^Error: file\.tar\.gz cannot be downloaded from http:\/\/127\.0\.0\.1:\d+: /);
  expect(String(error)).toMatch(reason);
});

it('a download names a closed port', async () => {
  server = await startStandIn(() => {});
  const { url } = server;
  await server.close();
  server = null;
  await expect(downloadFrom(url)).rejects.toThrow(`file.tar.gz cannot be downloaded from ${url}: connect ECONNREFUSED`);
});

it('a download names an unknown host', async () => {
  await expect(downloadFrom('http://downloads.invalid')).rejects.toThrow(
    /^file\.tar\.gz cannot be downloaded from http:\/\/downloads\.invalid: (getaddrinfo \w+ downloads\.invalid|no answer within 30 s)\.$/,
  );
});

it('a download reports a full disk as such', async () => {
  server = await startStandIn((_request, response) => response.end(BYTES));
  const order = { url: `${server.url}/file`, sha256: sha256Of(BYTES), title: 'Downloading' };
  await expect(download(order, '/dev/full', () => {}, LONG)).rejects.toThrow(/ENOSPC: no space left on device/);
});
