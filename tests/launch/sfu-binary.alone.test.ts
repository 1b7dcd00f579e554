/** Where the SFU comes from on a machine that has none. The proxy is a stand-in, and its Go a script that writes what it was asked to build. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GoArchives } from '../../src/launch/go-toolchain.ts';
import { findSfuBinary, pinnedVersion } from '../../src/launch/sfu-binary.ts';

const VERSION = '9.9.9';
const HERE = `${process.platform}-${process.arch}`;
const FAKE_GO = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo "built in $GOMODCACHE" > "$2"
/bin/chmod +x "$2"
`;

let folder: string;
let zip: Buffer;
let server: Server | null;
const lines: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simplesim-sfu-'));
  zip = zipOf({ 'bin/go': FAKE_GO, 'src/a.go': 'package a', 'pkg/tool/any/compile': '' });
  server = null;
  lines.length = 0;
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
  rmSync(folder, { recursive: true, force: true });
});

/** An archive as the module proxy has it. Python's own library makes it, and like a module it says of no file that it is a program. */
function zipOf(files: Record<string, string>): Buffer {
  const root = join(folder, 'zipped');
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, `golang.org/toolchain@v0.0.1-go${VERSION}.any`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  execFileSync('python3', ['-m', 'zipfile', '-c', join(folder, 'go.zip'), join(root, 'golang.org')]);
  return readFileSync(join(folder, 'go.zip'));
}

async function startProxy(answer: RequestListener): Promise<string> {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const archives = (sha256 = createHash('sha256').update(zip).digest('hex')): GoArchives => ({
  version: VERSION,
  archives: { [HERE]: { name: 'any', sha256 } },
});

/** On a machine with neither Go nor LiveKit. */
const find = (proxy: string, pinned = archives()): Promise<string> =>
  findSfuBinary(
    { PATH: join(folder, 'nothing'), HOME: join(folder, 'home'), GOPROXY: proxy },
    (line) => lines.push(line),
    join(folder, 'cache'),
    pinned,
  );
/** Returns the files that a build, or its failure, has left in the cache. */
const left = (): string[] => readdirSync(join(folder, 'cache', `sfu-${pinnedVersion()}-${HERE}`));

it('without Go the pinned one is fetched from the module proxy, builds the SFU, and is gone again', async () => {
  const asked: string[] = [];
  const proxy = await startProxy((request, response) => {
    asked.push(request.url ?? '');
    response.end(zip);
  });
  const binary = await find(`${proxy},direct`);
  expect(readFileSync(binary, 'utf8')).toMatch(/^built in .*livekit-server\.go\/modules$/m);
  expect(asked).toEqual([`/golang.org/toolchain/@v/v0.0.1-go${VERSION}.any.zip`]);
  expect(left()).toEqual(['livekit-server']);
  expect(lines.join('\n')).toMatch(/Go is fetched[\s\S]*The SFU is built/);
  expect(await find('http://127.0.0.1:1')).toBe(binary);
});

it.each<[what: string, answer: RequestListener, says: RegExp]>([
  ['is another one', (_request, response) => response.end('another'), /is not the one this project names: its SHA-256 is/],
  ['is not there', (_request, response) => response.writeHead(404).end(), /it answers with HTTP status 404/],
  [
    'breaks off',
    (_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('half', () => response.destroy());
    },
    /Go could not be fetched from http:/,
  ],
])('a Go that %s is told with what to do, and leaves nothing', async (_what, answer, says) => {
  const proxy = await startProxy(answer);
  const error = await find(proxy).catch((thrown: Error) => thrown.message);
  expect(error).toMatch(says);
  expect(error).toMatch(/^There is no LiveKit server on this machine and no Go to build it with\. .* Install Go 1\.26 or newer/);
  expect(left()).toEqual([]);
});

it('a proxy that is forbidden is not asked, and a machine that nobody builds Go for is named', async () => {
  await expect(find('off')).rejects.toThrow('GOPROXY forbids fetching Go from a module proxy.');
  await expect(find('off', { version: VERSION, archives: {} })).rejects.toThrow(
    `The Go module proxy has no Go for ${process.platform} on ${process.arch}.`,
  );
});
